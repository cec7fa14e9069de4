//! Compressed records: files that end in `.gz` and `.zst` are read and written in these formats.
//!
//! Output is cut into pieces of a fixed size, each a separate member or frame, so that the same records give the same
//! bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Bytes of a piece before it is compressed.
const PIECE: usize = 1 << 20;

/// Compression of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    /// gzip.
    Gz,
    /// Zstandard.
    Zst,
}

impl Packing {
    /// Returns how the file at `path` is compressed, by the end of its name; `None` if it is not.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "gz" => Some(Self::Gz),
            "zst" => Some(Self::Zst),
            _ => None,
        }
    }

    /// Returns the decompressed contents of `file`.
    pub(super) fn reader(self, file: File) -> Box<dyn BufRead> {
        let file = BufReader::with_capacity(1 << 16, file);
        match self {
            Self::Gz => Box::new(BufReader::new(MultiGzDecoder::new(file))),
            Self::Zst => Box::new(BufReader::new(Frames { file: Some(file), frame: None })),
        }
    }

    fn packed(self, piece: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Gz => {
                let mut packer = GzEncoder::new(Vec::new(), Compression::default());
                packer.write_all(piece)?;
                packer.finish()
            }
            Self::Zst => Ok(compress_to_vec(piece, CompressionLevel::Fastest)),
        }
    }
}

/// Reader of consecutive Zstandard frames.
struct Frames {
    /// File at the start of the next frame; `None` while one is read.
    file: Option<BufReader<File>>,
    frame: Option<StreamingDecoder<BufReader<File>, ruzstd::decoding::FrameDecoder>>,
}

impl Read for Frames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(into)?;
                if read > 0 || into.is_empty() {
                    return Ok(read);
                }
                self.file = self.frame.take().map(StreamingDecoder::into_inner);
            }
            let Some(mut file) = self.file.take() else { return Ok(0) };
            if file.fill_buf()?.is_empty() {
                self.file = Some(file);
                return Ok(0);
            }
            let bad =
                |e| io::Error::new(io::ErrorKind::InvalidData, format!("no Zstandard frame: {e}"));
            self.frame = Some(StreamingDecoder::new(file).map_err(bad)?);
        }
    }
}

/// Writer that compresses its bytes into `W`.
#[derive(Debug)]
pub(super) struct Packer<W> {
    packing: Packing,
    into: W,
    waiting: Vec<u8>,
}

impl<W: Write> Packer<W> {
    /// Creates an empty writer.
    pub(super) fn new(packing: Packing, into: W) -> Self {
        Self { packing, into, waiting: Vec::new() }
    }

    /// Writes `bytes`, in whole pieces.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        while self.waiting.len() >= PIECE {
            let rest = self.waiting.split_off(PIECE);
            let piece = std::mem::replace(&mut self.waiting, rest);
            self.into.write_all(&self.packing.packed(&piece)?)?;
        }
        Ok(())
    }

    /// Writes the waiting bytes and returns the inner writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> io::Result<W> {
        if !self.waiting.is_empty() {
            self.into.write_all(&self.packing.packed(&self.waiting)?)?;
        }
        Ok(self.into)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_packed_is_what_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let lines: String = (0..200_000).map(|i| format!("line {i}\n")).collect();
        for name in ["a.gz", "a.zst"] {
            let path = dir.path().join(name);
            let packing = Packing::of(&path).unwrap();
            let pack = |step: usize| {
                let mut packer = Packer::new(packing, Vec::new());
                lines.as_bytes().chunks(step).for_each(|part| packer.write_all(part).unwrap());
                packer.finish().unwrap()
            };
            let packed = pack(1_000);
            assert!(packed == pack(77_777), "{name}: the same bytes, however they come");
            assert!(lines.len() > 2 * PIECE && packed.len() < lines.len() / 2, "{name}");
            fs::write(&path, &packed).unwrap();
            let mut read = String::new();
            packing.reader(File::open(&path).unwrap()).read_to_string(&mut read).unwrap();
            assert!(read == lines, "{name}");
            fs::write(&path, &packed[..packed.len() / 2]).unwrap();
            let cut = packing.reader(File::open(&path).unwrap()).read_to_string(&mut String::new());
            assert!(cut.is_err(), "{name}: what is cut is no end");
        }
        assert_eq!([Packing::of(Path::new("a.jsonl")), Packing::of(Path::new("gz"))], [None, None]);
    }
}
