use super::*;

/// A component with custom sections of these names, each with one byte in it.
fn component(names: &[&str]) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    for name in names {
        bytes.push(CUSTOM);
        bytes.extend(length(name.len() + 2).unwrap());
        bytes.extend(length(name.len()).unwrap());
        bytes.extend(name.as_bytes());
        bytes.push(b'!');
    }
    bytes
}

#[test]
fn what_was_inserted_is_read() {
    for manifest in [Vec::new(), b"{}".to_vec(), vec![b'm'; 127], vec![b'm'; 128], vec![b'm'; 70_000]] {
        let packed = insert(&component(&["name"]), &manifest).unwrap();
        assert_eq!(read(&packed), Ok(Some(manifest.as_slice())));
    }
}

#[test]
fn it_comes_right_after_the_header_and_changes_nothing_else() {
    let before = component(&["name", "producers"]);
    let packed = insert(&before, b"{}").unwrap();
    assert_eq!(&packed[..8], HEADER);
    assert_eq!(&packed[8..], [b"\0\x0f\x0cabx:manifest{}", &before[8..]].concat());
}

#[test]
fn a_component_without_a_manifest_has_none() {
    assert_eq!(read(&component(&[])), Ok(None));
    assert_eq!(read(&component(&["name", "abx:manifest2"])), Ok(None));
}

#[test]
fn a_second_manifest_is_refused_wherever_it_is() {
    assert_eq!(read(&component(&[NAME, "name", NAME])), Err(SectionError::Repeated));
    assert_eq!(insert(&component(&["name", NAME]), b"{}"), Err(SectionError::Present));
}

#[test]
fn only_components_are_taken() {
    let module = b"\0asm\x01\0\0\0";
    for bytes in [&b""[..], b"\0asm", module, b"\x7fELF\x02\x01\x01\0\0\0"] {
        assert_eq!(read(bytes), Err(SectionError::NotComponent));
    }
}

#[test]
fn damage_is_noticed_at_every_cut() {
    let whole = component(&["name"]);
    for end in HEADER.len() + 1..whole.len() {
        assert_eq!(read(&whole[..end]), Err(SectionError::Damaged), "cut at {end}");
    }
    let endless = [&HEADER[..], b"\0\xff\xff\xff\xff\xff\xff"].concat();
    assert_eq!(read(&endless), Err(SectionError::Damaged));
}
