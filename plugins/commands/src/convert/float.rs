//! Floats as text: reading them, and writing them in the shortest form that reads back as the same.

use super::digits::in_ascii;

/// What `float()` makes of a text: blanks around it, decimal digits of any script, single underscores between them, a
/// fraction, an exponent, or a word for infinity or NaN. Too large a number is infinite.
pub(super) fn of_text(text: &str) -> Option<f64> {
    let text = in_ascii(text.trim());
    let is_loose = |part: &[u8]| match part {
        [before, b'_', after] => !(before.is_ascii_digit() && after.is_ascii_digit()),
        _ => false,
    };
    if text.starts_with('_') || text.ends_with('_') || text.as_bytes().windows(3).any(is_loose) {
        return None;
    }
    text.replace('_', "").parse().ok()
}

/// `d.ddde±XX` when the decimal exponent is below -4 or at least 16, else with a point and at least one digit behind it.
pub(super) fn shortest(number: f64) -> String {
    // `{:e}` gives the least number of digits, `1.5e16`, and of two that are as near to the number the larger. With so many
    // digits asked for, it gives the even one.
    let scientific = format!("{number:e}");
    let count = scientific.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
    let even = format!("{number:.*e}", count.saturating_sub(1));
    let scientific = if even.parse() == Ok(number) { even } else { scientific };
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.unsigned_abs());
    }
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits = digits.replace('.', "");
    let Ok(before) = usize::try_from(exponent + 1) else {
        return [sign, "0.", &"0".repeat(exponent.unsigned_abs() as usize - 1), &digits].concat();
    };
    match digits.split_at_checked(before) {
        Some(("", digits)) => [sign, "0.", digits].concat(),
        Some((whole, "")) => [sign, whole, ".0"].concat(),
        Some((whole, fraction)) => [sign, whole, ".", fraction].concat(),
        None => [sign, &digits, &"0".repeat(before - digits.len()), ".0"].concat(),
    }
}
