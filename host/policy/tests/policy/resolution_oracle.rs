//! Resolution against a slow, obvious reading of `contract: policy §4 to §7` that works on plain JSON.

use abxd_policy::{EndpointFacts, Rule};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::support::{catalog, try_resolve};

/// One layer: its three sorting keys, what it is called, what it says, and how to tell whether it selects an endpoint.
struct Layer {
    kind: usize,
    rank: usize,
    selector: String,
    origin: String,
    says: Value,
}

impl Layer {
    fn selects(&self, endpoint: &EndpointFacts) -> bool {
        match self.kind {
            0 => true,
            1 => self.selector == format!("group:{}", endpoint.group),
            2 => fnmatch(&self.selector, &endpoint.id),
            _ => self.selector == *endpoint.id,
        }
    }

    fn prefix(&self) -> usize {
        self.selector.split('*').next().map_or(0, str::len)
    }
}

/// The generated selectors hold `*` and `?` only.
fn fnmatch(pattern: &str, text: &str) -> bool {
    match (pattern.chars().next(), text.chars().next()) {
        (None, None) => true,
        (Some('*'), None) => fnmatch(&pattern[1..], text),
        (Some('*'), Some(_)) => fnmatch(&pattern[1..], text) || fnmatch(pattern, &text[1..]),
        (Some(wanted), Some(letter)) => (wanted == '?' || wanted == letter) && fnmatch(&pattern[1..], &text[1..]),
        _ => false,
    }
}

fn kind(selector: &str) -> usize {
    match selector {
        "@defaults" => 0,
        _ if selector.starts_with("group:") => 1,
        _ if selector.contains(['*', '?', '[']) => 2,
        _ => 3,
    }
}

/// The contents of the presets, told once more.
fn preset(name: &str) -> Value {
    let off = json!({"enabled": false});
    let on = json!({"enabled": true});
    let groups = json!({"process": false, "terminal": false, "dev_tools": false, "browser": false});
    match name {
        "transfer-only" => json!({"endpoints": {"*": off, "files_upload_stream": on, "files_download_stream": on,
            "files_upload": on, "files_download": on}}),
        "read-only" => {
            json!({"groups": groups, "endpoints": {"files_mkdir": off, "files_delete": off, "files_move": off,
            "files_upload_stream": off, "files_upload": off, "env_set": off}})
        }
        "hardened" => json!({"groups": groups, "defaults": {"audit": "deny"}, "endpoints": {"env_set": off,
            "files_*": {"paths": {"symlinks": "within", "deny": ["/proc", "/sys", "/dev", "**/.ssh", "**/.env",
                "**/.env.*", "**/*.pem", "**/id_rsa*", "**/id_ed25519*"]}}}}),
        "locked" => json!({"endpoints": {"*": off, "list_commands": on, "run_command": on}}),
        _ => json!({}),
    }
}

