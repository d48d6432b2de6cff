//! The audit log (contract: pipeline §9).

mod line;

use std::sync::Arc;

use abxd_policy::{AuditMode, Identity};

use crate::pipeline::{Permit, Route};

/// Target of audit events: their only field is the line itself.
pub const TARGET: &str = "abxd::audit";

/// What a request will have in the audit log. The line is written when the record is dropped: after the last byte of the
/// answer, or when the connection is gone.
#[derive(Debug)]
pub struct Record {
    endpoint: Arc<str>,
    method: String,
    mode: AuditMode,
    identity: Option<Arc<Identity>>,
    trail: Option<abxd_plugins::Trail>,
    status: u16,
    code: Option<String>,
}

impl Record {
    /// Begin with a matched request: until it is admitted the default mode counts.
    #[must_use]
    pub fn begin(route: &Route) -> Self {
        let served = route.served();
        Self {
            endpoint: served.id().clone(),
            method: served.entry.facts.method.clone(),
            mode: route.deployment().policy.default_audit(),
            identity: None,
            trail: None,
            status: 0,
            code: None,
        }
    }

    /// The caller is known.
    pub fn caller_is(&mut self, identity: &Arc<Identity>) {
        self.identity = Some(identity.clone());
    }

    /// The request is admitted: from here on its rule's mode counts.
    pub fn is_admitted(&mut self, permit: &Permit) {
        self.mode = permit.rule().audit();
        self.trail = Some(permit.trail().clone());
    }

    /// The answer begins.
    pub fn ends(&mut self, status: u16, code: Option<String>) {
        self.status = status;
        self.code = code;
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let denied = self.status >= 400;
        let written = match self.mode {
            AuditMode::Off => false,
            AuditMode::Deny => denied,
            AuditMode::All => true,
        };
        if written {
            let line = line::render(self, denied);
            tracing::info!(target: TARGET, line);
        }
    }
}
