//! What each preset contains (`contract: policy §7`), in the words of a document.

use crate::document::Preset;

/// The preset as a document of its own. Endpoints that are not there are skipped.
pub(super) fn document(preset: Preset) -> &'static str {
    match preset {
        Preset::Default => "{}",
        Preset::TransferOnly => {
            r#"{"endpoints": {
                "*": {"enabled": false},
                "files_upload": {"enabled": true},
                "files_download": {"enabled": true},
                "files_upload_stream": {"enabled": true},
                "files_download_stream": {"enabled": true}
            }}"#
        }
        Preset::ReadOnly => {
            r#"{
                "groups": {"process": false, "terminal": false, "dev_tools": false, "browser": false},
                "endpoints": {
                    "files_mkdir": {"enabled": false},
                    "files_delete": {"enabled": false},
                    "files_move": {"enabled": false},
                    "files_upload": {"enabled": false},
                    "files_upload_stream": {"enabled": false},
                    "env_set": {"enabled": false}
                }
            }"#
        }
        Preset::Hardened => {
            r#"{
                "defaults": {"audit": "deny"},
                "groups": {"process": false, "terminal": false, "dev_tools": false, "browser": false},
                "endpoints": {
                    "env_set": {"enabled": false},
                    "files_*": {"paths": {
                        "symlinks": "within",
                        "deny": ["/proc", "/sys", "/dev", "**/.ssh", "**/.env", "**/.env.*", "**/*.pem",
                                 "**/id_rsa*", "**/id_ed25519*"]
                    }}
                }
            }"#
        }
        Preset::Locked => {
            r#"{"endpoints": {
                "*": {"enabled": false},
                "list_commands": {"enabled": true},
                "run_command": {"enabled": true}
            }}"#
        }
    }
}
