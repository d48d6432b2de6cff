//! The header of a member: a ustar block, behind a pax header where that doesn't say it all.

use abxd_guards::file::{Facts, Time};

use super::pax::Records;

/// Everything in a tar is a multiple of this, in bytes.
pub(super) const BLOCK: usize = 512;

/// Name of all pax headers. Only programs that don't know them show it.
const PAX_NAME: &[u8] = b"././@PaxHeader";
/// Longest name and target of a link.
const NAME: usize = 100;
/// Longest name of an owner.
const OWNER: usize = 31;
/// What a field of seven and of eleven octal digits holds.
const SHORT: u64 = 0o7_777_777;
const LONG: u64 = 0o77_777_777_777;

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    File = b'0',
    HardLink = b'1',
    Link = b'2',
    CharacterDevice = b'3',
    BlockDevice = b'4',
    Fifo = b'6',
    Pax = b'x',
}

/// One member, its content aside.
pub(super) struct Header<'h> {
    pub(super) kind: Kind,
    pub(super) name: &'h [u8],
    /// Of a link its text, of a hard link the other name.
    pub(super) target: &'h [u8],
    /// Bytes of content that follow.
    pub(super) size: u64,
    pub(super) facts: &'h Facts,
}

impl<'h> Header<'h> {
    /// A member without target and content.
    pub(super) fn new(kind: Kind, name: &'h [u8], facts: &'h Facts) -> Self {
        Self { kind, name, target: b"", size: 0, facts }
    }

    /// The blocks of the header. `owners` are the names of the user and the group.
    pub(super) fn to_bytes(&self, (user, group): (&str, &str)) -> Vec<u8> {
        let Facts { mode, uid, gid, modified, device, .. } = *self.facts;
        let records = self.records(user, group);
        let mut blocks = Vec::with_capacity(BLOCK * 3);
        if !records.is_empty() {
            let fields = Fields { kind: Kind::Pax, name: PAX_NAME, size: records.len() as u64, ..Fields::default() };
            fields.push_block(&mut blocks);
            blocks.extend_from_slice(&records);
            blocks.resize(blocks.len().next_multiple_of(BLOCK), 0);
        }
        let node = matches!(self.kind, Kind::CharacterDevice | Kind::BlockDevice);
        let fields = Fields {
            kind: self.kind,
            name: self.name,
            target: self.target,
            mode,
            uid,
            gid,
            size: self.size,
            modified: u64::try_from(modified.secs).unwrap_or_default(),
            user,
            group,
            device: if node { device } else { (0, 0) },
        };
        fields.push_block(&mut blocks);
        blocks
    }

    fn records(&self, user: &str, group: &str) -> Vec<u8> {
        let Facts { uid, gid, modified, .. } = *self.facts;
        let mut records = Records::default();
        for (key, text) in [("path", self.name), ("linkpath", self.target)] {
            // Names that are no UTF-8 have no better place than the field, while they fit.
            let is_foreign = !text.is_ascii() && std::str::from_utf8(text).is_ok();
            if text.len() > NAME || is_foreign {
                records.add(key, text);
            }
        }
        for (key, name) in [("uname", user), ("gname", group)] {
            if name.len() > OWNER || !name.is_ascii() {
                records.add(key, name.as_bytes());
            }
        }
        for (key, number, most) in [("size", self.size, LONG), ("uid", uid.into(), SHORT), ("gid", gid.into(), SHORT)] {
            if number > most {
                records.add(key, number.to_string().as_bytes());
            }
        }
        if modified.nanos != 0 || !(0..=LONG as i64).contains(&modified.secs) {
            records.add("mtime", decimal(modified).as_bytes());
        }
        records.into_bytes()
    }
}

/// A point in time as seconds since the epoch, with as many decimals as it needs.
fn decimal(time: Time) -> String {
    // Before the epoch both parts count backwards in the text.
    let (sign, secs, nanos) = match (time.secs, time.nanos) {
        (secs @ 0.., nanos) => ("", secs.unsigned_abs(), nanos),
        (secs, 0) => ("-", secs.unsigned_abs(), 0),
        (secs, nanos) => ("-", (secs + 1).unsigned_abs(), 1_000_000_000 - nanos),
    };
    match nanos {
        0 => format!("{sign}{secs}"),
        _ => format!("{sign}{secs}.{nanos:09}").trim_end_matches('0').to_owned(),
    }
}

/// The fields of a ustar block. What a field can't hold is cut: a pax header says it then.
struct Fields<'f> {
    kind: Kind,
    name: &'f [u8],
    target: &'f [u8],
    mode: u32,
    uid: u32,
    gid: u32,
    size: u64,
    modified: u64,
    user: &'f str,
    group: &'f str,
    device: (u32, u32),
}

impl Default for Fields<'_> {
    fn default() -> Self {
        Self {
            kind: Kind::File,
            name: b"",
            target: b"",
            mode: 0o644,
            uid: 0,
            gid: 0,
            size: 0,
            modified: 0,
            user: "",
            group: "",
            device: (0, 0),
        }
    }
}

impl Fields<'_> {
    fn push_block(&self, blocks: &mut Vec<u8>) {
        let start = blocks.len();
        text(blocks, self.name, NAME);
        for number in [self.mode, self.uid, self.gid] {
            octal(blocks, number.into(), SHORT);
        }
        octal(blocks, self.size, LONG);
        octal(blocks, self.modified, LONG);
        // The sum counts its own field as blanks.
        let sum_at = blocks.len();
        text(blocks, b"        ", 8);
        blocks.push(self.kind as u8);
        text(blocks, self.target, NAME);
        blocks.extend_from_slice(b"ustar\x0000");
        text(blocks, self.user.as_bytes(), OWNER + 1);
        text(blocks, self.group.as_bytes(), OWNER + 1);
        octal(blocks, self.device.0.into(), SHORT);
        octal(blocks, self.device.1.into(), SHORT);
        blocks.resize(start + BLOCK, 0);
        let sum: u32 = blocks.iter().skip(start).copied().map(u32::from).sum();
        if let Some(field) = blocks.get_mut(sum_at..sum_at + 8) {
            field.copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
}

/// A field of `width` bytes, filled up with zeros.
fn text(blocks: &mut Vec<u8>, value: &[u8], width: usize) {
    let end = blocks.len() + width;
    blocks.extend(value.iter().take(width));
    blocks.resize(end, 0);
}

/// A field with the digits that `most` has, and a zero byte. More than that is zero.
fn octal(blocks: &mut Vec<u8>, value: u64, most: u64) {
    let value = if value > most { 0 } else { value };
    let width = if most == SHORT { 7 } else { 11 };
    blocks.extend((0..width).rev().map(|place| b'0' + (value >> (3 * place) & 7) as u8));
    blocks.push(0);
}

#[cfg(test)]
mod tests;
