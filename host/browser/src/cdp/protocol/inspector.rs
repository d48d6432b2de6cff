//! Domain `Inspector`.

use crate::cdp::command::events;

events! {
    /// The target's renderer has crashed.
    TargetCrashed = "Inspector.targetCrashed" {}
}
