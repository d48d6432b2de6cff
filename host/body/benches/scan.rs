//! Speed of what every body and every bulk answer passes through, in MB of input per second of CPU time:
//! `cargo bench -p abxd-body`.

use std::io::{self, Write};
use std::time::Duration;

use abxd_body::base64::{Decoder, Encoder};
use abxd_body::json_text::TextEncoder;
use abxd_body::{Scanner, SpoolConfig};
use rustix::time::{ClockId, clock_gettime};

/// Bytes of input for each case.
const SIZE: usize = 8 << 20;

/// A chunk as a socket brings it.
const CHUNK: usize = 64 << 10;

/// How long each case is repeated.
const TIME: Duration = Duration::from_secs(1);

fn main() -> io::Result<()> {
    let base64 = "QUJDZGVm".repeat(SIZE / 8);
    let text = "Plain words, \"quoted\" ones\nand lines.\n".repeat(SIZE / 38);
    let objects = r#"{"id":12345,"name":"a short name","tags":["x","y"],"on":true},"#.repeat(SIZE / 62);
    let member = |value: &str| format!(r#"{{"path":"/a","content_base64":{value}}}"#);

    scan("bulk kept aside", &member(&format!("\"{base64}\"")), Some("content_base64"))?;
    scan("the same kept in the text", &member(&format!("\"{base64}\"")), None)?;
    scan("Chinese text", &member(&format!("\"{}\"", "你好，世界".repeat(SIZE / 15))), None)?;
    scan("escaped text aside", &member(&format!("\"{}\"", r"line\n\u00e9".repeat(SIZE / 12))), Some("content_base64"))?;
    scan("small objects", &member(&format!("[{objects}0]")), None)?;
    scan("floats", &member(&format!("[{}0]", "3.25e2,".repeat(SIZE / 7))), None)?;

    let mut out = Vec::with_capacity(CHUNK);
    measure("base64 decoding", base64.as_bytes(), |chunks| {
        let mut decoder = Decoder::new();
        chunks.for_each(|chunk| {
            out.clear();
            decoder.push(chunk, &mut out).unwrap_or_default();
        });
    })?;
    let mut out = String::with_capacity(2 * CHUNK);
    measure("base64 encoding", text.as_bytes(), |chunks| {
        let mut encoder = Encoder::new();
        chunks.for_each(|chunk| {
            out.clear();
            encoder.push(chunk, &mut out);
        });
    })?;
    measure("JSON text encoding", text.as_bytes(), |chunks| {
        let mut encoder = TextEncoder::new();
        chunks.for_each(|chunk| {
            out.clear();
            encoder.push(chunk, &mut out);
        });
    })
}

fn scan(name: &str, text: &str, aside: Option<&str>) -> io::Result<()> {
    measure(name, text.as_bytes(), |chunks| {
        let mut scanner = Scanner::new(aside, &SpoolConfig::default());
        chunks.for_each(|chunk| scanner.push(chunk).unwrap_or_default());
        assert!(scanner.finish().is_ok());
    })
}

fn measure(name: &str, input: &[u8], mut run: impl FnMut(std::slice::Chunks<'_, u8>)) -> io::Result<()> {
    let start = used();
    let mut runs = 0_u32;
    while used() - start < TIME {
        run(input.chunks(CHUNK));
        runs += 1;
    }
    let speed = input.len() as f64 * f64::from(runs) / (used() - start).as_secs_f64() / 1e6;
    writeln!(io::stdout(), "{name:28} {speed:6.0} MB/s")
}

/// CPU time of this thread: other work on the machine doesn't count.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
