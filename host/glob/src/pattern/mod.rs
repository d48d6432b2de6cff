//! What a glob's text means: its tokens, before any engine is chosen.

mod class;
mod token;

pub(crate) use class::Class;
pub(crate) use token::{Token, tokens};

/// Whether `text` contains `*`, `?` or `[`, which makes a selector or a command word a glob (`contract: policy §4`).
pub fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Length in code points of `text` before its first `*`, the whole length when there is none
/// (`contract: policy §6`, the third sorting key of layers).
pub fn literal_prefix_len(text: &str) -> usize {
    text.chars().take_while(|&letter| letter != '*').count()
}
