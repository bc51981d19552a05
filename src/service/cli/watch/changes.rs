//! Reports that something may have changed in the folder, but not what. The watch then lists the folder, so a missed
//! report delays a file and does not lose it.
//!
//! inotify(7) reports the changes that this machine makes. Other machines may write to the file system, too (NFS, SMB,
//! shares of a virtual machine or a container engine). inotify misses their changes without an error, so such folders
//! are also listed every few seconds.

use crossbeam_channel::{Receiver, bounded, never};
use rustix::{
    fs::{inotify, statfs},
    io::Errno,
};
use std::{mem::MaybeUninit, os::fd::OwnedFd, path::Path, sync::Arc, thread, time::Duration};

/// Interval for listing a folder whose changes are reported, in case a report was missed.
const RARE_LISTING: Duration = Duration::from_secs(60);
/// Interval for listing a folder whose changes may not be reported.
const FREQUENT_LISTING: Duration = Duration::from_secs(3);

/// Types of file systems that only this machine writes to (`f_type` in statfs(2)): ext, XFS, Btrfs, tmpfs,
/// F2FS, bcachefs, ZFS, FAT, exFAT, NTFS, and overlays of containers.
const LOCAL: [u64; 11] = [
    0xef53,
    0x5846_5342,
    0x9123_683e,
    0x0102_1994,
    0xf2f5_2010,
    0xca45_1a4e,
    0x2fc1_2fc1,
    0x4d44,
    0x2011_bab0,
    0x7366_746e,
    0x794c_7630,
];

/// Source of reports about changes; see the module. Without inotify, it reports no changes.
pub(super) struct Alarm {
    inotify: Option<Arc<OwnedFd>>,
    signals: Receiver<()>,
    /// Whether all changes are reported.
    reports_all: bool,
}

impl Alarm {
    /// Makes an alarm for the folder `root`, which does not watch any directory yet.
    pub(super) fn new(root: &Path) -> Self {
        match start() {
            Ok((inotify, signals)) => Self {
                inotify: Some(inotify),
                signals,
                reports_all: is_local(root),
            },
            Err(err) => {
                log::warn!(
                    "the system does not report changes in the folder, so it is scanned regularly: {err}"
                );
                Self {
                    inotify: None,
                    signals: never(),
                    reports_all: false,
                }
            }
        }
    }

    /// Adapts to another folder at `root`, which may be on another file system.
    pub(super) fn restart(&mut self, root: &Path) {
        self.reports_all = self.inotify.is_some() && is_local(root);
    }

    /// Watches a directory for changes. Watching it again has no effect (inotify_add_watch(2)).
    pub(super) fn watch(&mut self, directory: &Path) {
        let Some(inotify) = &self.inotify else {
            return;
        };
        let flags = inotify::WatchFlags::CREATE
            | inotify::WatchFlags::CLOSE_WRITE
            | inotify::WatchFlags::MOVED_TO
            | inotify::WatchFlags::DELETE
            | inotify::WatchFlags::ONLYDIR
            | inotify::WatchFlags::DONT_FOLLOW;
        match inotify::add_watch(inotify.as_ref(), directory, flags) {
            // A directory that has just been removed, or that this user may not read, is not a reason to list the
            // folder more often.
            Ok(_) | Err(Errno::NOENT | Errno::ACCESS) => {}
            Err(err) if self.reports_all => {
                log::warn!(
                    "the system does not report all changes, so the folder is scanned every {} s: {err} (fs.inotify.max_user_watches)",
                    FREQUENT_LISTING.as_secs()
                );
                self.reports_all = false;
            }
            Err(_) => {}
        }
    }

    /// Channel that receives a message after a change.
    pub(super) fn signals(&self) -> &Receiver<()> {
        &self.signals
    }

    /// Time until the folder must be listed again.
    pub(super) fn pause(&self) -> Duration {
        match self.reports_all {
            true => RARE_LISTING,
            false => FREQUENT_LISTING,
        }
    }
}

/// Returns whether only this machine can write to a folder (not a network share).
pub(super) fn is_local(root: &Path) -> bool {
    statfs(root).is_ok_and(|there| {
        // The type of this number depends on the machine.
        u64::try_from(there.f_type).is_ok_and(|kind| LOCAL.contains(&kind))
    })
}

fn start() -> std::io::Result<(Arc<OwnedFd>, Receiver<()>)> {
    let inotify = Arc::new(inotify::init(inotify::CreateFlags::CLOEXEC)?);
    let (sender, signals) = bounded(1);
    let watched = inotify.clone();
    let wait = move || {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(watched.as_ref(), &mut buffer);
        while !matches!(events.next(), Err(err) if err != Errno::INTR) {
            // A full channel means that a report is waiting already.
            let _ = sender.try_send(());
        }
    };
    // Nobody joins this thread, because it may wait for a change that never comes.
    thread::Builder::new()
        .name("folder".into())
        .stack_size(64 << 10)
        .spawn(wait)?;
    Ok((inotify, signals))
}
