//! Which shells may be started (`contract: terminal`, param `shells`).

use thiserror::Error;

/// The shell is not one of the rule's, or a shell is asked for where none may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this shell is not allowed")]
pub struct ShellDenial;

impl ShellDenial {
    /// The contract's machine code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "shell_not_allowed"
    }
}

/// Judges `shell` by the rule's list: equal texts only, an empty list admits none, no list admits all.
///
/// # Errors
/// [`ShellDenial`] when there is a list and `shell` is not in it.
pub fn admit_shell<S: AsRef<str>>(list: Option<&[S]>, shell: &str) -> Result<(), ShellDenial> {
    let is_admitted = list.is_none_or(|list| list.iter().any(|entry| entry.as_ref() == shell));
    if is_admitted { Ok(()) } else { Err(ShellDenial) }
}

#[cfg(test)]
mod tests {
    use super::{ShellDenial, admit_shell};

    #[test]
    fn a_list_admits_what_it_names_and_nothing_else() {
        assert_eq!(admit_shell(None::<&[&str]>, "/bin/bash"), Ok(()));
        assert_eq!(admit_shell(Some(&["/bin/sh", "/bin/bash"]), "/bin/bash"), Ok(()));
        assert_eq!(admit_shell(Some(&["/bin/sh"]), "/bin/bash"), Err(ShellDenial));
        assert_eq!(admit_shell(Some(&["/bin/s*"]), "/bin/sh"), Err(ShellDenial));
        assert_eq!(admit_shell(Some(&[] as &[&str]), "/bin/sh"), Err(ShellDenial));
        assert_eq!(ShellDenial.code(), "shell_not_allowed");
    }
}
