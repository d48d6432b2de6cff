//! How a child ended.

use rustix::process::WaitIdStatus;

/// How a child ended: 0 to 255 for an end of its own, else minus the number of the signal that killed it
/// (`contract: process §1.5`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(i32);

impl Exit {
    /// What is said of a child that was killed before anybody could see its end.
    pub const KILLED: Self = Self(-9);

    /// The number.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.0
    }

    /// Whether it ended by itself, with 0.
    #[must_use]
    pub const fn is_success(self) -> bool {
        self.0 == 0
    }

    pub(super) fn of(status: &WaitIdStatus) -> Self {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Self(code),
            (None, Some(signal)) => Self(signal.saturating_neg()),
            (None, None) => Self::KILLED,
        }
    }
}
