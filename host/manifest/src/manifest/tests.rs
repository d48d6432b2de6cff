use super::*;
use crate::{Access, ArgumentKind, Body, Fault, Method, Place};

const TOP: &str = "group = \"demo\"\nversion = \"1.0.0\"\n";

/// An endpoint with more keys, or with others for those it has anyway.
fn endpoint(keys: &str) -> String {
    let mut text = "[[endpoint]]\n".to_owned();
    for (key, value) in
        [("id", "\"one\""), ("method", "\"GET\""), ("path", "\"/one\""), ("summary", "\"One.\""), ("scopes", "[]")]
    {
        if !keys.lines().any(|line| line.starts_with(&format!("{key} "))) {
            text.push_str(&format!("{key} = {value}\n"));
        }
    }
    text + keys + "\n"
}

fn read(text: &str) -> Result<Manifest, ManifestError> {
    Manifest::from_toml(text, "plugin.toml")
}

fn fault(text: &str) -> (String, Fault) {
    match read(text) {
        Err(ManifestError::Wrong { file, place, fault }) => {
            assert_eq!(file, "plugin.toml");
            (place.to_string(), *fault)
        }
        other => panic!("{text}\n{other:?}"),
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let manifest = read(&(TOP.to_owned() + &endpoint(""))).unwrap();
    assert!(!manifest.opt_in && manifest.imports.is_empty());
    let decl = &manifest.endpoints[0];
    assert_eq!((decl.method, decl.access, decl.body), (Method::Get, Access::Read, Body::None));
    assert!(decl.auth);
    assert!(!(decl.paths || decl.exec || decl.streaming || decl.is_virtual));
    assert_eq!(decl.all_limits().collect::<Vec<_>>(), ["max_concurrency", "max_request_bytes", "rate_per_minute"]);
}

#[test]
fn the_method_says_what_a_body_is_read_as_unless_the_manifest_does() {
    for (keys, body) in [
        ("method = \"GET\"", Body::None),
        ("method = \"POST\"", Body::Json),
        ("method = \"PUT\"", Body::Json),
        ("method = \"DELETE\"", Body::Json),
        ("method = \"WS\"\nvirtual = true", Body::None),
        ("method = \"POST\"\nbody = \"none\"", Body::None),
        ("method = \"POST\"\nbody = \"unread\"", Body::Unread),
        ("method = \"GET\"\nbody = \"json\"", Body::Json),
    ] {
        assert_eq!(read(&(TOP.to_owned() + &endpoint(keys))).unwrap().endpoints[0].body, body, "{keys}");
    }
}

#[test]
fn values_that_cannot_be_are_named_with_their_place() {
    let one = |key: &str| format!("endpoint 1 (\"one\"): {key}");
    let text = |text: &str| text.to_owned();
    for (keys, place, wrong) in [
        ("id = \"One\"", text("endpoint 1 (\"One\"): id"), Fault::Name(text("One"))),
        ("method = \"WS\"", one("method"), Fault::SocketNotVirtual),
        ("path = \"one\"", one("path"), Fault::Path(text("one"))),
        ("path = \"/{a}/{a}\"", one("path"), Fault::Repeated(text("a"))),
        ("summary = \" \"", one("summary"), Fault::Blank),
        ("summary = \"a\\nb\"", one("summary"), Fault::Blank),
        ("scopes = [\"a:B\"]", one("scopes"), Fault::Scope(text("a:B"))),
        ("scopes = [\"a\", \"a\"]", one("scopes"), Fault::Repeated(text("a"))),
        ("limits = [\"max_byts\"]", one("limits"), Fault::Limit(text("max_byts"))),
        ("limits = [\"rate_per_minute\"]", one("limits"), Fault::CommonLimit(text("rate_per_minute"))),
        ("params = [\"shell\"]", one("params"), Fault::Param(text("shell"))),
        ("access = \"write\"", one("access"), Fault::AccessWithoutPaths),
        ("auth = false", one("auth"), Fault::Anyone),
        ("headers = [\"Range\"]", one("headers"), Fault::Header(text("Range"))),
        ("headers = [\"authorization\"]", one("headers"), Fault::SecretHeader(text("authorization"))),
        ("uncoded = true", one("uncoded"), Fault::WithoutBody),
        ("halves = { path = \"invalid_path\" }", one("halves"), Fault::WithoutBody),
        ("body = \"json\"\nhalves = { path = \"path_denied\" }", one("halves"), Fault::Malformed(text("path_denied"))),
        ("aside = \"\"", one("aside"), Fault::Blank),
        ("aside = \"content\"", one("aside"), Fault::AsideWithoutJson),
    ] {
        assert_eq!(fault(&(TOP.to_owned() + &endpoint(keys))), (place, wrong), "{keys}");
    }
}

#[test]
fn so_are_those_of_the_manifest_itself() {
    for (top, place, wrong) in [
        ("group = \"a-b\"\nversion = \"1.0.0\"\n", "group", Fault::Name("a-b".to_owned())),
        ("group = \"demo\"\nversion = \"1\"\n", "version", Fault::Version("1".to_owned())),
        (
            "group = \"demo\"\nversion = \"1.0.0\"\nimports = [\"abx:host/files\"]\n",
            "imports",
            Fault::Interface("abx:host/files".to_owned()),
        ),
        (
            "group = \"demo\"\nversion = \"1.0.0\"\nimports = [\"log\", \"log\"]\n",
            "imports",
            Fault::Repeated("log".to_owned()),
        ),
    ] {
        assert_eq!(fault(&(top.to_owned() + &endpoint(""))), (place.to_owned(), wrong));
    }
    assert_eq!(fault(TOP), ("endpoint".to_owned(), Fault::NoEndpoint));
}

#[test]
fn a_budget_is_within_bounds_and_survives_packing() {
    let with = |budget: &str| TOP.to_owned() + "[budget]\n" + budget + "\n" + &endpoint("");
    let manifest = read(&with("memory_bytes = 1048576\ncpu_seconds = 2\nwall_seconds = 0.25")).unwrap();
    let budget = manifest.budget;
    assert_eq!((budget.memory_bytes, budget.cpu_seconds, budget.wall_seconds), (Some(1 << 20), Some(2.0), Some(0.25)));
    assert_eq!((budget.slots, budget.group_memory_bytes), (None, None));
    assert_eq!(Manifest::from_json(&manifest.to_json().unwrap(), "section").unwrap(), manifest);

    let wrong = Fault::OutOfBounds { value: "0".to_owned(), least: 1.0, most: 1024.0 };
    assert_eq!(fault(&with("slots = 0")), ("budget: slots".to_owned(), wrong));
    for text in ["cpu = 1", "slots = -1", "slots = 1.5", "cpu_seconds = \"1\""] {
        assert!(matches!(read(&with(text)), Err(ManifestError::Unreadable { .. })), "{text}");
    }
}

#[test]
fn ids_and_routes_are_unique() {
    let twice = |first: &str, second: &str| TOP.to_owned() + &endpoint(first) + &endpoint(second);
    assert_eq!(
        fault(&twice("", "path = \"/two\"")),
        ("endpoint 2 (\"one\"): id".to_owned(), Fault::TakenId("one".to_owned()))
    );
    let wrong = Fault::TakenRoute { method: Method::Get, path: "/a/{y}".to_owned(), by: "one".to_owned() };
    assert_eq!(
        fault(&twice("path = \"/a/{x}\"", "id = \"two\"\npath = \"/a/{y}\"")),
        ("endpoint 2 (\"two\"): path".to_owned(), wrong)
    );
    assert!(read(&twice("", "id = \"two\"\nmethod = \"POST\"")).is_ok());
}

#[test]
fn syntax_types_and_unknown_keys_are_named_with_their_line() {
    for (text, line, words) in [
        ("group = ", 1, ""),
        ("group = \"demo\"\nversion = 1\n", 2, "string"),
        ("group = \"demo\"\nversion = \"1.0.0\"\nimport = []\n", 3, "unknown field `import`, expected one of"),
        (&(TOP.to_owned() + &endpoint("path = \"/one\"\nlimit = []")), 9, "unknown field `limit`, expected one of"),
        (&(TOP.to_owned() + &endpoint("method = \"PATCH\"")), 8, "unknown variant `PATCH`, expected one of `GET`"),
    ] {
        let Err(ManifestError::Unreadable { file, line: at, detail }) = read(text) else { panic!("{text}") };
        assert_eq!((file.as_str(), at), ("plugin.toml", line), "{text}\n{detail}");
        assert!(detail.contains(words), "{detail}");
    }
}

#[test]
fn one_line_says_what_is_wrong_and_what_would_be_right() {
    let message = read(&(TOP.to_owned() + &endpoint("limits = [\"max_byts\"]"))).unwrap_err().to_string();
    assert!(
        message
            .starts_with("plugin.toml: endpoint 1 (\"one\"): limits: \"max_byts\" is no limit; there are max_bytes,")
    );
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn a_manifest_has_an_end() {
    let long = "#".repeat(MAX_BYTES + 1);
    assert!(matches!(read(&long), Err(ManifestError::TooLarge { bytes, .. }) if bytes == MAX_BYTES + 1));
}

#[test]
fn json_says_the_same_and_leaves_out_defaults() {
    let keys = "method = \"POST\"\npaths = true\naccess = \"write\"\nheaders = [\"range\"]\nbody = \"unread\"";
    let manifest = read(&(TOP.to_owned() + &endpoint(keys))).unwrap();
    let json = manifest.to_json().unwrap();
    assert_eq!(Manifest::from_json(&json, "section").unwrap(), manifest);
    let plain = read(&(TOP.to_owned() + &endpoint(""))).unwrap().to_json().unwrap();
    assert_eq!(
        String::from_utf8(plain).unwrap(),
        r#"{"group":"demo","version":"1.0.0","endpoint":[{"id":"one","method":"GET","path":"/one","summary":"One.","scopes":[]}]}"#
    );
}

#[test]
fn json_is_checked_like_toml() {
    let bad = br#"{"group":"demo","version":"1.0.0","endpoint":[]}"#;
    assert!(matches!(
        Manifest::from_json(bad, "section"),
        Err(ManifestError::Wrong { place: Place::Top("endpoint"), fault, .. }) if *fault == Fault::NoEndpoint
    ));
    for bad in [&b"{"[..], br#"{"group":"a","group":"b"}"#, b"[]", b"\xff"] {
        assert!(matches!(Manifest::from_json(bad, "section"), Err(ManifestError::Unreadable { .. })));
    }
}

#[test]
fn commands_are_declared_with_their_arguments() {
    let text = TOP.to_owned()
        + &endpoint("")
        + "[[command]]\nname = \"say it\"\nendpoint = \"one\"\nscopes = [\"demo:say\"]\nhidden = true\n\
           [[command.args]]\nname = \"words\"\ntype = \"string_array\"\ndefault = \"[]\"\n\
           [[command.args]]\nname = \"often\"\ntype = \"integer\"\nrequired = true\ndescription = \"how\"\n";
    let manifest = read(&text).unwrap();
    let command = &manifest.commands[0];
    assert_eq!((&*command.name, &*command.endpoint, command.hidden), ("say it", "one", true));
    assert_eq!(command.scopes, ["demo:say"]);
    let kinds: Vec<_> = command.args.iter().map(|argument| (argument.kind, argument.required)).collect();
    assert_eq!(kinds, [(ArgumentKind::StringArray, false), (ArgumentKind::Integer, true)]);
    assert_eq!(Manifest::from_json(&manifest.to_json().unwrap(), "section").unwrap(), manifest);
}

#[test]
fn commands_that_cannot_be_are_named_with_their_place() {
    let text = |text: &str| text.to_owned();
    for (keys, key, wrong) in [
        ("name = \"\"\nendpoint = \"one\"", "name", Fault::Blank),
        ("name = \"x\"\nendpoint = \"two\"", "endpoint", Fault::Endpoint(text("two"))),
        ("name = \"x\"\nendpoint = \"one\"\nscopes = [\"A\"]", "scopes", Fault::Scope(text("A"))),
        ("name = \"x\"\nendpoint = \"one\"\n[[command.args]]\nname = \"\"", "args", Fault::Blank),
        (
            "name = \"x\"\nendpoint = \"one\"\n[[command.args]]\nname = \"a\"\n[[command.args]]\nname = \"a\"",
            "args",
            Fault::Repeated(text("a")),
        ),
        (
            "name = \"x\"\nendpoint = \"one\"\n[[command.args]]\nname = \"a\"\ntype = \"string_array\"\ndefault = \"a\"",
            "args",
            Fault::Default(text("a")),
        ),
    ] {
        let (place, fault) = fault(&(TOP.to_owned() + &endpoint("") + "[[command]]\n" + keys + "\n"));
        assert!(place.starts_with("command 1 (") && place.ends_with(key), "{place}");
        assert_eq!(fault, wrong, "{keys}");
    }
    let twice = "[[command]]\nname = \"x\"\nendpoint = \"one\"\n".repeat(2);
    let (place, fault) = fault(&(TOP.to_owned() + &endpoint("") + &twice));
    assert_eq!((&*place, fault), ("command 2 (\"x\"): name", Fault::Repeated(text("x"))));
    let unknown = "[[command]]\nname = \"x\"\nendpoint = \"one\"\n[[command.args]]\nname = \"a\"\ntype = \"date\"\n";
    assert!(matches!(read(&(TOP.to_owned() + &endpoint("") + unknown)), Err(ManifestError::Unreadable { .. })));
}
