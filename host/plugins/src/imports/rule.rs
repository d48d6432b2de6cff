//! `abx:host/rule`: what the operator set for the endpoint that is being served.

use abxd_policy::Rule;
use serde_json::Value;

use crate::bindings::abx::host::rule;
use crate::instance::State;

impl State {
    fn rule(&self) -> wasmtime::Result<&Rule> {
        Ok(&self.call()?.endpoint.rule)
    }
}

impl rule::Host for State {
    fn limit(&mut self, name: String) -> wasmtime::Result<Option<u64>> {
        let limits = self.rule()?.limits();
        Ok(match name.as_str() {
            "max_request_bytes" => limits.max_request_bytes(),
            "max_bytes" => limits.max_bytes(),
            "max_output_bytes" => limits.max_output_bytes(),
            "max_entries" => limits.max_entries(),
            "max_depth" => limits.max_depth(),
            "max_results" => limits.max_results(),
            "max_files" => limits.max_files(),
            "max_processes" => limits.max_processes(),
            "max_sessions" => limits.max_sessions(),
            _ => None,
        })
    }

    fn seconds(&mut self, name: String) -> wasmtime::Result<Option<f64>> {
        let limits = self.rule()?.limits();
        Ok(match name.as_str() {
            "timeout_seconds" => limits.timeout_seconds(),
            "max_duration_seconds" => limits.max_duration_seconds(),
            _ => None,
        })
    }

    fn flag(&mut self, name: String) -> wasmtime::Result<Option<bool>> {
        Ok(self.rule()?.params().to_json().get(&name).and_then(Value::as_bool))
    }

    fn texts(&mut self, name: String) -> wasmtime::Result<Option<Vec<String>>> {
        let params = self.rule()?.params().to_json();
        let texts = params.get(&name).and_then(Value::as_array);
        Ok(texts.map(|texts| texts.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
    }
}
