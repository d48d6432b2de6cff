//! Each group that is more than a table has a page, and each of its endpoints a row there; the README knows what is built.
#![allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]

use std::fs;
use std::path::Path;

use abxd_manifest::Manifest;
use abxd_policy::{BUILT_IN_GROUPS, CORE};

/// `commands` has a page elsewhere, `core` stands beside the table, and `agents` is not built.
const GROUPS: [&str; 6] = ["browser", "dev_tools", "file_ops", "process", "system", "terminal"];

#[test]
fn each_endpoint_is_on_the_page_of_its_group() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for group in GROUPS {
        let text = fs::read_to_string(checkout.join("plugins").join(group).join("plugin.toml")).unwrap();
        let page = fs::read_to_string(checkout.join("docs/http").join(format!("{group}.md"))).unwrap();
        let manifest = Manifest::from_toml(&text, group).unwrap();
        let is_built = checkout.join("plugins").join(group).join("Cargo.toml").is_file();
        assert!(page.contains("Not built yet") != is_built, "docs/http/{group}.md: is it built?");
        for endpoint in manifest.endpoints.iter().filter(|endpoint| !endpoint.is_virtual) {
            let request = format!("| `{} {}` |", endpoint.method, endpoint.path);
            assert!(page.contains(&request), "docs/http/{group}.md has no row for {request}");
        }
    }
}

#[test]
fn the_readme_says_of_each_group_what_is_so() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(checkout.join("README.md")).unwrap();
    for (group, is_opt_in) in BUILT_IN_GROUPS {
        let plugin = checkout.join("plugins").join(group);
        let (file, is_built) = match group {
            CORE => (checkout.join("host/server/src/core/endpoints.toml"), true),
            _ => (plugin.join("plugin.toml"), plugin.join("Cargo.toml").is_file()),
        };
        let manifest = Manifest::from_toml(&fs::read_to_string(file).unwrap(), group).unwrap();
        let begin = format!("| `{group}` | {} |", manifest.endpoints.len());
        let row = readme.lines().find(|line| line.starts_with(&begin)).unwrap_or_default();
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        assert!(cells.get(4).is_some_and(|cell| cell.starts_with("off") == is_opt_in), "README.md, {begin}: {row}");
        assert!(
            cells.get(5).is_some_and(|cell| cell.starts_with("built") == is_built),
            "README.md, {begin} is it built? {row}"
        );
    }
}
