//! Moving files, one connection, one after the other.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::json;

use super::rounds::{Rounds, Samples};
use super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Payload, Request, Until};
use crate::servers::{Bed, Subject};

/// Size of the file that goes as base64, in MiB: with its JSON it stays below the usual limit of a body.
const ENCODED: u64 = 5;

pub(super) fn measure(rounds: &Rounds<'_>) -> Result<Vec<Figure>, FigureError> {
    let mut figures = Vec::new();
    for (size, count) in [(10, 8), (100, 2)] {
        figures.extend(download(rounds, size, count)?);
        figures.extend(upload(rounds, size, count)?);
    }
    figures.extend(encoded(rounds)?);
    Ok(figures)
}

/// Raw download. The reference has none: its own encodes.
fn download(rounds: &Rounds<'_>, size: u64, count: usize) -> Result<Vec<Figure>, FigureError> {
    let bed = rounds.bed();
    let name = format!("{size}.bin");
    let request = |subject| match subject {
        Subject::Abxd | Subject::Native => Some(Request::get(bed.target("/download", &name))),
        Subject::Stream => (size == 100).then(|| Request::get("/download")),
        Subject::Spawn | Subject::Pty | Subject::Cdp => None,
        Subject::Reference => Some(Request::get(bed.target("/files/download-stream", &name))),
    };
    let samples = rounds.run(Load::of(1, Until::Count(count)), request)?;
    let mut figures = rows(&format!("download {size} MiB raw"), size, &samples);
    let plain = |(subject, _): &(Subject, Vec<f64>)| matches!(subject, Subject::Abxd | Subject::Stream);
    if size == 100 {
        let title = format!("download {size} MiB raw, against a plain file stream");
        let values = samples.values(|sample| throughput(sample, size)).into_iter().filter(plain);
        figures.push(Figure::new(Key::PlainStream, title, Unit::Throughput, values));
    }
    Ok(figures)
}

/// Raw upload. The reference has none: its own decodes.
fn upload(rounds: &Rounds<'_>, size: u64, count: usize) -> Result<Vec<Figure>, FigureError> {
    let bed = rounds.bed();
    let block = Bytes::from(Bed::block());
    let encoded = rounds.site.starter.reference.is_some().then(|| upload_stream(bed, size));
    let request = |subject| match subject {
        Subject::Abxd | Subject::Native => {
            let raw = Payload::Raw { block: block.clone(), length: size << 20 };
            Some(Request::post(bed.target("/upload", "uploaded.bin"), raw))
        }
        Subject::Stream | Subject::Spawn | Subject::Pty | Subject::Cdp => None,
        Subject::Reference => encoded.clone(),
    };
    let samples = rounds.run(Load::of(1, Until::Count(count)), request)?;
    Ok(rows(&format!("upload {size} MiB raw"), size, &samples))
}

/// The same by base64 in JSON, which has no native handler to compare with.
fn encoded(rounds: &Rounds<'_>) -> Result<Vec<Figure>, FigureError> {
    let bed = rounds.bed();
    let has = |subject| matches!(subject, Subject::Abxd | Subject::Reference);
    let target = bed.target("/files/download-stream", &format!("{ENCODED}.bin"));
    let upload = upload_stream(bed, ENCODED);
    let load = Load::of(1, Until::Count(8));
    let down = rounds.run(load, |subject| has(subject).then(|| Request::get(&target)))?;
    let up = rounds.run(load, |subject| has(subject).then(|| upload.clone()))?;
    let mut figures = rows(&format!("download {ENCODED} MiB base64"), ENCODED, &down);
    figures.extend(rows(&format!("upload {ENCODED} MiB base64"), ENCODED, &up));
    Ok(figures)
}

fn upload_stream(bed: &Bed, size: u64) -> Request {
    let block = Bed::block();
    let content: Vec<u8> = (0..size).flat_map(|_| block.iter().copied()).collect();
    let body = json!({"path": bed.root().join("uploaded.txt"), "content_base64": STANDARD.encode(content)});
    Request::post("/files/upload-stream", Payload::Json(Bytes::from(body.to_string())))
}

fn rows(title: &str, size: u64, samples: &Samples) -> Vec<Figure> {
    let throughput = samples.values(|sample| throughput(sample, size));
    let listed =
        |values: Vec<(Subject, Vec<f64>)>| values.into_iter().filter(|(subject, _)| *subject != Subject::Stream);
    vec![
        Figure::new(Key::Other, title, Unit::Throughput, listed(throughput)),
        Figure::new(
            Key::Other,
            format!("{title}, server CPU"),
            Unit::Millis,
            listed(samples.values(Sample::cpu_millis)),
        ),
    ]
}

/// MiB of the file per second, however it was encoded.
fn throughput(sample: &Sample, size: u64) -> f64 {
    sample.per_second() * size as f64
}
