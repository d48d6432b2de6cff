//! Rate and concurrency (`contract: policy §8`), by example and against a naive model.

use std::sync::Arc;
use std::time::{Duration, Instant};

use abxd_policy::{Exhausted, Identity, Limiter, PolicySet, Rule, Scopes, Slot};
use proptest::prelude::*;

use crate::support::{resolve, rule};

fn someone(id: &str) -> Identity {
    Identity::new(id, Scopes::everything())
}

fn shell(limits: &str) -> Arc<Rule> {
    Arc::clone(rule(&policy(limits), "shell"))
}

fn policy(limits: &str) -> PolicySet {
    resolve(&format!(r#"{{"defaults":{{"limits":{{{limits}}}}}}}"#))
}

fn per_minute(rate: u64) -> Arc<Rule> {
    shell(&format!(r#""rate_per_minute":{rate}"#))
}

#[test]
fn a_bucket_starts_full_and_tells_when_it_has_a_token_again() {
    for (rate, retry_after) in [(1, 60), (2, 30), (3, 20), (7, 9), (60, 1), (600, 1)] {
        let (limiter, rule, caller, now) = (Limiter::default(), per_minute(rate), someone("a"), Instant::now());
        for _ in 0..rate {
            let _slot = limiter.admit(&caller, &rule, now).expect("a token");
        }
        let refused = limiter.admit(&caller, &rule, now).map(drop);
        assert_eq!(refused, Err(Exhausted::Rate { retry_after }), "{rate} a minute");
    }
}

#[test]
fn tokens_come_back_continuously() {
    let (limiter, rule, caller, start) = (Limiter::default(), per_minute(2), someone("a"), Instant::now());
    let at = |seconds: f64| limiter.admit(&caller, &rule, start + Duration::from_secs_f64(seconds)).map(drop);
    assert_eq!(at(0.0), Ok(()));
    assert_eq!(at(0.0), Ok(()));
    assert_eq!(at(10.0), Err(Exhausted::Rate { retry_after: 20 }));
    assert_eq!(at(29.5), Err(Exhausted::Rate { retry_after: 1 }));
    assert_eq!(at(30.0), Ok(()));
    assert_eq!(at(30.0), Err(Exhausted::Rate { retry_after: 30 }));
    assert_eq!(at(1e6), Ok(()));
    assert_eq!(at(1e6), Ok(()));
    assert_eq!(at(1e6), Err(Exhausted::Rate { retry_after: 30 }));
}

#[test]
fn identities_and_endpoints_do_not_share() {
    let (limiter, now) = (Limiter::default(), Instant::now());
    let policy = policy(r#""rate_per_minute":1"#);
    let take = |id: &str, endpoint: &str| limiter.admit(&someone(id), rule(&policy, endpoint), now).map(drop);
    assert_eq!(take("a", "shell"), Ok(()));
    assert_eq!(take("b", "shell"), Ok(()));
    assert_eq!(take("a", "files_list"), Ok(()));
    assert_eq!(take("a", "shell"), Err(Exhausted::Rate { retry_after: 60 }));
    assert_eq!(take("a", "health"), Ok(()));
    assert_eq!(take("a", "health"), Ok(()));
}

#[test]
fn slots_come_back_when_dropped() {
    let (limiter, rule, caller, now) =
        (Limiter::default(), shell(r#""max_concurrency":2"#), someone("a"), Instant::now());
    let first = limiter.admit(&caller, &rule, now).expect("a slot");
    let second = limiter.admit(&caller, &rule, now).expect("a slot");
    let refused = limiter.admit(&caller, &rule, now).map(drop);
    assert_eq!(refused, Err(Exhausted::Concurrency));
    assert_eq!(Exhausted::Concurrency.retry_after(), 1);
    drop(first);
    let third = limiter.admit(&caller, &rule, now).expect("a slot again");
    assert!(limiter.admit(&caller, &rule, now).is_err());
    drop((second, third));
}

#[test]
fn a_refusal_for_concurrency_has_spent_its_token() {
    let rule = shell(r#""max_concurrency":1,"rate_per_minute":2"#);
    let (limiter, caller, now) = (Limiter::default(), someone("a"), Instant::now());
    let slot = limiter.admit(&caller, &rule, now).expect("a slot");
    assert_eq!(limiter.admit(&caller, &rule, now).map(drop), Err(Exhausted::Concurrency));
    drop(slot);
    assert_eq!(limiter.admit(&caller, &rule, now).map(drop), Err(Exhausted::Rate { retry_after: 30 }));
}

#[test]
fn buckets_and_slots_outlive_a_reload() {
    let (limiter, caller, now) = (Limiter::default(), someone("a"), Instant::now());
    let _slot = limiter.admit(&caller, &shell(r#""max_concurrency":5,"rate_per_minute":1"#), now).expect("a slot");
    let tighter = shell(r#""max_concurrency":1"#);
    assert_eq!(limiter.admit(&caller, &tighter, now).map(drop), Err(Exhausted::Concurrency));
    let faster = shell(r#""rate_per_minute":60"#);
    assert_eq!(limiter.admit(&caller, &faster, now).map(drop), Err(Exhausted::Rate { retry_after: 1 }));
    assert_eq!(limiter.admit(&caller, &faster, now + Duration::from_secs(1)).map(drop), Ok(()));
}

#[test]
fn what_is_forgotten_starts_anew_unless_in_use() {
    let (limiter, now) = (Limiter::default(), Instant::now());
    let rule = shell(r#""rate_per_minute":1,"max_concurrency":9"#);
    let idle = someone("idle");
    let busy = someone("busy");
    drop(limiter.admit(&idle, &rule, now));
    let _slot = limiter.admit(&busy, &rule, now).expect("a slot");
    limiter.retain(|_, _| false);
    assert!(limiter.admit(&idle, &rule, now).is_ok());
    assert!(limiter.admit(&busy, &rule, now).is_err());
    limiter.retain(|identity, endpoint| identity == "idle" && endpoint == "shell");
    assert!(limiter.admit(&idle, &rule, now).is_err());
}

#[test]
fn slots_travel_between_threads() {
    fn travels<T: Send + 'static>() {}
    travels::<Slot>();
    let limiter = Arc::new(Limiter::default());
    let rule = shell(r#""max_concurrency":8"#);
    let caller = Arc::new(someone("a"));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    drop(limiter.admit(&caller, &rule, Instant::now()).expect("no more than eight at once"));
                }
            });
        }
    });
}

/// What happens to the limiter in the model test.
#[derive(Debug, Clone)]
enum Step {
    Wait(u64),
    Ask,
    Finish(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        2 => (0_u64..40_000).prop_map(Step::Wait),
        4 => Just(Step::Ask),
        2 => (0_usize..4).prop_map(Step::Finish),
    ];
    proptest::collection::vec(step, 1..60)
}

proptest! {
    /// The model counts in fractions of a token: `rate` parts come back each millisecond, a token is 60 000 parts.
    #[test]
    fn agrees_with_a_naive_model(rate in 1_u64..8, slots in 1_usize..4, steps in steps()) {
        let limiter = Limiter::default();
        let rule = shell(&format!(r#""rate_per_minute":{rate},"max_concurrency":{slots}"#));
        let caller = someone("a");
        let mut now = Instant::now();
        let mut parts = rate * 60_000;
        let mut held = Vec::new();
        for step in steps {
            match step {
                Step::Wait(milliseconds) => {
                    now += Duration::from_millis(milliseconds);
                    parts = (parts + rate * milliseconds).min(rate * 60_000);
                }
                Step::Finish(index) if index < held.len() => drop(held.swap_remove(index)),
                Step::Finish(_) => {}
                Step::Ask => {
                    let expected = if parts < 60_000 {
                        let milliseconds = (60_000 - parts).div_ceil(rate);
                        Err(Exhausted::Rate { retry_after: milliseconds.div_ceil(1000).max(1) })
                    } else {
                        parts -= 60_000;
                        if held.len() < slots { Ok(()) } else { Err(Exhausted::Concurrency) }
                    };
                    match limiter.admit(&caller, &rule, now) {
                        Ok(slot) => {
                            prop_assert_eq!(expected, Ok(()));
                            held.push(slot);
                        }
                        Err(refused) => prop_assert_eq!(expected, Err(refused)),
                    }
                }
            }
        }
    }
}
