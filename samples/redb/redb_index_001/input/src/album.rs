//! Photos, and an index of their tags. Every change is one transaction, in which both tables agree.

use redb::{Database, Error, MultimapTableDefinition, TableDefinition};

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

pub struct Album {
    pub database: Database,
}

impl Album {
    /// Open the file, and make it with both tables if it is not there.
    pub fn open(path: &str) -> Result<Album, Error> {
        let _ = path;
        todo!()
    }

    /// Store the photo under this id, in place of one that has it; whether there was one. Its tags
    /// may come in any order, and more than once.
    pub fn put(&self, id: u64, photo: &Photo) -> Result<bool, Error> {
        let _ = (id, photo);
        todo!()
    }

    /// Whether there was such a photo.
    pub fn drop(&self, id: u64) -> Result<bool, Error> {
        let _ = id;
        todo!()
    }

    pub fn show(&self, id: u64) -> Result<Option<Photo>, Error> {
        let _ = id;
        todo!()
    }

    /// Photos with this tag from one day to another, both included. A range of the index.
    pub fn find(&self, tag: &str, first: u32, last: u32) -> Result<Vec<u64>, Error> {
        let _ = (tag, first, last);
        todo!()
    }

    /// At most `count` photos with this tag: the newest day first, and of one day the highest id.
    pub fn newest(&self, tag: &str, count: usize) -> Result<Vec<u64>, Error> {
        let _ = (tag, count);
        todo!()
    }

    /// All tags with this prefix in order, and how many photos have each.
    pub fn tags(&self, prefix: &str) -> Result<Vec<(String, u64)>, Error> {
        let _ = prefix;
        todo!()
    }

    /// Give all photos with the tag `old` the tag `new` instead; how many there were. Some may have
    /// had `new` before.
    pub fn rename(&self, old: &str, new: &str) -> Result<usize, Error> {
        let _ = (old, new);
        todo!()
    }
}
