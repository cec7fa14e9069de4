//! `games.parquet` and `seats.parquet`: the columns of `games.csv` and `seats.csv` in Apache Parquet, for data frames.
//!
//! Names, order and values are those of the CSV. Numbers have the types of [`ColumnKind`]. Texts are texts, and null
//! where the CSV has no value (`forfeit`, `search`, `rules`, `record`). Rows are gathered into groups, so that memory
//! is constant for any number of games.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::columns::{Cell, Column, ColumnKind, Rows};
use super::seats::SeatRows;
use super::{End, Exporter, Format, Resume};
use crate::event::GameResult;

/// The number of rows of a group; all its columns wait in memory.
const GROUP: usize = 1 << 16;

/// The table of games.
pub const GAMES: Format = Format {
    file: "games.parquet",
    option: Some("parquet"),
    resume: Resume::WhenComplete,
    is_rated: false,
    exporter: |run| Ok(Box::new(Parquet::new(Box::new(run.manifest.games_csv()))?)),
};

/// The table of seats.
pub const SEATS: Format = Format {
    file: "seats.parquet",
    option: Some("seats-parquet"),
    resume: Resume::WhenComplete,
    is_rated: false,
    exporter: |run| Ok(Box::new(Parquet::new(Box::new(SeatRows::of(run.manifest)))?)),
};

/// A writer of the rows of a table.
pub struct Parquet {
    /// The writer, whose output waits in memory until it is handed on; `None` after the end.
    writer: Option<SerializedFileWriter<Vec<u8>>>,
    rows: Box<dyn Rows>,
    columns: Vec<Values>,
    waiting: usize,
    /// The number of rows of a group.
    group: usize,
}

impl std::fmt::Debug for Parquet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Parquet({} rows waiting)", self.waiting)
    }
}

/// The waiting values of a column.
enum Values {
    Long(Vec<i64>),
    /// Numbers of 32 bits, signed or unsigned.
    Int(Vec<i32>),
    Real(Vec<f32>),
    Double(Vec<f64>),
    Text(Vec<ByteArray>),
    /// The present texts, and for each row whether it has one.
    MaybeText(Vec<ByteArray>, Vec<i16>),
}

impl Values {
    const fn of(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Long => Self::Long(Vec::new()),
            ColumnKind::Count | ColumnKind::Whole => Self::Int(Vec::new()),
            ColumnKind::Real => Self::Real(Vec::new()),
            ColumnKind::Double => Self::Double(Vec::new()),
            ColumnKind::Text => Self::Text(Vec::new()),
            ColumnKind::MaybeText => Self::MaybeText(Vec::new(), Vec::new()),
        }
    }

    fn push(&mut self, cell: Cell) -> Result<(), ParquetError> {
        match (self, cell) {
            (Self::Long(values), Cell::Long(value)) => values.push(value.cast_signed()),
            (Self::Int(values), Cell::Count(value)) => values.push(value.cast_signed()),
            (Self::Int(values), Cell::Whole(value)) => values.push(value),
            (Self::Real(values), Cell::Real(value)) => values.push(value),
            (Self::Double(values), Cell::Double(value)) => values.push(value),
            (Self::Text(values), Cell::Text(text)) => values.push(text.as_str().into()),
            (Self::MaybeText(values, defined), Cell::Text(text)) => {
                defined.push(i16::from(!text.is_empty()));
                values.extend((!text.is_empty()).then(|| text.as_str().into()));
            }
            (_, cell) => {
                let text = format!("{cell:?} is not of the kind of its column");
                return Err(ParquetError::General(text));
            }
        }
        Ok(())
    }

    /// Writes the waiting values as the next column of `group`.
    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self {
            Self::Long(values) => column::<_, Int64Type>(group, values, None),
            Self::Int(values) => column::<_, Int32Type>(group, values, None),
            Self::Real(values) => column::<_, FloatType>(group, values, None),
            Self::Double(values) => column::<_, DoubleType>(group, values, None),
            Self::Text(values) => column::<_, ByteArrayType>(group, values, None),
            Self::MaybeText(values, defined) => {
                column::<_, ByteArrayType>(group, values, Some(&*defined))?;
                defined.clear();
                Ok(())
            }
        }
    }
}

impl Parquet {
    /// Begins a file of `rows`.
    ///
    /// # Errors
    /// If the format cannot hold these columns.
    pub fn new(rows: Box<dyn Rows>) -> io::Result<Self> {
        let columns = rows.columns();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("caesar {}", env!("CARGO_PKG_VERSION")))
            .build();
        let schema = schema(rows.row_name(), &columns).map_err(failed)?;
        let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties));
        let columns = columns.iter().map(|column| Values::of(column.kind)).collect();
        Ok(Self { writer: Some(writer.map_err(failed)?), rows, columns, waiting: 0, group: GROUP })
    }

    fn write_group(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let mut group = writer.next_row_group().map_err(failed)?;
        self.columns.iter_mut().try_for_each(|values| values.write(&mut group)).map_err(failed)?;
        group.close().map_err(failed)?;
        self.waiting = 0;
        writer.flush()?;
        out.write_all(&std::mem::take(writer.inner_mut()))
    }
}

impl Parquet {
    fn take(&mut self, cells: Vec<Cell>, out: &mut dyn Write) -> io::Result<()> {
        for (values, cell) in self.columns.iter_mut().zip(cells) {
            values.push(cell).map_err(failed)?;
        }
        self.waiting += 1;
        if self.waiting == self.group { self.write_group(out) } else { Ok(()) }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.waiting > 0 {
            self.write_group(out)?;
        }
        let rest = self.writer.take().map(SerializedFileWriter::into_inner).transpose();
        out.write_all(&rest.map_err(failed)?.unwrap_or_default())
    }
}

