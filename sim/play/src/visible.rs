//! Visible text: characters of foreign text that control a terminal, or hide in it, are spelled out.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns `text` with every character that controls or deceives a terminal spelled out, as in `\u{1b}`.
///
/// These are control characters (also line ends), line and paragraph separators, marks that change the direction of
/// writing, and characters without width.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    spelled(text, is_hidden)
}

/// Returns `text` as [`visible`] does, but keeps line feeds and tabs: for text that has lines of its own.
#[must_use]
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    spelled(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// Returns `text` as [`visible_lines`] does, but keeps colours: escape sequences of digits and semicolons ending in
/// `m`.
///
/// Use it for text whose foreign parts are already spelled out.
#[must_use]
pub fn visible_painted(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return visible_lines(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\u{1b}') {
        out += &visible_lines(&rest[..start]);
        let length = paint(&rest[start..]).unwrap_or(0);
        out += &rest[start..start + length];
        rest = &rest[start + length..];
        if length == 0 {
            out += &visible(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out += &visible_lines(rest);
    Cow::Owned(out)
}

/// Returns the length of the colour sequence at the start of `text`, in bytes.
fn paint(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\u{1b}[")?;
    let end = codes.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    codes[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
}

fn spelled(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) {
            let _ = write!(out, "{}", c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Returns whether a character is invisible but may affect a terminal or its displayed text.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_a_terminal_is_spelled_out_and_nothing_else() {
        assert_eq!(visible("a\u{1b}[2Jb\u{7}\n"), "a\\u{1b}[2Jb\\u{7}\\u{a}");
        assert_eq!(visible("x\u{9b}31m\u{7f}\0"), "x\\u{9b}31m\\u{7f}\\u{0}");
        assert_eq!(
            visible("\u{202e}cba\u{2066}\u{2028}\u{200b}"),
            "\\u{202e}cba\\u{2066}\\u{2028}\\u{200b}"
        );
        assert_eq!(visible_lines("a\r\n\tb"), "a\\u{d}\n\tb");
        for plain in ["", "Caesar, Gaius Iulius: 50 % ± 3, α ≤ 0.05 …", "straße 市 \\u{1b}"]
        {
            assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn colours_are_kept_where_they_are_ours_and_no_other_command_is() {
        assert_eq!(
            visible_painted("\u{1b}[1m\u{1b}[32ma\u{1b}[0m\n"),
            "\u{1b}[1m\u{1b}[32ma\u{1b}[0m\n"
        );
        assert_eq!(visible_painted("\u{1b}[2J\u{1b}]0;x\u{7}"), "\\u{1b}[2J\\u{1b}]0;x\\u{7}");
        assert_eq!(visible_painted("\u{1b}[1\u{1b}"), "\\u{1b}[1\\u{1b}");
        assert_eq!(visible_painted("plain\u{202d}"), "plain\\u{202d}");
    }
}
