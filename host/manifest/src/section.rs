//! The manifest's place in a component: a custom section right after the file's header.
//!
//! There it is found without reading the code behind it. All section headers are walked all the same, so that no
//! second manifest hides in the file. Nothing is validated beyond that: an engine does it.

use thiserror::Error;

/// Name of the custom section.
pub const NAME: &str = "abx:manifest";

/// Magic number, version and layer of a component in the binary format.
const HEADER: [u8; 8] = *b"\0asm\x0d\0\x01\0";

/// Section id of a custom section.
const CUSTOM: u8 = 0;

/// Why a file is no component that a manifest can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SectionError {
    /// Another header: a core module, compiled code, anything else.
    #[error("not a WebAssembly component in the binary format")]
    NotComponent,
    /// A section that goes beyond the end of the file, or a length that is no number.
    #[error("a component that is cut off or damaged")]
    Damaged,
    /// More than one manifest.
    #[error("it has more than one manifest")]
    Repeated,
    /// A manifest is there already.
    #[error("it has a manifest already; pack the component as it came from the compiler")]
    Present,
    /// Longer than a section can be.
    #[error("the manifest is too long for a section")]
    TooLong,
}

/// The manifest's bytes in a component, if it has one.
///
/// # Errors
/// [`SectionError::NotComponent`], [`SectionError::Damaged`], [`SectionError::Repeated`].
pub fn read(component: &[u8]) -> Result<Option<&[u8]>, SectionError> {
    let mut rest = component.strip_prefix(&HEADER).ok_or(SectionError::NotComponent)?;
    let mut found = None;
    while let Some((id, after)) = rest.split_first() {
        let content;
        (content, rest) = sized(after)?;
        if *id != CUSTOM {
            continue;
        }
        let (name, payload) = sized(content)?;
        if name == NAME.as_bytes() && found.replace(payload).is_some() {
            return Err(SectionError::Repeated);
        }
    }
    Ok(found)
}

/// The component with a manifest put right after its header.
///
/// # Errors
/// Those of [`read`], [`SectionError::Present`], [`SectionError::TooLong`].
pub fn insert(component: &[u8], manifest: &[u8]) -> Result<Vec<u8>, SectionError> {
    if read(component)?.is_some() {
        return Err(SectionError::Present);
    }
    let rest = component.strip_prefix(&HEADER).ok_or(SectionError::NotComponent)?;
    let mut content = length(NAME.len())?;
    content.extend_from_slice(NAME.as_bytes());
    content.extend_from_slice(manifest);
    let mut packed = HEADER.to_vec();
    packed.push(CUSTOM);
    packed.extend(length(content.len())?);
    packed.extend(content);
    packed.extend_from_slice(rest);
    Ok(packed)
}

/// What a length stands before, and what comes after it.
fn sized(bytes: &[u8]) -> Result<(&[u8], &[u8]), SectionError> {
    let mut rest = bytes;
    let mut length = 0_u64;
    // An unsigned LEB128 number of 32 bits has at most five groups of seven bits, the lowest first.
    for shift in [0, 7, 14, 21, 28] {
        let (byte, after) = rest.split_first().ok_or(SectionError::Damaged)?;
        rest = after;
        length |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            let length = usize::try_from(length).map_err(|_| SectionError::Damaged)?;
            return rest.split_at_checked(length).ok_or(SectionError::Damaged);
        }
    }
    Err(SectionError::Damaged)
}

/// A length as unsigned LEB128.
fn length(value: usize) -> Result<Vec<u8>, SectionError> {
    let mut value = u32::try_from(value).map_err(|_| SectionError::TooLong)?;
    let mut bytes = Vec::with_capacity(5);
    loop {
        let [group, ..] = (value & 0x7f).to_le_bytes();
        value >>= 7;
        if value == 0 {
            bytes.push(group);
            return Ok(bytes);
        }
        bytes.push(group | 0x80);
    }
}

#[cfg(test)]
mod tests;
