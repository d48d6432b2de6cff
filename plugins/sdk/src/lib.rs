//! abx-sdk.
