//! A folder to install from: `bin/` with the programs, `lib/abxd/builtin/` with the components, read-only,
//! `lib/abxd/python/` with what scripts import.

use std::env::consts::ARCH;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::build::{build, make_folder, place, python};
use crate::error::Failure;
use crate::guest::Guest;
use crate::places::Places;
use crate::step::{run, say};

/// The name under which existing images call the server (contract: cli, image constants).
const OTHER_NAME: &str = "agent-sandbox-server";

/// Build, and lay out what is installed, with an archive of it.
pub(crate) fn dist(places: &Places) -> Result<(), Failure> {
    build(places)?;
    let name = format!("abxd-{}-{ARCH}", env!("CARGO_PKG_VERSION"));
    let dist = places.target.join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|source| Failure::io(&folder, source))?;
    }
    lay_out(places, &folder)?;

    let mut tar = Command::new("tar");
    tar.arg("--directory").arg(&dist).args(["--create", "--gzip", "--file"]).arg(dist.join(format!("{name}.tar.gz")));
    // The same content gives the same listing, whoever packs it.
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]).arg(&name);
    run("packing the archive", &mut tar)?;
    say(&format!("==> made {} and {name}.tar.gz beside it", folder.display()));
    Ok(())
}

fn lay_out(places: &Places, folder: &Path) -> Result<(), Failure> {
    let (bin, builtin) = (folder.join("bin"), folder.join("lib/abxd/builtin"));
    for folder in [folder, &bin, &builtin] {
        make_folder(folder)?;
    }
    place(&places.server(), &bin.join("abxd"), 0o755)?;
    place(&places.compiler(), &bin.join("abxd-compiler"), 0o755)?;
    let link = bin.join(OTHER_NAME);
    symlink("abxd", &link).map_err(|source| Failure::io(&link, source))?;
    for guest in Guest::built_in(places)? {
        let file = format!("{}.cwasm", guest.name);
        place(&places.builtin().join(&file), &builtin.join(&file), 0o444)?;
    }
    python(places, &folder.join("lib/abxd/python/agent_sandbox"), 0o444)?;
    for file in ["LICENSE", "README.md"] {
        place(&places.root.join(file), &folder.join(file), 0o644)?;
    }
    Ok(())
}
