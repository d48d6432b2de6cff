use std::io::Read;

use bytes::Bytes;
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;

use crate::form::FormError;
use crate::json::JsonError;
use crate::read::{ReadError, read_form, read_json};
use crate::spool::{Spool, SpoolConfig};
use crate::unread::{BodyError, IDLE, UnreadBody};

/// A body of this text that declares `size` bytes and arrives in chunks.
fn body(text: &[u8], size: usize, chunk: usize) -> UnreadBody {
    let frames: Vec<_> =
        text.chunks(chunk).map(|chunk| Ok::<_, std::io::Error>(Frame::data(Bytes::copy_from_slice(chunk)))).collect();
    UnreadBody::new(StreamBody::new(stream::iter(frames)), size as u64, IDLE)
}

fn whole(text: &[u8]) -> UnreadBody {
    body(text, text.len(), 5000)
}

fn bytes(spool: &Spool) -> Vec<u8> {
    let mut bytes = Vec::new();
    spool.reader().read_to_end(&mut bytes).unwrap();
    bytes
}

#[tokio::test]
async fn json_is_read_with_its_bulk_aside() {
    let text = br#"{"path":"/a","content_base64":"aGk=","mode":420}"#;
    let object = read_json(whole(text), Some("content_base64"), &SpoolConfig::default()).await.unwrap();
    assert_eq!(object.text, br#"{"path":"/a","mode":420}"#);
    assert_eq!(object.aside.unwrap().as_memory(), Some(&b"aGk="[..]));
}

#[tokio::test]
async fn large_bulk_goes_to_a_file() {
    let content = "QUJD".repeat(700_000);
    let text = format!(r#"{{"content_base64":"{content}","path":"/a"}}"#);
    for chunk in [777, 65_536, text.len()] {
        let body = body(text.as_bytes(), text.len(), chunk);
        let object = read_json(body, Some("content_base64"), &SpoolConfig::default()).await.unwrap();
        assert_eq!(object.text, br#"{"path":"/a"}"#);
        let aside = object.aside.unwrap();
        assert!(aside.as_memory().is_none());
        assert!(bytes(&aside) == content.as_bytes());
    }
}

#[tokio::test]
async fn large_object_without_bulk_is_read() {
    let text = format!(r#"{{"a":"{}"}}"#, "é".repeat(1_500_000));
    let object = read_json(whole(text.as_bytes()), None, &SpoolConfig::default()).await.unwrap();
    assert!(object.text == text.as_bytes());
}

#[tokio::test]
async fn malformed_json_is_told_whatever_its_size() {
    for padding in [0, 2_000_000] {
        let text = format!("{{}}{}x", " ".repeat(padding));
        let result = read_json(whole(text.as_bytes()), None, &SpoolConfig::default()).await;
        assert!(matches!(result, Err(ReadError::Content(JsonError::Trailing { .. }))), "{result:?}");
    }
}

#[tokio::test]
async fn body_that_falls_short_is_not_taken_for_its_start() {
    for text in [&b"{}"[..], b"{\"a\":1}   "] {
        let result = read_json(body(text, text.len() + 1, 3), None, &SpoolConfig::default()).await;
        assert!(matches!(result, Err(ReadError::Body(BodyError::Incomplete { .. }))), "{result:?}");
    }
    let form = b"--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--B--\r\n";
    let short = body(form, form.len() + 10, 7);
    let result = read_form(short, "multipart/form-data; boundary=B", &[], &SpoolConfig::default()).await;
    assert!(matches!(result, Err(ReadError::Body(BodyError::Incomplete { .. }))), "{result:?}");
}

#[tokio::test]
async fn only_the_declared_part_is_parsed() {
    let object = read_json(body(b"{}garbage", 2, 100), None, &SpoolConfig::default()).await.unwrap();
    assert_eq!(object.text, b"{}");
}

#[tokio::test]
async fn form_with_a_large_file_is_read() {
    let content: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 255) as u8).collect();
    let head = b"--B\r\nContent-Disposition: form-data; name=path\r\n\r\n/a\r\n--B\r\nContent-Disposition: form-data; name=file\r\n\r\n";
    let text = [&head[..], &content, b"\r\n--B--\r\n"].concat();
    for chunk in [999, 65_536, text.len()] {
        let body = body(&text, text.len(), chunk);
        let content_type = "multipart/form-data; boundary=B";
        let form = read_form(body, content_type, &["file".to_owned()], &SpoolConfig::default()).await.unwrap();
        assert_eq!(form.fields, [("path".to_owned(), "/a".to_owned())]);
        assert!(form.files[0].content.as_memory().is_none());
        assert!(bytes(&form.files[0].content) == content);
    }
}

#[tokio::test]
async fn form_without_a_boundary_is_refused_before_the_body_is_read() {
    let untouched = stream::poll_fn(|_| -> std::task::Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        panic!("the body was read")
    });
    let body = UnreadBody::new(StreamBody::new(untouched), 5, IDLE);
    let result = read_form(body, "multipart/form-data", &[], &SpoolConfig::default()).await;
    assert!(matches!(result, Err(ReadError::Content(FormError::Boundary))), "{result:?}");
}

/// The bytes of a form whose end is cut off by its declared length.
#[tokio::test]
async fn form_without_its_closing_delimiter_is_refused() {
    let form = b"--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--B";
    let result = read_form(whole(form), "multipart/form-data; boundary=B", &[], &SpoolConfig::default()).await;
    assert!(matches!(result, Err(ReadError::Content(FormError::Incomplete))), "{result:?}");
}
