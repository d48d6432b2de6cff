//! `ports`: sockets that listen for TCP. Contract: system.

use abx_sdk::system::{self, Listener};
use abx_sdk::{Response, json};

pub(crate) fn ports() -> Response {
    Response::json(answer(&system::listening()))
}

fn answer(listeners: &[Listener]) -> Vec<u8> {
    json::object(64 + listeners.len() * 80, |answer| {
        answer.list("listening", |list| {
            for listener in listeners {
                list.object(|item| {
                    item.integer("port", listener.port);
                    item.text("protocol", if listener.v6 { "tcp6" } else { "tcp" });
                    item.text("address", &listener.address);
                    match listener.pid {
                        Some(pid) => item.integer("pid", pid),
                        None => item.null("pid"),
                    }
                });
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use abx_sdk::system::Listener;
    use serde_json::{Value, json};

    #[test]
    fn entries_have_exactly_the_contracts_keys() {
        let listeners = [
            Listener { port: 8001, v6: false, address: "127.0.0.1".into(), pid: Some(411) },
            Listener { port: 8002, v6: true, address: "::1".into(), pid: None },
        ];
        let expected = json!({"listening": [
            {"port": 8001, "protocol": "tcp", "address": "127.0.0.1", "pid": 411},
            {"port": 8002, "protocol": "tcp6", "address": "::1", "pid": null},
        ]});
        assert_eq!(serde_json::from_slice::<Value>(&answer(&listeners)).unwrap(), expected);
    }
}
