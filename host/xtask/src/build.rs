//! From sources to a server that starts: guests, compiler, packed and compiled components, server.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::error::Failure;
use crate::guest::Guest;
use crate::needs::{self, GUEST_TARGET};
use crate::places::{Places, entries};
use crate::step::{cargo, run, say};

/// The profile that components are built with.
pub(crate) const GUEST_PROFILE: &str = "guest";

/// Build everything that is not built yet.
pub(crate) fn build(places: &Places) -> Result<(), Failure> {
    needs::for_building()?;
    let guests = Guest::built_in(places)?;
    components(places, &guests)?;
    package(places, "abxd-compiler", "building the ahead-of-time compiler")?;
    for folder in [places.packed(), places.builtin()] {
        make_folder(&folder)?;
    }
    for guest in &guests {
        built_in(places, guest)?;
    }
    remove_others(&places.packed(), &guests, "wasm")?;
    remove_others(&places.builtin(), &guests, "cwasm")?;
    package(places, "abxd", "building the server")?;
    python(places, &places.python(), 0o644)?;
    say(&format!("==> built {}", places.server().display()));
    Ok(())
}

/// Lay the modules out that scripts import.
pub(crate) fn python(places: &Places, folder: &Path, mode: u32) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|source| Failure::io(folder, source))?;
    }
    copy(&places.python_sources(), folder, mode)
}

fn copy(from: &Path, to: &Path, mode: u32) -> Result<(), Failure> {
    make_folder(to)?;
    for (name, path) in entries(from)? {
        let target = to.join(&name);
        if path.extension().is_some_and(|extension| extension == "py") {
            place(&path, &target, mode)?;
        } else if path.is_dir() && name != "__pycache__" {
            copy(&path, &target, mode)?;
        }
    }
    Ok(())
}

/// Copy a file and set its permissions.
pub(crate) fn place(from: &Path, to: &Path, mode: u32) -> Result<(), Failure> {
    fs::copy(from, to).map_err(|source| Failure::io(from, source))?;
    fs::set_permissions(to, Permissions::from_mode(mode)).map_err(|source| Failure::io(to, source))
}

/// Build one package of the host.
pub(crate) fn package(places: &Places, name: &str, what: &str) -> Result<(), Failure> {
    run(what, cargo().args(["build", "--release", "--package", name]).current_dir(&places.root))
}

/// Build guests of this workspace.
pub(crate) fn components(places: &Places, guests: &[Guest]) -> Result<(), Failure> {
    let names: Vec<_> = guests.iter().map(|guest| guest.name.as_str()).collect();
    let mut command = cargo();
    command.args(["build", "--profile", GUEST_PROFILE, "--lib", "--target", GUEST_TARGET]).current_dir(&places.root);
    for guest in guests {
        command.args(["--package", &guest.package]);
    }
    run(&format!("building the components {}", names.join(", ")), &mut command)
}

/// Put a guest's manifest into its component.
pub(crate) fn pack(places: &Places, guest: &Guest, profile: &str, out: &Path) -> Result<(), Failure> {
    let mut pack = Command::new(places.compiler());
    pack.arg("pack").arg("--manifest").arg(guest.manifest());
    pack.arg("--component").arg(guest.component(places, profile)).arg("--out").arg(out);
    run(&format!("packing {}", guest.name), &mut pack)
}

/// Make a folder that only its owner can write to, whatever the umask: the server takes no code out of others.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .and_then(|()| fs::set_permissions(folder, Permissions::from_mode(0o755)))
        .map_err(|source| Failure::io(folder, source))
}

/// Pack a guest, and compile it if it or the compiler is another than last time.
fn built_in(places: &Places, guest: &Guest) -> Result<(), Failure> {
    let fresh = places.packed().join(format!("{}.fresh", guest.name));
    let packed = places.packed().join(format!("{}.wasm", guest.name));
    let code = places.builtin().join(format!("{}.cwasm", guest.name));
    pack(places, guest, GUEST_PROFILE, &fresh)?;
    if !(same(&fresh, &packed) && later(&code, &places.compiler())) {
        let mut compile = Command::new(places.compiler());
        compile.arg("compile").arg("--component").arg(&fresh).arg("--out").arg(&code);
        run(&format!("compiling {}", guest.name), &mut compile)?;
    }
    // Only now: a packed component that is there has been compiled.
    fs::rename(&fresh, &packed).map_err(|source| Failure::io(&packed, source))
}

fn same(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether `made` is there and was written after `from`.
fn later(made: &Path, from: &Path) -> bool {
    let written = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    matches!((written(made), written(from)), (Ok(made), Ok(from)) if made > from)
}

/// Remove what an earlier build left of groups that are gone: the server would load it.
fn remove_others(folder: &Path, guests: &[Guest], extension: &str) -> Result<(), Failure> {
    let ours: HashSet<OsString> = guests.iter().map(|guest| format!("{}.{extension}", guest.name).into()).collect();
    for (name, path) in entries(folder)? {
        if !ours.contains(&name) {
            fs::remove_file(&path).map_err(|source| Failure::io(&path, source))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-{}-{name}", std::process::id()));
        make_folder(&folder).unwrap();
        folder
    }

    #[test]
    fn code_is_stale_when_its_source_is_later_or_it_is_not_there() {
        let folder = folder("later");
        let (old, new) = (folder.join("old"), folder.join("new"));
        for (path, age) in [(&old, 60), (&new, 30)] {
            let file = fs::File::create(path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        assert!(later(&new, &old));
        assert!(!later(&old, &new) && !later(&new, &new));
        assert!(!later(&folder.join("none"), &old) && !later(&new, &folder.join("none")));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn components_of_groups_that_are_gone_are_removed() {
        let folder = folder("others");
        for name in ["one.cwasm", "gone.cwasm", "one.fresh"] {
            fs::write(folder.join(name), name).unwrap();
        }
        let guest = |name: &str| Guest { name: name.to_owned(), package: name.to_owned(), folder: PathBuf::new() };
        remove_others(&folder, &[guest("one"), guest("two")], "cwasm").unwrap();
        let left: Vec<_> = entries(&folder).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(left, ["one.cwasm"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_of_code_are_writable_for_their_owner_only() {
        let folder = folder("mode");
        fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
        make_folder(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o755);
        fs::remove_dir_all(folder).unwrap();
    }
}
