//! `Content-Type` of a file, by its name. Contract: file_ops §13.2.
//!
//! An own table, of what sandboxes hold: the crates' tables would be a fifth of the component, and know `.ts` as video.

use crate::name;

/// What is said of a file whose type its name doesn't tell.
const UNKNOWN: &str = "application/octet-stream";

/// No extension of the table is longer.
const LONGEST: usize = 12;

/// The value for a file with this name. Text is called UTF-8.
pub(super) fn of(name: &[u8]) -> String {
    let media_type = name::extension(name).and_then(find).unwrap_or(UNKNOWN);
    if media_type.starts_with("text/") { [media_type, "; charset=utf-8"].concat() } else { media_type.to_owned() }
}

fn find(extension: &[u8]) -> Option<&'static str> {
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..extension.len())?;
    lower.copy_from_slice(extension);
    lower.make_ascii_lowercase();
    let at = TABLE.binary_search_by_key(&&*lower, |(extension, _)| extension.as_bytes()).ok()?;
    TABLE.get(at).map(|(_, media_type)| *media_type)
}

/// Extension and media type, in the order of the extensions' bytes.
const TABLE: &[(&str, &str)] = &[
    ("7z", "application/x-7z-compressed"),
    ("aac", "audio/aac"),
    ("apng", "image/apng"),
    ("atom", "application/atom+xml"),
    ("avif", "image/avif"),
    ("bash", "text/x-shellscript"),
    ("bmp", "image/bmp"),
    ("bz2", "application/x-bzip2"),
    ("c", "text/x-c"),
    ("cc", "text/x-c++"),
    ("cfg", "text/plain"),
    ("cjs", "text/javascript"),
    ("conf", "text/plain"),
    ("cpp", "text/x-c++"),
    ("cs", "text/x-csharp"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("cxx", "text/x-c++"),
    ("diff", "text/x-diff"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("eml", "message/rfc822"),
    ("epub", "application/epub+zip"),
    ("flac", "audio/flac"),
    ("geojson", "application/geo+json"),
    ("gif", "image/gif"),
    ("go", "text/x-go"),
    ("gz", "application/gzip"),
    ("h", "text/x-c"),
    ("heic", "image/heic"),
    ("hpp", "text/x-c++"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ico", "image/vnd.microsoft.icon"),
    ("ics", "text/calendar"),
    ("ini", "text/plain"),
    ("ipynb", "application/x-ipynb+json"),
    ("jar", "application/java-archive"),
    ("java", "text/x-java"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("jsonld", "application/ld+json"),
    ("jsx", "text/javascript"),
    ("kt", "text/x-kotlin"),
    ("log", "text/plain"),
    ("lua", "text/x-lua"),
    ("m4a", "audio/mp4"),
    ("m4v", "video/mp4"),
    ("markdown", "text/markdown"),
    ("md", "text/markdown"),
    ("mid", "audio/midi"),
    ("mjs", "text/javascript"),
    ("mkv", "video/matroska"),
    ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("mpeg", "video/mpeg"),
    ("ndjson", "application/x-ndjson"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("oga", "audio/ogg"),
    ("ogg", "audio/ogg"),
    ("ogv", "video/ogg"),
    ("opus", "audio/ogg"),
    ("otf", "font/otf"),
    ("parquet", "application/vnd.apache.parquet"),
    ("patch", "text/x-diff"),
    ("pdf", "application/pdf"),
    ("php", "text/x-php"),
    ("pl", "text/x-perl"),
    ("png", "image/png"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("properties", "text/plain"),
    ("ps1", "text/plain"),
    ("py", "text/x-python"),
    ("r", "text/plain"),
    ("rb", "text/x-ruby"),
    ("rs", "text/x-rust"),
    ("rss", "application/rss+xml"),
    ("rst", "text/x-rst"),
    ("rtf", "application/rtf"),
    ("sh", "text/x-shellscript"),
    ("sql", "application/sql"),
    ("sqlite", "application/vnd.sqlite3"),
    ("srt", "text/plain"),
    ("svg", "image/svg+xml"),
    ("swift", "text/x-swift"),
    ("tar", "application/x-tar"),
    ("tex", "text/x-tex"),
    ("tgz", "application/gzip"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("toml", "application/toml"),
    ("ts", "text/x-typescript"),
    ("tsv", "text/tab-separated-values"),
    ("tsx", "text/x-typescript"),
    ("ttf", "font/ttf"),
    ("txt", "text/plain"),
    ("vtt", "text/vtt"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("weba", "audio/webm"),
    ("webm", "video/webm"),
    ("webmanifest", "application/manifest+json"),
    ("webp", "image/webp"),
    ("whl", "application/zip"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("xhtml", "application/xhtml+xml"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xml", "application/xml"),
    ("xz", "application/x-xz"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
    ("zst", "application/zstd"),
];

#[cfg(test)]
mod tests {
    use super::{LONGEST, TABLE, of};

    #[test]
    fn the_last_extension_tells_the_type() {
        for (name, media_type) in [
            ("a.txt", "text/plain; charset=utf-8"),
            ("A.TXT", "text/plain; charset=utf-8"),
            ("a.json", "application/json"),
            ("a.md", "text/markdown; charset=utf-8"),
            ("a.Html", "text/html; charset=utf-8"),
            ("a.png", "image/png"),
            ("a.svg", "image/svg+xml"),
            ("a.tar.gz", "application/gzip"),
            ("a.gz.txt", "text/plain; charset=utf-8"),
            ("a.bin", "application/octet-stream"),
        ] {
            assert_eq!(of(name.as_bytes()), media_type, "{name}");
        }
    }

    #[test]
    fn no_or_an_unknown_extension_is_bytes() {
        for name in
            [&b"noext"[..], b".txt", b"a.", b"", b"a.nosuchtype", b"a.txt\xff", "a.é".as_bytes(), b"a.txttxttxttxttxt"]
        {
            assert_eq!(of(name), "application/octet-stream", "{name:?}");
        }
    }

    #[test]
    fn every_row_can_be_found() {
        assert!(TABLE.is_sorted_by(|(one, _), (next, _)| one < next));
        for (extension, media_type) in TABLE {
            assert!(extension.len() <= LONGEST && *extension == extension.to_ascii_lowercase(), "{extension}");
            assert!(of(format!("a.{extension}").as_bytes()).starts_with(media_type));
        }
    }
}
