//! Events in the least memory: their texts in one ring of bytes, four bytes for each besides.

use std::collections::VecDeque;

use crate::process::stream::OutputStream;

/// Set in the length of an event of descriptor 2.
const STDERR: u32 = 1 << 31;

/// Largest sum of texts that is kept.
const MOST: u64 = 64 * 1024 * 1024;

/// The newest events.
#[derive(Debug)]
pub(super) struct Ring {
    text: VecDeque<u8>,
    /// Length and stream of each.
    events: VecDeque<u32>,
    /// Number of the first that is kept.
    first: u64,
    most: usize,
    dropped: bool,
}

impl Ring {
    /// For at most `most` bytes of text.
    pub(super) fn new(most: u64) -> Self {
        let most = usize::try_from(most.min(MOST)).unwrap_or(usize::MAX);
        Self { text: VecDeque::new(), events: VecDeque::new(), first: 0, most, dropped: false }
    }

    /// Adds an event. The oldest whole events go until the sum fits, or only this one is left.
    pub(super) fn push(&mut self, stream: OutputStream, text: &str) {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX) & !STDERR;
        self.events.push_back(if stream == OutputStream::Stderr { length | STDERR } else { length });
        self.text.extend(text.as_bytes());
        while self.text.len() > self.most && self.events.len() > 1 {
            let length = self.events.pop_front().map_or(0, length_of);
            self.text.drain(..length.min(self.text.len()));
            self.first += 1;
            self.dropped = true;
        }
    }

    /// No more will come: gives back what is not needed.
    pub(super) fn close(&mut self) {
        self.text.shrink_to_fit();
        self.events.shrink_to_fit();
    }

    /// Number of the next event.
    pub(super) fn next(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// Whether any event has gone.
    pub(super) const fn has_dropped(&self) -> bool {
        self.dropped
    }

    /// The kept events from number `since` on.
    pub(super) fn since(&self, since: u64) -> Vec<(u64, OutputStream, String)> {
        let skipped = usize::try_from(since.saturating_sub(self.first)).unwrap_or(usize::MAX).min(self.events.len());
        // From whichever end is nearer: a reader that follows is at the newest.
        let mut offset = match skipped < self.events.len() / 2 {
            true => self.events.iter().take(skipped).map(|event| length_of(*event)).sum(),
            false => {
                let wanted: usize = self.events.iter().skip(skipped).map(|event| length_of(*event)).sum();
                self.text.len() - wanted
            }
        };
        let events = self.events.iter().enumerate().skip(skipped).map(|(index, event)| {
            let (begin, length) = (offset, length_of(*event));
            offset += length;
            let stream = if event & STDERR == 0 { OutputStream::Stdout } else { OutputStream::Stderr };
            (self.first + index as u64, stream, self.text(begin, length))
        });
        events.collect()
    }

    fn text(&self, begin: usize, length: usize) -> String {
        let (front, back) = self.text.as_slices();
        let of_front = front.get(begin.min(front.len())..(begin + length).min(front.len())).unwrap_or_default();
        let begin = begin.saturating_sub(front.len());
        let of_back = back.get(begin..begin + (length - of_front.len())).unwrap_or_default();
        // Each text went in whole, so it is one; an event is never half in the ring.
        String::from_utf8([of_front, of_back].concat()).unwrap_or_default()
    }
}

fn length_of(event: u32) -> usize {
    usize::try_from(event & !STDERR).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::Ring;
    use crate::process::stream::OutputStream::{self, Stderr, Stdout};

    /// The slow and obvious version.
    struct Plain {
        events: VecDeque<(u64, OutputStream, String)>,
        most: usize,
        next: u64,
    }

    impl Plain {
        fn push(&mut self, stream: OutputStream, text: &str) {
            self.events.push_back((self.next, stream, text.to_owned()));
            self.next += 1;
            while self.events.len() > 1 && self.events.iter().map(|(_, _, text)| text.len()).sum::<usize>() > self.most
            {
                self.events.pop_front();
            }
        }
    }

    proptest! {
        #[test]
        fn it_keeps_what_the_obvious_one_keeps(
            most in 0..40_usize,
            pushed in prop::collection::vec((any::<bool>(), "[aé你]{0,8}"), 0..60),
            since in 0..70_u64,
        ) {
            let mut ring = Ring::new(most as u64);
            let mut plain = Plain { events: VecDeque::new(), most, next: 0 };
            for (is_stderr, text) in &pushed {
                let stream = if *is_stderr { Stderr } else { Stdout };
                ring.push(stream, text);
                plain.push(stream, text);
                let kept: Vec<_> = plain.events.iter().filter(|(seq, ..)| *seq >= since).cloned().collect();
                prop_assert_eq!(ring.since(since), kept);
            }
            prop_assert_eq!(ring.next(), plain.next);
            prop_assert_eq!(ring.has_dropped(), plain.events.len() as u64 != plain.next);
        }
    }

    #[test]
    fn a_single_event_stays_however_large() {
        let mut ring = Ring::new(10);
        ring.push(Stdout, "0123456789");
        assert!(!ring.has_dropped());
        ring.push(Stderr, &"x".repeat(100));
        assert_eq!(ring.since(0), [(1, Stderr, "x".repeat(100))]);
        assert!(ring.has_dropped());
    }
}
