//! Watching directories (`contract: file_ops §11`).

mod directories;
mod entries;
mod floods;
mod intervals;
mod judged;
mod replay;
mod rig;
mod root;
