use expected::{Stock, StockError};
use redb::{Database, ReadableTable, ReadableTableMetadata, TableDefinition};
use std::path::Path;
use tempfile::TempDir;

const LEVELS: TableDefinition<&str, u64> = TableDefinition::new("levels");
const MOVEMENTS: TableDefinition<u64, (&str, i64)> = TableDefinition::new("movements");

fn new_stock() -> (TempDir, Stock) {
    let folder = tempfile::tempdir().unwrap();
    let stock = Stock::open(&folder.path().join("stock.redb")).unwrap();
    (folder, stock)
}

/// The movements as another program reads them, once the stock is closed.
fn movements(path: &Path) -> Vec<(u64, String, i64)> {
    let database = Database::open(path).unwrap();
    let table = database.begin_read().unwrap().open_table(MOVEMENTS).unwrap();
    let entries = table.iter().unwrap();
    entries
        .map(|entry| {
            let (number, movement) = entry.unwrap();
            let (article, change) = movement.value();
            (number.value(), article.to_string(), change)
        })
        .collect()
}

#[test]
fn a_new_file_has_both_tables_and_nothing_in_them() {
    let (folder, stock) = new_stock();
    drop(stock);
    let database = Database::open(folder.path().join("stock.redb")).unwrap();
    let read = database.begin_read().unwrap();
    let levels: u64 = read.open_table(LEVELS).unwrap().len().unwrap();
    let movements: u64 = read.open_table(MOVEMENTS).unwrap().len().unwrap();
    assert_eq!(levels, 0);
    assert_eq!(movements, 0);
}

#[test]
fn receiving_adds_up_and_tells_the_new_level() {
    let (_folder, stock) = new_stock();
    let first: u64 = stock.receive("bolt", 5).unwrap();
    let second: u64 = stock.receive("bolt", 7).unwrap();
    let level: Option<u64> = stock.level("bolt").unwrap();
    assert_eq!((first, second), (5, 12));
    assert_eq!(level, Some(12));
}

#[test]
fn an_article_that_never_was_has_no_level() {
    let (_folder, stock) = new_stock();
    stock.receive("bolt", 0).unwrap();
    let known: Option<u64> = stock.level("bolt").unwrap();
    let unknown: Option<u64> = stock.level("nut").unwrap();
    assert_eq!(known, Some(0));
    assert_eq!(unknown, None);
}

#[test]
fn what_was_received_is_there_after_opening_again() {
    let (folder, stock) = new_stock();
    stock.receive("bolt", 5).unwrap();
    drop(stock);
    let stock = Stock::open(&folder.path().join("stock.redb")).unwrap();
    stock.receive("bolt", 1).unwrap();
    let level: Option<u64> = stock.level("bolt").unwrap();
    drop(stock);
    assert_eq!(level, Some(6));
    let made: Vec<i64> = movements(&folder.path().join("stock.redb")).iter().map(|m| m.2).collect();
    assert_eq!(made, vec![5, 1]);
}

#[test]
fn an_order_takes_every_line() {
    let (folder, stock) = new_stock();
    stock.receive("bolt", 10).unwrap();
    stock.receive("nut", 4).unwrap();
    stock.fulfil(&[("bolt", 3), ("nut", 4), ("bolt", 2)]).unwrap();
    let levels: Vec<(String, u64)> = stock.between("a", "z").unwrap();
    drop(stock);
    assert_eq!(levels, vec![("bolt".to_string(), 5), ("nut".to_string(), 0)]);
    let made: Vec<(u64, String, i64)> = movements(&folder.path().join("stock.redb"));
    let wanted = [(1, "bolt", 10), (2, "nut", 4), (3, "bolt", -3), (4, "nut", -4), (5, "bolt", -2)];
    assert_eq!(made, wanted.map(|(n, a, c)| (n, a.to_string(), c)).to_vec());
}

#[test]
fn an_order_that_cannot_be_met_changes_nothing() {
    let (folder, stock) = new_stock();
    stock.receive("bolt", 10).unwrap();
    stock.receive("nut", 4).unwrap();
    let short: Result<(), StockError> = stock.fulfil(&[("bolt", 3), ("nut", 5)]);
    let bolts: Option<u64> = stock.level("bolt").unwrap();
    drop(stock);
    assert!(matches!(short, Err(StockError::Short { article, available: 4 }) if article == "nut"));
    assert_eq!(bolts, Some(10));
    let made: Vec<(u64, String, i64)> = movements(&folder.path().join("stock.redb"));
    assert_eq!(made.len(), 2);
}

#[test]
fn lines_of_one_article_count_together() {
    let (_folder, stock) = new_stock();
    stock.receive("bolt", 5).unwrap();
    let short: Result<(), StockError> = stock.fulfil(&[("bolt", 3), ("bolt", 3)]);
    let level: Option<u64> = stock.level("bolt").unwrap();
    assert!(matches!(short, Err(StockError::Short { available: 5, .. })));
    assert_eq!(level, Some(5));
}

#[test]
fn an_unknown_article_is_told_by_its_name() {
    let (_folder, stock) = new_stock();
    stock.receive("bolt", 5).unwrap();
    let unknown: Result<(), StockError> = stock.fulfil(&[("bolt", 1), ("rivet", 0)]);
    let level: Option<u64> = stock.level("bolt").unwrap();
    assert!(matches!(unknown, Err(StockError::Unknown(name)) if name == "rivet"));
    assert_eq!(level, Some(5));
}

#[test]
fn a_range_has_its_first_and_not_its_end() {
    let (_folder, stock) = new_stock();
    for (number, article) in ["nut", "bolt", "washer", "cog"].iter().enumerate() {
        stock.receive(article, number as u64).unwrap();
    }
    let found: Vec<(String, u64)> = stock.between("bolt", "nut").unwrap();
    let history: Vec<i64> = stock.history("washer").unwrap();
    assert_eq!(found, vec![("bolt".to_string(), 1), ("cog".to_string(), 3)]);
    assert_eq!(history, vec![2]);
}
