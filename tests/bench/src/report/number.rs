//! Numbers for people.

/// Three significant digits, thousands separated.
#[must_use]
pub fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size >= 999.5 => thousands(value),
        _ if size >= 99.95 => format!("{value:.0}"),
        _ if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Rounded to three digits, with commas.
fn thousands(value: f64) -> String {
    let step = 10_f64.powf(value.abs().log10().floor() - 2.0);
    let digits = format!("{:.0}", (value.abs() / step).round() * step);
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn three_digits_are_shown() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.947, "0.95"),
            (9.994, "9.99"),
            (12.34, "12.3"),
            (-3.456, "-3.46"),
            (123.4, "123"),
            (999.7, "1,000"),
            (41_234.0, "41,200"),
            (1_234_567.0, "1,230,000"),
            (-1_234.0, "-1,230"),
        ] {
            assert_eq!(number(value), text, "{value}");
        }
    }
}
