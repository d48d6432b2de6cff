//! The two tables.

use super::number;
use crate::figures::{Figure, Goal, Spread};
use crate::servers::Subject;

/// What has no value.
const NONE: &str = "–";

/// All figures: medians, with minimum and maximum in brackets.
#[must_use]
pub fn figure_table(figures: &[Figure]) -> String {
    let mut table = String::from(
        "| figure | unit | abxd | native | reference | abxd ÷ native | abxd ÷ reference |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
    );
    for figure in figures {
        // A row has one of these; its title tells which, where it is not the native server.
        let native = [Subject::Stream, Subject::Spawn, Subject::Pty, Subject::Cdp]
            .into_iter()
            .find(|subject| figure.of(*subject).is_some());
        let native = native.unwrap_or(Subject::Native);
        let spread = |subject| figure.of(subject).map_or_else(|| NONE.to_owned(), cell);
        let ratio = |subject| figure.ratio(subject).map_or_else(|| NONE.to_owned(), number);
        table.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            figure.title,
            figure.unit.text(),
            spread(Subject::Abxd),
            spread(native),
            spread(Subject::Reference),
            ratio(native),
            ratio(Subject::Reference),
        ));
    }
    table
}

fn cell(spread: &Spread) -> String {
    format!("{} ({}…{})", number(spread.median()), number(spread.min()), number(spread.max()))
}

/// What is to be reached, and whether it is.
#[must_use]
pub fn goal_table(goals: &[Goal]) -> String {
    let mut table = String::from("| to be reached | found | reached |\n|---|---:|---|\n");
    for goal in goals {
        let found = goal.found.as_deref().unwrap_or("not measured");
        let reached = if goal.reached { "yes" } else { "no" };
        table.push_str(&format!("| {} | {found} | {reached} |\n", goal.wanted));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{figure_table, goal_table};
    use crate::figures::{Figure, Goal, Key, Unit};
    use crate::servers::Subject;

    #[test]
    fn a_row_has_all_servers_and_their_ratios() {
        let values = [(Subject::Abxd, vec![1.0, 2.0, 3.0]), (Subject::Native, vec![4.0])];
        let table = figure_table(&[Figure::new(Key::Other, "stat", Unit::Micros, values)]);
        let row = "| stat | µs | 2.00 (1.00…3.00) | 4.00 (4.00…4.00) | – | 0.50 | – |";
        assert_eq!(table.lines().nth(2), Some(row));
    }

    #[test]
    fn a_goal_that_was_not_measured_says_so() {
        let table = goal_table(&[Goal { wanted: "fast", found: None, reached: false }]);
        assert_eq!(table.lines().nth(2), Some("| fast | not measured | no |"));
    }
}
