//! The result as Markdown.

mod machine;
mod number;
mod page;
mod tables;

pub use machine::Machine;
pub use number::number;
pub use page::page;
pub use tables::{figure_table, goal_table};
