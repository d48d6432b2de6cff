//! The settings of the user and of the repository that a run may know of, as a configuration file of its own.
//!
//! Everything that is not on the list is left out: a setting that names a program, a file to write, a place to fetch
//! from or other settings could only get here by being put on it. What a repository says is taken from its own files and
//! from others that the guard admits; so is the one file that it may name.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd_guards::path::{Access, CheckedPath, PathGuard};

use super::bounds::named;
use super::discovery::Format;

/// What lists the settings: for each who says it, where, and what.
pub(super) const LISTING: [&str; 5] = ["config", "--list", "-z", "--show-scope", "--show-origin"];

/// How file names and contents are compared, and how a difference is shown.
const HARMLESS: [&str; 23] = [
    "core.abbrev",
    "core.autocrlf",
    "core.bigfilethreshold",
    "core.checkstat",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.ignorestat",
    "core.precomposeunicode",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.symlinks",
    "core.trustctime",
    "diff.algorithm",
    "diff.context",
    "diff.indentheuristic",
    "diff.interhunkcontext",
    "diff.renamelimit",
    "diff.renames",
    "diff.suppressblankempty",
    "status.renamelimit",
    "status.renames",
    "status.showuntrackedfiles",
];

/// Names a file of patterns that are not shown as untracked. Read as such, it can do no more.
const EXCLUDES: &str = "core.excludesfile";

/// What stands in every configuration: names as they are, and no rewriting of the index on the way.
const FIXED: &str = "[core]\n\tbare = false\n\tquotePath = false\n[diff]\n\tautoRefreshIndex = false\n";

/// The settings for a run.
#[derive(Debug)]
pub(super) struct Settings {
    /// The text of its configuration file.
    pub(super) text: Vec<u8>,
    /// The file of patterns that it names.
    pub(super) excludes: Option<OwnedFd>,
}

/// Where the settings of the user are: the variables `HOME` and `XDG_CONFIG_HOME` that git was run with.
#[derive(Debug, Default)]
pub(super) struct User {
    home: Option<PathBuf>,
    config_home: Option<PathBuf>,
}

impl User {
    pub(super) fn new(home: Option<&OsStr>, config_home: Option<&OsStr>) -> Self {
        let place = |value: &OsStr| Some(PathBuf::from(value)).filter(|value| !value.as_os_str().is_empty());
        Self { home: home.and_then(place), config_home: config_home.and_then(place) }
    }

    /// A path as git reads it: a leading `~` is the home, which is another one for the run.
    fn expanded(&self, value: &[u8]) -> PathBuf {
        let path = Path::new(OsStr::from_bytes(value));
        match (path.strip_prefix("~"), &self.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => path.to_owned(),
        }
    }

    /// Where the file of patterns is when nothing says where (`gitignore(5)`).
    fn usual(&self) -> Option<PathBuf> {
        let place = self.config_home.clone().or_else(|| Some(self.home.as_ref()?.join(".config")))?;
        Some(place.join("git/ignore"))
    }
}

/// Who judges what a repository says.
pub(super) struct Judge<'a> {
    pub(super) guard: &'a Arc<PathGuard>,
    /// The root of the working tree, which its paths are relative to.
    pub(super) root: &'a Path,
    /// Its own files of settings.
    pub(super) own: &'a [PathBuf],
}

impl Judge<'_> {
    fn checked(&self, path: &Path) -> Option<CheckedPath> {
        self.guard.check(self.root.join(path).as_os_str().as_bytes(), Access::Read).ok()
    }

    /// Whether a setting counts that stands there, in words of git's.
    fn admits(&self, origin: &[u8]) -> bool {
        let Some(file) = origin.strip_prefix(b"file:") else { return false };
        let path = Path::new(OsStr::from_bytes(file));
        self.own.contains(&self.root.join(path)) || self.checked(path).is_some()
    }
}

impl Settings {
    /// Out of what [`LISTING`] prints.
    pub(super) fn of(listed: &[u8], format: Format, user: &User, judge: &Judge<'_>) -> Self {
        let mut text = format.as_settings().as_bytes().to_vec();
        text.extend_from_slice(FIXED.as_bytes());
        let mut excludes = user.usual().map(|file| (named(&file), file));
        let mut origins: Option<(&[u8], bool)> = None;
        let mut parts = listed.split(|byte| *byte == 0);
        while let (Some(scope), Some(origin), Some(entry)) = (parts.next(), parts.next(), parts.next()) {
            let is_users = matches!(scope, b"system" | b"global");
            if !is_users {
                let admitted = match origins {
                    Some((known, admitted)) if known == origin => admitted,
                    _ => judge.admits(origin),
                };
                origins = Some((origin, admitted));
                if !admitted {
                    continue;
                }
            }
            let at = entry.iter().position(|byte| *byte == b'\n').unwrap_or(entry.len());
            let (key, value) = entry.split_at(at);
            // A key without a value is true, which is not the same as an empty one.
            let value = value.strip_prefix(b"\n");
            match (std::str::from_utf8(key), value) {
                (Ok(EXCLUDES), Some(value)) => {
                    let file = user.expanded(value);
                    if is_users {
                        excludes = Some((named(&file), file));
                    } else if let Some(checked) = judge.checked(&file) {
                        // What is no file now is not to become one for a run that nothing bounds.
                        excludes =
                            checked.open_file().ok().map(|(opened, _)| (Some(opened), checked.real().to_owned()));
                    }
                }
                (Ok(key), value) if HARMLESS.contains(&key) => push(&mut text, key, value),
                _ => {}
            }
        }
        let (file, excludes) = excludes.map_or((None, None), |(opened, file)| (Some(file), opened));
        // With no file named, git would look where its home is: in the stage, which has none.
        if let Some(file) = file {
            push(&mut text, EXCLUDES, Some(file.as_os_str().as_bytes()));
        }
        Self { text, excludes }
    }
}

