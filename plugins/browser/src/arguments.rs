//! Arguments that several endpoints have.

use std::borrow::Cow;

use abx_sdk::{Member, Problem};

/// A text that must be there and not empty.
///
/// # Errors
///
/// 400 `ValueError` without a code.
pub(crate) fn required<'a>(name: &str, member: Option<Member<'a>>) -> Result<Cow<'a, str>, Problem> {
    let text = member.and_then(Member::text).filter(|text| !text.is_empty());
    text.ok_or_else(|| Problem::value_error([name, " is required and must be a non-empty string"].concat()))
}

/// A time in milliseconds. `usual` stands for one that is absent, no number or not positive.
pub(crate) fn timeout(member: Option<Member<'_>>, usual: u64) -> u64 {
    member.and_then(Member::whole).and_then(|time| u64::try_from(time).ok()).filter(|time| *time > 0).unwrap_or(usual)
}

/// The time between keys in milliseconds. `usual` stands for one that is absent, no number or negative.
pub(crate) fn delay(member: Option<Member<'_>>, usual: u64) -> u64 {
    member.and_then(Member::whole).and_then(|time| u64::try_from(time).ok()).unwrap_or(usual)
}

/// A member by its truth as Python has it; absent means `usual`.
pub(crate) fn flag(member: Option<Member<'_>>, usual: bool) -> bool {
    member.map_or(usual, Member::is_truthy)
}

#[cfg(test)]
mod tests {
    use super::{delay, flag, required, timeout};
    use abx_sdk::{Member, members};

    fn with<T>(value: &str, read: impl FnOnce(Option<Member<'_>>) -> T) -> T {
        let text = format!(r#"{{"x":{value}}}"#);
        let [member] = members(text.as_bytes(), ["x"]).unwrap();
        read(member)
    }

    #[test]
    fn times_are_truncated_and_anything_else_is_the_usual() {
        for (value, expected) in [
            ("500", 500),
            ("500.9", 500),
            (r#""500""#, 500),
            ("true", 1),
            ("false", 7),
            ("0", 7),
            ("0.9", 7),
            ("-3", 7),
            ("null", 7),
            (r#""soon""#, 7),
            (r#""1.5""#, 7),
            ("[500]", 7),
            ("1e400", 7),
            ("1e30", i64::MAX as u64),
        ] {
            assert_eq!(with(value, |member| timeout(member, 7)), expected, "{value}");
        }
        assert_eq!(timeout(None, 7), 7);
    }

    #[test]
    fn a_delay_may_be_zero() {
        for (value, expected) in [("0", 0), ("-1", 50), ("12.7", 12), ("null", 50), ("false", 0)] {
            assert_eq!(with(value, |member| delay(member, 50)), expected, "{value}");
        }
    }

    #[test]
    fn flags_go_by_truth() {
        for (value, expected) in [(r#""false""#, true), ("null", false), ("0", false), (r#""""#, false), ("[]", false)]
        {
            assert_eq!(with(value, |member| flag(member, true)), expected, "{value}");
        }
        assert!(flag(None, true) && !flag(None, false));
    }

    #[test]
    fn a_required_text_is_named_in_the_refusal() {
        assert_eq!(with(r#""a""#, |member| required("x", member).unwrap().into_owned()), "a");
        let problem = required("url", None).unwrap_err();
        assert!(problem.fault().unwrap().message.contains("url"));
    }
}
