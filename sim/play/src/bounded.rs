//! Bounded reading: input beyond a limit gives an error that names the limit, and fills no memory.

use std::io::{self, BufRead, Read};

use crate::units;

/// The largest number of bytes of a hand-written file: rules, configurations, weights, value functions.
pub const TEXT: usize = 1 << 20;
/// The largest number of bytes of a `manifest.json`, which holds the texts of all such files, and of a `summary.json`.
pub const DOCUMENT: usize = 256 << 20;
/// The largest number of bytes of a line of records or of `games.csv`.
pub const LINE: usize = 4 << 20;
/// The largest number of bytes of the record of a game.
pub const RECORD: usize = 64 << 20;

/// The UTF-8 byte order mark that some editors write before a text.
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the kind of a file that begins like `head` but is no plain text, with the remedy; `None` for a plain text.
///
/// A UTF-8 mark counts as a kind: callers that skip the mark must pass only the rest.
#[must_use]
pub fn disguise(head: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 5] = [
        (b"\x1f\x8b", "it is compressed with gzip: unpack it first, as by gunzip"),
        (b"\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it first, as by zstd -d"),
        (b"\xff\xfe", UTF_16),
        (b"\xfe\xff", UTF_16),
        (
            MARK,
            "it begins with a byte order mark: save it as UTF-8 without one; all else in it may be whole",
        ),
    ];
    known.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, what)| what)
}

const UTF_16: &str = "it is text in UTF-16, as older PowerShell writes it: save it as UTF-8";

/// Returns the error for an input `what` with more than `most` bytes.
#[must_use]
pub fn too_long(what: &str, most: usize) -> io::Error {
    let (whole, bytes) = (most >> 20, units::count(most as u64));
    let size =
        if whole > 0 { format!("{whole} MiB ({bytes} bytes)") } else { format!("{bytes} bytes") };
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("{what} has more than {size}, the most that is read"),
    )
}

/// Returns all of `input` as text, without the UTF-8 mark before it.
///
/// # Errors
/// If it cannot be read, has more than `most` bytes, or is not UTF-8; then the message names the line of the first
/// wrong byte.
pub fn text(input: impl Read, most: usize) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(too_long("it", most));
    }
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    if let Some(what) = disguise(&bytes) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    String::from_utf8(bytes).map_err(|e| {
        let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is no UTF-8 text"))
    })
}

/// Reads the next line, with its end, into `line`, which it clears first. Returns the line's length, 0 at the end.
///
/// # Errors
/// If the input cannot be read, or the line has more than `most` bytes.
pub fn read_bytes(input: &mut dyn BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<usize> {
    line.clear();
    let length = input.take(most as u64 + 1).read_until(b'\n', line)?;
    if length > most { Err(too_long("the line", most)) } else { Ok(length) }
}

/// Reads the next line of text, with its end, into `line`, which it clears first. Returns its length, 0 at the end.
///
/// # Errors
/// As for [`read_bytes`], and if the line is not UTF-8.
pub fn read_line(input: &mut dyn BufRead, line: &mut String, most: usize) -> io::Result<usize> {
    let mut bytes = std::mem::take(line).into_bytes();
    let length = read_bytes(input, &mut bytes, most)?;
    *line = String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the line is no UTF-8 text"))?;
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An endless input of which at most `left` bytes may be requested.
    struct Endless {
        left: usize,
    }

    impl Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = out.len().min(self.left);
            assert!(n > 0, "more is read than the limit allows");
            out[..n].fill(0);
            self.left -= n;
            Ok(n)
        }
    }

    #[test]
    fn what_has_no_end_is_left_at_the_limit() {
        let endless = || Endless { left: 3000 };
        let complaint = "it has more than 1 000 bytes, the most that is read";
        assert_eq!(text(endless(), 1000).unwrap_err().to_string(), complaint);
        let mut input = io::BufReader::with_capacity(100, endless());
        let failed = read_bytes(&mut input, &mut Vec::new(), 1000).unwrap_err();
        assert_eq!(failed.to_string(), complaint.replacen("it", "the line", 1));
        assert!(too_long("it", LINE).to_string().contains("more than 4 MiB (4 194 304 bytes)"));
    }

    #[test]
    fn what_is_as_long_as_the_limit_is_read() {
        assert_eq!(text(&b"abc\n"[..], 4).unwrap(), "abc\n");
        assert!(text(&b"abc\nd"[..], 4).is_err());
        let mut input = &b"abc\nde"[..];
        let mut line = String::from("old");
        assert_eq!((read_line(&mut input, &mut line, 4).unwrap(), line.as_str()), (4, "abc\n"));
        assert_eq!((read_line(&mut input, &mut line, 4).unwrap(), line.as_str()), (2, "de"));
        assert_eq!((read_line(&mut input, &mut line, 4).unwrap(), line.as_str()), (0, ""));
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        let failed = text(&b"a\nb\xff\n"[..], 100).unwrap_err();
        assert_eq!(failed.to_string(), "line 2 is no UTF-8 text");
        assert!(read_line(&mut &b"b\xff\n"[..], &mut String::new(), 100).is_err());
    }
}
