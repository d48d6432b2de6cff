//! The gzip stream around a tar (RFC 1952).

use std::time::{SystemTime, UNIX_EPOCH};

use flate2::{Compression, Crc};

use crate::files::archive::deflate::Deflate;
use crate::files::archive::output::Output;
use crate::files::archive::{Archive, ArchiveFailure};

/// Magic bytes, "deflate", no optional fields.
const BEGIN: [u8; 4] = [0x1f, 0x8b, 8, 0];
/// Neither the best nor the fastest compression, "made on Unix".
const MADE: [u8; 2] = [0, 3];

/// A gzip stream being written.
pub(super) struct Gzip {
    out: Output,
    deflate: Deflate,
    crc: Crc,
}

impl Gzip {
    /// Begins one that tells the time of now. At the usual level: the highest takes three times as long, for a hundredth of
    /// the size.
    pub(super) fn begin(mut out: Output) -> Result<Self, ArchiveFailure> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        out.write(&BEGIN)?;
        // In 32 bits, as the format has it.
        out.write(&(now as u32).to_le_bytes())?;
        out.write(&MADE)?;
        Ok(Self { out, deflate: Deflate::new(Compression::default()), crc: Crc::new() })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveFailure> {
        self.crc.update(bytes);
        self.deflate.write(bytes, &mut self.out)
    }

    pub(super) fn finish(mut self) -> Result<Archive, ArchiveFailure> {
        self.deflate.finish(&mut self.out)?;
        self.out.write(&self.crc.sum().to_le_bytes())?;
        self.out.write(&self.crc.amount().to_le_bytes())?;
        self.out.finish()
    }
}
