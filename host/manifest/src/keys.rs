//! The names of limits and parameters that a rule can set (contract: policy §2), and of what an endpoint can call a value.

/// Limits that every endpoint has, so that no manifest lists them.
pub const COMMON_LIMITS: [&str; 3] = ["max_concurrency", "max_request_bytes", "rate_per_minute"];

/// Limits that an endpoint can have besides, in the order of their names.
pub const LIMITS: [&str; 10] = [
    "max_bytes",
    "max_depth",
    "max_duration_seconds",
    "max_entries",
    "max_files",
    "max_output_bytes",
    "max_processes",
    "max_results",
    "max_sessions",
    "timeout_seconds",
];

/// Parameters that an endpoint can have, in the order of their names.
pub const PARAMS: [&str; 14] = [
    "allow_commands",
    "allow_extensions",
    "allow_vars",
    "allowed_signals",
    "block_private_networks",
    "deny_commands",
    "deny_extensions",
    "deny_vars",
    "env_deny",
    "languages",
    "overwrite",
    "shells",
    "url_allow",
    "url_deny",
];

/// Codes that say "this is no value", not "this is not allowed" (seed: error codes; contract: pipeline §7).
pub const MALFORMED: [&str; 5] = ["command_invalid", "env_invalid", "invalid_path", "process_invalid", "url_invalid"];
