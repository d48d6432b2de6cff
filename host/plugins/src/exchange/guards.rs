//! The guards of programs that a request starts.

use std::path::Path;
use std::sync::Arc;

use abxd_guards::command::CommandGuard;
use abxd_guards::environment::{EnvGuard, SecretNames};
use abxd_guards::process::ProcessGuard;

/// What an endpoint's programs are judged by, beside its path guard. The command guard is the endpoint's own, all else the
/// deployment's.
#[derive(Debug, Clone)]
pub struct ProgramGuards {
    /// Which file a program's word stands for.
    pub process: Arc<ProcessGuard>,
    /// Which variables a request may give.
    pub environment: Arc<EnvGuard>,
    /// Which command lines may run.
    pub command: Arc<CommandGuard>,
    /// Names of variables that hold secrets: no request gives them.
    pub secrets: Arc<SecretNames>,
    /// Those of them that no child inherits: none where no tokens are configured (contract: process §1.5).
    pub hidden: Arc<SecretNames>,
    /// The server's working directory, a real path: where programs run that are given no other.
    pub working_dir: Arc<Path>,
}
