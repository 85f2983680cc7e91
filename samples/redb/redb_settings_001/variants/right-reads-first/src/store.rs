//! The file of settings: what it is begun with, and how it is read and written.

use redb::{Database, Error, TableDefinition, TableError};

pub const VERSION: u64 = 1;
/// What a file has at least after it was opened.
pub const DEFAULTS: [(&str, &str); 3] = [("language", "en"), ("theme", "light"), ("zoom", "100")];

pub const SETTINGS: TableDefinition<&str, &str> = TableDefinition::new("settings");
/// One row: "version" and the version of the file. Files of version 0 have none.
pub const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

pub struct Store {
    database: Database,
}

impl Store {
    pub fn open(path: &str) -> Result<Store, String> {
        let told = |error: Error| error.to_string();
        let database = Database::create(path).map_err(|error| told(error.into()))?;
        let store = Store { database };
        match store.version().map_err(told)? {
            None => store.upgrade().map_err(told)?,
            Some(VERSION) => {}
            Some(version) => return Err(format!("{path} is of version {version}")),
        }
        Ok(store)
    }

    fn upgrade(&self) -> Result<(), Error> {
        let old = self.database.begin_read()?;
        let change = self.database.begin_write()?;
        let before = match old.open_table(SETTINGS) {
            Ok(table) => Some(table),
            Err(TableError::TableDoesNotExist(_)) => None,
            Err(error) => return Err(error.into()),
        };
        for (key, value) in DEFAULTS {
            let known = match &before {
                Some(table) => table.get(key)?.is_some(),
                None => false,
            };
            if !known {
                change.open_table(SETTINGS)?.insert(key, value)?;
            }
        }
        change.open_table(META)?.insert("version", VERSION)?;
        change.commit()?;
        Ok(())
    }

    pub fn get(&self, key: &str) -> Result<Option<String>, Error> {
        let table = self.database.begin_read()?.open_table(SETTINGS)?;
        Ok(table.get(key)?.map(|value| value.value().to_string()))
    }

    pub fn set(&self, key: &str, value: &str) -> Result<(), Error> {
        let change = self.database.begin_write()?;
        change.open_table(SETTINGS)?.insert(key, value)?;
        Ok(change.commit()?)
    }

    /// Whether there was a value.
    pub fn unset(&self, key: &str) -> Result<bool, Error> {
        let change = self.database.begin_write()?;
        let known = change.open_table(SETTINGS)?.remove(key)?.is_some();
        change.commit()?;
        Ok(known)
    }

    /// `KEY=VALUE` of all keys with this prefix, in order.
    pub fn list(&self, prefix: &str) -> Result<Vec<String>, Error> {
        let table = self.database.begin_read()?.open_table(SETTINGS)?;
        let mut listed = Vec::new();
        for row in table.range(prefix..)? {
            let (key, value) = row?;
            if !key.value().starts_with(prefix) {
                break;
            }
            listed.push(format!("{}={}", key.value(), value.value()));
        }
        Ok(listed)
    }

    /// The version that stands in the file, if one does.
    pub fn version(&self) -> Result<Option<u64>, Error> {
        match self.database.begin_read()?.open_table(META) {
            Ok(table) => Ok(table.get("version")?.map(|version| version.value())),
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Write the version into the file, or take it out.
    pub fn stamp(&self, version: Option<u64>) -> Result<(), Error> {
        let change = self.database.begin_write()?;
        {
            let mut meta = change.open_table(META)?;
            match version {
                Some(version) => meta.insert("version", version)?,
                None => meta.remove("version")?,
            };
        }
        Ok(change.commit()?)
    }
}
