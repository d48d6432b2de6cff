//! Looking at paths and reading files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;

use abxd_capabilities::files::{FileFailure, open, stat};
use abxd_guards::Opener;
use abxd_guards::file::Kind;
use abxd_guards::path::Access::Read;
use abxd_guards::path::{PathDenial, PathRule};

use crate::tree::Tree;

#[test]
fn stat_tells_every_fact_of_a_file() {
    let tree = Tree::new();
    let path = tree.file("a.txt", "seven77");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4640)).unwrap();
    let meta = fs::metadata(&path).unwrap();
    let facts = stat(&tree.check("a.txt", Read).unwrap()).unwrap().unwrap();
    assert_eq!((facts.kind, facts.size, facts.mode, facts.links), (Kind::File, 7, 0o4640, 1));
    assert_eq!((facts.uid, facts.gid, facts.id.inode), (meta.uid(), meta.gid(), meta.ino()));
    assert_eq!((facts.modified.secs, i64::from(facts.modified.nanos)), (meta.mtime(), meta.mtime_nsec()));
    assert_eq!((facts.changed.secs, i64::from(facts.changed.nanos)), (meta.ctime(), meta.ctime_nsec()));
    assert_eq!(facts.accessed.secs, meta.atime());
}

#[test]
fn stat_describes_the_target_of_a_link_and_names_the_first_link() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.dir("sub");
        tree.link("sub", "ln_dir");
        tree.link("ln_dir", "chain");
        tree.link("nowhere", "dangle");
        tree.link("loop", "loop");
        let path = tree.check("ln_dir/", Read).unwrap();
        assert_eq!(path.real(), tree.at("sub"));
        assert_eq!(path.link_target(), Some(OsStr::new("sub")));
        assert_eq!(stat(&path).unwrap().unwrap().kind, Kind::Directory);
        let path = tree.check("chain", Read).unwrap();
        assert_eq!((path.real(), path.link_target()), (tree.at("sub").as_path(), Some(OsStr::new("ln_dir"))));
        for (name, real) in [("dangle", "nowhere"), ("loop", "loop")] {
            let path = tree.check(name, Read).unwrap();
            assert_eq!(path.real(), tree.at(real));
            assert!(path.link_target().is_some());
            assert!(stat(&path).unwrap().is_none());
        }
        let through = tree.check("ln_dir/missing", Read).unwrap();
        assert_eq!((through.real(), through.link_target()), (tree.at("sub/missing").as_path(), None));
    }
}

#[test]
fn what_cannot_be_there_does_not_exist() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.file("file", "");
        tree.link("loop", "loop");
        let long = "d/".repeat((4096 - tree.root.as_os_str().len() - 1) / 2);
        for path in ["none", "none/x", "file/x", "loop/x", &"n".repeat(256), &long] {
            let path = tree.check(path, Read).unwrap();
            assert!(stat(&path).unwrap().is_none(), "{}", path.real().display());
            assert_eq!(open(&path).unwrap_err(), FileFailure::Missing);
        }
    }
}

#[test]
fn only_regular_files_are_read_and_nothing_blocks() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.dir("dir");
        tree.fifo("fifo");
        tree.file("file", "content");
        tree.file("empty", "");
        let _listener = UnixListener::bind(tree.at("socket")).unwrap();
        for (name, kind) in [("dir", Kind::Directory), ("fifo", Kind::Fifo), ("socket", Kind::Socket)] {
            assert_eq!(stat(&tree.check(name, Read).unwrap()).unwrap().unwrap().kind, kind);
            assert_eq!(tree.read(name), Err(FileFailure::NotAFile), "{name}");
        }
        let node = (rustix::fs::FileType::CharacterDevice, rustix::fs::makedev(1, 5));
        // Only root may make device nodes.
        if rustix::fs::mknodat(rustix::fs::CWD, tree.at("zero"), node.0, 0o666.into(), node.1).is_ok() {
            assert_eq!(stat(&tree.check("zero", Read).unwrap()).unwrap().unwrap().kind, Kind::Device);
            assert_eq!(tree.read("zero"), Err(FileFailure::NotAFile));
            assert_eq!(tree.save("zero", b"x", true), Err(FileFailure::Denied(PathDenial::Denied)));
        }
        assert_eq!(tree.read("loop"), Err(FileFailure::Missing));
        assert_eq!(tree.read("file").unwrap(), b"content");
        assert_eq!(tree.read("empty").unwrap(), b"");
    }
}

#[test]
fn an_open_file_keeps_its_content_when_it_is_replaced() {
    let tree = Tree::new();
    tree.file("f", "old");
    let mut opened = open(&tree.check("f", Read).unwrap()).unwrap();
    tree.save("f", b"new content", true).unwrap();
    let mut content = String::new();
    std::io::Read::read_to_string(&mut opened.file, &mut content).unwrap();
    assert_eq!((content.as_str(), opened.facts.size), ("old", 3));
}

#[test]
fn odd_names_go_through_every_operation() {
    let tree = Tree::new();
    let utf8 = "sp ace 🤣 ü'\"$(x)#?&%.txt";
    for name in [utf8.as_bytes(), b"bad\xff\xfe\n.txt", b" ", b"-rf", b"...", b"*[?]", b"\\"] {
        let name = OsStr::from_bytes(name);
        let moved = OsStr::from_bytes(b"moved\xff");
        assert_eq!(tree.save(name, b"x", true), Ok(1));
        assert_eq!(tree.list("").unwrap()[0].name, name);
        assert_eq!(tree.read(name).unwrap(), b"x");
        tree.rename(name, moved).unwrap();
        tree.remove(moved).unwrap();
        tree.make_dir(name).unwrap();
        tree.remove(name).unwrap();
        assert_eq!(tree.names(""), [""; 0]);
    }
}

#[test]
fn a_link_put_in_the_place_of_a_judged_file_is_not_followed() {
    for opener in [Opener::OpenAt2, Opener::Components] {
        let tree = Tree::with(PathRule::default(), opener);
        tree.file("f", "inside");
        tree.file("d/f", "inside");
        fs::write(tree.outside.join("f"), "outside").unwrap();
        let (last, parent) = (tree.check("f", Read).unwrap(), tree.check("d/f", Read).unwrap());
        fs::remove_file(tree.at("f")).unwrap();
        fs::remove_dir_all(tree.at("d")).unwrap();
        tree.link(tree.outside.join("f"), "f");
        tree.link(&tree.outside, "d");
        for path in [last, parent] {
            assert_eq!(stat(&path).unwrap_err(), FileFailure::Denied(PathDenial::Outside));
            assert_eq!(open(&path).unwrap_err(), FileFailure::Denied(PathDenial::Outside));
        }
        tree.file("g", "g");
        let path = tree.check("g", Read).unwrap();
        fs::rename(tree.at("g"), tree.at("h")).unwrap();
        tree.link("h", "g");
        // It leads inside, but elsewhere than what was judged.
        assert_eq!(open(&path).unwrap_err(), FileFailure::Denied(PathDenial::Symlink));
    }
}
