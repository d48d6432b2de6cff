//! From sources to a server that starts: guests, compiler, packed and compiled components, server.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::Failure;
use crate::group::Group;
use crate::needs::{self, GUEST_TARGET};
use crate::places::{Places, entries};
use crate::step::{cargo, run, say};

/// Build everything that is not built yet.
pub(crate) fn build(places: &Places) -> Result<(), Failure> {
    needs::for_building()?;
    let groups = Group::all(places)?;
    guests(places, &groups)?;
    let compiler = ["build", "--release", "--package", "abxd-compiler"];
    run("building the ahead-of-time compiler", cargo().args(compiler).current_dir(&places.root))?;
    for folder in [places.packed(), places.builtin()] {
        fs::create_dir_all(&folder).map_err(|source| Failure::io(&folder, source))?;
    }
    for group in &groups {
        component(places, group)?;
    }
    remove_others(&places.packed(), &groups, "wasm")?;
    remove_others(&places.builtin(), &groups, "cwasm")?;
    let server = ["build", "--release", "--package", "abxd"];
    run("building the server", cargo().args(server).current_dir(&places.root))?;
    say(&format!("==> built {}", places.server().display()));
    Ok(())
}

fn guests(places: &Places, groups: &[Group]) -> Result<(), Failure> {
    let names: Vec<_> = groups.iter().map(|group| group.name.as_str()).collect();
    let mut command = cargo();
    command.args(["build", "--profile", "guest", "--lib", "--target", GUEST_TARGET]).current_dir(&places.root);
    for group in groups {
        command.args(["--package", &group.package()]);
    }
    run(&format!("building the components: {}", names.join(", ")), &mut command)
}

/// Pack a guest, and compile it if it or the compiler is another than last time.
fn component(places: &Places, group: &Group) -> Result<(), Failure> {
    let fresh = places.packed().join(format!("{}.fresh", group.name));
    let packed = places.packed().join(format!("{}.wasm", group.name));
    let code = places.builtin().join(format!("{}.cwasm", group.name));
    let mut pack = Command::new(places.compiler());
    pack.arg("pack").arg("--manifest").arg(&group.manifest);
    pack.arg("--component").arg(group.component(places)).arg("--out").arg(&fresh);
    run(&format!("packing {}", group.name), &mut pack)?;
    if !(same(&fresh, &packed) && later(&code, &places.compiler())) {
        let mut compile = Command::new(places.compiler());
        compile.arg("compile").arg("--component").arg(&fresh).arg("--out").arg(&code);
        run(&format!("compiling {}", group.name), &mut compile)?;
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
fn remove_others(folder: &Path, groups: &[Group], extension: &str) -> Result<(), Failure> {
    let ours: HashSet<OsString> = groups.iter().map(|group| format!("{}.{extension}", group.name).into()).collect();
    for (name, path) in entries(folder)? {
        if !ours.contains(&name) {
            fs::remove_file(&path).map_err(|source| Failure::io(&path, source))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn group(name: &str) -> Group {
        Group { name: name.to_owned(), manifest: "plugin.toml".into() }
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
        remove_others(&folder, &[group("one"), group("two")], "cwasm").unwrap();
        let left: Vec<_> = entries(&folder).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(left, ["one.cwasm"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_of_crates_follow_from_names_of_groups() {
        assert_eq!(group("file_ops").package(), "abx-file-ops");
    }
}
