//! The records of a zip.

/// From here on a number needs 64 bits: the largest of 32 means "look in the extra field".
pub(super) const NEEDS_64: u64 = u32::MAX as u64;
/// The same for the count of entries.
const NEEDS_64_COUNT: u64 = u16::MAX as u64;

/// Versions of the format that readers need to know: 2.0 for deflate, 4.5 for zip64.
const DEFLATE: u16 = 20;
const ZIP64: u16 = 45;
/// Made on Unix.
const UNIX: u16 = 3 << 8;
/// Flag: the name is UTF-8.
const UTF8: u16 = 1 << 11;
/// Compression method.
const DEFLATED: u16 = 8;
/// Extra field with numbers of 64 bits.
const EXTRA_64: u16 = 1;
/// Type bits of a regular file's mode.
const REGULAR: u32 = 0o100_000;

const END: usize = 22;
const END_64: usize = 56 + 20;

/// Bytes being put together, all numbers little-endian.
#[derive(Default)]
pub(super) struct Record(Vec<u8>);

impl Record {
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

/// The number, or what stands for one that needs 64 bits.
fn short(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// One member.
pub(super) struct Entry<'e> {
    /// At most 65535 bytes.
    pub(super) name: &'e [u8],
    /// Packed by [`super::dos_time()`].
    pub(super) modified: u32,
    /// Permission bits.
    pub(super) mode: u32,
    /// Where its header begins.
    pub(super) offset: u64,
    /// Whether the header has room for sizes of 64 bits.
    pub(super) large: bool,
    pub(super) crc: u32,
    pub(super) compressed: u64,
    pub(super) size: u64,
}

impl Entry<'_> {
    /// The header before the content, as long whatever is known of the content.
    pub(super) fn header(&self) -> Record {
        let (mut sizes, mut extra) = ([self.compressed, self.size].map(short), Record::default());
        if self.large {
            sizes = [u32::MAX; 2];
            extra.u16(EXTRA_64).u16(16).u64(self.size).u64(self.compressed);
        }
        let mut header = Record::default();
        header.u32(0x0403_4b50).u16(if self.large { ZIP64 } else { DEFLATE });
        self.push_common(&mut header, sizes, &extra);
        header.bytes(self.name).bytes(&extra.0);
        header
    }

    /// The entry of the central directory.
    pub(super) fn listed(&self) -> Record {
        let mut wide = Record::default();
        // In the order of the extra field.
        for number in [self.size, self.compressed, self.offset] {
            if number >= NEEDS_64 {
                wide.u64(number);
            }
        }
        let mut extra = Record::default();
        if !wide.0.is_empty() {
            extra.u16(EXTRA_64).u16(wide.0.len() as u16).bytes(&wide.0);
        }
        let version = if self.large || !wide.0.is_empty() { ZIP64 } else { DEFLATE };
        let mut entry = Record::default();
        entry.u32(0x0201_4b50).u16(UNIX | version).u16(version);
        self.push_common(&mut entry, [self.compressed, self.size].map(short), &extra);
        // No comment, first disk, no internal attributes.
        entry.u16(0).u16(0).u16(0).u32((REGULAR | self.mode) << 16).u32(short(self.offset));
        entry.bytes(self.name).bytes(&extra.0);
        entry
    }

    /// The fields that header and entry share.
    fn push_common(&self, record: &mut Record, [compressed, size]: [u32; 2], extra: &Record) {
        let is_utf8 = !self.name.is_ascii() && std::str::from_utf8(self.name).is_ok();
        record.u16(if is_utf8 { UTF8 } else { 0 }).u16(DEFLATED).u32(self.modified);
        record.u32(self.crc).u32(compressed).u32(size);
        record.u16(self.name.len() as u16).u16(extra.0.len() as u16);
    }
}

/// The central directory as a whole.
#[derive(Default)]
pub(super) struct Directory {
    entries: u64,
    bytes: u64,
}

impl Directory {
    /// Takes in one more entry.
    pub(super) fn grow(&mut self, entry: &Record) {
        self.entries += 1;
        self.bytes += entry.0.len() as u64;
    }

    /// Bytes that follow the members, which end at `offset`.
    pub(super) fn len(&self, offset: u64) -> u64 {
        let end = if self.needs_64(offset) { END_64 + END } else { END };
        self.bytes + end as u64
    }

    /// What ends the archive, behind a directory that begins at `offset`.
    pub(super) fn end(&self, offset: u64) -> Record {
        let mut end = Record::default();
        if self.needs_64(offset) {
            end.u32(0x0606_4b50).u64(44).u16(UNIX | ZIP64).u16(ZIP64).u32(0).u32(0);
            end.u64(self.entries).u64(self.entries).u64(self.bytes).u64(offset);
            end.u32(0x0706_4b50).u32(0).u64(offset + self.bytes).u32(1);
        }
        let entries = u16::try_from(self.entries).unwrap_or(u16::MAX);
        end.u32(0x0605_4b50).u16(0).u16(0).u16(entries).u16(entries);
        end.u32(short(self.bytes)).u32(short(offset)).u16(0);
        end
    }

    fn needs_64(&self, offset: u64) -> bool {
        self.entries >= NEEDS_64_COUNT || self.bytes >= NEEDS_64 || offset >= NEEDS_64
    }
}

#[cfg(test)]
mod tests;
