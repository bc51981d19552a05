//! Resources of a file: the pictures of a Markdown text, the style sheets and fonts of a page. Loads nothing from the
//! network.
//!
//! A converter runs in a child process that can open no file, so the resources of a page are opened here, and passed
//! together with the page. A page from a stranger may refer to `/etc/passwd`. So a file must be a picture, a style
//! sheet or a font, and must lie in the folder of the page or in a folder that the user has named. Links are resolved
//! before that check.

use super::{Failure, archive_builder::ArchiveBuilder};
use crate::{
    archive::site::MAX_PAGE,
    document,
    error::{Error, Result},
    format::{Category, Format},
};
use std::{
    collections::HashMap,
    fs::{self, File},
    io::{Read, Seek},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

/// Limit on all resources of a page, in bytes. Together with the largest page they stay within the input limit of a
/// converter.
const MAX_TOGETHER: u64 = 192 << 20;
/// Limit on a style sheet that is searched for further resources, in bytes.
const MAX_SHEET: u64 = 4 << 20;
/// Limit on the number of resources.
const MAX_FILES: usize = 2_000;
/// Maximum number of files that notes name. Notes only count the others.
const MAX_NAMED: usize = 5;

/// Extensions of style sheets and fonts. Pictures are recognised by their content.
const EXTENSIONS: [&str; 5] = ["css", "ttf", "otf", "woff", "woff2"];

/// Folders from which resources may be taken.
#[derive(Clone, Default)]
pub(super) struct Resources {
    /// Whether resources are disabled.
    pub(super) off: bool,
    /// Folders in addition to the folder of the file itself.
    folders: Vec<PathBuf>,
}

/// A file packed with its resources.
pub(super) struct Packed {
    pub(super) file: File,
    /// Length of the archive in bytes.
    pub(super) len: u64,
    /// The name of the file's own entry in the archive.
    pub(super) index: String,
}

impl Resources {
    /// Adds a folder.
    ///
    /// Errors: [`Failure::Usage`] if it cannot be read.
    pub(super) fn add(&mut self, folder: PathBuf) -> Result<(), Failure> {
        match folder.canonicalize() {
            Ok(whole) if whole.is_dir() => {
                self.folders.push(whole);
                Ok(())
            }
            Ok(_) | Err(_) => Err(Failure::Usage(format!(
                "--resource-dir is {:?}; it must be a readable folder",
                folder.display()
            ))),
        }
    }

    /// Packs a file together with its allowed resources, and adds notes about those that are not allowed. `None` if
    /// there is nothing to pack. `name` is the name of the file for its converter; `folder` is its directory, if known.
    pub(super) fn pack(
        &self,
        page: &File,
        (name, folder): (&str, Option<&Path>),
        (from, to): (&Format, &Format),
        notes: &mut Vec<String>,
    ) -> Result<Option<Packed>> {
        let failed = |err| Error::storage("the folder of the file could not be read", err);
        if self.off || !document::names_others(from) || !holds_others(to) {
            return Ok(None);
        }
        let mut page = page.try_clone().map_err(failed)?;
        if page.metadata().map_err(failed)?.len() > MAX_PAGE {
            return Ok(None);
        }
        let own = folder.map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        let own = own.and_then(|folder| folder.canonicalize().ok());
        let mut found = Found {
            folders: own.iter().chain(&self.folders).map(|it| &**it).collect(),
            files: HashMap::new(),
            order: Vec::new(),
            together: 0,
            outside: Vec::new(),
            is_too_much: false,
        };
        if found.folders.is_empty() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        page.rewind().map_err(failed)?;
        page.read_to_end(&mut bytes).map_err(failed)?;
        page.rewind().map_err(failed)?;
        let mut find = |address: &str| found.find(address);
        let look = || document::look_beside(from, bytes, &mut find);
        // The parser of pages runs here outside of the sandbox. If it panics, the page is converted without resources.
        if catch_unwind(AssertUnwindSafe(look)).is_err() {
            return Ok(None);
        }
        found.add_notes(notes);
        if found.order.is_empty() {
            return Ok(None);
        }
        // The name of the page becomes the name of an entry in the archive, so an unsuitable name is replaced.
        let is_plain = !name.contains(char::is_control) && name.chars().count() <= 200;
        let index = match is_plain {
            true => name.to_owned(),
            false => format!("page.{}", from.name),
        };
        let pack = || {
            let mut parcel = ArchiveBuilder::new()?;
            parcel.add(&index, &mut page)?;
            for (address, mut file) in found.order {
                if address != index {
                    parcel.add(&address, &mut file)?;
                }
            }
            parcel.finish()
        };
        let (file, len) = pack().map_err(failed)?;
        Ok(Some(Packed { file, len, index }))
    }
}

/// Returns whether results of this format can include resources. Markdown that is made from a page keeps the addresses
/// of its pictures, and plain text or a table shows no pictures.
fn holds_others(format: &Format) -> bool {
    let shows = match format.category {
        Category::Image | Category::Document | Category::Presentation => true,
        Category::Audio | Category::Spreadsheet | Category::Mail | Category::Archive => false,
    };
    let is_text = format.media_type.starts_with("text/") || format.media_type.ends_with("json");
    shows && (!is_text || format.name == "html")
}

/// The resources of a page that were found.
struct Found<'f> {
    /// Folders below which files may lie, as canonical paths.
    folders: Vec<&'f Path>,
    /// Results of the search by address, so that a second reference does not open the file again: the text of a style
    /// sheet, `None` for anything else.
    files: HashMap<String, Option<Vec<u8>>>,
    /// The addresses and files, in the order of their references.
    order: Vec<(String, File)>,
    /// Total size of the files in `order`, in bytes.
    together: u64,
    /// Addresses of files that lie outside of the folders.
    outside: Vec<String>,
    /// Whether a file was left out because of a limit on the number or the total size of the files.
    is_too_much: bool,
}

