//! What a plugin is.

use crate::bindings::exports::abx::plugin::handler;
use crate::{Problem, Request, Response};

/// Serves the endpoints of one manifest.
///
/// The host runs many instances of a plugin, each serving one request at a time, and may throw any of them away between two
/// requests: state that must last belongs to the host.
pub trait Plugin {
    /// Serve one request; called once for each. `op` is the endpoint's id.
    ///
    /// # Errors
    ///
    /// The error answer.
    fn handle(op: &str, request: Request) -> Result<Response, Problem>;
}

impl<P: Plugin> handler::Guest for P {
    fn handle(op: String, request: Request) -> Result<Response, handler::Problem> {
        P::handle(&op, request).map_err(Into::into)
    }
}

/// Make a type the plugin of this component: `abx_sdk::export!(MyPlugin);`
///
/// Off WebAssembly there is no component to export to; it is only checked then that the type is a [`Plugin`].
#[macro_export]
macro_rules! export {
    ($plugin:ident) => {
        #[cfg(target_arch = "wasm32")]
        $crate::bindings::export!($plugin with_types_in $crate::bindings);

        const _: fn(&str, $crate::Request) -> Result<$crate::Response, $crate::Problem> =
            <$plugin as $crate::Plugin>::handle;
    };
}
