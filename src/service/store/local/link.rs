//! A result that can be downloaded, and its running downloads. Decides whether one download must wait for another;
//! keeps no list of links.

use super::ranges::Ranges;
use crate::store::record::Record;
use std::{ops::Range, sync::Arc};

/// A result that can be downloaded.
pub(super) struct Link {
    pub(super) record: Arc<Record>,
    /// `None` until a download begins. Most open links have not been used yet, so the state of the downloads is boxed.
    downloads: Option<Box<Downloads>>,
    /// Whether the file of endings still says that this link has ended.
    pub(super) returned: bool,
    /// Whether the file was found at start-up and has not been compared with its checksum since.
    pub(super) is_unverified: bool,
}

/// State of the downloads of a result.
#[derive(Default)]
struct Downloads {
    running: Vec<Hold>,
    delivered: Ranges,
}

/// A download that is running.
pub(super) struct Hold {
    /// The claim's number, unique in the store.
    pub(super) number: u64,
    pub(super) range: Range<u64>,
    /// Whether all bytes have been sent, so that only the peer's acknowledgement is outstanding.
    pub(super) sent: bool,
}

impl Link {
    pub(super) fn new(record: Arc<Record>) -> Self {
        Self {
            record,
            downloads: None,
            returned: false,
            is_unverified: false,
        }
    }

    /// Returns whether a download of `range` has to wait for another download. A download of the whole result waits for
    /// every other download. A download of a part waits for downloads of parts that overlap it. It does not wait for a
    /// download of the whole file: a client that resumes a broken download must not have to wait until the server
    /// notices that the old connection is dead.
    pub(super) fn is_held(&self, range: &Range<u64>) -> bool {
        let is_whole = |range: &Range<u64>| *range == (0..self.record.file_size);
        self.holds().iter().any(|hold| {
            if is_whole(range) || is_whole(&hold.range) {
                is_whole(range)
            } else {
                hold.range.start < range.end && range.start < hold.range.end
            }
        })
    }

    pub(super) fn hold(&mut self, number: u64) -> Option<&mut Hold> {
        let running = &mut self.downloads.as_mut()?.running;
        running.iter_mut().find(|hold| hold.number == number)
    }

    /// The downloads that are running.
    pub(super) fn holds(&self) -> &[Hold] {
        self.downloads
            .as_ref()
            .map_or(&[], |downloads| &downloads.running)
    }

    pub(super) fn begin(&mut self, hold: Hold) {
        let downloads = self.downloads.get_or_insert_default();
        downloads.running.push(hold);
    }

    /// Notes that the download with this number is over.
    pub(super) fn end(&mut self, number: u64) {
        if let Some(downloads) = &mut self.downloads {
            downloads.running.retain(|hold| hold.number != number);
        }
    }

    /// Returns whether a download has sent everything and waits for its peer's acknowledgement.
    pub(super) fn is_settling(&self) -> bool {
        self.holds().iter().any(|hold| hold.sent)
    }

    /// Notes that a range has been delivered. Returns whether that completes the result.
    pub(super) fn deliver(&mut self, range: Range<u64>) -> bool {
        let delivered = &mut self.downloads.get_or_insert_default().delivered;
        delivered.insert(range);
        delivered.cover(self.record.file_size)
    }
}
