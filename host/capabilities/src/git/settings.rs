//! The settings of the user and of the repository that a run may know of, as a configuration file of its own.
//!
//! Everything that is not on the list is left out: a setting that names a program, a file to write, a place to fetch
//! from or other settings could only get here by being put on it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::discovery::Format;

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

/// The text of the configuration file. `listed` is what `git config --list -z` prints; `home` and `config_home` are the
/// variables `HOME` and `XDG_CONFIG_HOME` that it was run with.
pub(super) fn written(listed: &[u8], format: Format, home: Option<&OsStr>, config_home: Option<&OsStr>) -> Vec<u8> {
    let mut text = format.as_settings().as_bytes().to_vec();
    text.extend_from_slice(FIXED.as_bytes());
    let mut excludes = None;
    for entry in listed.split(|byte| *byte == 0) {
        let at = entry.iter().position(|byte| *byte == b'\n').unwrap_or(entry.len());
        let (key, value) = entry.split_at(at);
        // A key without a value is true, which is not the same as an empty one.
        let value = value.strip_prefix(b"\n");
        match std::str::from_utf8(key) {
            Ok(EXCLUDES) => excludes = value,
            Ok(key) if HARMLESS.contains(&key) => push(&mut text, key, value),
            _ => {}
        }
    }
    let home = home.filter(|home| !home.is_empty()).map(Path::new);
    let file = match excludes {
        Some(value) => Some(expanded(value, home)),
        None => usual(home, config_home.filter(|place| !place.is_empty()).map(Path::new)),
    };
    if let Some(file) = file {
        push(&mut text, EXCLUDES, Some(file.as_os_str().as_bytes()));
    }
    text
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

/// A path as git reads it: a leading `~` is the home, which is another one for the run.
fn expanded(value: &[u8], home: Option<&Path>) -> PathBuf {
    let path = Path::new(OsStr::from_bytes(value));
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// Where the file is when nothing says where (`gitignore(5)`).
fn usual(home: Option<&Path>, config_home: Option<&Path>) -> Option<PathBuf> {
    let place = config_home.map(Path::to_owned).or_else(|| Some(home?.join(".config")))?;
    Some(place.join("git/ignore"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{Format, written};

    fn text(listed: &[u8]) -> String {
        String::from_utf8(written(listed, Format::default(), Some(OsStr::new("/h")), None)).unwrap()
    }

    #[test]
    fn what_names_something_is_left_out() {
        let listed = b"core.fsmonitor\n/evil\0filter.x.clean\n/evil\0diff.external\n/evil\0core.worktree\n/etc\0\
            include.path\n/evil\0core.hookspath\n/evil\0core.pager\n/evil\0core.sshcommand\n/evil\0core.attributesfile\n/evil\0\
            diff.x.textconv\n/evil\0extensions.partialclone\norigin\0remote.origin.vcs\nevil\0trace2.eventtarget\n/evil\0\
            core.alternaterefscommand\n/evil\0credential.helper\n/evil\0diff.orderfile\n/evil\0alias.status\n!/evil\0";
        assert!(!text(listed).contains("evil"));
        assert_eq!(text(listed), text(b""));
    }

    #[test]
    fn harmless_settings_are_kept_as_they_are() {
        let text = text(b"core.filemode\nfalse\0core.symlinks\0diff.renames\na \"b\" \\ \nc\0");
        for line in ["filemode = \"false\"\n", "\tsymlinks\n", "renames = \"a \\\"b\\\" \\\\ \\nc\"\n"] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn the_users_patterns_are_found_from_another_home() {
        let with = |listed: &[u8], config_home: Option<&str>| {
            let home = Some(OsStr::new("/h"));
            String::from_utf8(written(listed, Format::default(), home, config_home.map(OsStr::new))).unwrap()
        };
        for (listed, config_home, file) in [
            (&b""[..], None, "/h/.config/git/ignore"),
            (b"", Some("/c"), "/c/git/ignore"),
            (b"core.excludesfile\n~/x y\0", Some("/c"), "/h/x y"),
            (b"core.excludesfile\n/a\0core.excludesfile\n/b\0", None, "/b"),
        ] {
            let text = with(listed, config_home);
            assert!(text.ends_with(&format!("excludesfile = \"{file}\"\n")), "{text}");
        }
    }
}
