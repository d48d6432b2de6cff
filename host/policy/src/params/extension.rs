//! File name extensions as the upload rules see them (`contract: policy §2`, extensions).

/// The extension of a file name, lower-cased, from its last `.` to the end. Leading dots of the name do not count;
/// without an extension the answer is the empty text.
pub fn extension_of(name: &str) -> String {
    let name = name.trim_start_matches('.');
    name.rfind('.').and_then(|dot| name.get(dot..)).unwrap_or_default().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_table() {
        let rows = [
            ("a.TXT", ".txt"),
            ("a.tar.gz", ".gz"),
            ("a.", "."),
            ("noext", ""),
            (".env", ""),
            ("..x", ""),
            (".a.b", ".b"),
            ("", ""),
            ("...", ""),
            ("é.É", ".é"),
        ];
        for (name, extension) in rows {
            assert_eq!(extension_of(name), extension, "{name}");
        }
    }
}