fn push(text: &mut Vec<u8>, key: &str, value: Option<&[u8]>) {
    let Some((section, name)) = key.split_once('.') else { return };
    text.extend_from_slice(format!("[{section}]\n\t{name}").as_bytes());
    if let Some(value) = value {
        text.extend_from_slice(b" = \"");
        for byte in value {
            match byte {
                b'"' | b'\\' => text.extend_from_slice(&[b'\\', *byte]),
                b'\n' => text.extend_from_slice(b"\\n"),
                byte => text.push(*byte),
            }
        }
        text.push(b'"');
    }
    text.push(b'\n');
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::path::Path;
    use std::sync::Arc;

    use abxd_guards::path::{PathGuard, PathRule, Protected};

    use super::{Format, Judge, Settings, User};

    /// Of entries that each stand in the file that is named before it.
    fn text(listed: &[(&str, &str, &[u8])], config_home: Option<&str>) -> String {
        let mut bytes = Vec::new();
        for (scope, origin, entry) in listed {
            for part in [scope.as_bytes(), origin.as_bytes(), entry] {
                bytes.extend_from_slice(part);
                bytes.push(0);
            }
        }
        let top = Path::new("/nonexistent/r");
        let guard = PathGuard::new(PathRule::default(), top, top, Arc::new(Protected::nothing()));
        let judge = Judge { guard: &guard, root: top, own: &[] };
        let user = User::new(Some(OsStr::new("/h")), config_home.map(OsStr::new));
        String::from_utf8(Settings::of(&bytes, Format::default(), &user, &judge).text).unwrap()
    }

    fn of_user<'a>(entries: &[&'a [u8]]) -> Vec<(&'static str, &'static str, &'a [u8])> {
        entries.iter().map(|entry| ("global", "file:/h/.gitconfig", *entry)).collect()
    }

    #[test]
    fn what_names_something_is_left_out() {
        let listed: [&[u8]; 17] = [
            b"core.fsmonitor\n/evil",
            b"filter.x.clean\n/evil",
            b"diff.external\n/evil",
            b"core.worktree\n/etc",
            b"include.path\n/evil",
            b"core.hookspath\n/evil",
            b"core.pager\n/evil",
            b"core.sshcommand\n/evil",
            b"core.attributesfile\n/evil",
            b"diff.x.textconv\n/evil",
            b"extensions.partialclone\norigin",
            b"remote.origin.vcs\nevil",
            b"trace2.eventtarget\n/evil",
            b"core.alternaterefscommand\n/evil",
            b"credential.helper\n/evil",
            b"diff.orderfile\n/evil",
            b"alias.status\n!/evil",
        ];
        assert_eq!(text(&of_user(&listed), None), text(&[], None));
    }

    #[test]
    fn harmless_settings_are_kept_as_they_are() {
        let text = text(&of_user(&[b"core.filemode\nfalse", b"core.symlinks", b"diff.renames\na \"b\" \\ \nc"]), None);
        for line in ["filemode = \"false\"\n", "\tsymlinks\n", "renames = \"a \\\"b\\\" \\\\ \\nc\"\n"] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn what_a_repository_has_from_elsewhere_does_not_count() {
        let entry: &[u8] = b"core.abbrev\n5";
        for (scope, origin, counts) in [
            ("local", "file:.git/config", true),
            ("local", "file:/etc/x", false),
            ("local", "file:.git/../../x", false),
            ("worktree", "file:.git/config.worktree", true),
            ("worktree", "file:/etc/x", false),
            ("command", "command line:", false),
            ("unknown", "blob:x", false),
            ("system", "file:/etc/x", true),
        ] {
            assert_eq!(text(&[(scope, origin, entry)], None).contains("abbrev"), counts, "{scope} {origin}");
        }
        let outside: &[u8] = b"core.excludesfile\n/etc/passwd";
        assert_eq!(text(&[("local", "file:.git/config", outside)], None), text(&[], None));
    }

    #[test]
    fn the_users_patterns_are_found_from_another_home() {
        for (entries, config_home, file) in [
            (&[][..], None, "/h/.config/git/ignore"),
            (&[], Some("/c"), "/c/git/ignore"),
            (&[&b"core.excludesfile\n~/x y"[..]], Some("/c"), "/h/x y"),
            (&[b"core.excludesfile\n/a", b"core.excludesfile\n/b"], None, "/b"),
        ] {
            let text = text(&of_user(entries), config_home);
            assert!(text.ends_with(&format!("excludesfile = \"{file}\"\n")), "{text}");
        }
    }
}
