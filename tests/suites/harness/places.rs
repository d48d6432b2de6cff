//! Where the things under test are.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The variable that says where the server is; `cargo xtask test` sets it.
const VARIABLE: &str = "ABXD_BIN";

/// The checkout.
pub(crate) fn checkout() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Room for what is kept between runs, in the target folder.
pub(crate) fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The server as it was built, with its built-in components beside it.
pub(crate) fn abxd() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let named = std::env::var_os(VARIABLE).map(PathBuf::from);
        let target = scratch().parent().unwrap();
        let usual = [target.join("release/abxd"), checkout().join("target/release/abxd")];
        let places: Vec<_> = named.map_or_else(|| usual.to_vec(), |named| vec![named]);
        let program = places.iter().find(|place| place.is_file());
        let program = program.unwrap_or_else(|| {
            panic!(
                "these tests need the server, which is not at {places:?}: run `cargo xtask build`, or set {VARIABLE}"
            )
        });
        let component = program.with_file_name("builtin").join("file_ops.cwasm");
        assert!(component.is_file(), "these tests need {}: run `cargo xtask build`", component.display());
        program.canonicalize().unwrap()
    });
    &PROGRAM
}

/// The version of everything in this workspace.
pub(crate) fn abxd_version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Whether the tests run as root.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
