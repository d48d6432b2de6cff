//! An archive that is larger than the memory that it may take.

use bytes::Bytes;
use serde_json::json;

use super::super::rounds::Site;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Payload, Request, Until};
use crate::servers::{Subject, memory};

/// Size of the file that is packed, in MiB. No compression makes it smaller.
const SIZE: u64 = 1 << 10;

/// The peak of the memory above what it was before. Once: it takes long, and varies little.
pub(super) fn growth(site: &Site<'_>) -> Result<Figure, FigureError> {
    let bed = site.starter.bed;
    let file = bed.large(SIZE)?;
    let server = site.starter.start(Subject::Abxd)?;
    server.call_each_group(bed)?;
    let before = memory(server.pid())?.resident;
    let request = Request::post("/files/archive", Payload::Json(Bytes::from(json!({"paths": [file]}).to_string())));
    let packed = site.load(&server, &request, Load::of(1, Until::Count(1)));
    let added = memory(server.pid())?.peak.saturating_sub(before) as f64 / f64::from(1 << 20);
    // It takes the room of ten others.
    let _ = std::fs::remove_file(file);
    packed?;
    Ok(Figure::new(Key::ArchiveGrowth, "RSS added by an archive of 1 GiB", Unit::Size, [(Subject::Abxd, vec![added])]))
}
