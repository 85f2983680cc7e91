//! The journal's table. This was written for redb 1.5, and Cargo.toml asks for redb 2.6 already.
//! Keys are compared by their numbers; the bytes in the file must stay as they are (little-endian),
//! for other programs read them.

use std::cmp::Ordering;

use redb::{Database, Error, ReadableTable, RedbKey, RedbValue, TableDefinition, TypeName};

const ENTRIES: TableDefinition<Place, &str> = TableDefinition::new("entries");

/// Where an entry stands: the day, and its number within it.
#[derive(Debug, Clone, Copy)]
struct Place {
    day: u32,
    number: u32,
}

impl RedbValue for Place {
    type SelfType<'a> = Place;
    type AsBytes<'a> = [u8; 8];

    fn fixed_width() -> Option<usize> {
        Some(8)
    }

    fn from_bytes<'a>(data: &'a [u8]) -> Place
    where
        Self: 'a,
    {
        Place {
            day: u32::from_le_bytes(data[..4].try_into().unwrap()),
            number: u32::from_le_bytes(data[4..].try_into().unwrap()),
        }
    }

    fn as_bytes<'a, 'b: 'a>(value: &'a Place) -> [u8; 8]
    where
        Self: 'b,
    {
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&value.day.to_le_bytes());
        bytes[4..].copy_from_slice(&value.number.to_le_bytes());
        bytes
    }

    fn type_name() -> TypeName {
        TypeName::new("journal::Place")
    }
}

impl RedbKey for Place {
    fn compare(one: &[u8], other: &[u8]) -> Ordering {
        let (one, other) = (Place::from_bytes(one), Place::from_bytes(other));
        (one.day, one.number).cmp(&(other.day, other.number))
    }
}

fn first(day: u32) -> Place {
    Place { day, number: 0 }
}

fn last(day: u32) -> Place {
    Place {
        day,
        number: u32::MAX,
    }
}

pub struct Journal {
    database: Database,
}

impl Journal {
    pub fn open(path: &str) -> Result<Journal, Error> {
        let database = Database::create(path)?;
        let change = database.begin_write()?;
        change.open_table(ENTRIES)?;
        change.commit()?;
        Ok(Journal { database })
    }

    pub fn add(&self, day: u32, text: &str) -> Result<u32, Error> {
        let change = self.database.begin_write()?;
        let number = {
            let mut table = change.open_table(ENTRIES)?;
            let before = table.range(first(day)..=last(day))?.next_back();
            let number = before.transpose()?.map_or(0, |row| row.0.value().number) + 1;
            table.insert(Place { day, number }, text)?;
            number
        };
        change.commit()?;
        Ok(number)
    }

    pub fn day(&self, day: u32) -> Result<Vec<String>, Error> {
        let read = self.database.begin_read()?;
        let table = read.open_table(ENTRIES)?;
        let mut texts = Vec::new();
        for row in table.range(first(day)..=last(day))? {
            texts.push(row?.1.value().to_string());
        }
        Ok(texts)
    }

    pub fn since(&self, day: u32) -> Result<usize, Error> {
        let read = self.database.begin_read()?;
        let table = read.open_table(ENTRIES)?;
        Ok(table.range(first(day)..)?.count())
    }

    pub fn count(&self) -> Result<u64, Error> {
        let read = self.database.begin_read()?;
        Ok(read.open_table(ENTRIES)?.len()?)
    }

    pub fn prune(&self, day: u32) -> Result<usize, Error> {
        let change = self.database.begin_write()?;
        let removed = change.open_table(ENTRIES)?.drain(..first(day))?.count();
        change.commit()?;
        Ok(removed)
    }

    pub fn oldest(&self) -> Result<Option<String>, Error> {
        todo!("new; redb 2 has a way to take the first row of a table")
    }
}
