use std::pin::Pin;
use std::sync::atomic::AtomicUsize;
use std::task::Waker;

use tokio::task::{JoinHandle, yield_now};

use super::*;

/// How many compute at the same time, now and at most.
#[derive(Default)]
struct Count {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Count {
    fn compute(&self) {
        self.most.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::yield_now();
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A wait in the host that is over at once.
async fn short_wait() {
    let mut over = false;
    poll_fn(|context| {
        if std::mem::replace(&mut over, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

/// Whether a call that is polled once comes to its end.
fn ends(call: &mut Pin<Box<impl Future>>) -> bool {
    call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

fn group(turns: &Turns) -> Arc<GroupTurns> {
    Arc::new(turns.of_a_group())
}

/// A call that computes for so many ticks.
async fn compute(turns: Arc<GroupTurns>, ticks: usize, count: Arc<Count>) {
    let progress = Progress::default();
    let call = async {
        for _ in 0..ticks {
            progress.tick();
            yield_now().await;
            count.compute();
        }
    };
    turns.during(&progress, call).await;
}

/// Calls that compute without end, and how many ticks they have had.
struct Crowd {
    spent: Arc<AtomicUsize>,
    calls: Vec<JoinHandle<()>>,
}

impl Crowd {
    fn of(turns: &Arc<GroupTurns>, calls: usize) -> Self {
        let spent = Arc::<AtomicUsize>::default();
        let call = |_| {
            let (turns, spent) = (turns.clone(), spent.clone());
            tokio::spawn(async move {
                let progress = Progress::default();
                let call = async {
                    loop {
                        progress.tick();
                        yield_now().await;
                        spent.fetch_add(1, Ordering::SeqCst);
                    }
                };
                turns.during(&progress, call).await
            })
        };
        Self { calls: (0..calls).map(call).collect(), spent }
    }

    fn end(self) -> usize {
        for call in self.calls {
            call.abort();
        }
        self.spent.load(Ordering::SeqCst)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fewer_compute_than_there_are_workers() {
    let turns = Turns::new(4);
    let count = Arc::<Count>::default();
    let groups = [group(&turns), group(&turns)];
    let calls = (0..20).map(|call| tokio::spawn(compute(groups[call % 2].clone(), 50, count.clone())));
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert!(count.most.load(Ordering::SeqCst) <= 3);
}

#[tokio::test]
async fn a_group_with_one_call_gets_as_many_turns_as_one_with_many() {
    let turns = Turns::new(1);
    let crowd = Crowd::of(&group(&turns), 50);
    compute(group(&turns), 100, Arc::default()).await;
    let spent = crowd.end();
    assert!(spent <= 250, "the crowd had {spent} turns while the lone call had 100");
}

#[tokio::test]
async fn a_short_call_is_not_kept_waiting_by_all_the_long_ones_of_its_group() {
    let turns = group(&Turns::new(1));
    let crowd = Crowd::of(&turns, 50);
    let group = turns.clone();
    let short = tokio::spawn(async move {
        let call = async {
            for _ in 0..100 {
                group.pace.note(Duration::from_millis(10));
                short_wait().await;
            }
        };
        group.during(&Progress::default(), call).await;
    });
    short.await.unwrap();
    let spent = crowd.end();
    assert!(spent <= 250, "the crowd had {spent} turns while the short call had 100");
}

#[tokio::test]
async fn a_call_that_waits_has_no_turn() {
    let turns = group(&Turns::new(1));
    let progress = Progress::default();
    progress.tick();
    let mut sleeper = Box::pin(turns.during(&progress, std::future::pending::<()>()));
    for _ in 0..3 {
        assert!(!ends(&mut sleeper));
        compute(turns.clone(), 3, Arc::default()).await;
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_in_a_line_leaves_it() {
    let turns = group(&Turns::new(1));
    let progress = Progress::default();
    progress.tick();
    let taken = turns.all.clone().acquire_owned().await.unwrap();
    let mut first = Box::pin(turns.during(&progress, async {}));
    let mut second = Box::pin(turns.during(&progress, async {}));
    assert!(!ends(&mut first) && !ends(&mut second));
    drop(taken);
    drop(first);
    assert!(ends(&mut second));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_of_slow_groups_share_workers_before_their_first_tick() {
    let turns = Turns::new(2);
    let groups = [group(&turns), group(&turns)];
    let count = Arc::<Count>::default();
    let calls = (0..20).map(|call| {
        let (turns, count) = (groups[call % 2].clone(), count.clone());
        turns.pace.note(Duration::from_secs(10));
        tokio::spawn(async move { turns.during(&Progress::default(), async { count.compute() }).await })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert_eq!(count.most.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_call_keeps_its_place_when_its_group_has_become_fast() {
    let turns = group(&Turns::new(1));
    let progress = Progress::default();
    let taken = turns.all.clone().acquire_owned().await.unwrap();
    turns.pace.note(Duration::from_millis(10));
    let mut call = Box::pin(turns.during(&progress, async {}));
    assert!(!ends(&mut call));
    turns.pace.0.store(0, Ordering::Relaxed);
    assert!(!ends(&mut call));
    drop(taken);
    assert!(ends(&mut call));
    assert_eq!((turns.group.available_permits(), turns.all.available_permits()), (1, 1));
}

#[test]
fn a_group_is_slow_from_one_long_poll_on_and_fast_again_after_some_short_ones() {
    let pace = Pace::default();
    assert!(!pace.is_slow());
    pace.note(Duration::from_millis(10));
    assert!(pace.is_slow());
    let short = (0..100).take_while(|_| {
        pace.note(Duration::from_micros(20));
        pace.is_slow()
    });
    assert!(short.count() < 20);
    pace.note(Duration::MAX);
    pace.note(Duration::MAX);
    assert!(pace.is_slow());
}
