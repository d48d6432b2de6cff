//! One file over HTTP as the libraries do it by themselves: the mark for downloads.

use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio_util::io::ReaderStream;

use crate::{Failure, runtime};

/// Bytes at once, from the file and to the connection.
const CHUNK: usize = 256 << 10;

pub(crate) fn serve(port: u16, file: PathBuf) -> Result<(), Failure> {
    let router =
        Router::new().route("/health", get(|| async {})).route("/download", get(download)).with_state(Arc::new(file));
    runtime()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        axum::serve(listener, router).await?;
        Ok(())
    })
}

async fn download(State(path): State<Arc<PathBuf>>) -> Response {
    match open(&path).await {
        Ok(response) => response,
        Err(cause) => (axum::http::StatusCode::INTERNAL_SERVER_ERROR, cause.to_string()).into_response(),
    }
}

async fn open(path: &PathBuf) -> io::Result<Response> {
    let mut file = tokio::fs::File::open(path).await?;
    file.set_max_buf_size(CHUNK);
    let length = file.metadata().await?.len();
    let body = Body::from_stream(ReaderStream::with_capacity(file, CHUNK));
    Ok(([("content-length", length.to_string())], body).into_response())
}
