//! Which Python there is.

use abxd_guards::process::CheckedProgram;
use tokio::sync::OnceCell;

use super::lookup::{LookupFailure, look_up};
use crate::process::Supervisor;

/// The version of the `python3` that is found, asked for once and kept (`contract: system`, `python_version`).
#[derive(Debug, Default)]
pub struct Python(OnceCell<Option<String>>);

impl Python {
    /// The version, such as `3.11.7`. None: there is no `python3`. `program` is asked for it where it isn't known yet.
    ///
    /// # Errors
    /// See [`LookupFailure`]; the next call asks again.
    pub async fn version(
        &self,
        supervisor: &Supervisor,
        program: CheckedProgram,
    ) -> Result<Option<&str>, LookupFailure> {
        let ask = || async {
            let argv = ["python3", "-I", "-V"].map(str::to_owned).into();
            let said = look_up(supervisor, program, argv, Vec::new()).await?;
            Ok::<_, LookupFailure>(said.and_then(|said| number(&said)))
        };
        Ok(self.0.get_or_try_init(ask).await?.as_deref())
    }

    /// The version, where it is known.
    #[must_use]
    pub fn known(&self) -> Option<Option<&str>> {
        self.0.get().map(Option::as_deref)
    }
}

/// The second word of `Python 3.11.7`.
fn number(said: &[u8]) -> Option<String> {
    let said = std::str::from_utf8(said).ok()?;
    said.strip_prefix("Python ")?.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn the_version_is_the_second_word() {
        assert_eq!(number(b"Python 3.11.7\n").as_deref(), Some("3.11.7"));
        assert_eq!(number(b"Python 3.13.0rc1+ (x)\n").as_deref(), Some("3.13.0rc1+"));
        for said in [&b"Python \n"[..], b"", b"pyenv: not installed\n", b"Python \xff"] {
            assert_eq!(number(said), None);
        }
    }
}
