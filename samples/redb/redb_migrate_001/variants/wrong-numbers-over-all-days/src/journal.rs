//! The journal's table. Keys are compared by their numbers; the bytes in the file are little-endian.

use std::cmp::Ordering;

use redb::{
    Database, Error, Key, ReadableTable, ReadableTableMetadata, TableDefinition, TypeName, Value,
};

const ENTRIES: TableDefinition<Place, &str> = TableDefinition::new("entries");

/// Where an entry stands: the day, and its number within it.
#[derive(Debug, Clone, Copy)]
struct Place {
    day: u32,
    number: u32,
}

impl Value for Place {
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

impl Key for Place {
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
            let number = table.len()? as u32 + 1;
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
        let mut removed = 0;
        change
            .open_table(ENTRIES)?
            .retain_in(..first(day), |_, _| {
                removed += 1;
                false
            })?;
        change.commit()?;
        Ok(removed)
    }

    pub fn oldest(&self) -> Result<Option<String>, Error> {
        let change = self.database.begin_write()?;
        let told = {
            let mut table = change.open_table(ENTRIES)?;
            let row = table.pop_first()?;
            row.map(|(place, text)| {
                let Place { day, number } = place.value();
                format!("{day}/{number} {}", text.value())
            })
        };
        change.commit()?;
        Ok(told)
    }
}
