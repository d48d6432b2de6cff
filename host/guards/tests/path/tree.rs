//! The directory tree of the contract's examples, built anew for every test.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_glob::DenyPattern;
use abxd_guards::Opener;
use abxd_guards::path::{PathGuard, PathRule, Protected, Symlinks};

/// `r/` with `out/a.txt`, `secret/s.pem` and the links of the contract, beside it `rl -> r` and `r2/`.
pub(crate) struct Tree {
    _temporary: tempfile::TempDir,
    pub(crate) top: PathBuf,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path().canonicalize().unwrap();
        let r = top.join("r");
        fs::create_dir_all(r.join("out")).unwrap();
        fs::create_dir_all(r.join("secret")).unwrap();
        fs::create_dir_all(top.join("r2")).unwrap();
        fs::write(r.join("out/a.txt"), "inside").unwrap();
        fs::write(r.join("secret/s.pem"), "pem").unwrap();
        symlink("a.txt", r.join("out/in")).unwrap();
        symlink("../secret", r.join("out/lnk")).unwrap();
        symlink("/etc", r.join("out/etc")).unwrap();
        symlink("loop", r.join("out/loop")).unwrap();
        symlink(&r, top.join("rl")).unwrap();
        Self { _temporary: temporary, top }
    }

    /// The contract's `/r…` or `/rl…` as it is called here; any other path as it is.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        let ours = ["/r", "//r"].iter().any(|prefix| path.starts_with(prefix));
        if ours { PathBuf::from(format!("{}{path}", self.top.display())) } else { PathBuf::from(path) }
    }
}

/// A rule in the contract's terms.
#[derive(Clone, Default)]
pub(crate) struct Rule<'t> {
    pub(crate) base: &'t str,
    pub(crate) cwd: &'t str,
    pub(crate) allow: &'t [&'t str],
    pub(crate) deny: &'t [&'t str],
    pub(crate) read_only: bool,
    pub(crate) never: bool,
}

impl Rule<'_> {
    pub(crate) fn guard(&self, tree: &Tree, opener: Opener) -> Arc<PathGuard> {
        let rule = PathRule {
            allow: self.allow.iter().map(|root| tree.at(root)).collect(),
            deny: patterns(self.deny),
            read_only: self.read_only,
            symlinks: if self.never { Symlinks::Never } else { Symlinks::Within },
        };
        let base = tree.at(if self.base.is_empty() { "/r" } else { self.base });
        let cwd = if self.cwd.is_empty() { Path::new("/").to_owned() } else { tree.at(self.cwd) };
        PathGuard::with_opener(rule, &base, &cwd, Arc::new(Protected::nothing()), opener)
    }
}

pub(crate) fn patterns(texts: &[&str]) -> Vec<DenyPattern> {
    texts.iter().map(|text| DenyPattern::parse(text).unwrap()).collect()
}
