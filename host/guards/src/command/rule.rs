//! What a command guard is built from.

use abxd_command::CommandPattern;

/// The command lists of an endpoint's rule.
#[derive(Clone, Debug, Default)]
pub struct CommandRule {
    /// Patterns one of which has to match; `None` or empty: every command that `deny` does not name may run.
    pub allow: Option<Vec<CommandPattern>>,
    /// Patterns none of which may match.
    pub deny: Vec<CommandPattern>,
    /// Whether a rule without an allow list admits nothing. No built-in endpoint asks for it.
    pub allow_required: bool,
}
