//! What a handler may say in an error answer.

use abxd_plugins::Fault;

use crate::pipeline::Refusal;

/// Longest name, in characters.
const LONGEST: usize = 64;

/// Why an error answer can't be sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum Defect {
    #[error("{0} is no status of an error")]
    Status(u16),
    #[error("`{}` is no `type`", shown(.0))]
    Kind(String),
    #[error("`{}` is no `code`", shown(.0))]
    Code(String),
}

/// Check what a handler said when it refused. Other refusals are the host's own.
pub(super) fn check(refusal: &Refusal) -> Result<(), Defect> {
    match refusal {
        Refusal::Denied(denial) => code(&denial.code),
        Refusal::Fault(fault) => fault_itself(fault),
        _ => Ok(()),
    }
}

fn fault_itself(fault: &Fault) -> Result<(), Defect> {
    if !(400..600).contains(&fault.status) {
        return Err(Defect::Status(fault.status));
    }
    if !is_class(&fault.kind) {
        return Err(Defect::Kind(fault.kind.clone()));
    }
    fault.code.as_deref().map_or(Ok(()), code)
}

fn code(text: &str) -> Result<(), Defect> {
    if is_name(text) { Ok(()) } else { Err(Defect::Code(text.to_owned())) }
}

/// The name of a class, in whatever script its author writes.
fn is_class(text: &str) -> bool {
    let within = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let begins = |first: char| first.is_alphabetic() || first == '_';
    text.len() <= LONGEST && text.starts_with(begins) && text.chars().all(within)
}

/// A word that programs compare, and that stands in the audit log.
fn is_name(text: &str) -> bool {
    let within = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    text.len() <= LONGEST && text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(within)
}

fn shown(text: &str) -> String {
    text.chars().take(LONGEST).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use abxd_plugins::{Denial, Fault};

    use super::check;
    use crate::pipeline::Refusal;

    fn fault(status: u16, kind: &str, code: Option<&str>) -> bool {
        let (kind, code) = (kind.to_owned(), code.map(str::to_owned));
        let (message, fields, texts, headers) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        check(&Refusal::Fault(Box::new(Fault { status, kind, code, message, fields, texts, headers }))).is_ok()
    }

    #[test]
    fn a_fault_is_an_error_with_names() {
        assert!(fault(404, "FileNotFoundError", None) && fault(599, "E", Some("file_exists")));
        for status in [0, 200, 399, 600, 999, u16::MAX] {
            assert!(!fault(status, "Error", None), "{status}");
        }
        for name in ["", " ", "a b", "1a", "a\n", &"a".repeat(65)] {
            assert!(!fault(400, name, None) && !fault(400, "Error", Some(name)), "{name:?}");
        }
        for class in ["_Private", "Größe"] {
            assert!(fault(500, class, None) && !fault(500, "Error", Some(class)), "{class:?}");
        }
    }

    #[test]
    fn a_denial_has_a_code() {
        let denial = |code: &str| Refusal::Denied(Denial { code: code.to_owned(), message: String::new() });
        assert!(check(&denial("path_not_allowed")).is_ok());
        assert!(check(&denial("")).is_err() && check(&denial("a\r\nb")).is_err());
    }
}
