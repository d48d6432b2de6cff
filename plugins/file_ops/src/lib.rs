//! The endpoints of group `file_ops`: each reads its arguments, asks the host for one operation and words the answer.
//!
//! What the endpoints decide on their own (forms, ranges, preconditions, texts) is in functions that ask the host nothing,
//! and is tested without one. Paths are judged by the host, in the operation that uses them.

mod archive;
mod delete;
mod download;
mod download_stream;
mod list;
mod mkdir;
mod name;
mod relocate;
mod search;
mod stat;
mod store;
mod upload;
mod upload_stream;
mod watch;

use abx_sdk::{Plugin, Problem, Request, Response};

struct FileOps;

impl Plugin for FileOps {
    fn handle(op: &str, request: Request) -> Result<Response, Problem> {
        match op {
            "files_stat" => stat::stat(&request),
            "files_list" => list::list(&request),
            "files_mkdir" => mkdir::mkdir(&request),
            "files_delete" => delete::delete(&request),
            "files_move" => relocate::relocate(&request),
            "files_upload" => upload::upload(request),
            "files_upload_stream" => upload_stream::upload_stream(request),
            "files_download" => download::download(&request),
            "files_download_stream" => download_stream::download_stream(&request),
            "files_search" => search::search(&request),
            "files_archive" => archive::archive(&request),
            "files_watch" => watch::watch(&request),
            _ => Err(Problem::unavailable(["this plugin has no endpoint ", op].concat())),
        }
    }
}

abx_sdk::export!(FileOps);

#[cfg(test)]
mod tests {
    use super::FileOps;
    use abx_sdk::{InBody, Plugin, Request};

    #[test]
    fn what_is_not_served_is_unavailable() {
        for op in ["shell", ""] {
            let request = Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::None };
            let problem = FileOps::handle(op, request).err().unwrap();
            let fault = problem.fault().unwrap();
            assert_eq!((fault.status, &*fault.kind, problem.code()), (503, "RuntimeError", Some("plugin_unavailable")));
            assert!(fault.message.contains(op));
        }
    }

    #[test]
    fn a_missing_path_is_invalid_everywhere() {
        for op in [
            "files_stat",
            "files_list",
            "files_mkdir",
            "files_delete",
            "files_move",
            "files_upload_stream",
            "files_download",
            "files_download_stream",
            "files_search",
            "files_archive",
        ] {
            let request = Request { path_params: vec![], query: vec![], headers: vec![], body: InBody::None };
            assert_eq!(FileOps::handle(op, request).err().unwrap().code(), Some("invalid_path"), "{op}");
        }
    }
}
