//! Floats as text.

/// The shortest text that reads back as `number`, in the form of `contract: commands §4`: `d.ddde±XX` when the decimal
/// exponent is below -4 or at least 16, else with a point and at least one digit behind it.
pub(in crate::document) fn float_text(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let rows = [
            (1.5, "1.5"),
            (2.0, "2.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (0.000_012_5, "1.25e-05"),
            (1e15, "1000000000000000.0"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (1e16, "1e+16"),
            (1.5e16, "1.5e+16"),
            (1e22, "1e+22"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (-1.5, "-1.5"),
            (-657_657_295_112_731.2, "-657657295112731.2"),
        ];
        for (number, text) in rows {
            assert_eq!(float_text(number), text);
        }
    }
}
