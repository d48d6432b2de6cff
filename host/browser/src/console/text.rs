//! Values as the text of a console entry, the way Playwright shows them.

use serde_json::Value;

use crate::cdp::protocol::runtime::{ExceptionDetails, PropertyPreview, RemoteObject};

/// Arguments of a call: no format is expanded.
pub(super) fn of_arguments(arguments: &[RemoteObject]) -> String {
    let texts: Vec<_> = arguments.iter().map(of_value).collect();
    texts.join(" ")
}

/// What was thrown: with its stack, if it has one.
pub(super) fn of_exception(details: &ExceptionDetails) -> String {
    match &details.exception {
        Some(exception) => match &exception.description {
            Some(stack) => stack.clone(),
            None => format!("{} {}", details.text, of_value(exception)),
        },
        None => details.text.clone(),
    }
}

fn of_value(value: &RemoteObject) -> String {
    if value.subtype.as_deref() == Some("node") {
        return "JSHandle@node".to_owned();
    }
    match (&*value.kind, &value.value, &value.unserializable_value) {
        ("undefined" | "bigint", ..) => "undefined".to_owned(),
        (_, Some(Value::String(text)), _) => text.clone(),
        ("number", Some(_), _) => described(value),
        (_, Some(plain), _) => plain.to_string(),
        (_, None, Some(number)) => if number == "-0" { "0" } else { number }.to_owned(),
        (_, None, None) => of_object(value),
    }
}

fn of_object(object: &RemoteObject) -> String {
    match &object.preview {
        Some(preview) if object.description.as_deref() == Some("Object") => {
            let members = preview.properties.iter().map(|property| format!("{}: {}", property.name, property.value));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Some(preview) if object.subtype.as_deref() == Some("array") => of_list(&preview.properties),
        _ => described(object),
    }
}

/// Items in order, with what is missing between them.
fn of_list(properties: &[PropertyPreview]) -> String {
    let mut items: Vec<(u64, &str)> =
        properties.iter().filter_map(|property| Some((property.name.parse().ok()?, &*property.value))).collect();
    items.sort_by_key(|(index, _)| *index);
    let (mut texts, mut next) = (Vec::new(), 0);
    for (index, text) in items {
        match index.saturating_sub(next) {
            0 => {}
            1 => texts.push("empty".to_owned()),
            missing => texts.push(format!("empty x {missing}")),
        }
        texts.push(text.to_owned());
        next = index + 1;
    }
    format!("[{}]", texts.join(", "))
}

fn described(value: &RemoteObject) -> String {
    value.description.clone().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{of_arguments, of_exception};
    use crate::cdp::protocol::runtime::RemoteObject;

    fn shown(json: &str) -> String {
        of_arguments(&serde_json::from_str::<Vec<RemoteObject>>(json).unwrap())
    }

    #[test]
    fn values_are_shown_as_playwright_shows_them() {
        for (json, text) in [
            ("[]", ""),
            (r#"[{"type":"string","value":"a %s"},{"type":"number","value":1,"description":"1"}]"#, "a %s 1"),
            (r#"[{"type":"number","value":1e21,"description":"1e+21"}]"#, "1e+21"),
            (r#"[{"type":"number","unserializableValue":"-0","description":"-0"}]"#, "0"),
            (r#"[{"type":"number","unserializableValue":"NaN","description":"NaN"}]"#, "NaN"),
            (r#"[{"type":"bigint","unserializableValue":"10n","description":"10n"}]"#, "undefined"),
            (r#"[{"type":"boolean","value":true},{"type":"object","subtype":"null","value":null}]"#, "true null"),
            (
                r#"[{"type":"undefined"},{"type":"symbol","description":"Symbol(a)","objectId":"1"}]"#,
                "undefined Symbol(a)",
            ),
            (r#"[{"type":"object","subtype":"node","description":"div","objectId":"1"}]"#, "JSHandle@node"),
            (
                r#"[{"type":"object","subtype":"error","description":"Error: x\n    at y","objectId":"1"}]"#,
                "Error: x\n    at y",
            ),
            (
                r#"[{"type":"object","description":"Object","preview":{"properties":[{"name":"a","type":"number","value":"1"},{"name":"deep","type":"object","value":"Object"}]}}]"#,
                "{a: 1, deep: Object}",
            ),
            (
                r#"[{"type":"object","subtype":"array","description":"Array(5)","preview":{"properties":[{"name":"0","value":"1"},{"name":"4","value":"Array(1)"},{"name":"x","value":"2"}]}}]"#,
                "[1, empty x 3, Array(1)]",
            ),
            (r#"[{"type":"object","subtype":"map","description":"Map(1)","preview":{"properties":[]}}]"#, "Map(1)"),
        ] {
            assert_eq!(shown(json), text, "{json}");
        }
    }

    #[test]
    fn an_exception_has_its_stack_or_its_value() {
        for (json, text) in [
            (
                r#"{"text":"Uncaught","exception":{"type":"object","description":"Error: x\n    at y"}}"#,
                "Error: x\n    at y",
            ),
            (
                r#"{"text":"Uncaught (in promise)","exception":{"type":"string","value":"no"}}"#,
                "Uncaught (in promise) no",
            ),
            (r#"{"text":"Uncaught"}"#, "Uncaught"),
        ] {
            assert_eq!(of_exception(&serde_json::from_str(json).unwrap()), text);
        }
    }
}
