//! The file of settings: what it is begun with, and how it is read and written.

use redb::{Error, TableDefinition};

pub const VERSION: u64 = 1;
/// What a file has at least after it was opened.
pub const DEFAULTS: [(&str, &str); 3] = [("language", "en"), ("theme", "light"), ("zoom", "100")];

pub const SETTINGS: TableDefinition<&str, &str> = TableDefinition::new("settings");
/// One row: "version" and the version of the file. Files of version 0 have none.
pub const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

pub struct Store;

impl Store {
    /// Open the file, and make it if it is not there. A file that is new or of version 0 becomes one
    /// of VERSION: it gets those of the DEFAULTS whose keys have no value yet. A file of VERSION is
    /// left as it is: a default that was unset there stays unset.
    ///
    /// A file of a later version is not touched: the error is `settings.redb is of version N`, with
    /// the path as it was given.
    pub fn open(path: &str) -> Result<Store, String> {
        let _ = path;
        todo!()
    }

    pub fn get(&self, key: &str) -> Result<Option<String>, Error> {
        let _ = key;
        todo!()
    }

    pub fn set(&self, key: &str, value: &str) -> Result<(), Error> {
        let _ = (key, value);
        todo!()
    }

    /// Whether there was a value.
    pub fn unset(&self, key: &str) -> Result<bool, Error> {
        let _ = key;
        todo!()
    }

    /// `KEY=VALUE` of all keys with this prefix, in order. A range of the table, not all of it.
    pub fn list(&self, prefix: &str) -> Result<Vec<String>, Error> {
        let _ = prefix;
        todo!()
    }

    /// The version that stands in the file, if one does.
    pub fn version(&self) -> Result<Option<u64>, Error> {
        todo!()
    }

    /// Write the version into the file, or take it out.
    pub fn stamp(&self, version: Option<u64>) -> Result<(), Error> {
        let _ = version;
        todo!()
    }
}
