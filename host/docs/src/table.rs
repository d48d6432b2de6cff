//! The endpoints as Markdown: a section for each group, a row for each endpoint.

use std::fmt::{self, Write};

use abxd_manifest::{Access, EndpointDecl, Method};

use crate::sources::Group;

const HEAD: &str = "\
| Endpoint | Request | What it does | Scopes | A rule may set | |
|---|---|---|---|---|---|
";

pub(crate) fn render(groups: &[Group]) -> String {
    let mut out = String::new();
    for (index, group) in groups.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        // Writing to a String can't fail.
        let _ = section(&mut out, group);
    }
    out
}

fn section(out: &mut String, Group { manifest, is_built }: &Group) -> fmt::Result {
    let endpoints = match manifest.endpoints.len() {
        1 => "1 endpoint".to_owned(),
        number => format!("{number} endpoints"),
    };
    let off = if manifest.opt_in { " Off until it is turned on by name." } else { "" };
    let absent = if *is_built { "" } else { " Not built yet: 503 `plugin_unavailable`." };
    writeln!(out, "### {}\n\n{endpoints}.{off}{absent}\n", manifest.group)?;
    out.push_str(HEAD);
    manifest.endpoints.iter().try_for_each(|endpoint| row(out, endpoint))
}

fn row(out: &mut String, endpoint: &EndpointDecl) -> fmt::Result {
    let EndpointDecl { id, method, path, summary, scopes, limits, params, .. } = endpoint;
    let (summary, scopes) = (summary.replace('|', "\\|"), codes(scopes));
    let set = codes(limits.iter().chain(params));
    writeln!(out, "| `{id}` | `{method} {path}` | {summary} | {scopes} | {set} | {} |", marks(endpoint).join(", "))
}

/// What a rule, or whoever writes one, should know of the endpoint.
fn marks(endpoint: &EndpointDecl) -> Vec<&'static str> {
    let paths = match endpoint.access {
        Access::Read => "paths: read",
        Access::Write => "paths: write",
        Access::Delete => "paths: delete",
        Access::Exec => "paths: exec",
    };
    let marks = [
        (!endpoint.auth, "no token"),
        (endpoint.method == Method::Ws, "WebSocket on the terminal port"),
        (endpoint.paths, paths),
        (endpoint.exec, "runs code"),
        (endpoint.streaming, "streams"),
    ];
    marks.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark).collect()
}

fn codes<'a>(texts: impl IntoIterator<Item = &'a String>) -> String {
    texts.into_iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use abxd_manifest::Manifest;

    use super::render;
    use crate::sources::Group;

    fn rendered(endpoint: &str) -> String {
        let text = format!("group = \"g\"\nversion = \"1.0.0\"\nopt_in = true\n[[endpoint]]\n{endpoint}");
        render(&[Group { manifest: Manifest::from_toml(&text, "test").unwrap(), is_built: false }])
    }

    #[test]
    fn a_group_says_whether_it_is_on_and_there() {
        let text = rendered("id='g_a'\nmethod='GET'\npath='/g'\nsummary='s'\nscopes=[]");
        assert!(text.starts_with("### g\n\n1 endpoint. Off until it is turned on by name. Not built yet"), "{text}");
    }

    #[test]
    fn a_row_holds_what_a_caller_and_an_operator_need() {
        let text = rendered(
            "id='g_a'\nmethod='POST'\npath='/g/{id}'\nsummary='a|b'\nscopes=['g:a','g:b']\nlimits=['max_bytes']
            params=['overwrite']\npaths=true\naccess='write'\nexec=true\nstreaming=true",
        );
        let row = text.lines().last().unwrap();
        let cells = r"| `g_a` | `POST /g/{id}` | a\|b | `g:a` `g:b` | `max_bytes` `overwrite` | paths: write, runs code, streams |";
        assert_eq!(row, cells);
    }
}
