//! The file of settings: what it is begun with, and how it is read and written.

use redb::{Database, Error, ReadableTable, TableDefinition};

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
    /// Open the file, and make it if it is not there.
    pub fn open(path: &str) -> Result<Store, String> {
        let database = Database::create(path).expect("a redb file");
        let store = Store { database };
        let version = store.begin().map_err(|error| error.to_string())?;
        if version > VERSION {
            return Err(format!("{path} is of version {version}"));
        }
        Ok(store)
    }

    /// Bring the file up to VERSION, all or nothing; the version that it has then.
    fn begin(&self) -> Result<u64, Error> {
        let change = self.database.begin_write()?;
        let mut version = VERSION;
        {
            let mut meta = change.open_table(META)?;
            let mut settings = change.open_table(SETTINGS)?;
            let known = meta.get("version")?.map(|value| value.value());
            if let Some(known) = known {
                version = known;
            } else {
                meta.insert("version", VERSION)?;
                for (key, value) in DEFAULTS {
                    if settings.get(key)?.is_none() {
                        settings.insert(key, value)?;
                    }
                }
            }
        }
        change.commit()?;
        Ok(version)
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
        let table = self.database.begin_read()?.open_table(META)?;
        Ok(table.get("version")?.map(|version| version.value()))
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
