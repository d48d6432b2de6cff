//! What no policy can change.

use crate::limits::Limits;
use crate::rule::Rule;

const HEALTH: &str = "health";
const ALWAYS_ON: [&str; 3] = [HEALTH, "capabilities", "capabilities_check"];

/// The three core endpoints are always on. `health` also asks for nothing and has no limit: it answers while everything
/// else is busy.
pub(super) fn apply(rule: &mut Rule) {
    if ALWAYS_ON.contains(&&**rule.id()) {
        rule.off = None;
    }
    if **rule.id() == *HEALTH {
        rule.scopes.clear();
        rule.limits = Limits::default();
    }
}
