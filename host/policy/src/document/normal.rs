//! The normalised form of a document, which its revision is taken of: only what is given, and `version`; groups as an
//! object, sizes as integers, digests in lower case, the description as text; presets not expanded
//! (`contract: policy §9`).

use std::collections::BTreeMap;

use super::canonical::{Canonical, float_text};
use super::{
    AuthSection, BudgetSection, Document, PathsSection, PluginSection, RuleSection, TokenSecret, TokenSection,
};
use crate::limits::{LimitValue, Limits, Seconds};
use crate::params::{ParamValue, Params};
use crate::scope::Scope;
use crate::source::{Number, Value};

type Fields = BTreeMap<&'static str, Canonical>;

impl Document {
    pub(super) fn normalised(&self) -> Canonical {
        let mut fields = Fields::from([("version", Canonical::Integer(1))]);
        put(&mut fields, "description", self.description.as_deref(), text);
        put(&mut fields, "preset", self.preset, |preset| text(preset.as_str()));
        put(&mut fields, "base_dir", self.base_dir.as_deref(), text);
        put(&mut fields, "groups", self.groups.as_ref(), |groups| {
            named(groups.iter().map(|group| (&group.name, Canonical::Bool(group.enabled))))
        });
        put(&mut fields, "defaults", self.defaults.as_ref(), rule);
        put(&mut fields, "auth", self.auth.as_ref(), auth);
        put(&mut fields, "endpoints", self.endpoints.as_ref(), |entries| {
            named(entries.iter().map(|entry| (&entry.text, rule(&entry.rule))))
        });
        put(&mut fields, "plugins", self.plugins.as_ref(), |plugins| {
            named(plugins.iter().map(|section| (&section.group, plugin(section))))
        });
        Canonical::Object(fields)
    }
}

fn auth(section: &AuthSection) -> Canonical {
    let mut fields = Fields::new();
    put(&mut fields, "tokens", section.tokens.as_ref(), |tokens| list(tokens, token));
    put(&mut fields, "allow_anonymous", section.allow_anonymous, Canonical::Bool);
    put(&mut fields, "anonymous_scopes", section.anonymous_scopes.as_deref(), scopes);
    Canonical::Object(fields)
}

fn token(token: &TokenSection) -> Canonical {
    let mut fields = Fields::from([("id", text(&token.id)), ("scopes", scopes(&token.scopes))]);
    match &token.secret {
        TokenSecret::Variable(name) => fields.insert("token_env", text(name)),
        TokenSecret::Digest(digest) => {
            let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            fields.insert("token_sha256", Canonical::Text(digits))
        }
    };
    Canonical::Object(fields)
}

fn rule(rule: &RuleSection) -> Canonical {
    let mut fields = Fields::new();
    put(&mut fields, "enabled", rule.enabled, Canonical::Bool);
    put(&mut fields, "scopes", rule.scopes.as_deref(), scopes);
    put(&mut fields, "audit", rule.audit, |mode| text(mode.as_str()));
    put(&mut fields, "paths", rule.paths.as_ref(), paths);
    put(&mut fields, "limits", rule.limits.as_ref(), limits);
    put(&mut fields, "params", rule.params.as_ref(), params);
    Canonical::Object(fields)
}

fn paths(section: &PathsSection) -> Canonical {
    let mut fields = Fields::new();
    put(&mut fields, "allow", section.allow.as_ref(), |allow| list(allow, |path| text(path)));
    put(&mut fields, "deny", section.deny.as_ref(), |deny| list(deny, |pattern| text(pattern.as_written())));
    put(&mut fields, "read_only", section.read_only, Canonical::Bool);
    put(&mut fields, "symlinks", section.symlinks, |symlinks| text(symlinks.as_str()));
    Canonical::Object(fields)
}

fn plugin(section: &PluginSection) -> Canonical {
    let mut fields = Fields::new();
    put(&mut fields, "file", section.file.as_deref(), text);
    put(&mut fields, "grant", section.grant.as_ref(), |grant| list(grant, |name| text(name)));
    put(&mut fields, "budget", section.budget.as_ref(), budget);
    Canonical::Object(fields)
}

fn budget(section: &BudgetSection) -> Canonical {
    let count = |number: u64| Canonical::Integer(number.into());
    let mut fields = Fields::new();
    put(&mut fields, "memory_bytes", section.memory_bytes, count);
    put(&mut fields, "group_memory_bytes", section.group_memory_bytes, count);
    put(&mut fields, "host_call_bytes", section.host_call_bytes, count);
    put(&mut fields, "slots", section.slots, count);
    put(&mut fields, "cpu_seconds", section.cpu_seconds, Canonical::Float);
    put(&mut fields, "wall_seconds", section.wall_seconds, Canonical::Float);
    put(&mut fields, "wait_seconds", section.wait_seconds, Canonical::Float);
    Canonical::Object(fields)
}

fn scopes(scopes: &[Scope]) -> Canonical {
    list(scopes, |scope| text(scope.as_str()))
}

fn limits(limits: &Limits) -> Canonical {
    let value = |value| match value {
        LimitValue::Count(number) | LimitValue::Time(Seconds::Whole(number)) => Canonical::Integer(number.into()),
        LimitValue::Time(Seconds::Float(seconds)) => Canonical::Float(seconds),
    };
    Canonical::Object(limits.iter().map(|(key, limit)| (key.as_str(), value(limit))).collect())
}

fn params(params: &Params) -> Canonical {
    let value = |value: &ParamValue| match value {
        ParamValue::Flag(flag) => Canonical::Bool(*flag),
        ParamValue::Texts(texts) => list(texts, |entry| text(entry)),
        ParamValue::Numbers(numbers) => list(numbers, |&number| Canonical::Integer(number.into())),
        ParamValue::Globs(globs) => list(globs, |glob| text(glob.as_str())),
        ParamValue::Commands(patterns) => list(patterns, |pattern| text(pattern.as_str())),
    };
    Canonical::Object(params.iter().map(|(key, param)| (key.as_str(), value(param))).collect())
}

fn text(words: &str) -> Canonical {
    Canonical::Text(words.to_owned())
}

fn list<T>(items: &[T], one: impl Fn(&T) -> Canonical) -> Canonical {
    Canonical::List(items.iter().map(one).collect())
}

fn named<'a>(entries: impl Iterator<Item = (&'a String, Canonical)>) -> Canonical {
    Canonical::Named(entries.map(|(name, value)| (name.clone(), value)).collect())
}

fn put<T>(fields: &mut Fields, key: &'static str, value: Option<T>, write: impl FnOnce(T) -> Canonical) {
    if let Some(value) = value {
        fields.insert(key, write(value));
    }
}

/// A description as text, whatever was written: words as they are, other values in the display form of
/// `contract: commands §4`.
pub(super) fn display_text(value: &Value) -> String {
    match value {
        Value::Text { text, .. } => text.clone(),
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(Number::Integer(number)) => number.to_string(),
        Value::Number(Number::Float(number)) => float_text(*number),
        Value::Number(Number::Huge) => "a large number".to_owned(),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|item| display_text(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entry = |key: &str, value: &Value| format!("{key}: {}", display_text(value));
            let entries: Vec<_> = entries.iter().map(|each| entry(&each.key, &each.node.value)).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
