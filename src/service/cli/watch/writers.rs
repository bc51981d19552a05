//! Detects whether another process has a file open for writing. Changes no file, and delays another process only while
//! this program examines, moves or removes a file.
//!
//! A read lease (fcntl(2), `F_SETLEASE`) is granted only while no process has the file open for writing. A process that
//! opens the file for writing later waits in open(2) until the lease is released. On most local file systems, the
//! kernel grants leases to the owner of a file and to root. Without a lease, /proc shows which files the processes of
//! the same user have open. Neither method detects writers on other machines. The only protection against such writers
//! is to wait until a file has not changed for some time.

use super::file_version::Mark;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::{
    fs::{self, File, Metadata},
    io,
    os::{
        fd::{AsRawFd, RawFd},
        unix::fs::MetadataExt,
    },
    path::Path,
};

/// A file that no process was found to have open for writing when this value was made. If the kernel has granted a
/// lease, no process can open the file for writing while this value lives.
#[derive(Debug)]
pub(super) struct Lease {
    file: File,
    is_granted: bool,
}

impl Lease {
    /// Takes a lease on a file that was opened for reading. `None` if a process has it open for writing.
    ///
    /// This process needs a handler for SIGIO, which the kernel sends when another process opens the file for writing.
    pub(super) fn take(file: File) -> Option<Self> {
        let is_granted = match set(file.as_raw_fd(), libc::F_RDLCK) {
            Ok(()) => true,
            Err(err) if err.kind() == io::ErrorKind::WouldBlock => return None,
            // No lease is available: the file belongs to another user, or its file system has no leases. So /proc is
            // searched for writers instead.
            Err(_) if is_written(&file) => return None,
            Err(_) => false,
        };
        Some(Self { file, is_granted })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.is_granted {
            // A lease belongs to the open file, which other descriptors may share, so closing this one does not release
            // it. A failure cannot be handled.
            let _ = set(self.file.as_raw_fd(), libc::F_UNLCK);
        }
    }
}

/// State of an original, compared with its version when its conversion started.
#[derive(Debug)]
pub(super) enum Original {
    Gone,
    /// The size or the modification time of the file has changed, or the path leads to another file.
    Changed,
    /// A process has the file open for writing.
    Open,
    /// The file is unchanged. If the kernel has granted the lease, the file cannot change while the lease lives.
    Same(Lease),
}

impl Original {
    /// Examines the file at `path`, whose version was `mark` when its conversion started.
    pub(super) fn at(path: &Path, mark: Mark) -> io::Result<Self> {
        let file = match open(path) {
            Ok(file) => file,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Self::Gone),
            Err(err) => return Err(err),
        };
        let Some(lease) = Lease::take(file) else {
            return Ok(Self::Open);
        };
        // The mark is read after the lease was taken. If the kernel has granted it, no process can change the file any
        // more.
        let now = Mark::of(&lease.file.metadata()?);
        match now == mark && is_at(&lease.file, path) {
            true => Ok(Self::Same(lease)),
            false => Ok(Self::Changed),
        }
    }
}

/// Opens a file for reading, without following a link or waiting for the other end of a pipe.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

/// Returns whether the path leads to this file, compared by device and inode.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    let (file, at_path) = (file.metadata(), path.symlink_metadata());
    file.is_ok_and(|file| at_path.is_ok_and(|at_path| number(&at_path) == number(&file)))
}

fn number(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// Takes or releases a lease.
fn set(file: RawFd, kind: libc::c_int) -> io::Result<()> {
    // SAFETY: the call takes three numbers, and neither reads nor writes memory of this process. rustix has no wrapper
    // for it.
    #[allow(unsafe_code)]
    match unsafe { libc::fcntl(file, libc::F_SETLEASE, kind) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Returns whether a process of the same user has this file open for writing (proc(5)).
fn is_written(file: &File) -> bool {
    let Ok(wanted) = file.metadata() else {
        return false;
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut processes = processes.filter(|entry| {
        let name = entry.file_name();
        name.as_encoded_bytes().iter().all(u8::is_ascii_digit)
    });
    processes.any(|process| {
        // The open files of other users' processes are not readable.
        let files = fs::read_dir(process.path().join("fd"));
        let mut files = files.into_iter().flatten().flatten();
        files.any(|open| {
            let is_this = || fs::metadata(open.path()).map(|found| number(&found));
            is_this().is_ok_and(|found| found == number(&wanted)) && {
                let access = process.path().join("fdinfo").join(open.file_name());
                fs::read_to_string(access).is_ok_and(|access| is_for_writing(&access))
            }
        })
    })
}

/// Parses the `flags` of an `fdinfo` file: an octal number, whose last two bits are the access mode (0 for reading).
fn is_for_writing(access: &str) -> bool {
    let flags = access.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u64::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & 3 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_original_is_the_same_until_somebody_writes_to_it() {
        let id = crate::id::ConversionId::random().unwrap();
        let path = std::env::temp_dir().join(format!("convertd-writers-{id}"));
        fs::write(&path, "one").unwrap();
        let mark = Mark::of(&path.metadata().unwrap());
        let look = || Original::at(&path, mark).unwrap();
        assert!(matches!(look(), Original::Same(_)));
        // A second lease can be taken after the first one was released.
        assert!(matches!(look(), Original::Same(_)));
        let readers = File::open(&path).unwrap();
        assert!(matches!(look(), Original::Same(_)));
        assert!(!is_written(&readers));
        let writer = File::options().append(true).open(&path).unwrap();
        assert!(matches!(look(), Original::Open));
        assert!(is_written(&readers));
        drop(writer);
        assert!(matches!(look(), Original::Same(_)));
        fs::write(&path, "more").unwrap();
        assert!(matches!(look(), Original::Changed));
        fs::remove_file(&path).unwrap();
        assert!(matches!(look(), Original::Gone));
    }

    #[test]
    fn the_access_mode_is_in_the_flags() {
        for (access, expected) in [
            ("pos:\t0\nflags:\t0100000\nmnt_id:\t29\n", false),
            ("pos:\t0\nflags:\t0100001\n", true),
            ("pos:\t0\nflags:\t02100002\n", true),
            ("pos:\t0\n", false),
        ] {
            assert_eq!(is_for_writing(access), expected, "{access}");
        }
    }
}
