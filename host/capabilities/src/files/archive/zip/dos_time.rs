//! Times as zip keeps them: local, to two seconds, from 1980 to 2107.

use abxd_guards::file::Time;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// 1980-01-01 00:00:00 and 2107-12-31 23:59:58.
const FIRST: u32 = 1 << 21 | 1 << 16;
const LAST: u32 = 127 << 25 | 12 << 21 | 31 << 16 | 23 << 11 | 59 << 5 | 29;

/// The date in the upper and the time in the lower 16 bits. Beyond the range: its nearest end.
pub(super) fn dos_time(time: Time, zone: &TimeZone) -> u32 {
    let Ok(moment) = Timestamp::from_second(time.secs) else {
        return if time.secs < 0 { FIRST } else { LAST };
    };
    let local: DateTime = zone.to_datetime(moment);
    match local.year() {
        ..1980 => FIRST,
        2108.. => LAST,
        year => {
            let [year, month, day] =
                [year.abs_diff(1980), local.month().unsigned_abs().into(), local.day().unsigned_abs().into()];
            let [hour, minute, second] =
                [local.hour(), local.minute(), local.second()].map(|part| u32::from(part.unsigned_abs()));
            let date = u32::from(year) << 9 | u32::from(month) << 5 | u32::from(day);
            date << 16 | hour << 11 | minute << 5 | (second / 2)
        }
    }
}

#[cfg(test)]
mod tests {
    use abxd_guards::file::Time;
    use jiff::tz::{Offset, TimeZone};

    use super::{FIRST, LAST, dos_time};

    /// Year, month, day, hour, minute, second.
    fn parts(packed: u32) -> [u32; 6] {
        let take = |from: u32, bits: u32| packed >> from & ((1 << bits) - 1);
        [take(25, 7) + 1980, take(21, 4), take(16, 5), take(11, 5), take(5, 6), take(0, 5) * 2]
    }

    #[test]
    fn times_are_those_of_the_local_clock() {
        let at =
            |secs, hours| parts(dos_time(Time { secs, nanos: 999_999_999 }, &TimeZone::fixed(Offset::constant(hours))));
        assert_eq!(at(1_700_000_000, 0), [2023, 11, 14, 22, 13, 20]);
        assert_eq!(at(1_700_000_001, 0), [2023, 11, 14, 22, 13, 20]);
        assert_eq!(at(1_700_000_000, 2), [2023, 11, 15, 0, 13, 20]);
        assert_eq!(at(1_700_000_000, -5), [2023, 11, 14, 17, 13, 20]);
    }

    #[test]
    fn times_beyond_the_range_are_its_ends() {
        let at = |secs| dos_time(Time { secs, nanos: 0 }, &TimeZone::UTC);
        for secs in [i64::MIN, -1, 0, 315_532_799] {
            assert_eq!(at(secs), FIRST, "{secs}");
        }
        assert_eq!(at(315_532_800), FIRST);
        assert_eq!(parts(at(315_532_802)), [1980, 1, 1, 0, 0, 2]);
        assert_eq!(parts(LAST), [2107, 12, 31, 23, 59, 58]);
        assert_eq!(at(4_354_819_199), LAST);
        for secs in [4_354_819_200, 253_402_300_800, i64::MAX] {
            assert_eq!(at(secs), LAST, "{secs}");
        }
    }
}
