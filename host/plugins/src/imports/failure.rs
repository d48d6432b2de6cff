//! Causes of the host as the interface's `failure`.

use abxd_body::{BodyError, FormError, JsonError, ReadError};
use abxd_capabilities::files::FileFailure;
use abxd_capabilities::process::{RunFailure, StartFailure};
use abxd_guards::command::CommandDenial;
use abxd_guards::environment::EnvDenial;
use abxd_guards::extension::ExtensionDenial;
use abxd_guards::path::PathDenial;
use abxd_guards::process::ProcessDenial;

use crate::bindings::abx::host::failures::{self, Denial, Failure, OsError};
use crate::exchange;
use crate::instance::State;

impl failures::Host for State {}

impl From<PathDenial> for Failure {
    fn from(denial: PathDenial) -> Self {
        Self::Denied(Denial { code: denial.code().to_owned(), message: denial.to_string() })
    }
}

impl From<exchange::Denial> for Failure {
    fn from(denial: exchange::Denial) -> Self {
        Self::Denied(Denial { code: denial.code, message: denial.message })
    }
}

impl From<ExtensionDenial> for Failure {
    fn from(denial: ExtensionDenial) -> Self {
        Self::Denied(Denial { code: denial.code().to_owned(), message: denial.to_string() })
    }
}

impl From<ProcessDenial> for Failure {
    fn from(denial: ProcessDenial) -> Self {
        Self::Denied(Denial { code: denial.code().to_owned(), message: denial.to_string() })
    }
}

impl From<EnvDenial> for Failure {
    fn from(denial: EnvDenial) -> Self {
        Self::Denied(Denial { code: denial.code().to_owned(), message: denial.to_string() })
    }
}

impl From<CommandDenial> for Failure {
    fn from(denial: CommandDenial) -> Self {
        Self::Denied(Denial { code: denial.code().to_owned(), message: denial.to_string() })
    }
}

impl From<StartFailure> for Failure {
    fn from(failure: StartFailure) -> Self {
        let errno = u16::try_from(failure.errno().raw_os_error()).unwrap_or(EIO);
        Self::Os(OsError { errno, message: failure.to_string() })
    }
}

impl From<RunFailure> for Failure {
    fn from(failure: RunFailure) -> Self {
        match failure {
            RunFailure::Start(cause) => cause.into(),
            RunFailure::Left => Self::CutOff(failure.to_string()),
            RunFailure::Output(errno) => std::io::Error::from(errno).into(),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let errno = error.raw_os_error().and_then(|errno| u16::try_from(errno).ok()).unwrap_or(EIO);
        Self::Os(OsError { errno, message: std::io::Error::from_raw_os_error(i32::from(errno)).to_string() })
    }
}

/// What stands for an error without a number of the system's.
const EIO: u16 = 5;

impl From<FileFailure> for Failure {
    fn from(failure: FileFailure) -> Self {
        match failure {
            FileFailure::Denied(denial) => denial.into(),
            FileFailure::Missing => Self::Missing("there is no such file or directory".to_owned()),
            FileFailure::NotADirectory => Self::Missing("this is not a directory".to_owned()),
            FileFailure::NotAFile => Self::Missing("this is not a regular file".to_owned()),
            FileFailure::Exists => Self::Exists("the file exists and must not be replaced".to_owned()),
            FileFailure::IntoItself => Self::Refused("a directory can't be moved into itself".to_owned()),
            FileFailure::InnerTaken => Self::Refused("the destination directory has an entry of that name".to_owned()),
            FileFailure::Os(errno) => std::io::Error::from(errno).into(),
        }
    }
}

impl From<BodyError> for Failure {
    fn from(error: BodyError) -> Self {
        Self::CutOff(error.to_string())
    }
}

impl From<ReadError<JsonError>> for Failure {
    fn from(error: ReadError<JsonError>) -> Self {
        match error {
            ReadError::Body(cause) => cause.into(),
            ReadError::Content(JsonError::Spool(cause)) => cause.into(),
            ReadError::Content(cause) => Self::Malformed(cause.to_string()),
            ReadError::Interrupted => Self::CutOff("reading the body was interrupted".to_owned()),
        }
    }
}

impl From<ReadError<FormError>> for Failure {
    fn from(error: ReadError<FormError>) -> Self {
        match error {
            ReadError::Body(cause) => cause.into(),
            ReadError::Content(FormError::Spool(cause)) => cause.into(),
            ReadError::Content(cause) => Self::Malformed(cause.to_string()),
            ReadError::Interrupted => Self::CutOff("reading the body was interrupted".to_owned()),
        }
    }
}
