//! Packing archives. What comes out is read by other implementations of the two formats.

mod limits;
pub(crate) mod reading;
mod tar_members;
mod yardstick;
mod zip_members;

use std::collections::BTreeSet;
use std::fs;
use std::io;

use abxd_capabilities::Cancel;
use abxd_capabilities::files::ArchiveFormat::{TarGz, Zip};
use abxd_capabilities::files::{ArchiveFailure, ArchiveFormat, ArchiveOptions, FileFailure, archive};
use abxd_guards::Opener;
use abxd_guards::path::Access::Read;
use abxd_guards::path::{CheckedPath, PathDenial, PathRule, Symlinks};

use self::reading::{Members, read};
use crate::tree::Tree;

pub(crate) const FORMATS: [ArchiveFormat; 2] = [TarGz, Zip];

pub(crate) fn options(format: ArchiveFormat) -> ArchiveOptions {
    ArchiveOptions { format, max_files: 10_000, max_bytes: 100 << 20 }
}

/// The bytes of an archive.
pub(crate) fn bytes_of(paths: &[CheckedPath], options: &ArchiveOptions) -> Result<Vec<u8>, ArchiveFailure> {
    let mut made = archive(paths, options, tempfile::tempfile, &Cancel::new())?;
    let mut bytes = Vec::new();
    io::Seek::rewind(&mut made.file).unwrap();
    io::Read::read_to_end(&mut made.file, &mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, made.size);
    Ok(bytes)
}

fn pack_with(tree: &Tree, paths: &[&str], options: &ArchiveOptions) -> Result<Vec<u8>, ArchiveFailure> {
    let paths: Vec<_> = paths.iter().map(|path| tree.check(path, Read).unwrap()).collect();
    bytes_of(&paths, options)
}

fn pack(tree: &Tree, paths: &[&str], format: ArchiveFormat) -> Members {
    read(&pack_with(tree, paths, &options(format)).unwrap(), format)
}

