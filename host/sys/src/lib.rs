//! abxd-sys.
