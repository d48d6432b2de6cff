//! The places that were refused lately: what makes a failed navigation a refused one.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use abxd_guards::url::UrlHost;
use tokio::time::Instant;

/// So many are remembered.
const MOST: usize = 256;

/// Host and port.
type Place = (UrlHost, u16);

/// Places with the time of their refusal, oldest first.
#[derive(Debug, Default)]
pub(super) struct Refusals(Mutex<VecDeque<(Instant, Place)>>);

impl Refusals {
    pub(super) fn note(&self, place: Place) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.len() >= MOST {
            noted.pop_front();
        }
        noted.push_back((Instant::now(), place));
    }

    pub(super) fn has(&self, place: &Place, since: Instant) -> bool {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.iter().rev().take_while(|(when, _)| *when >= since).any(|(_, noted)| noted == place)
    }
}
