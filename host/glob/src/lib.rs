//! abxd-glob.
