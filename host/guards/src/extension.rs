//! The extension rule of uploads (`contract: policy §2`, `contract: file_ops §8 step 3`).

use std::ffi::OsStr;
use std::path::Path;

use thiserror::Error;

use crate::path::CheckedPath;

/// The file's extension is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this file extension is not allowed")]
pub struct ExtensionDenial;

impl ExtensionDenial {
    /// The contract's machine code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "extension_not_allowed"
    }
}

/// Which extensions may be written. Entries carry their dot (`.md`); `""` stands for "no extension".
#[derive(Clone, Debug, Default)]
pub struct ExtensionRule {
    allow: Vec<String>,
    deny: Vec<String>,
}

impl ExtensionRule {
    /// A rule from the policy's lists, which are compared without regard to case. An empty `allow` admits everything
    /// that `deny` does not name.
    pub fn new<S: AsRef<str>>(allow: impl IntoIterator<Item = S>, deny: impl IntoIterator<Item = S>) -> Self {
        let lower = |list: &mut dyn Iterator<Item = S>| list.map(|entry| entry.as_ref().to_lowercase()).collect();
        Self { allow: lower(&mut allow.into_iter()), deny: lower(&mut deny.into_iter()) }
    }

    /// Judges the extension of the real path.
    ///
    /// # Errors
    /// [`ExtensionDenial`] when `deny` names it, or `allow` has entries and doesn't.
    pub fn check(&self, path: &CheckedPath) -> Result<(), ExtensionDenial> {
        if self.admits(path.real()) { Ok(()) } else { Err(ExtensionDenial) }
    }

    fn admits(&self, path: &Path) -> bool {
        let extension = extension(path.file_name().unwrap_or_default());
        (self.allow.is_empty() || self.allow.contains(&extension)) && !self.deny.contains(&extension)
    }
}

/// From the last dot of the name (included) to its end, lower-cased; leading dots don't count, none is `""`.
fn extension(name: &OsStr) -> String {
    let name = name.to_string_lossy();
    let visible = name.trim_start_matches('.');
    visible.rsplit_once('.').map(|(_, tail)| format!(".{}", tail.to_lowercase())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{ExtensionRule, extension};
    use std::ffi::OsStr;
    use std::path::Path;

    #[test]
    fn extension_starts_at_the_last_dot_behind_leading_dots() {
        for (name, expected) in [
            ("a.TXT", ".txt"),
            ("a.tar.gz", ".gz"),
            ("b.tar.gz", ".gz"),
            ("a.", "."),
            ("noext", ""),
            (".env", ""),
            ("..x", ""),
            (".a.txt", ".txt"),
            ("a..b", ".b"),
            ("", ""),
        ] {
            assert_eq!(extension(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn lists_are_compared_whole_and_without_case() {
        for (allow, deny, path, admitted) in [
            (&[][..], &[][..], "/r/a.exe", true),
            (&[".TXT"], &[], "/r/a.txt", true),
            (&[".txt"], &[], "/r/a.md", false),
            (&["md"], &[], "/r/a.md", false),
            (&[""], &[], "/r/noext", true),
            (&[""], &[], "/r/.env", true),
            (&[], &[".Exe"], "/r/a.EXE", false),
            (&[".exe"], &[".exe"], "/r/a.exe", false),
            (&[".gz"], &[], "/r/b.tar.gz", true),
        ] {
            let rule = ExtensionRule::new(allow.iter().copied(), deny.iter().copied());
            assert_eq!(rule.admits(Path::new(path)), admitted, "{allow:?} {deny:?} {path}");
        }
    }
}
