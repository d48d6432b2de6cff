//! The files group over HTTP, where the conformance cases leave off (contract: file_ops).

mod archives;
mod arguments;
mod deletes;
mod forms;
mod full_disk;
mod listings;
mod media_types;
mod memory;
mod moves;
mod names_not_utf8;
mod own_files;
mod permissions;
mod preconditions;
mod ranges;
mod raw_uploads;
mod searches;
mod special_files;
mod vanished;
