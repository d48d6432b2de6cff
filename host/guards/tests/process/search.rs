//! Which file a word stands for, and that it is this one which stays (D40 of the decisions).

use std::fs;
use std::os::unix::fs::symlink;

use crate::stage::{OPENERS, Stage, shown, text};
use abxd_guards::file::Facts;

#[test]
fn the_first_executable_file_of_the_search_path_counts() {
    let stage = Stage::new();
    fs::create_dir_all(stage.top.join("a/tool")).unwrap();
    stage.file("b/tool", 0o644);
    let found = stage.file("c/tool", 0o755);
    stage.file("d/tool", 0o755);
    let entries = |names: &[&str]| names.iter().map(|name| text(&stage.top.join(name))).collect::<Vec<_>>().join(":");
    for opener in OPENERS {
        let check = |names: &[&str]| shown(stage.check("tool", "", &entries(names), opener));
        assert_eq!(check(&["none", "a", "b", "c", "d"]), Ok(text(&found)));
        assert_eq!(check(&["a", "none"]), Ok("NotExecutable".to_owned()), "a directory only");
        assert_eq!(check(&["b", "none"]), Ok("NotExecutable".to_owned()), "without permission only");
        assert_eq!(check(&["none", "c/tool"]), Ok("Missing".to_owned()));
        assert_eq!(check(&[]), Ok("Missing".to_owned()));
    }
}

#[test]
fn a_word_without_a_slash_is_never_taken_from_the_childs_directory() {
    let stage = Stage::new();
    stage.file("work/tool", 0o755);
    for opener in OPENERS {
        assert_eq!(shown(stage.check("tool", "work", "/nowhere", opener)), Ok("Missing".to_owned()));
        let of_server = shown(stage.check("tool", "elsewhere", "work", opener));
        assert_eq!(of_server, Ok(text(&stage.top.join("work/tool"))), "a relative entry is below the server's");
        assert_eq!(shown(stage.check("tool", "work", ":", opener)), Ok("Missing".to_owned()));
        assert_eq!(shown(stage.check("..", "work", "work", opener)), Ok("NotExecutable".to_owned()));
    }
}

#[test]
fn a_word_with_a_slash_is_taken_from_the_childs_directory() {
    let stage = Stage::new();
    let inner = stage.file("work/bin/tool", 0o755);
    stage.file("bin/tool", 0o755);
    stage.file("plain", 0o644);
    for opener in OPENERS {
        let check = |word| shown(stage.check(word, "work", "/bin", opener));
        for word in ["bin/tool", "./bin/tool", "bin//./tool", "../work/bin/tool"] {
            assert_eq!(check(word), Ok(text(&inner)), "{word}");
        }
        assert_eq!(check("./tool"), Ok("Missing".to_owned()));
        assert_eq!(check("../plain"), Ok("NotExecutable".to_owned()));
        assert_eq!(check("./bin"), Ok("NotExecutable".to_owned()));
        assert_eq!(
            check("../plain/x"),
            Ok("Os(Os { code: 20, kind: NotADirectory, message: \"Not a directory\" })".to_owned())
        );
    }
}

#[test]
fn a_link_is_followed_once_and_its_path_kept() {
    let stage = Stage::new();
    let real = stage.file("opt/tool-1.2", 0o755);
    fs::create_dir(stage.top.join("bin")).unwrap();
    symlink("../opt/tool-1.2", stage.top.join("bin/tool")).unwrap();
    symlink("loop", stage.top.join("bin/loop")).unwrap();
    for opener in OPENERS {
        let checked = stage.check("tool", "", &text(&stage.top.join("bin")), opener).unwrap();
        let file = checked.file().unwrap();
        assert_eq!(file.path(), stage.top.join("bin/tool"));
        assert_eq!(file.real(), real);
        assert!(shown(stage.check("bin/loop", "", "", opener)).unwrap().contains("code: 40"));
    }
}

#[test]
fn what_was_checked_stays_whatever_is_put_in_its_place() {
    let stage = Stage::new();
    let path = stage.file("bin/tool", 0o755);
    let before = Facts::at(rustix::fs::CWD, path.as_os_str()).unwrap().id;
    for opener in OPENERS {
        let checked = stage.check("tool", "", "bin", opener).unwrap();
        let held = Facts::of(checked.file().unwrap().descriptor()).unwrap().id;
        assert_eq!(held, Facts::at(rustix::fs::CWD, path.as_os_str()).unwrap().id);
        fs::rename(&path, stage.top.join("bin/old")).unwrap();
        symlink("/proc/self/exe", &path).unwrap();
        let file = checked.into_file().unwrap();
        assert_eq!(Facts::of(file.descriptor()).unwrap().id, before);
        assert_eq!(file.facts().id, before);
        fs::rename(stage.top.join("bin/old"), &path).unwrap();
    }
}
