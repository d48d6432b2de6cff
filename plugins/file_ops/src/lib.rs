//! abx-file-ops.
