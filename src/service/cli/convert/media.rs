//! Pictures of a Markdown text as files (`--extract-media`). A converter packs the text and its pictures into one
//! archive, which this module unpacks: the text to its path, the pictures into one directory. Writes nothing outside of
//! these.

use super::{
    ask::{self, Replacing},
    parts,
    place::{STANDARD, Target, unwritable},
};
use crate::{
    error::{Error, Kind, Result},
    format, registry,
};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

/// The option that makes the archive, and the one that names the directory in links.
const OPTIONS: [&str; 2] = ["pictures", "pictures_folder"];

/// Options of a conversion that put pictures into this directory, for a text at `place`.
///
/// Errors: [`Kind::BadInput`] if the target is no text with links to pictures.
pub(super) fn options(
    directory: &Path,
    place: &Path,
    target: &str,
) -> Result<Vec<(String, String)>> {
    let to = registry::by_name(&format::normalise(target));
    if to.is_none_or(|to| to.name != "md") {
        let text = format!(
            "--extract-media puts the pictures of an md beside it; a {target} keeps them inside"
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    let links = links(directory, place).map_err(|err| unwritable(directory, err))?;
    let [pictures, folder] = OPTIONS.map(str::to_owned);
    Ok(vec![(pictures, "zip".to_owned()), (folder, links)])
}

/// The directory as links in the text name it: relative to the text, unless the user gave an absolute path.
fn links(directory: &Path, place: &Path) -> io::Result<String> {
    if directory.is_absolute() || place == Path::new(STANDARD) {
        return Ok(directory.to_string_lossy().into_owned());
    }
    let directory = plain(&std::path::absolute(directory)?);
    let place = plain(&std::path::absolute(place)?);
    let folder = place.parent().unwrap_or(Path::new("/"));
    let mut here = folder.components().peekable();
    let mut there = directory.components().peekable();
    while here.peek().is_some() && here.peek() == there.peek() {
        here.next();
        there.next();
    }
    let mut links: PathBuf = here.map(|_| "..").collect();
    links.extend(there);
    // An empty value would be the default.
    if links.as_os_str().is_empty() {
        links.push(".");
    }
    Ok(links.to_string_lossy().into_owned())
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(part),
        }
    }
    out
}

/// Writes the pictures of an archive into the directory, and its text to `place`. Returns the paths of all files, that
/// of the text first, and their total length in bytes.
///
/// Errors: [`Kind::BadInput`] if a file exists that may not be replaced, or if the result is not one text.
pub(super) fn unpack(
    file: File,
    place: &Path,
    directory: &Path,
    replacing: Replacing,
) -> Result<(Vec<PathBuf>, u64)> {
    parts::opened(file, |archive| {
        let names: Vec<Box<str>> = archive.entries().iter().map(|it| it.name.clone()).collect();
        // Names in an archive are not trusted: a picture's is a plain word here.
        let pictures: Option<Vec<&str>> = names.iter().skip(1).map(|name| picture(name)).collect();
        let is_text = names
            .first()
            .is_some_and(|name| !name.contains('/') && !name.ends_with(".zip"));
        let Some(pictures) = pictures.filter(|_| is_text) else {
            let text = "--extract-media is for single documents; unpack the archive first";
            return Err(Error::new(Kind::BadInput, text));
        };
        let mut places = vec![place.to_owned()];
        places.extend(pictures.iter().map(|name| directory.join(name)));
        for place in &places[1..] {
            // A link may lead out of the directory.
            if place.is_symlink() {
                let text = format!(
                    "{} is a link; remove it, or name another directory",
                    place.display()
                );
                return Err(Error::new(Kind::BadInput, text));
            }
            ask::permit(place, replacing)?;
        }
        if !pictures.is_empty() {
            fs::create_dir_all(directory).map_err(|err| unwritable(directory, err))?;
        }
        let mut together = 0;
        // The text comes last: once it is there, so are its pictures.
        for (nth, place) in places.iter().enumerate().rev() {
            let about = |err| unwritable(place, err);
            let bytes = archive.read_nth(nth)?;
            let target = Target::open(place).map_err(about)?;
            let mut output = target.file().map_err(about)?;
            output.write_all(&bytes).map_err(about)?;
            together += bytes.len() as u64;
            target.finish().map_err(about)?;
        }
        Ok((places, together))
    })
}

/// The file name in the name of a picture: letters, digits and dots that begin with a letter.
fn picture(name: &str) -> Option<&str> {
    let name = name.rsplit('/').next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain);
    is_plain.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_to_the_text() {
        let check = |directory: &str, place: &str, expected: &str| {
            let found = links(Path::new(directory), Path::new(place)).unwrap();
            assert_eq!(found, expected, "{directory} {place}");
        };
        check("media", "a.md", "media");
        check("./media/", "a.md", "media");
        check("out/media", "out/a.md", "media");
        check("media", "out/a.md", "../media");
        check("out/x/../media", "out/./b/a.md", "../media");
        check("/abs/media", "out/a.md", "/abs/media");
        check("media", "/abs-elsewhere/a.md", &{
            let here = std::env::current_dir().unwrap();
            let here = here.strip_prefix("/").unwrap().join("media");
            format!("../{}", here.display())
        });
        check("pictures", "-", "pictures");
        check(".", "a.md", ".");
    }

    #[test]
    fn names_of_pictures_are_plain_words() {
        for (name, expected) in [
            ("media/image1.png", Some("image1.png")),
            ("image1.x-emf", Some("image1.x-emf")),
            ("media/..", None),
            ("media/", None),
            (".hidden", None),
            ("a\\b.png", None),
            ("a b.png", None),
        ] {
            assert_eq!(picture(name), expected, "{name}");
        }
    }
}
