//! Images of a warm page, against the same call to a Chromium that nothing stands before.

mod bare;

use bytes::Bytes;
use serde_json::json;

use super::rounds::Site;
use super::sample::Sample;
use super::{Figure, FigureError, Key, Unit};
use crate::load::{Load, Payload, Request, Tally, Until};
use crate::servers::Subject;
use bare::Bare;

/// What the page is filled with, by a script: nothing is loaded.
const FILL: &str =
    "document.body.innerHTML = Array.from({length: 200}, (_, line) => `<p>line ${line} of a page</p>`).join('')";

const TITLE: &str = "screenshot of a warm page, p50";

pub(super) fn measure(site: &Site<'_>) -> Result<Vec<Figure>, FigureError> {
    let Some(mut bare) = Bare::start(FILL)? else {
        return Ok(vec![Figure::new(Key::Screenshot, format!("{TITLE}: no chromium here"), Unit::Millis, [])]);
    };
    let server = site.starter.start(Subject::Abxd)?;
    let request = |name: &str, body: serde_json::Value| {
        Request::post(format!("/browser/{name}"), Payload::Json(Bytes::from(body.to_string())))
    };
    let once = Load::of(1, Until::Count(1));
    site.load(&server, &request("evaluate", json!({ "script": FILL })), once)?;
    let screenshot = request("screenshot", json!({ "full_page": false }));
    for _ in 0..WARM {
        site.load(&server, &screenshot, once)?;
        bare.screenshot()?;
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..site.effort.rounds {
        ours.push(millis(site.load(&server, &screenshot, Load::of(1, Until::Time(site.effort.time)))?));
        theirs.push(millis(bare.repeat(site.effort.time)?));
    }
    let values = [(Subject::Abxd, ours), (Subject::Cdp, theirs)];
    Ok(vec![Figure::new(Key::Screenshot, TITLE, Unit::Millis, values)])
}

/// Images before the first that counts.
const WARM: usize = 5;

fn millis(tally: Tally) -> f64 {
    Sample { tally, cpu: std::time::Duration::ZERO }.median_micros() / 1e3
}
