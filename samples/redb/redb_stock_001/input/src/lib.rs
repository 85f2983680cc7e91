//! The stock of a warehouse, kept in a redb database file.
//!
//! Two tables, so that other programs can read the file:
//! - `levels`: article → quantity on the shelf. An article that ran out stays, with 0.
//! - `movements`: number of the movement, counted from 1 without gaps → (article, change).
//!   Every change of a level is one movement, in the order in which they were made.

use std::path::Path;

use redb::{Database, TableDefinition};

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

pub struct Stock {
    #[allow(dead_code)]
    database: Database,
}

impl Stock {
    /// Open the file, made with both (empty) tables if it is not there.
    pub fn open(path: &Path) -> Result<Stock, StockError> {
        let _ = path;
        todo!("open the database")
    }

    /// Put goods on the shelf; returns the new level.
    pub fn receive(&self, article: &str, quantity: u64) -> Result<u64, StockError> {
        let _ = (article, quantity);
        todo!("raise the level and note the movement")
    }

    /// What is on the shelf; `None` for an article that never was.
    pub fn level(&self, article: &str) -> Result<Option<u64>, StockError> {
        let _ = article;
        todo!("look it up")
    }

    /// Take all lines of an order from the shelf, or none of them. An article may stand on several
    /// lines; each line is a movement of its own. On the first line that cannot be met, nothing is
    /// changed; `available` is then the level before the order.
    pub fn fulfil(&self, order: &[(&str, u64)]) -> Result<(), StockError> {
        let _ = order;
        todo!("one transaction")
    }

    /// Articles from `first` up to but without `end`, in order, with their levels.
    pub fn between(&self, first: &str, end: &str) -> Result<Vec<(String, u64)>, StockError> {
        let _ = (first, end);
        todo!("a range of the table")
    }

    /// The changes of one article, oldest first.
    pub fn history(&self, article: &str) -> Result<Vec<i64>, StockError> {
        let _ = article;
        todo!("read the movements")
    }
}
