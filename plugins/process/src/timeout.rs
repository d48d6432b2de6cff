//! How long a command may take. Contract: process §1.1, §1.3 step 9.

use abx_sdk::children::RunOptions;
use abx_sdk::{Member, rule};

/// Seconds when the caller doesn't say, or says what can't be meant.
const USUAL: f64 = 300.0;
/// Most seconds, whatever the caller says.
const MOST: f64 = 2_147_483.0;

/// What the caller and the rule say of time and output.
pub(crate) fn options(timeout: Option<Member<'_>>) -> RunOptions {
    let timeout = milliseconds(timeout, rule::seconds("timeout_seconds"));
    RunOptions { timeout, max_output: rule::limit("max_output_bytes") }
}

/// Whole milliseconds, at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between zero and the most, so it is in range"
)]
fn milliseconds(asked: Option<Member<'_>>, most: Option<f64>) -> u64 {
    let asked = asked.and_then(Member::real).filter(|seconds| *seconds > 0.0).unwrap_or(USUAL);
    let seconds = asked.min(MOST).min(most.unwrap_or(MOST));
    ((seconds * 1000.0).ceil() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::milliseconds;
    use abx_sdk::members;

    #[test]
    fn times_are_read_clamped_and_capped() {
        for (timeout, most, expected) in [
            ("2", None, 2_000),
            ("0.25", None, 250),
            (r#"" 1_0.5 ""#, None, 10_500),
            ("true", None, 1_000),
            ("false", None, 300_000),
            ("0", None, 300_000),
            ("-1", None, 300_000),
            ("null", None, 300_000),
            ("[]", None, 300_000),
            (r#""x""#, None, 300_000),
            (r#""nan""#, None, 300_000),
            (r#""inf""#, None, 2_147_483_000),
            ("1e300", None, 2_147_483_000),
            ("1e-9", None, 1),
            ("10", Some(0.5), 500),
            ("0.25", Some(0.5), 250),
            ("null", Some(0.5), 500),
            (r#""inf""#, Some(2e9), 2_147_483_000),
        ] {
            let text = format!(r#"{{"timeout":{timeout}}}"#);
            let [member] = members(text.as_bytes(), ["timeout"]).unwrap();
            assert_eq!(milliseconds(member, most), expected, "{timeout} {most:?}");
        }
        assert_eq!(milliseconds(None, None), 300_000);
    }
}
