//! Photos, and an index of their tags. Every change is one transaction, in which both tables agree.

use redb::{
    Database, Error, MultimapTableDefinition, ReadableMultimapTable, TableDefinition,
    WriteTransaction,
};

/// id → day, tags and title. The tags are in order, each of them once.
pub const PHOTOS: TableDefinition<u64, (u32, Vec<&str>, &str)> = TableDefinition::new("photos");
/// (tag, day) → ids: one row for every tag of every photo, and no others.
pub const BY_TAG: MultimapTableDefinition<(&str, u32), u64> =
    MultimapTableDefinition::new("by_tag");

pub struct Photo {
    pub day: u32,
    pub tags: Vec<String>,
    pub title: String,
}

impl Photo {
    fn of((day, tags, title): (u32, Vec<&str>, &str)) -> Photo {
        Photo {
            day,
            tags: tags.into_iter().map(str::to_string).collect(),
            title: title.to_string(),
        }
    }
}

pub struct Album {
    pub database: Database,
}

impl Album {
    /// Open the file, and make it with both tables if it is not there.
    pub fn open(path: &str) -> Result<Album, Error> {
        let database = Database::create(path)?;
        let change = database.begin_write()?;
        change.open_table(PHOTOS)?;
        change.open_multimap_table(BY_TAG)?;
        change.commit()?;
        Ok(Album { database })
    }

    /// Store the photo under this id, in place of one that has it; whether there was one.
    pub fn put(&self, id: u64, photo: &Photo) -> Result<bool, Error> {
        let change = self.database.begin_write()?;
        let old = change.open_table(PHOTOS)?.remove(id)?.is_some();
        put_in(&change, id, photo)?;
        change.commit()?;
        Ok(old)
    }

    /// Whether there was such a photo.
    pub fn drop(&self, id: u64) -> Result<bool, Error> {
        let change = self.database.begin_write()?;
        let old = take_out(&change, id)?;
        change.commit()?;
        Ok(old.is_some())
    }

    pub fn show(&self, id: u64) -> Result<Option<Photo>, Error> {
        let table = self.database.begin_read()?.open_table(PHOTOS)?;
        Ok(table.get(id)?.map(|row| Photo::of(row.value())))
    }

    /// Photos with this tag from one day to another, both included.
    pub fn find(&self, tag: &str, first: u32, last: u32) -> Result<Vec<u64>, Error> {
        let index = self.database.begin_read()?.open_multimap_table(BY_TAG)?;
        ids(&index, tag, first, last)
    }

    /// At most `count` photos with this tag: the newest day first, and of one day the highest id.
    pub fn newest(&self, tag: &str, count: usize) -> Result<Vec<u64>, Error> {
        let index = self.database.begin_read()?.open_multimap_table(BY_TAG)?;
        let mut newest = Vec::new();
        for row in index.range((tag, 0)..=(tag, u32::MAX))?.rev() {
            for id in row?.1.rev() {
                if newest.len() == count {
                    return Ok(newest);
                }
                newest.push(id?.value());
            }
        }
        Ok(newest)
    }

    /// All tags with this prefix in order, and how many photos have each.
    pub fn tags(&self, prefix: &str) -> Result<Vec<(String, u64)>, Error> {
        let index = self.database.begin_read()?.open_multimap_table(BY_TAG)?;
        let mut counts: Vec<(String, u64)> = Vec::new();
        for row in index.range((prefix, 0)..)? {
            let (key, photos) = row?;
            let (tag, _) = key.value();
            if !tag.starts_with(prefix) {
                break;
            }
            match counts.last_mut() {
                Some((last, count)) if last == tag => *count += photos.len(),
                _ => counts.push((tag.to_string(), photos.len())),
            }
        }
        Ok(counts)
    }

    /// Give all photos with the tag `old` the tag `new` instead; how many there were.
    pub fn rename(&self, old: &str, new: &str) -> Result<usize, Error> {
        let change = self.database.begin_write()?;
        let known = ids(&change.open_multimap_table(BY_TAG)?, old, 0, u32::MAX)?;
        for id in &known {
            if let Some(mut photo) = take_out(&change, *id)? {
                photo.tags.retain(|tag| tag != old);
                photo.tags.push(new.to_string());
                put_in(&change, *id, &photo)?;
            }
        }
        change.commit()?;
        Ok(known.len())
    }
}

fn ids(
    index: &impl ReadableMultimapTable<(&'static str, u32), u64>,
    tag: &str,
    first: u32,
    last: u32,
) -> Result<Vec<u64>, Error> {
    let mut ids = Vec::new();
    for row in index.range((tag, first)..=(tag, last))? {
        for id in row?.1 {
            ids.push(id?.value());
        }
    }
    Ok(ids)
}

/// Take the photo out of both tables.
fn take_out(change: &WriteTransaction, id: u64) -> Result<Option<Photo>, Error> {
    let mut table = change.open_table(PHOTOS)?;
    let Some(photo) = table.remove(id)?.map(|row| Photo::of(row.value())) else {
        return Ok(None);
    };
    let mut index = change.open_multimap_table(BY_TAG)?;
    for tag in &photo.tags {
        index.remove((tag.as_str(), photo.day), id)?;
    }
    Ok(Some(photo))
}

fn put_in(change: &WriteTransaction, id: u64, photo: &Photo) -> Result<(), Error> {
    let mut tags: Vec<&str> = photo.tags.iter().map(String::as_str).collect();
    tags.sort_unstable();
    tags.dedup();
    let mut index = change.open_multimap_table(BY_TAG)?;
    for tag in &tags {
        index.insert((*tag, photo.day), id)?;
    }
    let mut table = change.open_table(PHOTOS)?;
    table.insert(id, (photo.day, tags, photo.title.as_str()))?;
    Ok(())
}
