//! abxd's pipeline over a deployment in which some endpoints have native handlers.
//!
//! Owns the runtime and the log's writers; ends with the process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use abxd::core::Native;
use abxd::deployment::{Deployment, Handler, Inputs, Served};
use abxd::server::Server;
use abxd_body::SpoolConfig;
use abxd_commands::Registry;
use abxd_guards::path::Protected;
use abxd_http::{Listener, Settings};
use abxd_policy::{Document, Limiter, Syntax, TOKEN_VARIABLE};

use crate::{Failure, download, list, runtime, stat, upload};

pub(crate) fn serve(port: u16, policy: &Path) -> Result<(), Failure> {
    let _log = abxd::log::begin(tracing::level_filters::LevelFilter::INFO, None)?;
    let server = Server::new(deployment(policy)?);
    runtime()?.block_on(async {
        let listener = Listener::bind("127.0.0.1", port)?;
        abxd_http::raise_descriptor_limit()?;
        let service = abxd::service::http(server);
        abxd_http::serve(listener, service, Settings::default(), std::future::pending()).await;
        Ok(())
    })
}

fn deployment(policy: &Path) -> Result<Deployment, Failure> {
    let mut document = Document::parse(&std::fs::read(policy)?, Syntax::Json)?;
    document.add_server_token();
    let token = std::env::var(TOKEN_VARIABLE)?.into_bytes();
    let mut deployment = Deployment::build(Inputs {
        document: &document,
        switches: &[],
        commands: &Registry::default(),
        enabled_groups: "",
        base_dir: None,
        working_dir: std::env::current_dir()?,
        search_path: std::env::var_os("PATH").unwrap_or_default(),
        token: &|name| (name == TOKEN_VARIABLE).then(|| token.clone()),
        protected: Arc::new(Protected::new([PathBuf::from(policy)])),
        spool: SpoolConfig::default(),
        runtime: None,
        added: &[],
        builtin_dir: None,
        limiter: Arc::new(Limiter::default()),
    })?;
    for served in &mut deployment.served {
        if let Some(native) = handler(served.id()) {
            let Served { entry, rule, endpoint, .. } = &**served;
            *served = Arc::new(Served {
                entry: entry.clone(),
                rule: rule.clone(),
                endpoint: endpoint.clone(),
                handler: Handler::Native(native),
            });
        }
    }
    Ok(deployment)
}

fn handler(id: &str) -> Option<Arc<dyn Native>> {
    match id {
        "files_stat" => Some(Arc::new(stat::Stat)),
        "files_list" => Some(Arc::new(list::List)),
        "files_download" => Some(Arc::new(download::Download)),
        "files_upload" => Some(Arc::new(upload::Upload)),
        _ => None,
    }
}
