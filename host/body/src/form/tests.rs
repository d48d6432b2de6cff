use std::io::Read;

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::form::{Form, FormError, FormFile, FormReader, MAX_FILES, MAX_HEAD, MAX_PARTS, MAX_TEXT};
use crate::spool::SpoolConfig;

const TYPE: &str = "multipart/form-data; boundary=B";

fn read_chunks(content_type: &str, chunks: impl Iterator<Item = Vec<u8>>) -> Result<Form, FormError> {
    let mut reader = FormReader::new(content_type, &["file".to_owned()], &SpoolConfig::default())?;
    for chunk in chunks {
        reader.push(Bytes::from(chunk))?;
    }
    reader.finish()
}

/// Read in one piece, then byte by byte; both must agree.
fn read(text: &[u8]) -> Result<Form, FormError> {
    let whole = read_chunks(TYPE, [text.to_vec()].into_iter());
    let bytes = read_chunks(TYPE, text.iter().map(|byte| vec![*byte]));
    assert_eq!(format!("{whole:?}"), format!("{bytes:?}"), "{}", String::from_utf8_lossy(text));
    whole
}

fn part(headers: &str, content: &[u8]) -> Vec<u8> {
    [b"--B\r\n", headers.as_bytes(), b"\r\n\r\n", content, b"\r\n"].concat()
}

fn named(name: &str, content: &[u8]) -> Vec<u8> {
    part(&format!("Content-Disposition: form-data; name=\"{name}\""), content)
}

fn form(parts: &[Vec<u8>]) -> Vec<u8> {
    [&parts.concat()[..], b"--B--\r\n"].concat()
}

fn bytes(file: &FormFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.content.reader().read_to_end(&mut bytes).unwrap();
    bytes
}