impl Found<'_> {
    fn find(&mut self, address: &str) -> Option<Vec<u8>> {
        if let Some(known) = self.files.get(address) {
            return known.clone();
        }
        let sheet = self.open(address);
        self.files.insert(address.to_owned(), sheet.clone());
        sheet
    }

    /// Adds the file with this address, and returns its text if it is a style sheet of at most [`MAX_SHEET`] bytes.
    fn open(&mut self, address: &str) -> Option<Vec<u8>> {
        let decoded = document::percent_decoded(address);
        let is_sheet = has_extension(&decoded, &["css"]);
        // Some pages write the address percent-encoded, others as it is; both names are tried.
        for name in [address, &decoded] {
            for folder in &self.folders {
                // An address that begins with a slash is relative to the root of the site.
                let path = folder.join(name.trim_start_matches('/'));
                let Ok(path) = path.canonicalize() else {
                    continue;
                };
                if !path.is_file() {
                    continue;
                }
                if !self.folders.iter().any(|folder| path.starts_with(folder)) {
                    self.outside.push(address.to_owned());
                    return None;
                }
                let mut file = taken(&path)?;
                let len = file.metadata().ok()?.len();
                if self.together + len > MAX_TOGETHER || self.order.len() == MAX_FILES {
                    self.is_too_much = true;
                    return None;
                }
                self.together += len;
                let sheet = (is_sheet && len <= MAX_SHEET).then(|| {
                    let mut text = Vec::new();
                    file.read_to_end(&mut text).ok().map(|_| text)
                });
                self.order.push((address.to_owned(), file));
                return sheet.flatten();
            }
        }
        None
    }

    /// Adds notes about resources that lie outside of the folders or exceed the limits.
    fn add_notes(&self, notes: &mut Vec<String>) {
        for address in self.outside.iter().take(MAX_NAMED) {
            notes.push(format!(
                "{address} is outside the folder of the file, and was not loaded; allow its folder with --resource-dir."
            ));
        }
        if let Some(more @ 1..) = self.outside.len().checked_sub(MAX_NAMED) {
            notes.push(format!("{more} more files are outside the folder."));
        }
        if self.is_too_much {
            notes.push(format!(
                "The file refers to more than {MAX_FILES} files or {} MiB, so some of them are missing.",
                MAX_TOGETHER >> 20
            ));
        }
    }
}

/// Opens a file if it is a picture, a style sheet or a font. Fonts and style sheets have no reliable signature, so they
/// are accepted by their extension.
fn taken(path: &Path) -> Option<File> {
    let mut file = fs::File::open(path).ok()?;
    if has_extension(&path.to_string_lossy(), &EXTENSIONS) {
        return Some(file);
    }
    let mut head = Vec::new();
    (&mut file).take(4096).read_to_end(&mut head).ok()?;
    file.rewind().ok()?;
    document::is_picture(&head).then_some(file)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = crate::format::extension(name);
    extension.is_some_and(|extension| extensions.contains(&&*extension))
}
