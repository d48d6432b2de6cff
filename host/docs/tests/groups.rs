//! Each group that is more than a table has a page, and each of its endpoints a row there.
#![allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]

use std::fs;
use std::path::Path;

use abxd_manifest::Manifest;

/// `commands` has a page elsewhere, `core` stands beside the table, and `agents` is not built.
const GROUPS: [&str; 6] = ["browser", "dev_tools", "file_ops", "process", "system", "terminal"];

#[test]
fn each_endpoint_is_on_the_page_of_its_group() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for group in GROUPS {
        let text = fs::read_to_string(checkout.join("plugins").join(group).join("plugin.toml")).unwrap();
        let page = fs::read_to_string(checkout.join("docs/http").join(format!("{group}.md"))).unwrap();
        let manifest = Manifest::from_toml(&text, group).unwrap();
        for endpoint in manifest.endpoints.iter().filter(|endpoint| !endpoint.is_virtual) {
            let request = format!("| `{} {}` |", endpoint.method, endpoint.path);
            assert!(page.contains(&request), "docs/http/{group}.md has no row for {request}");
        }
    }
}
