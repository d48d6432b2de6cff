//! `files_watch`: changes below a directory as events. Contract: file_ops §11.

use abx_sdk::files::{self, WatchOptions};
use abx_sdk::{OutBody, Problem, Request, Response, rule};

use crate::search::milliseconds;

/// Seconds between two looks where the kernel can't tell: usual, least, most.
const INTERVAL: (f64, f64, f64) = (0.5, 0.1, 5.0);
/// Seconds of a watch when neither caller nor policy says how many, and at most without a policy.
const TIMEOUT: f64 = 300.0;
/// Least seconds of a watch.
const LEAST: f64 = 0.1;

pub(crate) fn watch(request: &Request) -> Result<Response, Problem> {
    let options = options(request, rule::seconds("max_duration_seconds"))?;
    let path = request.require_path("path")?;
    let events = files::watch(&path, options)?;
    Ok(Response { status: 200, headers: Vec::new(), body: OutBody::Events(events) })
}

fn options(request: &Request, most: Option<f64>) -> Result<WatchOptions, Problem> {
    let (usual, least, longest) = INTERVAL;
    let interval = request.query_float("interval")?.unwrap_or(usual).clamp(least, longest);
    let most = most.unwrap_or(TIMEOUT);
    let timeout = request.query_float("timeout")?.unwrap_or(TIMEOUT).max(LEAST).min(most);
    Ok(WatchOptions {
        recursive: request.query_flag("recursive"),
        interval: milliseconds(interval),
        timeout: milliseconds(timeout),
    })
}

#[cfg(test)]
mod tests {
    use super::options;
    use abx_sdk::{InBody, Request};

    fn request(query: &[(&str, &str)]) -> Request {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Request { path_params: vec![], query, headers: vec![], body: InBody::None }
    }

    #[test]
    fn times_are_clamped() {
        for (interval, timeout, most, expected) in [
            ("", "", None, (500, 300_000)),
            ("0.01", "0", None, (100, 100)),
            ("inf", "inf", None, (5000, 300_000)),
            ("1", "3", Some(2.0), (1000, 2000)),
            ("-1", "500", Some(400.0), (100, 400_000)),
        ] {
            let options = options(&request(&[("interval", interval), ("timeout", timeout)]), most).unwrap();
            assert_eq!((options.interval, options.timeout), expected, "{interval} {timeout}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for name in ["interval", "timeout"] {
            for text in ["x", "nan", "1,5"] {
                let problem = options(&request(&[(name, text)]), None).unwrap_err();
                assert_eq!(problem.fault().unwrap().status, 400, "{name}={text}");
            }
        }
    }
}