fn layers(document: &Value, endpoints: &[(String, Value)], code: &[(&str, bool)], env: &[&str]) -> Vec<Layer> {
    let mut layers = Vec::new();
    let mut add = |rank, selector: String, origin: String, says: Value| {
        layers.push(Layer { kind: kind(&selector), rank, selector, origin, says });
    };
    let switch = |enabled: bool| json!({"enabled": enabled});
    for group in ["dev_tools", "browser", "agents"] {
        add(0, format!("group:{group}"), format!("default:opt-in:{group}"), switch(false));
    }
    for (group, enabled) in code {
        add(1, format!("group:{group}"), format!("code:enable_group:{group}"), switch(*enabled));
    }
    let name = document["preset"].as_str().unwrap_or("default");
    let preset = preset(name);
    let preset_endpoints: Vec<(String, Value)> = preset["endpoints"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for (rank, document, endpoints) in [(2, &preset, preset_endpoints.as_slice()), (3, document, endpoints)] {
        let origin = |part: String| if rank == 2 { format!("preset:{name}") } else { format!("policy:{part}") };
        if document["defaults"].is_object() {
            add(rank, "@defaults".into(), origin("defaults".into()), document["defaults"].clone());
        }
        for (group, enabled) in document["groups"].as_object().into_iter().flatten() {
            add(rank, format!("group:{group}"), origin(format!("groups.{group}")), json!({"enabled": enabled}));
        }
        for (selector, says) in endpoints {
            add(rank, selector.clone(), origin(format!("endpoints.{selector}")), says.clone());
        }
    }
    for group in env {
        add(4, format!("group:{group}"), format!("env:ABX_SERVER_ENABLED_GROUPS:{group}"), switch(true));
    }
    layers
}

/// What a rule comes to, in one comparable form.
fn expected(endpoint: &EndpointFacts, layers: &[Layer]) -> Value {
    let mut matching: Vec<(usize, &Layer)> =
        layers.iter().enumerate().filter(|(_, layer)| layer.selects(endpoint)).collect();
    matching.sort_by_key(|(position, layer)| (layer.kind, layer.rank, layer.prefix(), *position));
    let said = |pointer: &str| -> Vec<Value> {
        matching.iter().filter_map(|(_, layer)| layer.says.pointer(pointer)).cloned().collect()
    };
    let last = |pointer: &str, start: Value| said(pointer).last().cloned().unwrap_or(start);
    let union = |pointer: &str| {
        let mut entries: Vec<Value> = Vec::new();
        for entry in said(pointer).iter().flat_map(|list| list.as_array().expect("a list").clone()) {
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        entries
    };

    let voters: Vec<&&Layer> =
        matching.iter().map(|(_, layer)| layer).filter(|layer| layer.says["enabled"].is_boolean()).collect();
    let bucket = voters.iter().map(|layer| (layer.kind, layer.rank)).max();
    let mut against = voters
        .iter()
        .filter(|layer| Some((layer.kind, layer.rank)) == bucket && layer.says["enabled"] == json!(false))
        .map(|layer| layer.origin.clone());
    let forced = ["health", "capabilities", "capabilities_check"].contains(&&*endpoint.id);
    let rule = if forced { None } else { against.next() };

    let is_health = &*endpoint.id == "health";
    let mut limits = Map::new();
    for key in endpoint.limits.iter().filter(|_| !is_health) {
        if let Some(value) = said(&format!("/limits/{key}")).pop() {
            limits.insert(key.to_string(), value);
        }
    }
    let mut params = Map::new();
    for key in endpoint.params.iter() {
        let pointer = format!("/params/{key}");
        let is_union =
            ["deny_extensions", "deny_commands", "env_deny", "deny_vars", "url_deny"].contains(&key.as_str());
        match said(&pointer).pop() {
            Some(_) if is_union => drop(params.insert(key.to_string(), union(&pointer).into())),
            Some(value) => drop(params.insert(key.to_string(), value)),
            None => {}
        }
    }
    let declared: Vec<&str> = endpoint.scopes.iter().map(|scope| scope.as_str()).collect();
    json!({
        "rule": rule,
        "scopes": if is_health { json!([]) } else { last("/scopes", json!(declared)) },
        "audit": last("/audit", json!("deny")),
        "allow": if endpoint.paths { last("/paths/allow", json!([])) } else { json!([]) },
        "deny": if endpoint.paths { json!(union("/paths/deny")) } else { json!([]) },
        "read_only": if endpoint.paths { last("/paths/read_only", json!(false)) } else { json!(false) },
        "symlinks": if endpoint.paths { last("/paths/symlinks", json!("within")) } else { json!("within") },
        "limits": limits,
        "params": params,
    })
}

fn actual(rule: &Rule) -> Value {
    json!({
        "rule": rule.origin().map(|origin| &origin.rule),
        "scopes": rule.scopes().iter().map(|scope| scope.as_str()).collect::<Vec<_>>(),
        "audit": rule.audit().as_str(),
        "allow": rule.paths().allow(),
        "deny": rule.paths().deny().iter().map(|pattern| pattern.as_written()).collect::<Vec<_>>(),
        "read_only": rule.paths().read_only(),
        "symlinks": rule.paths().symlinks().as_str(),
        "limits": rule.limits().to_json(),
        "params": rule.params().to_json(),
    })
}

/// Values of one key, a few that can meet each other.
fn values(key: &'static str) -> BoxedStrategy<Value> {
    let texts = |choices: &'static [&'static str]| {
        proptest::collection::vec(select(choices), 0..3).prop_map(|list| json!(list)).boxed()
    };
    match key {
        "enabled" | "read_only" | "overwrite" => any::<bool>().prop_map(Value::from).boxed(),
        "scopes" => texts(&["z", "files:read"]),
        "audit" => select(vec!["off", "deny", "all"]).prop_map(Value::from).boxed(),
        "symlinks" => select(vec!["within", "never"]).prop_map(Value::from).boxed(),
        "allow" => texts(&["/a", "/b"]),
        "deny" => texts(&["*.a", "*.b", "/c"]),
        "deny_extensions" | "allow_extensions" => texts(&[".a", ".b", ".c"]),
        "deny_commands" | "allow_commands" => texts(&["rm", "ls -l", "git ..."]),
        _ => (1_u64..9).prop_map(Value::from).boxed(),
    }
}

fn object(keys: &'static [&'static str]) -> BoxedStrategy<Value> {
    let entry = |key: &'static str| proptest::option::of(values(key)).prop_map(move |value| (key.to_owned(), value));
    let entries: Vec<_> = keys.iter().map(|key| entry(key)).collect();
    entries
        .prop_map(|entries| {
            entries.into_iter().filter_map(|(key, value)| Some((key, value?))).collect::<Map<_, _>>().into()
        })
        .boxed()
}

