//! Files (`contract: file_ops`). Everything acts on descriptors that the guard's checked paths open; no path is looked up
//! a second time. Functions block, but for [`Watch`], which waits.
//!
//! Nothing here outlives its call but what is handed out: [`OpenFile`] owns its descriptor, [`SaveTarget`] and
//! [`Saving`] own theirs and the unfinished file, which is gone when they are dropped without a commit;
//! a [`Watch`] owns what it watches with.

mod archive;
mod attributes;
mod failure;
mod list;
mod make_dir;
mod open;
mod relocate;
mod remove;
mod rename;
mod save;
mod search;
mod settle;
mod spool;
mod stat;
mod temporary;
mod top;
mod watch;

pub use archive::{Archive, ArchiveFailure, ArchiveFormat, ArchiveOptions, archive};
pub use failure::FileFailure;
pub use list::{ListEntry, ListOptions, list};
pub use make_dir::make_dir;
pub use open::{OpenFile, open};
pub use remove::remove;
pub use rename::rename;
pub use save::{SaveOptions, SaveTarget, Saving};
pub use search::{Found, Hit, SearchOptions, search};
pub use stat::stat;
pub use temporary::is_temporary;
pub use watch::{Change, ChangeKind, Notifier, Watch, WatchEnd, WatchFailure, WatchOptions, WatchStep};
