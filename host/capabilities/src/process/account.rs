//! Running children as another user (`--child-user`, D43).

use std::ffi::{CString, OsString};

use abxd_sys::spawn::User;
use nix::unistd;
use thiserror::Error;

/// A user of the machine, and what a program finds of it in its environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    user: User,
    name: String,
    home: OsString,
    shell: OsString,
}

/// Why children can't run as that user.
#[derive(Debug, Error)]
pub enum AccountError {
    /// Nobody has that name.
    #[error("there is no such user")]
    Missing,
    /// Only root may.
    #[error("only a server that was started as root can run its children as somebody else")]
    NotRoot,
    /// The system can't tell.
    #[error("{0}")]
    Os(#[from] nix::errno::Errno),
}

impl Account {
    /// The user of that name, with all groups. Reads the machine's user database; blocks.
    ///
    /// # Errors
    /// See [`AccountError`].
    pub fn named(name: &str) -> Result<Self, AccountError> {
        let found = unistd::User::from_name(name)?.ok_or(AccountError::Missing)?;
        if !unistd::geteuid().is_root() {
            return Err(AccountError::NotRoot);
        }
        let login = CString::new(name).map_err(|_| AccountError::Missing)?;
        let groups = unistd::getgrouplist(&login, found.gid)?;
        let groups = groups.into_iter().map(unistd::Gid::as_raw).collect();
        Ok(Self {
            user: User { id: found.uid.as_raw(), group: found.gid.as_raw(), groups },
            name: found.name,
            home: found.dir.into(),
            shell: found.shell.into(),
        })
    }

    /// Its ids.
    #[must_use]
    pub const fn user(&self) -> &User {
        &self.user
    }

    /// The variables that say who one is.
    pub fn variables(&self) -> impl Iterator<Item = (OsString, OsString)> + use<> {
        let name = OsString::from(&self.name);
        [("HOME", self.home.clone()), ("USER", name.clone()), ("LOGNAME", name), ("SHELL", self.shell.clone())]
            .into_iter()
            .map(|(variable, value)| (variable.into(), value))
    }
}
