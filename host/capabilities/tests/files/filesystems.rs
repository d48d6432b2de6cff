//! Moves to another file system, and file systems that are full. Each test runs itself again in a mount namespace of its
//! own with a small file system mounted; where that can't be had it says so and passes.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use abxd_guards::Opener;
use abxd_guards::path::PathRule;
use rustix::io::Errno;

use crate::tree::{Tree, names, os};

const MOUNTED: &str = "ABXD_TEST_MOUNTED";
const NO_MOUNT: i32 = 77;

/// Runs `test` with a directory that is the root of an empty file system of one megabyte.
#[allow(clippy::print_stderr, reason = "a test that can't run here says so")]
fn with_small_filesystem(name: &str, test: impl FnOnce(&Path)) {
    if let Some(mounted) = std::env::var_os(MOUNTED) {
        return test(Path::new(&mounted));
    }
    let dir = tempfile::tempdir().unwrap();
    let script = r#"mount -t tmpfs -o size=1m none "$1" || exit 77; exec "$2" --exact "$3" --nocapture"#;
    let exe = std::env::current_exe().unwrap();
    let arguments: [&OsStr; 8] = [
        "-rm".as_ref(),
        "sh".as_ref(),
        "-c".as_ref(),
        script.as_ref(),
        "sh".as_ref(),
        dir.path().as_ref(),
        exe.as_ref(),
        name.as_ref(),
    ];
    match Command::new("unshare").args(arguments).env(MOUNTED, dir.path()).output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("1 passed"), "{name} did not run: {text}");
        }
        Ok(output) if output.status.code() == Some(NO_MOUNT) || output.stdout.is_empty() => {
            eprintln!("skipped: no file system can be mounted here");
        }
        Ok(output) => panic!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
        Err(error) => eprintln!("skipped: {error}"),
    }
}

fn whole_machine() -> Tree {
    Tree::with(PathRule { allow: vec!["/".into()], ..PathRule::default() }, Opener::detect())
}

#[test]
fn moves_to_another_file_system_carry_everything() {
    with_small_filesystem("filesystems::moves_to_another_file_system_carry_everything", |mounted| {
        let tree = whole_machine();
        let old = std::time::UNIX_EPOCH + std::time::Duration::new(1_000_000_000, 5_000);
        let file = tree.file("f", "content");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
        assert_eq!(tree.rename("f", mounted.join("new/g")), Ok(()));
        let moved = fs::metadata(mounted.join("new/g")).unwrap();
        assert_eq!((moved.mode() & 0o7777, moved.modified().unwrap()), (0o751, old));

        tree.file("t/a/b", "b");
        tree.file("t/c", "c");
        tree.dir("t/empty");
        tree.link("a/b", "t/l");
        tree.link(&tree.outside, "t/out");
        tree.fifo("t/fifo");
        fs::set_permissions(tree.at("t/a"), fs::Permissions::from_mode(0o710)).unwrap();
        assert_eq!(tree.rename("t", mounted), Ok(()));
        let moved = mounted.join("t");
        assert_eq!(names(&moved), ["a", "c", "empty", "fifo", "l", "out"]);
        assert_eq!(fs::read_to_string(moved.join("a/b")).unwrap(), "b");
        assert_eq!(fs::read_link(moved.join("out")).unwrap(), tree.outside);
        assert_eq!(fs::metadata(moved.join("a")).unwrap().mode() & 0o7777, 0o710);

        tree.link("nowhere", "l");
        assert_eq!(tree.rename("l", mounted.join("l")), Ok(()));
        assert_eq!(fs::read_link(mounted.join("l")).unwrap().to_str(), Some("nowhere"));
        tree.file("d/x", "x");
        assert_eq!(tree.rename("d", mounted.join("l")), Ok(()));
        assert_eq!(names(&mounted.join("l")), ["x"]);
        tree.file("g", "replacement");
        assert_eq!(tree.rename("g", mounted.join("t/c")), Ok(()));
        assert_eq!(fs::read_to_string(mounted.join("t/c")).unwrap(), "replacement");
        assert_eq!(tree.names(""), [""; 0]);
        assert_eq!(names(mounted), ["l", "new", "t"]);
    });
}

#[test]
fn a_move_that_does_not_fit_changes_nothing() {
    with_small_filesystem("filesystems::a_move_that_does_not_fit_changes_nothing", |mounted| {
        let tree = whole_machine();
        tree.file("t/a/small", "s");
        tree.file("t/large", &"x".repeat(2_000_000));
        fs::write(mounted.join("old"), "old").unwrap();
        assert_eq!(tree.rename("t", mounted.join("t")), os(Errno::NOSPC));
        assert_eq!(tree.rename("t/large", mounted.join("old")), os(Errno::NOSPC));
        assert_eq!(names(mounted), ["old"]);
        assert_eq!(fs::read_to_string(mounted.join("old")).unwrap(), "old");
        assert_eq!(tree.names("t"), ["a", "large"]);
    });
}

#[test]
fn a_full_file_system_keeps_the_old_content_whole() {
    with_small_filesystem("filesystems::a_full_file_system_keeps_the_old_content_whole", |mounted| {
        let tree = whole_machine();
        let body = vec![b'x'; 800_000];
        for name in ["old", "linked"] {
            fs::write(mounted.join(name), "old").unwrap();
        }
        fs::hard_link(mounted.join("linked"), mounted.join("twin")).unwrap();
        assert_eq!(tree.save(mounted.join("new"), &[b'x'; 2_000_000], true), os(Errno::NOSPC));
        assert_eq!(tree.save(mounted.join("old"), &[b'x'; 2_000_000], true), os(Errno::NOSPC));
        // Fits beside the target, not twice.
        assert_eq!(tree.save(mounted.join("linked"), &body, true), os(Errno::NOSPC));
        for name in ["old", "linked", "twin"] {
            assert_eq!(fs::read_to_string(mounted.join(name)).unwrap(), "old", "{name}");
        }
        assert_eq!(names(mounted), ["linked", "old", "twin"]);
        assert_eq!(tree.save(mounted.join("new"), &body, true), Ok(800_000));
    });
}
