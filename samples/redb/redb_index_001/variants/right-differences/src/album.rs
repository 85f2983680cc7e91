//! Changes only those rows of the index that differ, and reads it by keys.

use std::collections::{BTreeMap, BTreeSet};

use redb::{Database, Error, MultimapTableDefinition, ReadableTable, TableDefinition};

pub const PHOTOS: TableDefinition<u64, (u32, Vec<&str>, &str)> = TableDefinition::new("photos");
pub const BY_TAG: MultimapTableDefinition<(&str, u32), u64> =
    MultimapTableDefinition::new("by_tag");

#[derive(Clone, Default)]
pub struct Photo {
    pub day: u32,
    pub tags: Vec<String>,
    pub title: String,
}

pub struct Album {
    pub database: Database,
}

type Keys = BTreeSet<(String, u32)>;

fn keys(photo: Option<&Photo>) -> Keys {
    photo.map_or(Keys::new(), |photo| {
        let tags = photo.tags.iter().cloned();
        tags.map(|tag| (tag, photo.day)).collect()
    })
}

impl Album {
    pub fn open(path: &str) -> Result<Album, Error> {
        let album = Album {
            database: Database::create(path)?,
        };
        album.set(BTreeMap::new())?;
        Ok(album)
    }

    /// What is to be there under each of these ids afterwards; what was there before.
    fn set(&self, wanted: BTreeMap<u64, Option<Photo>>) -> Result<Vec<Option<Photo>>, Error> {
        let change = self.database.begin_write()?;
        let mut before = Vec::new();
        {
            let mut photos = change.open_table(PHOTOS)?;
            let mut index = change.open_multimap_table(BY_TAG)?;
            for (id, photo) in wanted {
                let old = read(&photos, id)?;
                let (gone, here) = (keys(old.as_ref()), keys(photo.as_ref()));
                for (tag, day) in gone.difference(&here) {
                    index.remove((tag.as_str(), *day), id)?;
                }
                for (tag, day) in here.difference(&gone) {
                    index.insert((tag.as_str(), *day), id)?;
                }
                match photo {
                    None => photos.remove(id)?.is_some(),
                    Some(photo) => {
                        let tags = here.iter().map(|(tag, _)| tag.as_str()).collect();
                        let row = (photo.day, tags, photo.title.as_str());
                        photos.insert(id, row)?.is_some()
                    }
                };
                before.push(old);
            }
        }
        change.commit()?;
        Ok(before)
    }

    pub fn put(&self, id: u64, photo: &Photo) -> Result<bool, Error> {
        Ok(self.set([(id, Some(photo.clone()))].into())?[0].is_some())
    }

    pub fn drop(&self, id: u64) -> Result<bool, Error> {
        Ok(self.set([(id, None)].into())?[0].is_some())
    }

    pub fn show(&self, id: u64) -> Result<Option<Photo>, Error> {
        read(&self.database.begin_read()?.open_table(PHOTOS)?, id)
    }

    pub fn find(&self, tag: &str, first: u32, last: u32) -> Result<Vec<u64>, Error> {
        let table = self.database.begin_read()?.open_multimap_table(BY_TAG)?;
        let mut ids = Vec::new();
        if first > last {
            return Ok(ids);
        }
        for row in table.range((tag, first)..)? {
            let (key, values) = row?;
            if key.value().0 != tag || key.value().1 > last {
                break;
            }
            for id in values {
                ids.push(id?.value());
            }
        }
        Ok(ids)
    }

    pub fn newest(&self, tag: &str, count: usize) -> Result<Vec<u64>, Error> {
        let mut ids = self.find(tag, 0, u32::MAX)?;
        ids.reverse();
        ids.truncate(count);
        Ok(ids)
    }

    pub fn tags(&self, prefix: &str) -> Result<Vec<(String, u64)>, Error> {
        let table = self.database.begin_read()?.open_multimap_table(BY_TAG)?;
        let mut counts = BTreeMap::new();
        for row in table.range((prefix, 0)..)? {
            let (key, values) = row?;
            if !key.value().0.starts_with(prefix) {
                break;
            }
            *counts.entry(key.value().0.to_string()).or_insert(0) += values.count() as u64;
        }
        Ok(counts.into_iter().collect())
    }

    pub fn rename(&self, old: &str, new: &str) -> Result<usize, Error> {
        let mut wanted = BTreeMap::new();
        for id in self.find(old, 0, u32::MAX)? {
            let mut photo = self.show(id)?.unwrap_or_default();
            for tag in photo.tags.iter_mut().filter(|tag| *tag == old) {
                *tag = new.to_string();
            }
            wanted.insert(id, Some(photo));
        }
        Ok(self.set(wanted)?.len())
    }
}

fn read(
    table: &impl ReadableTable<u64, (u32, Vec<&'static str>, &'static str)>,
    id: u64,
) -> Result<Option<Photo>, Error> {
    Ok(table.get(id)?.map(|row| {
        let (day, tags, title) = row.value();
        Photo {
            day,
            tags: tags.iter().map(|tag| tag.to_string()).collect(),
            title: title.to_string(),
        }
    }))
}
