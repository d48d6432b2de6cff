//! The program under the name that existing images call it by.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::harness::{Program, Setup, abxd, abxd_version};

const NAME: &str = "agent-sandbox-server";

fn linked(setup: &Setup) -> PathBuf {
    let path = setup.place(NAME);
    symlink(abxd(), &path).unwrap();
    path
}

fn copied(setup: &Setup) -> PathBuf {
    let folder = setup.place("bin");
    fs::create_dir_all(folder.join("builtin")).unwrap();
    fs::copy(abxd(), folder.join(NAME)).unwrap();
    for entry in fs::read_dir(abxd().with_file_name("builtin")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join("builtin").join(entry.file_name())).unwrap();
    }
    folder.join(NAME)
}

/// The same program, also where only the link is on the path.
fn is_the_same(setup: &Setup, path: &Path) {
    let version = Program::abxd(["version"]).at(path).run();
    assert_eq!((version.code, version.stdout), (Some(0), format!("{}\n", abxd_version())));
    assert_eq!(Program::abxd(["--port", "9100"]).at(path).run().code, Some(2));
    assert_eq!(Program::abxd(["check-config"]).at(path).run().code, Some(0));

    let server = setup.clone().at(path).start();
    let file = server.base().join("file");
    server.upload(&file, "hello").ok();
    assert_eq!(server.get("/download", &file).body, b"hello");
    let check = Program::abxd(["healthcheck", "--port", &server.port.to_string(), "--timeout", "30"]).at(path);
    assert_eq!(check.run().code, Some(0));
    server.stop();
}

#[test]
fn a_link_with_the_name_is_the_program() {
    let setup = Setup::new();
    is_the_same(&setup, &linked(&setup));
}

#[test]
fn a_copy_with_the_name_is_the_program() {
    let setup = Setup::new();
    is_the_same(&setup, &copied(&setup));
}

/// Start and ready command of the image, found on the path.
#[test]
fn the_image_commands_work() {
    let setup = Setup::new();
    let folder = linked(&setup).parent().unwrap().to_owned();
    let server = setup.clone().at(Path::new(NAME)).env("PATH", &folder).start();
    let port = server.port.to_string();
    let ready = Program::abxd(["healthcheck", "--port", &port]).at(Path::new(NAME)).env("PATH", &folder);
    assert_eq!(ready.run().code, Some(0));
}
