//! An album of photos in photos.redb, in the working folder. The commands stand on standard input, one
//! a line:
//!
//! - `put ID DAY TAGS TITLE`: `new`, or `replaced` if there was a photo of that id. TAGS has commas
//!   between its tags, or is `-` for none; the title is the rest of the line
//! - `drop ID`: `ok`, or `-` if there is none
//! - `show ID`: `DAY TAGS TITLE` as in `put`, with the tags in order; `-` if there is none
//! - `find TAG FIRST LAST`: the ids of the photos with that tag, of the days from FIRST to LAST, both
//!   included: by day, and those of one day by id
//! - `newest TAG N`: the ids of the last N photos with that tag, the other way around
//! - `tags PREFIX`: `TAG=PHOTOS`, the number of photos, for every tag that begins with the prefix and
//!   that a photo has, in order
//! - `rename OLD NEW`: how many photos had the tag OLD; they have the tag NEW instead
//! - `index`: the rows of the index as they are in the file, `TAG/DAY/ID`
//!
//! IDs and days are whole numbers. Where several things are told, blanks are between them; an empty
//! line stands for none.

mod album;

use std::io::{self, BufRead};

use album::{Album, Photo, BY_TAG};
use redb::ReadableMultimapTable;

fn main() {
    let album = Album::open("photos.redb").expect("photos.redb");
    for line in io::stdin().lock().lines() {
        let line = line.expect("text");
        println!("{}", obey(&album, &line).expect("a sound file"));
    }
}

fn obey(album: &Album, line: &str) -> Result<String, redb::Error> {
    let words: Vec<&str> = line.splitn(5, ' ').collect();
    let word = |place: usize| words.get(place).copied().unwrap_or("");
    let number = |place: usize| word(place).parse::<u32>().unwrap_or(0);
    let id = u64::from(number(1));
    let blank = |ids: Vec<u64>| ids.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    Ok(match word(0) {
        "put" => {
            let known = album.put(id, &photo(number(2), word(3), word(4)))?;
            if known { "replaced" } else { "new" }.to_string()
        }
        "drop" => if album.drop(id)? { "ok" } else { "-" }.to_string(),
        "show" => album.show(id)?.map_or("-".to_string(), |photo| told(&photo)),
        "find" => blank(album.find(word(1), number(2), number(3))?),
        "newest" => blank(album.newest(word(1), number(2) as usize)?),
        "tags" => {
            let tags = album.tags(word(1))?;
            let counts: Vec<String> = tags.iter().map(|(tag, n)| format!("{tag}={n}")).collect();
            counts.join(" ")
        }
        "rename" => album.rename(word(1), word(2))?.to_string(),
        _ => index(album)?.join(" "),
    })
}

fn photo(day: u32, tags: &str, title: &str) -> Photo {
    let tags = tags.split(',').filter(|tag| *tag != "-");
    Photo {
        day,
        tags: tags.map(str::to_string).collect(),
        title: title.to_string(),
    }
}

fn told(photo: &Photo) -> String {
    let tags = if photo.tags.is_empty() { "-".to_string() } else { photo.tags.join(",") };
    format!("{} {tags} {}", photo.day, photo.title)
}

fn index(album: &Album) -> Result<Vec<String>, redb::Error> {
    let table = album.database.begin_read()?.open_multimap_table(BY_TAG)?;
    let mut rows = Vec::new();
    for row in table.iter()? {
        let (key, ids) = row?;
        let (tag, day) = key.value();
        for id in ids {
            rows.push(format!("{tag}/{day}/{}", id?.value()));
        }
    }
    Ok(rows)
}
