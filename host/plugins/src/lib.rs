//! abxd-plugins.
