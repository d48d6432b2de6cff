//! What a browser is started with.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use abxd_capabilities::process::{Supervisor, User, Variables};
use abxd_guards::process::ProcessGuard;
use abxd_guards::url::UrlRule;

use crate::network::Network;

/// Everything that is known at the server's start.
#[derive(Debug)]
pub struct Settings {
    /// Who starts the browser and owns its process.
    pub supervisor: Supervisor,
    /// Looks the program up, on the server's own path.
    pub guard: ProcessGuard,
    /// The server's working directory: where a relative program is.
    pub working_dir: PathBuf,
    /// `ABX_BROWSER_BIN`. Empty means not set.
    pub program: Option<String>,
    /// The server's own variables. The browser gets few of them.
    pub variables: Variables,
    /// Who the browser runs as, if not as the server's user: its profile is made theirs.
    pub user: Option<User>,
    /// Where profiles are made.
    pub scratch: PathBuf,
    /// The rule for what pages ask for.
    pub rule: UrlRule,
    /// Names and connections.
    pub network: Network,
}

/// Variables that a browser gets. None that a program could be changed by, as `env_set` can't reach it either.
const KEPT: [&str; 12] = [
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "PATH",
    "TZ",
    "TZDIR",
    "USER",
    "XDG_DATA_DIRS",
];

/// The variables that are kept.
pub(crate) fn kept(variables: &[(OsString, OsString)]) -> Variables {
    let is_kept = |name: &OsStr| KEPT.iter().any(|kept| name == *kept) || name.as_encoded_bytes().starts_with(b"LC_");
    variables.iter().filter(|(name, _)| is_kept(name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn few_variables_are_kept() {
        let all = ["PATH", "ABX_SERVER_TOKEN", "LC_ALL", "CHROMIUM_FLAGS", "LD_PRELOAD", "http_proxy", "TZ"];
        let all: Vec<_> = all.iter().map(|name| (name.into(), "x".into())).collect();
        let names: Vec<_> = kept(&all).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["PATH", "LC_ALL", "TZ"]);
    }
}
