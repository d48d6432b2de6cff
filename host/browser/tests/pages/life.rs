use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use abxd_browser::{Browser, ContentForm, Failure, Unavailable};
use abxd_guards::url::UrlRule;
use rustix::process::{Pid, Signal, kill_process};

use crate::rig::{PATIENCE, Tab, block_on, on_browser, on_page, own_settings};

/// Processes below this one whose command line has this text: pid, state and command line.
fn processes(text: &str) -> Vec<(i32, char, String)> {
    let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    let look = |pid: i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let state = stat.rsplit_once(')')?.1.trim_start().chars().next()?;
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(text).then_some((pid, state, line))
    };
    all.filter_map(look).collect()
}

/// The renderers of a browser: they come from it by way of another process.
fn renderers(browser: i32) -> Vec<i32> {
    let parent = |pid: i32| -> Option<i32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let all = processes("--type=renderer").into_iter().map(|(pid, ..)| pid);
    all.filter(|pid| std::iter::successors(Some(*pid), |pid| parent(*pid)).any(|pid| pid == browser)).collect()
}

fn kill(pid: i32) {
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
}

/// A scratch directory of the test's own, by which its browser is told from the others.
fn own_browser(name: &str) -> (Browser, tempfile::TempDir) {
    let mut settings = own_settings();
    let scratch = tempfile::Builder::new().prefix(name).tempdir_in(&settings.scratch).unwrap();
    settings.scratch = scratch.path().to_owned();
    (Browser::new(settings), scratch)
}

/// The browser's own process below a scratch directory.
fn main_process(scratch: &tempfile::TempDir) -> i32 {
    let all = processes(&format!("--user-data-dir={}", scratch.path().display()));
    let main: Vec<_> = all.iter().filter(|(.., line)| !line.contains("--type=")).collect();
    assert_eq!(main.len(), 1, "{all:#?}");
    main[0].0
}

