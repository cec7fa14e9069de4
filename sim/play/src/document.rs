//! Machine-readable documents: JSON on one line, with equal bytes for equal values.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use serde_json::{Map, Value as Json};

/// The largest whole number up to which 64-bit floats (`jq`, JavaScript) hold every one exactly.
const MOST_EXACT: u64 = 1 << 53;

/// A function that reads a file that a configuration names.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// Compact JSON without negative zeros. Whole numbers beyond [`MOST_EXACT`], such as seeds, are texts.
struct Plain;

impl Formatter for Plain {
    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: u64) -> io::Result<()> {
        if x > MOST_EXACT { write!(writer, "\"{x}\"") } else { write!(writer, "{x}") }
    }
    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: f32) -> io::Result<()> {
        CompactFormatter.write_f32(writer, x + 0.0)
    }
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: f64) -> io::Result<()> {
        CompactFormatter.write_f64(writer, x + 0.0)
    }
}

/// Returns one document on one line.
///
/// # Panics
/// If a map in it has keys that are no text (Caesar's documents have none).
pub fn document<T: Serialize>(value: &T) -> String {
    let mut text = Vec::new();
    let mut writer = Serializer::with_formatter(&mut text, Plain);
    value.serialize(&mut writer).expect("our documents have text keys only");
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// Returns the fields of a struct by key, without those that are not written.
///
/// # Panics
/// If the value is not written as an object.
#[must_use]
pub fn object<T: Serialize>(value: &T) -> Map<String, Json> {
    match serde_json::to_value(value) {
        Ok(Json::Object(fields)) => fields,
        other => panic!("expected a struct, which is an object: {other:?}"),
    }
}

/// Reads a document. Whole numbers beyond 2^53 are texts in it, or numbers in older documents.
///
/// # Errors
/// If it is no JSON.
pub fn read(text: &str) -> serde_json::Result<Json> {
    let mut json = serde_json::from_str(text)?;
    numbers(&mut json);
    Ok(json)
}

/// Reads a document as a value.
///
/// # Errors
/// If it is not a document of this type.
pub fn read_as<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    // An error about the text itself has a line number.
    serde_json::from_str(text)
        .or_else(|e| read(text).and_then(serde_json::from_value).map_err(|_| e))
}

/// Turns the texts of large whole numbers into numbers.
fn numbers(json: &mut Json) {
    match json {
        Json::String(text) => {
            let number = text.parse::<u64>().ok().filter(|&number| number > MOST_EXACT);
            if let Some(number) = number.filter(|number| number.to_string() == *text) {
                *json = number.into();
            }
        }
        Json::Array(list) => list.iter_mut().for_each(numbers),
        Json::Object(map) => map.values_mut().for_each(numbers),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_beyond_two_to_the_53_is_a_text_and_is_read_back_either_way() {
        let seeds =
            serde_json::json!({"seed": u64::MAX, "least": (1_u64 << 53) + 1, "exact": 1_u64 << 53});
        let text = document(&seeds);
        let written = "{\"exact\":9007199254740992,\"least\":\"9007199254740993\",\"seed\":\"18446744073709551615\"}\n";
        let sorted: Json = serde_json::from_str(written).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), sorted);
        assert_eq!(read(&text).unwrap(), seeds);
        assert_eq!(read(&seeds.to_string()).unwrap(), seeds);
        for kept in ["\"7\"", "\"+18446744073709551615\"", "\"99999999999999999999999\"", "\"0x7\""]
        {
            assert!(read(kept).unwrap().is_string(), "{kept}");
        }
    }

    #[test]
    fn no_number_is_a_negative_zero() {
        assert_eq!(document(&(-0.0_f64, -0.0_f32, 0.1_f32, -1.5, 3)), "[0.0,0.0,0.1,-1.5,3]\n");
        assert_eq!(
            document(&serde_json::json!({"a": -0.0, "b": f64::NAN})),
            "{\"a\":0.0,\"b\":null}\n"
        );
    }
}
