//! The service's part in fonts from directories: finds the files, lists the fonts, and opens a file when a converter
//! requests it. Keeps no font file open, and does not use the fonts itself.
//!
//! The list is in a sealed memory file that no process can write to any more (memfd_create(2)), so all converters can
//! safely share it.

use super::{
    Source,
    facts::Facts,
    file::{self, MAX_LEN},
    walk,
};
use rustix::fs::{MemfdFlags, OFlags, SealFlags, fcntl_add_seals, memfd_create};
use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    panic::catch_unwind,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Instant,
};

/// The fonts of some directories; see the module.
#[derive(Debug, Default)]
pub struct Shelf {
    directories: Vec<PathBuf>,
    found: OnceLock<Found>,
}

/// Fonts of the directories.
#[derive(Debug)]
struct Found {
    paths: Vec<PathBuf>,
    /// The list in its memory file; `None` without fonts.
    list: Option<File>,
}

impl Shelf {
    /// Makes a shelf for these directories and their subdirectories. Does not read them yet.
    pub fn new(directories: Vec<PathBuf>) -> Self {
        Self {
            directories,
            found: OnceLock::new(),
        }
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| {
            let started = Instant::now();
            let mut paths = walk::files(&self.directories);
            paths.shrink_to_fit();
            let fonts = list(&paths);
            let directories: Vec<_> = self.directories.iter().map(|path| path.display()).collect();
            let (count, took) = (fonts.len(), started.elapsed());
            log::debug!("{count} fonts in {directories:?}, listed in {took:?}");
            let list = match fonts.is_empty() {
                true => None,
                false => sealed(&fonts)
                    .inspect_err(|err| log::warn!("the fonts cannot be listed: {err}"))
                    .ok(),
            };
            Found { paths, list }
        })
    }
}

impl Source for Shelf {
    fn list(&self) -> Option<File> {
        self.found().list.as_ref()?.try_clone().ok()
    }

    fn file(&self, number: u16) -> Option<File> {
        let path = self.found().paths.get(usize::from(number))?;
        log::debug!("a converter reads {}", path.display());
        open(path)
    }
}

/// Facts of the fonts of all files. Leaves out files that cannot be read, or on which the reader panics.
fn list(paths: &[PathBuf]) -> Vec<Facts> {
    let mut fonts = Vec::new();
    for (number, path) in (0..).zip(paths) {
        let facts = || {
            let file = open(path)?;
            let faces = 0..file::faces(&file);
            let facts = faces.filter_map(|face| Facts::of(&file, number, face));
            Some(facts.collect::<Vec<_>>())
        };
        match catch_unwind(facts) {
            Ok(facts) => fonts.extend(facts.into_iter().flatten()),
            Err(_) => log::warn!("{} is not a readable font", path.display()),
        }
    }
    fonts
}

/// Opens a file. `None` for anything but a regular file of at most [`MAX_LEN`] bytes. The flags keep this from blocking
/// on other files, such as pipes.
fn open(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let file = options.read(true).custom_flags(flags).open(path).ok()?;
    let facts = file.metadata().ok()?;
    (facts.is_file() && facts.len() <= MAX_LEN).then_some(file)
}

fn sealed(fonts: &[Facts]) -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut file = File::from(memfd_create("fonts", flags)?);
    file.write_all(&serde_json::to_vec(fonts)?)?;
    let seals = SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE;
    fcntl_add_seals(&file, seals)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::{TEXT, more::facts};
    use std::fs;

    /// Makes a temporary directory, into which the test puts fonts and other files.
    fn directory(name: &str) -> PathBuf {
        let at = std::env::temp_dir().join(format!("convertd-{name}-{}", std::process::id()));
        fs::create_dir_all(&at).unwrap();
        at
    }

    #[test]
    fn pipes_and_broken_fonts_are_left_out() {
        let at = directory("shelf");
        let pipe = at.join("a.ttf");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).unwrap();
        fs::write(at.join("b.ttf"), b"\0\x01\0\0\xff\xff").unwrap();
        fs::write(at.join("c.ttf"), TEXT[0].data()).unwrap();
        let mut damaged = TEXT[0].data().to_vec();
        for at in (12..damaged.len()).step_by(97) {
            damaged[at] ^= 0x55;
        }
        fs::write(at.join("d.ttf"), damaged).unwrap();
        let shelf = Shelf::new(vec![at.clone()]);
        let fonts = facts::read(&shelf.list().unwrap()).unwrap();
        let arimo: Vec<_> = fonts.iter().filter(|font| font.title == "Arimo").collect();
        assert!(
            !arimo.is_empty() && arimo[0].names == ["arimo"],
            "{fonts:?}"
        );
        assert_eq!((arimo[0].file, arimo[0].weight), (2, 400));
        assert!(shelf.file(0).is_none() && shelf.file(2).is_some() && shelf.file(9).is_none());
        let written = shelf.list().unwrap().write_all(b"x");
        assert!(written.is_err(), "a converter can change the list of all");
        fs::remove_dir_all(at).unwrap();
    }
}
