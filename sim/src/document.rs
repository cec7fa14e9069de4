//! Machine-readable documents: JSON on one line, the same bytes for the same value.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// JSON as small as it gets, without negative zeros.
struct Plain;

impl Formatter for Plain {
    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: f32) -> io::Result<()> {
        CompactFormatter.write_f32(writer, x + 0.0)
    }
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: f64) -> io::Result<()> {
        CompactFormatter.write_f64(writer, x + 0.0)
    }
}

/// One document on one line.
///
/// # Panics
/// If a map in it has keys that are no text (ours have none).
pub fn document<T: Serialize>(value: &T) -> String {
    let mut text = Vec::new();
    let mut writer = Serializer::with_formatter(&mut text, Plain);
    value.serialize(&mut writer).expect("our documents have text keys only");
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_a_negative_zero() {
        assert_eq!(document(&(-0.0_f64, -0.0_f32, 0.1_f32, -1.5, 3)), "[0.0,0.0,0.1,-1.5,3]\n");
        assert_eq!(
            document(&serde_json::json!({"a": -0.0, "b": f64::NAN})),
            "{\"a\":0.0,\"b\":null}\n"
        );
    }
}
