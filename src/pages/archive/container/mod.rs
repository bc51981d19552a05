//! Containers of files, with a reader for each format behind one trait. Never uses the name of a file as a path, and
//! never follows a link.
//!
//! Opening a container lists its files, which are then read one after another into memory. The caller checks their
//! number and their sizes against its limits. A reader must stop at a file that is longer than its listed size.

mod packed;
mod seven;
mod single;
mod streams;
mod tar;
mod unpacked;
mod zip;

use crate::{
    coding::{xz, zstd},
    error::Result,
    job::{Input, Job, read_head},
};
pub(super) use tar::is_header as is_tar;

/// A file in a container.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Name of the file, with `/` between folders. The name is not trustworthy: it may contain `..` or a drive.
    pub(super) name: Box<str>,
    /// Uncompressed size, in bytes.
    pub(super) size: u64,
}

/// A container that is being read.
pub(super) trait Container {
    /// All files, in the order of the container. Folders may be listed, with names that end with a slash.
    fn members(&self) -> &[Member];

    /// Decompresses the file with this index in [`members`](Self::members). The caller must have leased memory for the
    /// size of the file.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is damaged, encrypted, or compressed by an
    /// unknown method.
    fn read(&mut self, nth: usize) -> Result<Vec<u8>>;

    /// Notes about parts of the container that are not listed, such as links.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether the container is a compressed single file, such as `gz` without a tar in it. The result is then
    /// the converted file, and not an archive.
    fn is_single(&self) -> bool {
        false
    }
}

/// The note about entries that are links. `None` if there were no links.
fn links_left_out(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("A link in the archive was left out.".into()),
        count => Some(format!("{count} links in the archive were left out.")),
    }
}

/// The kinds of containers. Several formats may have the same kind, because a comic is an archive under another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Zip,
    Tar,
    SevenZip,
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Shape {
    /// The kind of a container, by its first bytes.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            return Some(Self::Zip);
        }
        if head.starts_with(seven::MAGIC) {
            return Some(Self::SevenZip);
        }
        if head.starts_with(streams::GZIP) {
            return Some(Self::Gzip);
        }
        if streams::is_bzip2(head) {
            return Some(Self::Bzip2);
        }
        if head.starts_with(xz::MAGIC) {
            return Some(Self::Xz);
        }
        if head.starts_with(&zstd::MAGIC.to_le_bytes()) {
            return Some(Self::Zstd);
        }
        is_tar(head).then_some(Self::Tar)
    }
}

/// Opens a container of this kind. A compressed file is decompressed into memory; if its content is a tar archive, the
/// files of that archive are listed.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the container is damaged.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    shape: Shape,
) -> Result<Box<dyn Container + 'a>> {
    match shape {
        Shape::Zip => Ok(Box::new(zip::Zip::open(job, input)?)),
        Shape::Tar => Ok(Box::new(tar::Tar::open(job, Box::new(input), None)?)),
        Shape::SevenZip => Ok(Box::new(seven::SevenZip::open(job, input)?)),
        Shape::Gzip => {
            let (name, unpacked) = streams::gunzip(job, input)?;
            unpacked_container(job, name, unpacked)
        }
        Shape::Bzip2 => unpacked_container(job, String::new(), streams::bunzip2(job, input)?),
        Shape::Xz => unpacked_container(job, String::new(), packed::unxz(job, input)?),
        Shape::Zstd => unpacked_container(job, String::new(), packed::unzstd(job, input)?),
    }
}

/// Returns the content of a compressed file as a container: a tar archive, or otherwise a single file.
fn unpacked_container<'a>(
    job: &'a Job<'a>,
    name: String,
    unpacked: unpacked::Unpacked<'a>,
) -> Result<Box<dyn Container + 'a>> {
    // A file without a name gets the title of the task, which is the name of the container without its extension.
    let own = job.task.file_title.as_deref().filter(|_| name.is_empty());
    let name = own.map_or(name, Into::into);
    let ignored = unpacked.ignored;
    let (mut input, lease) = unpacked.finish();
    let head = read_head(&mut input, tar::BLOCK).map_err(|err| job.unreadable(err))?;
    let content: Box<dyn Container + 'a> = match is_tar(&head) {
        true => Box::new(tar::Tar::open(job, Box::new(input), Some(lease))?),
        false => Box::new(single::Single::new(name, input.into_inner(), lease)),
    };
    Ok(match ignored {
        0 => content,
        _ => Box::new(Followed { content, ignored }),
    })
}

/// The content of a compressed file in which other bytes follow the compressed data.
struct Followed<'a> {
    content: Box<dyn Container + 'a>,
    /// Number of bytes after the compressed data.
    ignored: u64,
}

impl Container for Followed<'_> {
    fn members(&self) -> &[Member] {
        self.content.members()
    }

    fn read(&mut self, nth: usize) -> Result<Vec<u8>> {
        self.content.read(nth)
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = self.content.remarks();
        remarks.push(match self.ignored {
            1 => "One byte after the end of the compressed data was ignored.".into(),
            count => format!("{count} bytes after the end of the compressed data were ignored."),
        });
        remarks
    }

    fn is_single(&self) -> bool {
        self.content.is_single()
    }
}
