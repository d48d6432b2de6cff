//! The server's own files (decision D44): what it is, what it reads of its own accord, and where it writes.

use std::path::{Path, PathBuf};

use abxd_policy::{BUILT_IN_GROUPS, Document};

use crate::cli::python_path;

/// The program, what is looked for beside it, and the components in `builtin_dir`, each of which may be a link. There
/// need not be any of it.
pub(super) fn of_program(compiler: &Path, builtin_dir: Option<&Path>) -> Vec<PathBuf> {
    let program = std::env::current_exe().ok().into_iter().chain([compiler.to_owned()]).chain(python_path::places());
    let groups = BUILT_IN_GROUPS.iter().map(|(group, _)| format!("{group}.cwasm"));
    let components = builtin_dir.into_iter().flat_map(|folder| groups.clone().map(move |name| folder.join(name)));
    program.chain(components).collect()
}

/// The plugins that a policy names. What can be no plugin is left out: a directory here would take with it all that is
/// in it.
pub(super) fn of_policy(document: &Document) -> Vec<PathBuf> {
    let named = document.plugins().iter().filter_map(|plugin| plugin.file.as_ref()).map(PathBuf::from);
    named.filter(|file| !file.is_dir()).collect()
}