fn field(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn fields_keep_their_order_and_repeats() {
    let text = form(&[named("path", b"/a"), named("file", b"x"), named("path", "/ü".as_bytes()), named("", b"")]);
    let form = read(&text).unwrap();
    assert_eq!(form.fields, [field("path", "/a"), field("path", "/ü"), field("", "")]);
    assert_eq!(form.files.len(), 1);
}

#[test]
fn part_is_a_file_by_its_file_name_or_its_name() {
    let text = form(&[
        named("file", b"plain"),
        part(r#"Content-Disposition: form-data; name="file"; filename="a.txt""#, b"named"),
        part(r#"Content-Disposition: form-data; name="other"; filename="""#, b"also"),
        named("text", b"no file"),
    ]);
    let form = read(&text).unwrap();
    let files: Vec<_> = form.files.iter().map(|file| (&*file.name, file.filename.as_deref(), bytes(file))).collect();
    assert_eq!(
        files,
        [
            ("file", None, b"plain".to_vec()),
            ("file", Some("a.txt"), b"named".to_vec()),
            ("other", Some(""), b"also".to_vec()),
        ]
    );
    assert_eq!(form.fields, [field("text", "no file")]);
}

#[test]
fn file_name_with_an_encoding_is_not_looked_at() {
    let text = form(&[part("Content-Disposition: form-data; name=x; filename*=UTF-8''a.txt", b"text")]);
    assert_eq!(read(&text).unwrap().fields, [field("x", "text")]);
}

#[test]
fn file_arrives_byte_for_byte() {
    let all: Vec<u8> = (0..=255).collect();
    let contents: [&[u8]; 12] = [
        b"",
        b"\r\n",
        b"\r\n\r\n",
        b"\n",
        b"\r",
        b"line\r\nline\r\n",
        b"--B",
        b"--B--\r\n",
        b"\r\n--",
        b"x\r\n--A\r\ny",
        b"\r\r\n-\r\n--\r\n-B\r",
        &all,
    ];
    for content in contents {
        let form = read(&form(&[named("file", content), named("a", b"1")])).unwrap();
        assert_eq!(bytes(&form.files[0]), content);
        assert_eq!(form.fields, [field("a", "1")]);
    }
}

#[test]
fn what_stands_around_the_parts_is_passed_over() {
    let text = [b"preamble\r\n", &form(&[named("a", b"1")])[..], b"epilogue --B\r\n"].concat();
    assert_eq!(read(&text).unwrap().fields, [field("a", "1")]);
    assert!(read(b"--B--\r\n").unwrap().fields.is_empty());
    assert_eq!(
        read(b"--B \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--B--").unwrap().fields,
        [field("a", "1")]
    );
}

#[test]
fn boundary_is_required() {
    for content_type in ["multipart/form-data", "multipart/mixed; boundary=B"] {
        let result = FormReader::new(content_type, &[], &SpoolConfig::default());
        assert!(matches!(result, Err(FormError::Boundary)), "{content_type}");
    }
}

#[test]
fn part_needs_a_name() {
    for headers in [
        "Content-Disposition: form-data",
        "Content-Disposition: form-data; filename=a.txt",
        "Content-Disposition: attachment; name=a",
        "Content-Type: text/plain",
        "",
    ] {
        let result = read(&form(&[named("a", b"1"), part(headers, b"x")]));
        assert!(matches!(result, Err(FormError::Nameless { part: 1 })), "{headers}: {result:?}");
    }
}

#[test]
fn parts_with_a_transfer_encoding_are_refused() {
    let with = |encoding: &str| {
        let headers = format!("content-disposition: form-data; name=file\r\nContent-Transfer-Encoding: {encoding}");
        read(&form(&[part(&headers, b"aGk=")]))
    };
    for encoding in ["base64", "quoted-printable", "x", "", "binary, base64"] {
        assert!(matches!(with(encoding), Err(FormError::TransferEncoding { .. })), "{encoding}");
    }
    for encoding in ["binary", "8bit", "7bit", "8BIT", "Binary"] {
        assert_eq!(bytes(&with(encoding).unwrap().files[0]), b"aGk=", "{encoding}");
    }
}

#[test]
fn text_parts_are_utf8() {
    let result = read(&form(&[named("path", b"\xff")]));
    assert!(matches!(result, Err(FormError::NotText { name }) if name == "path"));
    assert!(read(&form(&[named("file", b"\xff")])).is_ok());
}

#[test]
fn text_parts_are_limited_together() {
    let half = vec![b'x'; MAX_TEXT / 2];
    let file = named("file", &vec![b'x'; MAX_TEXT * 2]);
    assert!(read(&form(&[named("a", &half), file.clone(), named("b", &half)])).is_ok());
    let over = read(&form(&[named("a", &half), file, named("b", &half), named("c", b"x")]));
    assert!(matches!(over, Err(FormError::TooMuchText { limit: MAX_TEXT })));
}

#[test]
fn malformed_forms_are_refused() {
    let incomplete: [&[u8]; 8] = [
        b"",
        b"x",
        b"--B",
        b"--B\r\nContent-Disposition: form-data; name=a",
        b"--B\r\nContent-Disposition: form-data; name=a\r\n\r\n",
        b"--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1",
        b"--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--B",
        b"--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--B\r\n",
    ];
    for text in incomplete {
        assert!(matches!(read(text), Err(FormError::Incomplete)), "{}", String::from_utf8_lossy(text));
    }
    for text in [
        &b"--B\r\nno header\r\n\r\n1\r\n--B--"[..],
        b"--B\nContent-Disposition: form-data; name=a\n\n1\n--B--",
        b"--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--Bx\r\n\r\n--B--",
        b"--B\r\nContent-Disposition: form-data; name=a\x01\r\n\r\n1\r\n--B--",
    ] {
        assert!(matches!(read(text), Err(FormError::Malformed(_))), "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn number_of_parts_is_limited() {
    let fields = |count| form(&vec![named("a", b""); count]);
    assert_eq!(read(&fields(MAX_PARTS)).unwrap().fields.len(), MAX_PARTS);
    assert!(matches!(read(&fields(MAX_PARTS + 1)), Err(FormError::TooManyParts { limit: MAX_PARTS })));
    let files = |count| form(&vec![named("file", b"x"); count]);
    assert_eq!(read(&files(MAX_FILES)).unwrap().files.len(), MAX_FILES);
    assert!(matches!(read(&files(MAX_FILES + 1)), Err(FormError::TooManyParts { limit: MAX_FILES })));
}

#[test]
fn head_of_a_part_is_limited() {
    let preamble = vec![b'x'; 10 * MAX_HEAD];
    let header = [b"--B\r\nX: ", &preamble[..]].concat();
    for text in [preamble, header] {
        let result = read_chunks(TYPE, text.chunks(1000).map(<[u8]>::to_vec));
        assert!(matches!(result, Err(FormError::HeadTooLong { limit: MAX_HEAD })), "{result:?}");
    }
    let name = "n".repeat(MAX_HEAD + 1);
    let result = read_chunks(TYPE, [form(&[named(&name, b"")])].into_iter());
    assert!(matches!(result, Err(FormError::HeadTooLong { .. })), "{result:?}");
}

#[test]
fn files_share_the_memory() {
    let content = vec![b'x'; 600 * 1024];
    let form = read_chunks(TYPE, [form(&[named("file", &content), named("file", &content)])].into_iter()).unwrap();
    let in_memory: Vec<bool> = form.files.iter().map(|file| file.content.as_memory().is_some()).collect();
    assert_eq!(in_memory, [true, false]);
    assert!(form.files.iter().all(|file| bytes(file) == content));
}

proptest! {
    #[test]
    fn any_file_in_any_chunks_arrives_whole(
        content in vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'-'), any::<u8>()], 0..300),
        size in 1..50_usize,
    ) {
        prop_assume!(!content.windows(5).any(|window| window == b"\r\n--B"));
        let text = form(&[named("file", &content), named("a", b"1")]);
        let form = read_chunks(TYPE, text.chunks(size).map(<[u8]>::to_vec)).unwrap();
        prop_assert_eq!(bytes(&form.files[0]), content);
        prop_assert_eq!(form.fields, [field("a", "1")]);
    }

    #[test]
    fn damaged_forms_never_panic(at in any::<proptest::sample::Index>(), byte in any::<u8>(), size in 1..50_usize) {
        let mut text = form(&[named("file", b"x"), named("a", b"1")]);
        let at = at.index(text.len());
        text[at] = byte;
        let chunked = read_chunks(TYPE, text.chunks(size).map(<[u8]>::to_vec));
        let whole = read_chunks(TYPE, [text].into_iter());
        prop_assert_eq!(chunked.is_ok(), whole.is_ok());
    }
}
