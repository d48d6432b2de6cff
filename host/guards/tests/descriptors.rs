//! Without a descriptor left nothing can be looked at. That is then said: it is neither "there is nothing" nor leave.
//!
//! One test, and a process of its own for it, as the limit is the process's.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use abxd_guards::Opener;
use abxd_guards::path::{Access, OpenFailure, PathGuard, PathRule, Protected};
use abxd_guards::process::{ProcessGuard, ProgramFailure};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, setrlimit};

#[test]
fn want_of_descriptors_is_reported_as_what_it_is() {
    let top = tempfile::tempdir().unwrap();
    let top = top.path().canonicalize().unwrap();
    fs::create_dir_all(top.join("own/deep")).unwrap();
    fs::write(top.join("own/deep/file"), "own").unwrap();
    fs::hard_link(top.join("own/deep/file"), top.join("name")).unwrap();
    fs::write(top.join("plain"), "x").unwrap();
    let protected = Arc::new(Protected::new([top.join("own")]));
    let guards = [Opener::OpenAt2, Opener::Components].map(|opener| {
        let paths = PathGuard::with_opener(PathRule::default(), &top, &top, protected.clone(), opener);
        (paths, ProcessGuard::with_opener("/usr/bin:/bin".as_ref(), Path::new("/"), opener))
    });
    let name = |name: &str| top.join(name).into_os_string();
    let alias = guards[0].0.check(name("name").as_bytes(), Access::Read).unwrap();
    let facts = alias.facts().unwrap();
    let argv = |word: &str| [word.to_owned()];
    for (_, programs) in &guards {
        assert!(programs.check(&argv("sh"), Path::new("/")).unwrap().file().is_ok());
    }

    // Descriptors that are open already stay so.
    setrlimit(Resource::Nofile, Rlimit { current: Some(0), maximum: Some(0) }).unwrap();
    for (paths, programs) in &guards {
        let plain = paths.check(name("plain").as_bytes(), Access::Read);
        assert!(matches!(plain.map(|path| path.open_file()), Ok(Err(OpenFailure::Os(Errno::MFILE)))));
        for word in ["sh", "/bin/sh", "no-such-program"] {
            let found = programs.check(&argv(word), Path::new("/")).unwrap();
            assert_eq!(found.file().err(), Some(ProgramFailure::Os(Errno::MFILE)), "{word}");
        }
    }
    assert_eq!(alias.admit_file(&facts), Err(OpenFailure::Os(Errno::MFILE)));
}