/// A table whose rows are no games.
struct Plain {
    row: &'static str,
    columns: Vec<Column>,
}

impl Rows for Plain {
    fn row_name(&self) -> &'static str {
        self.row
    }

    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn rows(&self, _game: &GameResult) -> Vec<Vec<Cell>> {
        Vec::new()
    }
}

/// Writes a whole table; each `row` has a cell for every column.
///
/// # Errors
/// If `out` cannot be written, or a cell is not of the kind of its column.
pub fn write_table(
    row: &'static str,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Cell>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut parquet = Parquet::new(Box::new(Plain { row, columns: columns.to_vec() }))?;
    for cells in rows {
        parquet.take(cells, out)?;
    }
    parquet.finish(out)
}

impl Exporter for Parquet {
    fn game(&mut self, game: &GameResult, out: &mut dyn Write) -> io::Result<()> {
        self.rows.rows(game).into_iter().try_for_each(|cells| self.take(cells, out))
    }

    fn end(&mut self, _end: &End<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.finish(out)
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

/// Writes `values` as the next column of `group` and clears them.
fn column<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &mut Vec<T::T>,
    defined: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema has".to_owned()));
    };
    column.typed::<T>().write_batch(values, defined, None)?;
    values.clear();
    column.close()
}

fn schema(row: &str, columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let field = |Column { name, kind }: &Column| {
        let (physical, logical) = match kind {
            ColumnKind::Long => (Physical::INT64, Some(LogicalType::integer(64, false))),
            ColumnKind::Count => (Physical::INT32, Some(LogicalType::integer(32, false))),
            ColumnKind::Whole => (Physical::INT32, None),
            ColumnKind::Real => (Physical::FLOAT, None),
            ColumnKind::Double => (Physical::DOUBLE, None),
            ColumnKind::Text | ColumnKind::MaybeText => {
                (Physical::BYTE_ARRAY, Some(LogicalType::String))
            }
        };
        let repetition = match kind {
            ColumnKind::MaybeText => Repetition::OPTIONAL,
            _ => Repetition::REQUIRED,
        };
        let field = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        field.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder(row).with_fields(fields).build().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use crate::stats::Standings;
    use engine::MAX_PLAYERS;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;
    use crate::event::Forfeit;
    use crate::export::games_csv::GamesCsv;
    use crate::export::row_file::RowFile as _;
    use crate::record::Record;

    fn game(index: u64) -> GameResult {
        let reason = "late, and \"rude\"\n".to_owned();
        let forfeit = (index % 3 == 1).then(|| Box::new(Forfeit { player: 1, reason }));
        let tallies = [agents::SearchTally::default(); MAX_PLAYERS];
        GameResult {
            index,
            block: index / 2,
            seating: [1, 0, 0, 0, 0, 0],
            points: [1.0 / 3.0, 2.0 / 3.0, 0.0, 0.0, 0.0, 0.0],
            scores: [index as f32, -1.5e9, 0.0, 0.0, 0.0, 0.0],
            plies: u32::MAX - 7,
            extras: vec![[-3, 4, 0, 0, 0, 0]; 1],
            searched: index.is_multiple_of(2).then(|| Box::new(tallies)),
            forfeit,
            record: Some(Record::known_by(index * 0x0123_4567)),
            ..GameResult::default()
        }
    }

    /// Returns a field as in games.csv.
    fn as_csv(field: &Field) -> String {
        match field {
            Field::Null => String::new(),
            Field::ULong(number) => number.to_string(),
            Field::UInt(number) => number.to_string(),
            Field::Int(number) => number.to_string(),
            Field::Float(number) => number.to_string(),
            Field::Str(text) => text.clone(),
            other => panic!("a field of no kind of ours: {other:?}"),
        }
    }

    /// The table has more rows than a group, so that a second group is written.
    #[test]
    fn every_column_is_that_of_games_csv() {
        for keeps_records in [true, false] {
            const SMALL: usize = 1 << 12;
            let n = SMALL as u64 + 10;
            let agents = ["random", "mcts(c=1, iterations=9)"];
            let games_csv =
                GamesCsv::new(2, u64::MAX, &agents, &["money"]).keeping_records(keeps_records);
            let mut parquet = Parquet::new(Box::new(games_csv.clone())).unwrap();
            let mut bytes = Vec::new();
            parquet.group = SMALL;
            parquet.begin(&mut bytes).unwrap();
            (0..n).for_each(|index| parquet.game(&game(index), &mut bytes).unwrap());
            assert!(!bytes.is_empty(), "a whole group is not kept in memory");
            let standings = Standings::new(&[], 2, 2);
            parquet.end(&End { standings: &standings, report: None }, &mut bytes).unwrap();
            let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
            assert_eq!(reader.num_row_groups(), 2);
            let header = games_csv.header();
            let names: Vec<&str> = header.trim_end().split(',').collect();
            let mut seen = 0;
            for row in reader.get_row_iter(None).unwrap() {
                let row = row.unwrap();
                let there = games_csv.row(&game(seen));
                let mut csv =
                    csv::ReaderBuilder::new().has_headers(false).from_reader(there.as_bytes());
                let fields = csv.records().next().unwrap().unwrap();
                let (found, values): (Vec<&str>, Vec<String>) = row
                    .get_column_iter()
                    .map(|(name, field)| (name.as_str(), as_csv(field)))
                    .unzip();
                assert_eq!(found, names);
                assert_eq!(values, fields.iter().collect::<Vec<_>>());
                seen += 1;
            }
            assert_eq!(seen, n);
        }
    }
}