/// A rule for a selector of many, or with only those keys that every endpoint has for a selector of one.
fn rule(for_many: bool) -> impl Strategy<Value = Value> {
    let (limits, params, paths) = if for_many {
        (
            object(&["rate_per_minute", "max_bytes", "timeout_seconds"]),
            object(&["overwrite", "deny_extensions", "allow_extensions", "deny_commands", "allow_commands"]),
            proptest::option::weighted(0.4, object(&["allow", "deny", "read_only", "symlinks"])).boxed(),
        )
    } else {
        (object(&["rate_per_minute", "max_concurrency"]), object(&[]), Just(None).boxed())
    };
    (object(&["enabled", "scopes", "audit"]), limits, params, paths).prop_map(|(mut rule, limits, params, paths)| {
        rule["limits"] = limits;
        rule["params"] = params;
        if let Some(paths) = paths {
            rule["paths"] = paths;
        }
        rule
    })
}

fn endpoint_rules() -> impl Strategy<Value = Vec<(String, Value)>> {
    let many = vec![
        "@defaults",
        "group:process",
        "group:file_ops",
        "group:agents",
        "*",
        "files_*",
        "*_list",
        "files_*_stream",
        "shell?*",
        "?hell",
        "f*d",
    ];
    let one = vec!["shell", "files_list", "files_upload", "health", "capabilities", "code_run", "env_set"];
    let entry = prop_oneof![
        3 => (select(many), rule(true)),
        1 => (select(one), rule(false)),
    ];
    proptest::collection::vec(entry, 0..7).prop_map(|entries| {
        let mut kept: Vec<(String, Value)> = Vec::new();
        for (selector, rule) in entries {
            if !kept.iter().any(|(known, _)| known == selector) {
                kept.push((selector.to_owned(), rule));
            }
        }
        kept
    })
}

const GROUPS: [&str; 5] = ["process", "file_ops", "dev_tools", "agents", "system"];

fn document() -> impl Strategy<Value = (Value, Vec<(String, Value)>)> {
    let presets = vec!["default", "transfer-only", "read-only", "hardened", "locked"];
    let groups = proptest::collection::btree_map(select(GROUPS.to_vec()), any::<bool>(), 0..3);
    let top = (proptest::option::of(select(presets)), groups, proptest::option::of(rule(true)));
    (top, endpoint_rules()).prop_map(|((preset, groups, defaults), endpoints)| {
        let mut document = json!({"groups": groups});
        if let Some(preset) = preset {
            document["preset"] = preset.into();
        }
        if let Some(defaults) = defaults {
            document["defaults"] = defaults;
        }
        (document, endpoints)
    })
}

/// The document as text, its endpoints in their order.
fn text(document: &Value, endpoints: &[(String, Value)]) -> String {
    let endpoints: Vec<_> = endpoints.iter().map(|(selector, rule)| format!("{}:{rule}", json!(selector))).collect();
    let document = document.to_string();
    let head = document.strip_suffix('}').expect("an object");
    format!(r#"{head},"endpoints":{{{}}}}}"#, endpoints.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_oracle(
        (document, endpoints) in document(),
        code in proptest::collection::btree_map(select(GROUPS.to_vec()), any::<bool>(), 0..3),
        env in proptest::collection::btree_set(select(GROUPS.to_vec()), 0..3),
    ) {
        let code: Vec<_> = code.into_iter().collect();
        let env: Vec<_> = env.into_iter().collect();
        let text = text(&document, &endpoints);
        let policy = try_resolve(&text, &code, &env.join(",")).unwrap_or_else(|error| panic!("{text}: {error}"));
        let layers = layers(&document, &endpoints, &code, &env);
        for (endpoint, rule) in catalog().endpoints().iter().zip(policy.rules()) {
            prop_assert_eq!(actual(rule), expected(endpoint, &layers), "{} under {} code {:?} env {:?}", endpoint.id, text, code, env);
        }
    }
}