async fn gone(text: &str) {
    let end = Instant::now() + PATIENCE;
    while !processes(text).is_empty() {
        assert!(Instant::now() < end, "{:#?}", processes(text));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn a_browser_that_is_killed_is_replaced_and_leaves_nothing() {
    block_on(async {
        let (browser, scratch) = own_browser("killed-");
        let tab = Tab::of(browser.clone(), UrlRule::default());
        assert!(fs::read_dir(scratch.path()).unwrap().next().is_none(), "nothing before the first call");
        assert_eq!(tab.eval("console.log('before'); window.kept = 7").await, 7);
        let profile = fs::read_dir(scratch.path()).unwrap().next().unwrap().unwrap();
        assert_eq!(profile.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        kill(main_process(&scratch));
        let mut again = tab.evaluate("window.kept", PATIENCE).await;
        if matches!(again, Err(Failure::Closed)) {
            again = tab.evaluate("window.kept", PATIENCE).await;
        }
        assert_eq!(again.unwrap(), serde_json::Value::Null);
        assert_eq!(tab.console_texts(1).await[0].1, "before");
        assert!(!profile.path().exists());
        main_process(&scratch);
        browser.shutdown().await;
        gone(&scratch.path().display().to_string()).await;
        assert!(fs::read_dir(scratch.path()).unwrap().next().is_none());
        let stopped = tab.evaluate("1", PATIENCE).await;
        assert!(matches!(stopped, Err(Failure::Unavailable(Unavailable::Stopping))), "{stopped:?}");
    });
}

#[test]
fn a_call_under_way_is_told_that_the_browser_went_away() {
    block_on(async {
        let (browser, scratch) = own_browser("going-");
        let tab = Tab::of(browser.clone(), UrlRule::default());
        tab.eval("1").await;
        let waiting = tab.evaluate("new Promise(() => 0)", PATIENCE);
        let killing = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            kill(main_process(&scratch));
        };
        let (outcome, ()) = tokio::join!(waiting, killing);
        assert!(matches!(outcome, Err(Failure::Closed)), "{outcome:?}");
        browser.shutdown().await;
    });
}

#[test]
fn there_is_one_tree_however_much_is_asked_for() {
    block_on(async {
        let (browser, scratch) = own_browser("many-");
        let tab = Tab::of(browser.clone(), UrlRule::default());
        tab.html("/", "<title>Home</title><p>hello");
        for _ in 0..20 {
            tab.go("/").await;
            tab.screenshot(None, true).await.unwrap();
        }
        main_process(&scratch);
        let all = processes(&scratch.path().display().to_string());
        assert!(all.iter().all(|(_, state, _)| *state != 'Z') && all.len() < 12, "{all:#?}");
        browser.shutdown().await;
        gone(&scratch.path().display().to_string()).await;
    });
}

#[test]
fn a_page_that_is_lost_is_replaced_with_its_context() {
    on_browser(UrlRule::default(), async |tab| {
        tab.html("/", "<title>Home</title><script>document.cookie = 'a=1'; console.log('kept')</script>");
        // A script may close a page that has been nowhere else.
        tab.eval("void location.replace('/')".replace("'/'", &format!("'{}'", tab.url("/"))).as_str()).await;
        tab.until("document.cookie", "a=1").await;
        let closed = tab.evaluate("window.close(); new Promise(() => 0)", PATIENCE).await;
        assert!(matches!(closed, Err(Failure::Closed)), "{closed:?}");
        assert_eq!(tab.eval("location.href").await, "about:blank");
        assert_eq!(tab.console_texts(1).await[0].1, "kept");
        tab.html("/plain", "");
        tab.go("/plain").await;
        assert_eq!(tab.eval("document.cookie").await, "");
    });
}

#[test]
fn a_renderer_that_crashes_loses_its_page_and_no_other() {
    block_on(async {
        let (browser, scratch) = own_browser("crash-");
        let (tab, other) = (Tab::of(browser.clone(), UrlRule::default()), Tab::of(browser.clone(), UrlRule::default()));
        other.show("other").await;
        let before = renderers(main_process(&scratch));
        tab.show("x").await;
        let new: Vec<_> = renderers(main_process(&scratch)).into_iter().filter(|pid| !before.contains(pid)).collect();
        assert!(!new.is_empty());
        new.into_iter().for_each(kill);
        let mut again = tab.evaluate("location.href", PATIENCE).await;
        if matches!(again, Err(Failure::Closed)) {
            again = tab.evaluate("location.href", PATIENCE).await;
        }
        assert_eq!(again.unwrap(), "about:blank");
        assert_eq!(other.text().await, "other");
        browser.shutdown().await;
    });
}

#[test]
fn identities_share_nothing_and_wait_for_nobody() {
    on_page(async |tab| {
        let other = tab.another();
        tab.html("/", "<title>Home</title>");
        tab.go("/").await;
        tab.eval("document.cookie = 'a=1'; localStorage.a = 1; 0").await;
        other.navigate(&tab.url("/"), abxd_browser::Milestone::Load, PATIENCE).await.unwrap();
        assert_eq!(other.eval("[document.cookie, localStorage.length]").await, serde_json::json!(["", 0]));
        let slow = tab.evaluate("new Promise(r => setTimeout(() => r(1), 1500))", PATIENCE);
        let quick = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            other.eval("2").await;
            tab.console();
            Instant::now()
        };
        let (slow, quick) = tokio::join!(async { (slow.await.unwrap(), Instant::now()) }, quick);
        assert!(quick < slow.1);
    });
}

#[test]
fn calls_on_one_page_take_their_turns_in_order() {
    on_page(async |tab| {
        tab.eval("window.order = []; 0").await;
        let turns = (0..6).map(|number| {
            let script =
                format!("new Promise(r => setTimeout(() => {{ order.push({number}); r(0) }}, {}))", 60 - 10 * number);
            let (browser, identity) = (tab.browser.clone(), tab.identity.clone());
            tokio::spawn(async move { browser.evaluate(&identity, script, PATIENCE).await })
        });
        let mut waiting = Vec::new();
        for turn in turns {
            waiting.push(turn);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for turn in waiting {
            turn.await.unwrap().unwrap();
        }
        assert_eq!(tab.eval("order").await, serde_json::json!([0, 1, 2, 3, 4, 5]));
    });
}

#[test]
fn what_a_caller_left_behind_is_ended() {
    on_page(async |tab| {
        tab.eval("1").await;
        let left = tokio::time::timeout(Duration::from_millis(200), tab.evaluate("while (true);", PATIENCE)).await;
        assert!(left.is_err());
        let before = Instant::now();
        assert_eq!(tab.eval("2").await, 2);
        assert!(before.elapsed() < Duration::from_secs(15));
    });
}

#[test]
fn without_a_program_there_is_no_browser_each_time() {
    block_on(async {
        for (program, path) in [(Some("/usr/nonexistent/chromium"), "/usr/bin"), (None, "/usr/nonexistent")] {
            let mut settings = own_settings();
            settings.guard = abxd_guards::process::ProcessGuard::new(path.as_ref(), &settings.scratch);
            settings.program = program.map(str::to_owned);
            let browser = Browser::new(settings);
            for _ in 0..2 {
                let missing = browser.content("a", ContentForm::Html).await;
                assert!(matches!(missing, Err(Failure::Unavailable(Unavailable::Missing))), "{missing:?}");
            }
            assert_eq!(browser.drain_console("a"), []);
        }
    });
}

#[test]
fn a_program_that_is_no_browser_does_not_start() {
    block_on(async {
        let mut settings = own_settings();
        settings.program = Some("/bin/true".to_owned());
        let browser = Browser::new(settings);
        for _ in 0..2 {
            let broken = browser.ready("a").await;
            assert!(matches!(broken, Err(Failure::Unavailable(Unavailable::Start(_)))), "{broken:?}");
        }
    });
}

#[test]
fn an_identity_that_is_gone_has_no_page() {
    on_browser(UrlRule::default(), async |tab| {
        let other = tab.another();
        tab.eval("window.kept = 1").await;
        other.eval("window.kept = 2").await;
        tab.browser.retain(|identity| identity != tab.identity);
        assert_eq!(tab.eval("window.kept").await, serde_json::Value::Null);
        assert_eq!(other.eval("window.kept").await, 2);
    });
}