fn names(members: &Members) -> BTreeSet<String> {
    members.iter().map(|member| String::from_utf8_lossy(&member.name).into_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn files_are_named_after_themselves_and_trees_after_their_top() {
    let tree = Tree::new();
    tree.file("d/x", "X");
    tree.file("d/e/y", "YY");
    tree.file("d/.hidden", "");
    tree.dir("d/empty/deep");
    tree.file("a.txt", "A");
    for format in FORMATS {
        let members = pack(&tree, &["d", "a.txt", "d/e"], format);
        let expected: &[(&str, &[u8])] =
            &[("d/x", b"X"), ("d/e/y", b"YY"), ("d/.hidden", b""), ("a.txt", b"A"), ("e/y", b"YY")];
        assert_eq!(names(&members), expected.iter().map(|(name, _)| (*name).to_owned()).collect());
        for member in &members {
            let (_, content) = expected.iter().find(|(name, _)| name.as_bytes() == member.name).unwrap();
            assert_eq!(member.content, *content);
        }
        let order: Vec<_> = members.iter().map(|member| member.name.first().copied().unwrap()).collect();
        assert_eq!(order, *b"dddae", "arguments in the order of the request");
    }
}

#[test]
fn members_of_a_directory_come_in_the_order_it_is_read() {
    let tree = Tree::new();
    // More than the kernel hands out at a time.
    let long = "n".repeat(240);
    for number in 0..300 {
        tree.file(&format!("d/{long}-{number}"), "");
    }
    let order = fs::read_dir(tree.at("d")).unwrap().map(|entry| entry.unwrap().file_name().into_encoded_bytes());
    let order: Vec<_> = order.map(|name| [b"d/".as_slice(), &name].concat()).collect();
    for format in FORMATS {
        let members = pack(&tree, &["d"], format);
        assert_eq!(members.into_iter().map(|member| member.name).collect::<Vec<_>>(), order);
    }
}

#[test]
fn the_same_path_twice_is_packed_twice() {
    let tree = Tree::new();
    tree.file("d/a", "A");
    for format in FORMATS {
        let members = pack(&tree, &["d/a", "d", "d/a"], format);
        let packed: Vec<_> = members.iter().map(|member| (&*member.name, &*member.content)).collect();
        assert_eq!(packed, [(&b"a"[..], &b"A"[..]), (b"d/a", b"A"), (b"a", b"A")]);
    }
}

#[test]
fn nothing_to_pack_gives_a_valid_empty_archive() {
    let tree = Tree::new();
    tree.dir("empty/deep");
    tree.fifo("fifo");
    let _socket = std::os::unix::net::UnixListener::bind(tree.at("socket")).unwrap();
    for format in FORMATS {
        assert!(pack(&tree, &["empty", "fifo", "socket"], format).is_empty());
    }
    let zip = pack_with(&tree, &["empty"], &options(Zip)).unwrap();
    assert_eq!(zip, b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
}

#[test]
fn a_link_as_argument_means_its_target_and_has_its_name() {
    let tree = Tree::new();
    tree.file("d/x", "X");
    tree.link("d", "to-d");
    tree.link("d/x", "to-x");
    for format in FORMATS {
        assert_eq!(names(&pack(&tree, &["to-d", "to-x"], format)), set(&["d/x", "x"]));
    }
}

#[test]
fn what_the_guard_refuses_is_left_out() {
    let tree = Tree::denying(&["*.pem", "no"]);
    for file in ["d/a.pem", "d/no/b", "d/e/no", "d/yes", "d/x.pem/y"] {
        tree.file(file, "x");
    }
    fs::write(tree.outside.join("f"), "outside").unwrap();
    tree.link(tree.outside.join("f"), "d/out-file");
    tree.link(tree.outside.join("none"), "d/out-dangling");
    tree.link(&tree.outside, "d/out");
    tree.link("no/b", "d/to-denied");
    tree.link("yes", "d/named.pem");
    tree.link("/proc/self/environ", "d/proc");
    tree.link("yes", "d/in");
    tree.file("d/.abxd-tmp-0123456789abcdef", "unfinished");
    tree.file("d/.abxd-tmp-fedcba9876543210/inner", "unfinished");
    for format in FORMATS {
        assert_eq!(names(&pack(&tree, &["d"], format)), set(&["d/yes", "d/in"]));
    }
    let never = Tree::with(PathRule { symlinks: Symlinks::Never, ..PathRule::default() }, Opener::detect());
    never.file("d/yes", "x");
    never.link("yes", "d/in");
    for format in FORMATS {
        assert_eq!(names(&pack(&never, &["d"], format)), set(&["d/yes"]));
    }
}

#[test]
fn linked_directories_are_left_out() {
    let tree = Tree::new();
    tree.file("d/e/x", "X");
    tree.link("e", "d/l");
    tree.link("l", "d/chain");
    tree.link("..", "d/up");
    for format in FORMATS {
        assert_eq!(names(&pack(&tree, &["d"], format)), set(&["d/e/x"]));
    }
}

#[test]
fn the_root_of_everything_has_no_name() {
    let tree = Tree::with(PathRule { allow: vec!["/".into()], ..PathRule::default() }, Opener::detect());
    let top = tree.check("/", Read).unwrap();
    // Packing it whole would take long: the first name tells.
    let tiny = ArchiveOptions { format: Zip, max_files: 1, max_bytes: 1 << 30 };
    assert_eq!(bytes_of(&[top], &tiny), Err(ArchiveFailure::TooMany(1)));
}

#[test]
fn each_path_must_be_there_before_anything_is_packed() {
    let tree = Tree::new();
    tree.file("a", "A");
    tree.link("nowhere", "dangling");
    tree.link("loop", "loop");
    for format in FORMATS {
        for missing in ["none", "a/x", "none/x", "dangling", "loop"] {
            // Even where the count would be refused.
            let options = ArchiveOptions { max_files: 0, ..options(format) };
            let failure = pack_with(&tree, &["a", missing], &options).unwrap_err();
            assert_eq!(failure, ArchiveFailure::File(FileFailure::Missing), "{missing}");
        }
    }
}

#[test]
fn odd_names_survive() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new();
    let long = "n".repeat(255);
    let deep = format!("{}/{long}", "d".repeat(200));
    for name in ["sp ace 🤣 ü'\"$(x)#?&%.txt", "-rf", "new\nline", "\\back", long.as_str(), deep.as_str()] {
        tree.file(&format!("t/{name}"), name);
    }
    let foreign = std::ffi::OsStr::from_bytes(b"bad\xff.txt");
    fs::write(tree.at("t").join(foreign), "foreign").unwrap();
    fs::create_dir(tree.at("t").join(std::ffi::OsStr::from_bytes(b"\xe9"))).unwrap();
    fs::write(tree.at("t").join(std::ffi::OsStr::from_bytes(b"\xe9")).join(&long), "deep").unwrap();
    for format in FORMATS {
        let members = pack(&tree, &["t"], format);
        assert_eq!(members.len(), 8);
        for member in members {
            match &*member.name {
                b"t/bad\xff.txt" => assert_eq!(member.content, b"foreign"),
                [b't', b'/', 0xe9, b'/', rest @ ..] => {
                    assert_eq!((rest, &*member.content), (long.as_bytes(), &b"deep"[..]))
                }
                name => assert_eq!(name.strip_prefix(b"t/").unwrap(), member.content),
            }
        }
    }
}

#[test]
fn contents_of_every_size_survive() {
    let tree = Tree::new();
    let mut seed = 1_u32;
    let mut noise = |length: usize| {
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        (0..length).map(|_| next()).collect::<Vec<_>>()
    };
    tree.dir("t");
    let piece = 256 * 1024;
    for size in [0, 1, 511, 512, 513, piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 511] {
        fs::write(tree.at(format!("t/{size}")), noise(size)).unwrap();
    }
    fs::write(tree.at("t/zeros"), vec![0; 5 << 20]).unwrap();
    for format in FORMATS {
        let members = pack(&tree, &["t"], format);
        assert_eq!(members.len(), 11);
        for member in members {
            let path = tree.at(String::from_utf8(member.name).unwrap());
            assert!(member.content == fs::read(path).unwrap());
        }
    }
}

#[test]
fn a_tree_deeper_than_the_kept_descriptors_is_packed_whole() {
    let tree = Tree::new();
    for level in [0, 31, 32, 33, 34, 150] {
        tree.file(&format!("t/{}f{level}", "d/".repeat(level)), "");
        tree.file(&format!("t/{}e/f{level}", "d/".repeat(level)), "");
    }
    for format in FORMATS {
        assert_eq!(pack(&tree, &["t"], format).len(), 12);
    }
}

#[test]
fn another_name_of_one_of_the_servers_files_is_refused_or_left_out() {
    use std::sync::Arc;

    use abxd_guards::path::{PathGuard, Protected};
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new();
    let policy = tree.outside.join("policy.yaml");
    fs::write(&policy, "secret").unwrap();
    tree.file("d/x", "X");
    fs::hard_link(&policy, tree.at("d/alias")).unwrap();
    let guard = PathGuard::new(PathRule::default(), &tree.root, &tree.root, Arc::new(Protected::new([policy])));
    let run = |path: &str, format| {
        let path = guard.check(tree.at(path).as_os_str().as_bytes(), Read).unwrap();
        bytes_of(&[path], &options(format))
    };
    for format in FORMATS {
        let refused = Err(ArchiveFailure::File(FileFailure::Denied(PathDenial::Denied)));
        assert_eq!(run("d/alias", format), refused);
        assert_eq!(names(&read(&run("d", format).unwrap(), format)), set(&["d/x"]));
    }
}
