//! The page around the table.

use crate::error::DocsError;

const BEGIN: &str = "<!-- endpoints: written by `cargo xtask docs` -->";
const END: &str = "<!-- endpoints: end -->";

/// The page with this table between its two marks.
pub(crate) fn with_table(page: &str, table: &str) -> Result<String, DocsError> {
    let (before, rest) = page.split_once(BEGIN).ok_or(DocsError::NoMark(BEGIN))?;
    let (_, after) = rest.split_once(END).ok_or(DocsError::NoMark(END))?;
    Ok([before, BEGIN, "\n\n", table, "\n", END, after].concat())
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, with_table};

    #[test]
    fn what_stands_around_the_marks_is_kept() {
        let page = format!("a\n\n{BEGIN}\nold\n{END}\n\nb\n");
        let made = with_table(&page, "new\n").unwrap();
        assert_eq!(made, format!("a\n\n{BEGIN}\n\nnew\n\n{END}\n\nb\n"));
        assert_eq!(with_table(&made, "new\n").unwrap(), made);
    }

    #[test]
    fn a_page_without_marks_is_left_alone() {
        assert!(with_table("", "new").is_err());
        assert!(with_table(&format!("{END}{BEGIN}"), "new").is_err());
    }
}
