//! The stock of a warehouse, kept in a redb database file.
//!
//! Two tables, so that other programs can read the file:
//! - `levels`: article → quantity on the shelf. An article that ran out stays, with 0.
//! - `movements`: number of the movement, counted from 1 without gaps → (article, change).
//!   Every change of a level is one movement, in the order in which they were made.

use std::path::Path;

use redb::{Database, ReadableTable, Table, TableDefinition};

pub const LEVELS: TableDefinition<&str, u64> = TableDefinition::new("levels");
pub const MOVEMENTS: TableDefinition<u64, (&str, i64)> = TableDefinition::new("movements");

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StockError {
    /// There never was such an article.
    Unknown(String),
    /// There is less on the shelf than was asked for in all.
    Short { article: String, available: u64 },
    /// The database's own complaint.
    Storage(String),
}

impl<E: Into<redb::Error>> From<E> for StockError {
    fn from(error: E) -> StockError {
        StockError::Storage(error.into().to_string())
    }
}

pub struct Stock {
    database: Database,
}

impl Stock {
    /// Open the file, made with both (empty) tables if it is not there.
    pub fn open(path: &Path) -> Result<Stock, StockError> {
        let database = Database::create(path)?;
        let write = database.begin_write()?;
        write.open_table(LEVELS)?;
        write.open_table(MOVEMENTS)?;
        write.commit()?;
        Ok(Stock { database })
    }

    /// Put goods on the shelf; returns the new level.
    pub fn receive(&self, article: &str, quantity: u64) -> Result<u64, StockError> {
        let write = self.database.begin_write()?;
        let level = {
            let mut levels = write.open_table(LEVELS)?;
            let before = levels.get(article)?.map_or(0, |level| level.value());
            levels.insert(article, before + quantity)?;
            note(&mut write.open_table(MOVEMENTS)?, article, quantity as i64)?;
            before + quantity
        };
        write.commit()?;
        Ok(level)
    }

    /// What is on the shelf; `None` for an article that never was.
    pub fn level(&self, article: &str) -> Result<Option<u64>, StockError> {
        let levels = self.database.begin_read()?.open_table(LEVELS)?;
        Ok(levels.get(article)?.map(|level| level.value()))
    }

    /// Take all lines of an order from the shelf, or none of them.
    pub fn fulfil(&self, order: &[(&str, u64)]) -> Result<(), StockError> {
        let write = self.database.begin_write()?;
        {
            let mut levels = write.open_table(LEVELS)?;
            let mut movements = write.open_table(MOVEMENTS)?;
            for (article, quantity) in order {
                let Some(level) = levels.get(article)?.map(|level| level.value()) else {
                    return Err(StockError::Unknown(article.to_string()));
                };
                if level < *quantity {
                    // Dropping the transaction undoes the lines before; they no longer count.
                    let available = self.level(article)?.unwrap_or(0);
                    return Err(StockError::Short { article: article.to_string(), available });
                }
                levels.insert(article, level - quantity)?;
                note(&mut movements, article, -(*quantity as i64))?;
            }
        }
        write.commit()?;
        Ok(())
    }

    /// Articles from `first` up to but without `end`, in order, with their levels.
    pub fn between(&self, first: &str, end: &str) -> Result<Vec<(String, u64)>, StockError> {
        let levels = self.database.begin_read()?.open_table(LEVELS)?;
        let mut found = Vec::new();
        for entry in levels.range(first..=end)? {
            let (article, level) = entry?;
            found.push((article.value().to_string(), level.value()));
        }
        Ok(found)
    }

    /// The changes of one article, oldest first.
    pub fn history(&self, article: &str) -> Result<Vec<i64>, StockError> {
        let movements = self.database.begin_read()?.open_table(MOVEMENTS)?;
        let mut changes = Vec::new();
        for entry in movements.iter()? {
            let (_, movement) = entry?;
            let (moved, change) = movement.value();
            if moved == article {
                changes.push(change);
            }
        }
        Ok(changes)
    }
}

fn note(movements: &mut Table<u64, (&str, i64)>, article: &str, change: i64) -> Result<(), StockError> {
    let last = movements.last()?.map_or(0, |(number, _)| number.value());
    movements.insert(last + 1, (article, change))?;
    Ok(())
}
