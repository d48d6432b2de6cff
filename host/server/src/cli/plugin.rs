//! `abxd plugin list`.

use std::process::ExitCode;

use abxd_plugins::Runtime;

use super::start::{Start, StartError};
use super::{ServeArgs, complain, print};
use crate::deployment::PluginState;

/// Show each group's plugin: group, version, state, digest, interfaces asked for and granted.
pub(super) fn list(args: ServeArgs) -> ExitCode {
    match states(args) {
        Ok(states) => {
            print(format_args!(
                "{:<16} {:<8} {:<12} {:<16} {:<28} GRANTED",
                "GROUP", "VERSION", "STATE", "DIGEST", "ASKS"
            ));
            for state in states {
                let digest = state.digest.as_deref().and_then(|digest| digest.get(..16)).unwrap_or("built in");
                let (asks, granted) = (state.asks.join(","), state.granted.join(","));
                let (group, version, now) = (&state.group, &state.version, state.state.as_str());
                print(format_args!("{group:<16} {version:<8} {now:<12} {digest:<16} {asks:<28} {granted}"));
            }
            ExitCode::SUCCESS
        }
        Err(cause) => {
            complain(cause);
            ExitCode::FAILURE
        }
    }
}

fn states(args: ServeArgs) -> Result<Vec<PluginState>, StartError> {
    let mut start = Start::read(args)?;
    start.load_switches()?;
    let runtime = Runtime::new(abxd_engine::open(1)?.engine, 1);
    Ok(start.deployment(start.first_document(), &runtime, &[])?.0.plugins)
}
