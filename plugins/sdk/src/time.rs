//! Points in time as text.

use crate::files::Timestamp;

/// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds since the epoch: what four digits of a year can say.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;
/// Seconds of a day.
const DAY: i64 = 86_400;

/// Append `YYYY-MM-DDTHH:MM:SS[.ffffff]+00:00`. Contract: file_ops §1.6.
///
/// Rounded to microseconds, ties to even; the fraction is left out when it is zero. Beyond the years 1 to 9999: the nearest
/// moment inside.
pub fn push_iso(out: &mut Vec<u8>, time: Timestamp) {
    let (seconds, micros) = rounded(time);
    let days = seconds.div_euclid(DAY);
    // In 32 bits from here on: that is what WebAssembly divides fast.
    let of_day = (seconds - days * DAY) as u32;
    let (year, month, day) = civil(days);
    let [[y1, y2], [y3, y4]] = [pair(year / 100), pair(year % 100)];
    let [[m1, m2], [d1, d2]] = [pair(month), pair(day)];
    let [[h1, h2], [i1, i2], [s1, s2]] = [pair(of_day / 3600), pair(of_day / 60 % 60), pair(of_day % 60)];
    out.extend_from_slice(&[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', i1, i2, b':', s1, s2]);
    if micros != 0 {
        let [[f1, f2], [f3, f4], [f5, f6]] = [pair(micros / 10_000), pair(micros / 100 % 100), pair(micros % 100)];
        out.extend_from_slice(&[b'.', f1, f2, f3, f4, f5, f6]);
    }
    out.extend_from_slice(b"+00:00");
}

/// Whole seconds inside the range and microseconds.
fn rounded(time: Timestamp) -> (i64, u32) {
    let nanos = time.nanoseconds.min(999_999_999);
    let (whole, rest) = (nanos / 1000, nanos % 1000);
    let up = rest > 500 || (rest == 500 && whole % 2 == 1);
    let micros = whole + u32::from(up);
    let (seconds, micros) =
        if micros == 1_000_000 { (time.seconds.saturating_add(1), 0) } else { (time.seconds, micros) };
    match seconds {
        ..FIRST => (FIRST, 0),
        FIRST..=LAST => (seconds, micros),
        _ => (LAST, 999_999),
    }
}

/// Year, month and day of a day since the epoch, in the Gregorian calendar; not before year 1.
///
/// Years are counted from March, so that the leap day is the last of its year; 400 years have 146097 days.
fn civil(days: i64) -> (u32, u32, u32) {
    let days = (days + 719_468) as u32; // from 0000-03-01
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (400 * era + year_of_era + u32::from(month <= 2), month, day)
}

/// The two digits of a number below 100.
fn pair(number: u32) -> [u8; 2] {
    [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]
}

#[cfg(test)]
mod tests {
    use super::push_iso;
    use crate::files::Timestamp;

    fn iso(seconds: i64, nanoseconds: u32) -> String {
        let mut out = Vec::new();
        push_iso(&mut out, Timestamp { seconds, nanoseconds });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_fraction_of_zero_is_left_out() {
        assert_eq!(iso(1_700_000_000, 0), "2023-11-14T22:13:20+00:00");
        assert_eq!(iso(1_700_000_000, 499), "2023-11-14T22:13:20+00:00");
        assert_eq!(iso(1_700_000_000, 1_000), "2023-11-14T22:13:20.000001+00:00");
        assert_eq!(iso(1_700_000_000, 120_000_000), "2023-11-14T22:13:20.120000+00:00");
    }

    #[test]
    fn nanoseconds_are_rounded() {
        assert_eq!(iso(0, 123_456_499), "1970-01-01T00:00:00.123456+00:00");
        assert_eq!(iso(0, 123_456_501), "1970-01-01T00:00:00.123457+00:00");
        assert_eq!(iso(0, 123_456_500), "1970-01-01T00:00:00.123456+00:00");
        assert_eq!(iso(0, 123_457_500), "1970-01-01T00:00:00.123458+00:00");
        assert_eq!(iso(59, 999_999_999), "1970-01-01T00:01:00+00:00");
        assert_eq!(iso(1_704_067_199, 999_999_600), "2024-01-01T00:00:00+00:00");
    }

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(iso(1_000_000_000, 0), "2001-09-09T01:46:40+00:00");
        assert_eq!(iso(951_782_400, 0), "2000-02-29T00:00:00+00:00");
        assert_eq!(iso(1_709_164_800, 0), "2024-02-29T00:00:00+00:00");
        assert_eq!(iso(4_107_542_400, 0), "2100-03-01T00:00:00+00:00");
        assert_eq!(iso(-1, 500_000_000), "1969-12-31T23:59:59.500000+00:00");
        assert_eq!(iso(-2_208_988_800, 0), "1900-01-01T00:00:00+00:00");
    }

    #[test]
    fn what_four_digits_cannot_say_is_cut_to_the_range() {
        assert_eq!(iso(253_402_300_799, 0), "9999-12-31T23:59:59+00:00");
        assert_eq!(iso(253_402_300_800, 0), "9999-12-31T23:59:59.999999+00:00");
        assert_eq!(iso(i64::MAX, u32::MAX), "9999-12-31T23:59:59.999999+00:00");
        assert_eq!(iso(-62_135_596_800, 0), "0001-01-01T00:00:00+00:00");
        assert_eq!(iso(i64::MIN, 0), "0001-01-01T00:00:00+00:00");
    }

    #[test]
    fn every_day_of_nine_centuries_follows_the_one_before() {
        let mut day_before = iso(-182_621 * 86_400, 0);
        assert_eq!(day_before, "1470-01-01T00:00:00+00:00");
        for day in -182_620..146_097 {
            let text = iso(day * 86_400, 0);
            assert!(text > day_before, "{day_before} then {text}");
            day_before = text;
        }
        assert_eq!(day_before, "2369-12-31T00:00:00+00:00");
    }
}
