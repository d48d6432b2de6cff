//! Skipping what needs no second look.

/// Bytes that are looked at one by one before it pays to look at blocks.
const NEAR: usize = 16;

/// Bytes that are looked at in one go: the compiler turns the loop over them into vector instructions.
const BLOCK: usize = 64;

/// The length of the longest start of `bytes` that holds no special one.
#[inline]
pub(crate) fn clean_start(bytes: &[u8], is_special: impl Fn(u8) -> bool + Copy) -> usize {
    let first = |bytes: &[u8]| bytes.iter().position(|&byte| is_special(byte));
    let Some((near, far)) = bytes.split_at_checked(NEAR) else { return first(bytes).unwrap_or(bytes.len()) };
    if let Some(at) = first(near) {
        return at;
    }
    let (blocks, _) = far.as_chunks::<BLOCK>();
    let dirty = |block: &&[u8; BLOCK]| block.iter().fold(false, |any, &byte| any | is_special(byte));
    let clean = NEAR + blocks.iter().take_while(|block| !dirty(block)).count() * BLOCK;
    let rest = bytes.get(clean..).unwrap_or_default();
    clean + first(rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::clean_start;

    #[test]
    fn first_special_byte_is_found_wherever_it_stands() {
        for length in [0, 1, 63, 64, 65, 127, 128, 200] {
            let clean = vec![b'a'; length];
            assert_eq!(clean_start(&clean, |byte| byte == b'"'), length);
            for at in 0..length {
                let mut bytes = clean.clone();
                bytes[at..].fill(b'"');
                assert_eq!(clean_start(&bytes, |byte| byte == b'"'), at);
            }
        }
    }
}
