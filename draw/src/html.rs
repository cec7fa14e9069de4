//! Text as HTML: foreign text is escaped in elements and in attributes.

/// Escapes `text` for the content of an element or of an attribute in double quotes.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // Replaces characters that a parser could take for the end of an element.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// Returns an element with escaped text in it: `<p class="note">text</p>`.
#[must_use]
pub fn element(name: &str, class: &str, text: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<{name}{class}>{}</{name}>\n", escape(text))
}

/// Returns JSON for a script element, in which no `<` can end the element.
#[must_use]
pub fn json_in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Returns `bytes` in Base64 (RFC 4648).
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
        let word = word << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

/// Returns a text as the name of an anchor: letters, digits and dashes.
#[must_use]
pub fn anchor(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// Returns a coordinate in its shortest form, with at most one digit after the point.
#[must_use]
pub fn coordinate(x: f64) -> String {
    let text = format!("{x:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_escaped_ends_an_element_or_an_attribute() {
        let bad = "<script>alert(\"1\" + '2')</script> & \u{0}";
        let good = escape(bad);
        assert!(!good.contains(['<', '>', '"', '\'', '\0']), "{good}");
        assert_eq!(element("p", "a", "1 < 2"), "<p class=\"a\">1 &lt; 2</p>\n");
        let json = json_in_script("[\"</script>\"]");
        assert!(!json.contains('<'), "{json}");
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (text, coded) in pairs {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }

    #[test]
    fn coordinates_are_short() {
        let texts = [1.0, -0.04, 2.25, -3.5].map(coordinate);
        assert_eq!(texts, ["1", "0", "2.2", "-3.5"]);
        assert_eq!(anchor("Fair prices (all)"), "fair-prices-all");
    }
}
