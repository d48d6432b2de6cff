//! The text that Python shows for a value: `str()` outside, `repr()` inside of lists and objects.

use abx_sdk::{Kind, Member};

use super::{float, integer, is_float};

/// `str()` of a value. None: it has a lone surrogate, which the host lets nobody send.
pub(crate) fn display(member: Member<'_>) -> Option<String> {
    let mut out = String::new();
    match member.kind() {
        Kind::Text => out.push_str(&member.text()?),
        _ => push(&mut out, member)?,
    }
    Some(out)
}

/// Append `repr()` of a value. As deep as the value is, which the host bounds.
fn push(out: &mut String, member: Member<'_>) -> Option<()> {
    match member.kind() {
        Kind::Null => out.push_str("None"),
        Kind::Boolean => out.push_str(if member.boolean()? { "True" } else { "False" }),
        Kind::Number if is_float(member) => out.push_str(&float::shortest(member.float()?)),
        Kind::Number => out.push_str(&integer::display_literal(member.raw())),
        Kind::Text => push_text(out, &member.text()?),
        Kind::List => {
            out.push('[');
            for (index, item) in member.items()?.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                push(out, item)?;
            }
            out.push(']');
        }
        Kind::Object => {
            out.push('{');
            for (index, (name, value)) in member.entries()?.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                push_text(out, &name);
                out.push_str(": ");
                push(out, value)?;
            }
            out.push('}');
        }
    }
    Some(())
}

/// Append a text in quotes: single ones, unless that saves escapes.
fn push_text(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut pair = String::new();
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str(r"\\"),
            '\n' => out.push_str(r"\n"),
            '\r' => out.push_str(r"\r"),
            '\t' => out.push_str(r"\t"),
            _ if letter == quote => out.extend(['\\', letter]),
            ' '..='~' => out.push(letter),
            _ if is_printable(letter, &mut pair) => out.push(letter),
            _ => out.push_str(&match u32::from(letter) {
                code @ 0..=0xff => format!("\\x{code:02x}"),
                code @ 0x100..=0xffff => format!("\\u{code:04x}"),
                code => format!("\\U{code:08x}"),
            }),
        }
    }
    out.push(quote);
}

/// Whether a letter beyond ASCII shows as itself: it is none of Unicode's "other" and "separator" categories.
///
/// The standard library goes by the same categories where it escapes for debugging, and there also escapes what combines
/// with the letter before, but only at the start of a text.
fn is_printable(letter: char, pair: &mut String) -> bool {
    pair.clear();
    pair.extend(['a', letter]);
    pair.escape_debug().nth(1) == Some(letter)
}
