//! The guard's resolution against a slow one, and against the kernel's, on random forests of links.

use std::collections::HashMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_guards::Opener;
use abxd_guards::path::{Access, PathGuard, PathRule, Protected};
use proptest::prelude::*;

/// Follows links by recursion; `false` with what is left when links lead in a circle.
fn resolve(start: &Path, rest: &Path, seen: &mut HashMap<PathBuf, Option<PathBuf>>) -> (PathBuf, bool) {
    let mut path = if rest.is_absolute() { PathBuf::from("/") } else { start.to_owned() };
    let names: Vec<_> = rest.iter().filter(|name| *name != "/").collect();
    for (index, name) in names.iter().enumerate() {
        if *name == ".." {
            path.pop();
            continue;
        }
        let next = path.join(name);
        let Ok(target) = fs::read_link(&next) else {
            path = next;
            continue;
        };
        let left = || names[index + 1..].iter().collect::<PathBuf>();
        match seen.get(&next) {
            Some(Some(known)) => {
                path = known.clone();
                continue;
            }
            Some(None) => return (next.join(left()), false),
            None => {}
        }
        seen.insert(next.clone(), None);
        let (found, whole) = resolve(&path, &target, seen);
        if !whole {
            return (found.join(left()), false);
        }
        seen.insert(next, Some(found.clone()));
        path = found;
    }
    (path, true)
}

fn normalised(path: &Path) -> PathBuf {
    let mut out = PathBuf::from("/");
    for name in path.iter() {
        match name.to_str() {
            Some("..") => drop(out.pop()),
            _ => out.push(name),
        }
    }
    out
}

/// A path of one or two names of directories, links and nothing.
fn names() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "c", "file", "none", "l0", "l1", "l2", "l3", "..", "."]);
    prop::collection::vec(name, 1..3).prop_map(|names| names.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn links_are_followed_as_the_oracle_and_the_kernel_do(
        links in prop::collection::vec((names(), any::<bool>(), prop::sample::select(vec!["", "a/", "b/"])), 4),
        asked in prop::collection::vec(names(), 1..4),
    ) {
        let top = tempfile::tempdir().unwrap();
        let top = top.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("a/c")).unwrap();
        fs::create_dir_all(top.join("b")).unwrap();
        fs::write(top.join("a/file"), "").unwrap();
        for (number, (text, absolute, place)) in links.iter().enumerate() {
            let text = if *absolute { top.join(text) } else { PathBuf::from(text) };
            symlink(text, top.join(format!("{place}l{number}"))).unwrap();
        }
        let asked = normalised(&top.join(asked.join("/")));
        let oracle = normalised(&resolve(Path::new("/"), &asked, &mut HashMap::new()).0);
        for base in [Path::new("/"), &top] {
            for opener in [Opener::OpenAt2, Opener::Components] {
                let protected = Arc::new(Protected::nothing());
                let guard = PathGuard::with_opener(PathRule::default(), base, base, protected, opener);
                match guard.check(asked.as_os_str().as_bytes(), Access::Read) {
                    Ok(path) => {
                        prop_assert_eq!(path.real(), &oracle);
                        if let Ok(kernel) = asked.canonicalize() {
                            prop_assert_eq!(path.real(), kernel);
                            prop_assert!(path.facts().is_ok());
                        }
                    }
                    // Two levels up lies outside; the whole machine has no outside, but its own trees.
                    Err(denial) => prop_assert!(!oracle.starts_with(base), "{} {:?}", oracle.display(), denial),
                }
            }
        }
    }
}
