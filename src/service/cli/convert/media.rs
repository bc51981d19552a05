//! Pictures of a Markdown text as files (`--extract-media`). A converter packs the text and its pictures into one
//! archive, which this module unpacks: the text to its path, the pictures into one directory. Writes nothing outside of
//! these.

use super::{
    ask::{self, Replacing},
    parts,
    place::{STANDARD, unwritable},
};
use crate::{
    cli::work::PreparedFile,
    error::{Error, Kind, Result},
    format, registry,
};
use std::{
    fs::{self, File},
    io,
    path::{Component, Path, PathBuf},
};

/// The option that makes the archive, and the one that names the directory in links.
const OPTIONS: [&str; 2] = ["pictures", "pictures_folder"];

/// Checks that results in the format `target` can have their pictures in separate files.
///
/// Errors: [`Kind::BadInput`] if the target is not Markdown, which links to its pictures.
pub(super) fn check(target: &str) -> Result<()> {
    let to = registry::by_name(&format::normalise(target));
    if to.is_none_or(|to| to.name != "md") {
        let text =
            format!("--extract-media is only for the target md; a {target} contains its pictures");
        return Err(Error::new(Kind::BadInput, text));
    }
    Ok(())
}

/// Sets the options of a conversion that put pictures into this directory, for a text at `place`. Returns whether the
/// conversion can write pictures: a text that is made of a table, for example, never has any.
///
/// Errors: [`Kind::BadInput`] if the input is an archive, whose texts would share one set of pictures.
pub(super) fn set(prepared: &mut PreparedFile, directory: &Path, place: &Path) -> Result<bool> {
    if prepared.is_archive() {
        let text = "--extract-media is for single documents; unpack the archive first";
        return Err(Error::new(Kind::BadInput, text));
    }
    let links = links(directory, place).map_err(|err| unwritable(directory, err))?;
    let [pictures, folder] = OPTIONS;
    Ok(prepared.set(pictures, "zip") && prepared.set(folder, &links))
}

/// The directory for links in the text. It is relative to the text, unless the user gave an absolute path, or the text
/// goes to standard output.
fn links(directory: &Path, place: &Path) -> io::Result<String> {
    if directory.is_absolute() || place == Path::new(STANDARD) {
        return Ok(directory.to_string_lossy().into_owned());
    }
    let directory = plain(&std::path::absolute(directory)?);
    let place = plain(&std::path::absolute(place)?);
    let folder = place.parent().unwrap_or(Path::new("/"));
    let mut from = folder.components().peekable();
    let mut to = directory.components().peekable();
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let mut links: PathBuf = from.map(|_| "..").collect();
    links.extend(to);
    // An empty value would stand for the default folder.
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

/// Writes the pictures of an archive into the directory, and its text to `place`. Returns the paths of all files, with
/// the path of the text first, and their total length in bytes.
///
/// Errors: [`Kind::BadInput`] if a file exists that may not be replaced, if a link has the path of a picture, or if
/// the archive is not one text with pictures; and the errors of writing.
pub(super) fn unpack(
    file: File,
    place: &Path,
    directory: &Path,
    replacing: Replacing,
) -> Result<(Vec<PathBuf>, u64)> {
    parts::opened(file, |archive| {
        let names: Vec<Box<str>> = archive.entries().iter().map(|it| it.name.clone()).collect();
        // Names in an archive are not trusted: only names of the form that the Markdown writer chooses are accepted.
        let pictures: Option<Vec<&str>> = names.iter().skip(1).map(|name| picture(name)).collect();
        let Some(pictures) = pictures.filter(|_| !names.is_empty()) else {
            let text =
                "the result is not a text with its pictures; convert without --extract-media";
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
        // The text is written last, so that its pictures exist before the text does.
        let mut together = 0;
        for (nth, place) in places.iter().enumerate().rev() {
            together += parts::write(archive, nth, place)?;
        }
        Ok((places, together))
    })
}

/// Returns the file name in the name of an entry. `None` if it does not have the form `image1.png`.
fn picture(name: &str) -> Option<&str> {
    let name = name.rsplit('/').next()?;
    let (number, extension) = name.strip_prefix("image")?.split_once('.')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '+';
    (is_number && !extension.is_empty() && extension.chars().all(is_word)).then_some(name)
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
            let from = std::env::current_dir().unwrap();
            let from = from.strip_prefix("/").unwrap().join("media");
            format!("../{}", from.display())
        });
        check("pictures", "-", "pictures");
        check(".", "a.md", ".");
    }

    #[test]
    fn pictures_have_the_names_that_the_writer_chooses() {
        for (name, expected) in [
            ("media/image1.png", Some("image1.png")),
            ("image1.x-emf", Some("image1.x-emf")),
            ("media/image12.svg", Some("image12.svg")),
            ("media/..", None),
            ("run.sh", None),
            ("image.png", None),
            ("image1.", None),
            ("image1.tar.gz", None),
            ("media/", None),
            (".hidden", None),
            ("a\\b.png", None),
            ("a b.png", None),
        ] {
            assert_eq!(picture(name), expected, "{name}");
        }
    }
}
