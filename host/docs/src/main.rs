//! `abxd-docs`: writes the table of endpoints in `docs/http.md` from the built-in manifests. `cargo xtask docs` runs it.
//!
//! What stands around the two marks in that file is written by hand and kept. A test fails while the table there is not
//! the one that the manifests make.

mod error;
mod page;
mod sources;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use error::DocsError;

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            // A terminal that is gone is told nothing.
            let _ = writeln!(std::io::stderr(), "abxd-docs: {cause}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<(), DocsError> {
    let file = page();
    let text = std::fs::read_to_string(&file).map_err(DocsError::file(&file))?;
    let made = made(&text)?;
    if made != text {
        std::fs::write(&file, made).map_err(DocsError::file(&file))?;
    }
    Ok(())
}

/// The page as it has to be, from the page as it is.
fn made(text: &str) -> Result<String, DocsError> {
    page::with_table(text, &table::render(&sources::groups(&checkout())?))
}

fn checkout() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> PathBuf {
    checkout().join("docs/http.md")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_in_the_docs_is_that_of_the_manifests() {
        let text = std::fs::read_to_string(super::page()).unwrap();
        assert!(super::made(&text).unwrap() == text, "docs/http.md is stale; `cargo xtask docs` writes it");
    }
}
