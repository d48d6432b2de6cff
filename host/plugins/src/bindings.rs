//! The WIT interfaces as Rust traits, generated. Every import can trap, and those that wait are async.

wasmtime::component::bindgen!({
    path: ["../../wit/abx-host/0.1.0", "../../wit/abx-plugin/0.1.0"],
    world: "abx:plugin/plugin",
    imports: {
        "abx:host/rule@0.1.0": trappable,
        "abx:host/log@0.1.0": trappable,
        "abx:host/clock@0.1.0": trappable,
        "abx:host/bulk@0.1.0.[method]source.size": trappable,
        "abx:host/bulk@0.1.0.[method]source.narrow": trappable,
        "abx:host/bulk@0.1.0.[method]upload.size": trappable,
        "abx:host/bulk@0.1.0.events": trappable,
        "abx:host/commands@0.1.0.list": trappable,
        "abx:host/commands@0.1.0.find": trappable,
        "abx:host/files@0.1.0.max-upload": trappable,
        "abx:host/process@0.1.0.reserve": trappable,
        "abx:host/process@0.1.0.list": trappable,
        "abx:host/process@0.1.0.find": trappable,
        "abx:host/system@0.1.0.set-variables": trappable,
        "abx:host/system@0.1.0.variables": trappable,
        default: async | trappable,
    },
    exports: { default: async },
    with: {
        "abx:host/bulk.event-stream": crate::EventStream,
        "abx:host/bulk.source": crate::Source,
        "abx:host/bulk.upload": crate::Upload,
        "abx:host/process.place": abxd_capabilities::process::Place,
    },
});
