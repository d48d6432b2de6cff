//! Splits a glob's text into tokens. Every text has exactly one reading; none is an error.

use super::class::Class;

/// One step of a glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// This very code point.
    Literal(char),
    /// `*`, or a run of several: any text, the empty one included.
    AnyRun,
    /// `?`: one code point, whichever it is.
    AnyOne,
    /// `[…]`: one code point of a set.
    OneOf(Class),
}

/// Reads `pattern`. A run of `*` is one token, so that engines which give `**` a meaning never see it.
pub(crate) fn tokens(pattern: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        rest = letters.as_str();
        let token = match letter {
            '*' if tokens.last() == Some(&Token::AnyRun) => continue,
            '*' => Token::AnyRun,
            '?' => Token::AnyOne,
            '[' => match Class::parse(rest) {
                Some((class, after)) => {
                    letters = after.chars();
                    Token::OneOf(class)
                }
                None => Token::Literal('['),
            },
            other => Token::Literal(other),
        };
        tokens.push(token);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_stars_are_one_token() {
        assert_eq!(tokens("a**/***"), [Token::Literal('a'), Token::AnyRun, Token::Literal('/'), Token::AnyRun]);
    }

    #[test]
    fn an_unmatched_bracket_is_a_letter() {
        assert_eq!(tokens("[a"), [Token::Literal('['), Token::Literal('a')]);
        assert_eq!(tokens("[!]"), [Token::Literal('['), Token::Literal('!'), Token::Literal(']')]);
        assert_eq!(tokens("[]"), [Token::Literal('['), Token::Literal(']')]);
    }
}
