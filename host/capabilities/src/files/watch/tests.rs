//! What only shows from inside: watches that the kernel gives up, notices that are lost, descriptors and watches held.

use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use abxd_guards::path::{Access, PathGuard, PathRule, Protected};

use super::ChangeKind::{self, Created, Deleted, Modified};
use super::kernel::{Kernel, Notice};
use super::observer::{Errand, Observer, Rest};
use super::tree::ROOT;
use super::{Notifier, WatchOptions};

struct Stage {
    _temporary: tempfile::TempDir,
    top: PathBuf,
    kernel: Arc<Kernel>,
    observer: Observer,
}

impl Stage {
    /// Arms a recursive watch over a directory with the empty directory `d`.
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path().canonicalize().unwrap();
        fs::create_dir(top.join("d")).unwrap();
        let guard = PathGuard::new(PathRule::default(), &top, &top, Arc::new(Protected::nothing()));
        let path = guard.check(top.as_os_str().as_bytes(), Access::Read).unwrap();
        let (interval, timeout) = (Duration::from_millis(100), Duration::from_secs(60));
        let options = WatchOptions { recursive: true, interval, timeout, notifier: Notifier::Kernel };
        let kernel = Arc::new(Kernel::open().unwrap());
        let observer = Observer::new(path, &options, Some(Arc::clone(&kernel))).unwrap();
        let mut stage = Self { _temporary: temporary, top, kernel, observer };
        assert_eq!(stage.run(Errand::Continue), []);
        stage.observer.arm();
        stage
    }

    /// What an errand brings, in short.
    fn run(&mut self, errand: Errand) -> Vec<(ChangeKind, String)> {
        let mut turn = self.observer.turn(errand);
        let mut changes = std::mem::take(&mut turn.changes);
        while turn.rest == Rest::More {
            turn = self.observer.turn(Errand::Continue);
            changes.append(&mut turn.changes);
        }
        let short = |path: &Path| path.strip_prefix(&self.top).unwrap().to_str().unwrap().to_owned();
        changes.iter().map(|change| (change.kind, short(&change.path))).collect()
    }

    fn hear(&mut self) -> Vec<(ChangeKind, String)> {
        let notices = self.kernel.read().unwrap();
        self.run(Errand::Hear(notices))
    }

    fn write(&self, path: &str, content: &str) {
        fs::write(self.top.join(path), content).unwrap();
    }

    /// Watches that the kernel keeps.
    fn watches(&self) -> usize {
        let facts = fs::read_to_string(format!("/proc/self/fdinfo/{}", self.kernel.as_raw_fd())).unwrap();
        facts.lines().filter(|line| line.starts_with("inotify")).count()
    }
}

fn told(kind: ChangeKind, path: &str) -> (ChangeKind, String) {
    (kind, path.to_owned())
}

#[test]
fn a_watch_that_the_kernel_gave_up_is_taken_again() {
    let mut stage = Stage::new();
    let inner = stage.observer.tree.entry(ROOT, "d".as_ref()).unwrap().inner.unwrap();
    stage.kernel.unwatch(stage.observer.tree.get(inner).unwrap().watch.unwrap());
    assert!(!stage.observer.needs_looks());
    assert_eq!(stage.hear(), []);
    assert!(stage.observer.needs_looks());
    stage.write("d/unheard", "");
    assert_eq!(stage.run(Errand::Patrol), [told(Created, "d/unheard")]);
    assert!(!stage.observer.needs_looks());
    stage.write("d/heard", "");
    assert_eq!(stage.hear(), [told(Created, "d/heard")]);
}

#[test]
fn without_the_kernel_everything_is_looked_at() {
    let mut stage = Stage::new();
    stage.write("d/old", "1");
    assert_eq!(stage.hear(), [told(Created, "d/old")]);
    assert_eq!(stage.run(Errand::Deaf), []);
    stage.write("d/old", "22");
    stage.write("new", "");
    let changes = stage.run(Errand::Patrol);
    assert!(changes.contains(&told(Modified, "d/old")) && changes.contains(&told(Created, "new")), "{changes:?}");
    assert!(stage.observer.needs_looks());
}

#[test]
fn what_the_queue_lost_is_found_by_comparing() {
    let mut stage = Stage::new();
    for name in ["d/gone", "d/changed", "d/hidden", "d/same"] {
        stage.write(name, "1");
    }
    let put_back = |stage: &Stage| {
        fs::File::open(stage.top.join("d/hidden")).unwrap().set_modified(UNIX_EPOCH).unwrap();
    };
    put_back(&stage);
    stage.hear();
    fs::remove_file(stage.top.join("d/gone")).unwrap();
    stage.write("d/changed", "22");
    stage.write("d/hidden", "2");
    put_back(&stage);
    stage.write("d/new", "");
    drop(stage.kernel.read());
    let changes = stage.run(Errand::Hear(vec![Notice::Overflow]));
    for change in
        [told(Deleted, "d/gone"), told(Modified, "d/changed"), told(Modified, "d/hidden"), told(Created, "d/new")]
    {
        assert!(changes.contains(&change), "{change:?} in {changes:?}");
    }
    assert!(!changes.contains(&told(Modified, "d/same")), "{changes:?}");
}

#[test]
fn what_a_reading_found_is_not_told_again_by_its_notice() {
    let mut stage = Stage::new();
    stage.write("d/x", "1");
    let mut late = stage.kernel.read().unwrap();
    late.insert(0, Notice::Overflow);
    let changes = stage.run(Errand::Hear(late));
    assert_eq!(changes.iter().filter(|change| **change == told(Created, "d/x")).count(), 1, "{changes:?}");
}

#[test]
fn a_watch_that_waits_holds_no_directory_open() {
    let mut stage = Stage::new();
    stage.write("d/x", "");
    stage.hear();
    stage.run(Errand::Patrol);
    let open = fs::read_dir("/proc/self/fd").unwrap().flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    assert_eq!(open.filter(|path| path.starts_with(&stage.top)).count(), 0);
}

#[test]
fn watches_of_directories_that_left_are_given_back() {
    let mut stage = Stage::new();
    fs::create_dir_all(stage.top.join("t/a/b")).unwrap();
    stage.hear();
    assert_eq!(stage.watches(), 5);
    let away = tempfile::tempdir_in(stage.top.parent().unwrap()).unwrap();
    fs::rename(stage.top.join("t"), away.path().join("t")).unwrap();
    stage.hear();
    stage.run(Errand::Patrol);
    assert_eq!(stage.watches(), 2);
}
