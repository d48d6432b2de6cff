//! Many calls at a time.

use std::fs;
use std::time::Duration;

use crate::rig::Rig;

/// Far beyond what any step takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Each hanging run of git holds a thread that may block; the server has 256 of these, this test 64.
#[test]
fn git_that_hangs_leaves_threads_to_others() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).max_blocking_threads(64).enable_all().build();
    runtime.unwrap().block_on(async {
        let rig = std::sync::Arc::new(Rig::new());
        rig.repository("r").await;
        let top = rig.top.display();
        let script = format!(
            "echo >> {top}/started; until test -e {top}/go; do sleep 0.05; done; PATH=${{PATH#*:}} exec git \"$@\""
        );
        rig.program("git", &script);
        let call = |_| {
            let rig = std::sync::Arc::clone(&rig);
            tokio::spawn(async move { rig.status("r").await.map(drop) })
        };
        let calls: Vec<_> = (0..60).map(call).collect();
        // Two runs of the calls that may run.
        let started = || fs::read(rig.top.join("started")).map_or(0, |lines| lines.len());
        let begun = async {
            while started() < 2 * 16 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, begun).await.unwrap();
        let other = tokio::task::spawn_blocking(|| ());
        tokio::time::timeout(Duration::from_secs(20), other).await.expect("no thread is left").unwrap();
        assert_eq!(started(), 2 * 16);
        fs::write(rig.top.join("go"), "").unwrap();
        for call in calls {
            tokio::time::timeout(PATIENCE, call).await.unwrap().unwrap().unwrap();
        }
    });
}
