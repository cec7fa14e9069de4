//! `games.parquet`: the columns of `games.csv` in Apache Parquet, for data frames.
//!
//! Rows are gathered into groups, so that memory stays flat however many games are played. Seats have columns of
//! their own (`seating_0`, `points_0`, …); `forfeit` is null where nobody broke off.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{PrimitiveTypeBuilder, Type, TypePtr};

use crate::event::GameResult;

/// Rows of a group.
const GROUP: usize = 1 << 16;

/// Writes the rows of games.
pub struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    players: usize,
    n_extras: usize,
    seed: u64,
    rows: Vec<GameResult>,
}

impl<W: Write + Send> std::fmt::Debug for Parquet<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Parquet({} rows waiting)", self.rows.len())
    }
}

impl<W: Write + Send> Parquet<W> {
    /// Begins a file; `extras` are the names of the game's extra numbers.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(writer: W, players: usize, seed: u64, extras: &[String]) -> io::Result<Self> {
        let schema = schema(players, extras).map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("caesar {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer = SerializedFileWriter::new(writer, schema, Arc::new(properties));
        let writer = writer.map_err(failed)?;
        Ok(Self { writer, players, n_extras: extras.len(), seed, rows: Vec::new() })
    }

    /// Writes the row of `game`.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, game: &GameResult) -> io::Result<()> {
        let extras = game.extras.clone();
        let forfeit = game.forfeit.clone();
        self.rows.push(GameResult { searched: None, record: None, extras, forfeit, ..*game });
        if self.rows.len() == GROUP { self.write_group().map_err(failed) } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = &self.rows[..];
        let mut group = self.writer.next_row_group()?;
        let long = |x: u64| x.cast_signed();
        column::<_, Int64Type>(&mut group, rows, |game| long(game.index))?;
        column::<_, Int64Type>(&mut group, rows, |game| long(game.block))?;
        column::<_, Int64Type>(&mut group, rows, |_| long(self.seed))?;
        for seat in 0..self.players {
            column::<_, Int32Type>(&mut group, rows, |game| i32::from(game.seating[seat]))?;
        }
        for seat in 0..self.players {
            column::<_, FloatType>(&mut group, rows, |game| game.points[seat])?;
        }
        for seat in 0..self.players {
            column::<_, FloatType>(&mut group, rows, |game| game.scores[seat])?;
        }
        for extra in 0..self.n_extras {
            for seat in 0..self.players {
                column::<_, Int32Type>(&mut group, rows, |game| game.extras[extra][seat])?;
            }
        }
        column::<_, Int32Type>(&mut group, rows, |game| game.plies.cast_signed())?;
        forfeits(&mut group, rows)?;
        group.close()?;
        self.rows.clear();
        Ok(())
    }

    /// Writes what is left and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.rows.is_empty() {
            self.write_group().map_err(failed)?;
        }
        self.writer.into_inner().map_err(failed)
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn column<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[GameResult],
    value: impl Fn(&GameResult) -> T::T,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = rows.iter().map(value).collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".to_owned()));
    };
    column.typed::<T>().write_batch(&values, None, None)?;
    column.close()
}

fn forfeits<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[GameResult],
) -> Result<(), ParquetError> {
    let texts = rows.iter().filter_map(|game| game.forfeit.as_ref());
    let text = |forfeit: &crate::event::Forfeit| {
        ByteArray::from(&*format!("seat {}: {}", forfeit.player, forfeit.reason))
    };
    let values: Vec<ByteArray> = texts.map(|forfeit| text(forfeit)).collect();
    let defined: Vec<i16> = rows.iter().map(|game| i16::from(game.forfeit.is_some())).collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".to_owned()));
    };
    column.typed::<ByteArrayType>().write_batch(&values, Some(&defined), None)?;
    column.close()
}

fn schema(players: usize, extras: &[String]) -> Result<TypePtr, ParquetError> {
    fn number(name: &str, physical: Physical) -> PrimitiveTypeBuilder<'_> {
        Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED)
    }
    let mut fields = Vec::new();
    for name in ["game", "block", "seed"] {
        let unsigned = LogicalType::integer(64, false);
        fields.push(number(name, Physical::INT64).with_logical_type(Some(unsigned)).build()?);
    }
    let lists =
        [("seating", Physical::INT32), ("points", Physical::FLOAT), ("score", Physical::FLOAT)];
    let lists = lists.into_iter().chain(extras.iter().map(|name| (name.as_str(), Physical::INT32)));
    for (name, physical) in lists {
        for seat in 0..players {
            fields.push(number(&format!("{name}_{seat}"), physical).build()?);
        }
    }
    fields.push(number("plies", Physical::INT32).build()?);
    let text = Type::primitive_type_builder("forfeit", Physical::BYTE_ARRAY);
    let text = text.with_repetition(Repetition::OPTIONAL);
    fields.push(text.with_logical_type(Some(LogicalType::String)).build()?);
    let fields = fields.into_iter().map(Arc::new).collect();
    Type::group_type_builder("game").with_fields(fields).build().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use engine::MAX_PLAYERS;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;
    use crate::event::Forfeit;

    fn game(index: u64) -> GameResult {
        let forfeit =
            (index % 3 == 1).then(|| Box::new(Forfeit { player: 1, reason: "late".to_owned() }));
        GameResult {
            index,
            block: index / 2,
            seating: [1, 0, 0, 0, 0, 0],
            points: [0.25, 0.75, 0.0, 0.0, 0.0, 0.0],
            scores: [index as f32, -1.0, 0.0, 0.0, 0.0, 0.0],
            plies: 7,
            extras: vec![[3, 4, 0, 0, 0, 0]; 1],
            searched: Some(Box::new([agents::SearchTally::default(); MAX_PLAYERS])),
            forfeit,
            record: None,
        }
    }

    /// More rows than a group has, so that the second one is written, too.
    #[test]
    fn what_is_written_is_read_by_the_library() {
        let n = GROUP as u64 + 10;
        let mut parquet = Parquet::new(Vec::new(), 2, u64::MAX, &["money".to_owned()]).unwrap();
        (0..n).for_each(|index| parquet.write(&game(index)).unwrap());
        let bytes = parquet.finish().unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let mut seen = 0;
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            assert_eq!(row.get_ulong(0).unwrap(), seen);
            assert_eq!(row.get_ulong(2).unwrap(), u64::MAX);
            assert_eq!(row.get_int(3).unwrap(), 1);
            assert!((row.get_float(6).unwrap() - 0.75).abs() < f32::EPSILON);
            assert!((row.get_float(7).unwrap() - seen as f32).abs() < f32::EPSILON);
            assert_eq!((row.get_int(10).unwrap(), row.get_int(11).unwrap()), (4, 7));
            let forfeit = row.get_string(12).ok().map(String::as_str);
            assert_eq!(forfeit, (seen % 3 == 1).then_some("seat 1: late"));
            seen += 1;
        }
        assert_eq!(seen, n);
    }
}
