//! Takes the text of a KF8 book apart. The text consists of flows: the first flow contains all chapters, each of the
//! others is a style sheet or a drawing. Leaves addresses unchanged.
//!
//! A chapter is stored as a skeleton (its outermost tags), followed by fragments that have to be inserted into it. Two
//! indexes list the skeletons and the fragments. The offsets of fragments and links assume that all earlier fragments
//! are inserted already, so they are offsets in the final text of all chapters.

use super::{
    database::{Database, Record},
    header::Header,
    index::{self, Entry},
};
use crate::{
    error::Result,
    job::{Job, Lease},
};
use std::ops::Range;

/// Tag of a skeleton: the number of its fragments.
const COUNT: u8 = 1;

/// Tag with an offset and a length: of a skeleton in the flow, or of a fragment in its chapter's file.
const PLACE: u8 = 6;

/// A chapter.
pub(super) struct Chapter {
    /// Offset in the final text of all chapters.
    pub(super) start: usize,
    pub(super) text: Vec<u8>,
}

/// The parts of a book.
pub(super) struct Parts {
    pub(super) chapters: Vec<Chapter>,
    /// Style sheets and drawings by the number of their flow. The flow of the chapters is empty here.
    pub(super) flows: Vec<Vec<u8>>,
    /// Offsets of the fragments in the final text, by number.
    pub(super) fragments: Vec<usize>,
}

/// Takes the text of a book apart. The memory of the parts is added to the lease.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if parts overlap, if the table of flows is missing, or if an
/// index is damaged.
pub(super) fn read(
    job: &Job<'_>,
    database: &Database,
    header: &Header<'_>,
    text: &[u8],
    lease: &Lease<'_>,
) -> Result<Parts> {
    lease.grow_exactly(text.len() as u64)?;
    let mut flows = flows(job, database, header, text)?.into_iter();
    let main = &text[flows.next().unwrap_or(0..text.len())];
    let index = |number: Option<usize>| match number {
        Some(number) => index::read(job, database, number, lease),
        None => Ok(Vec::new()),
    };
    let (skeletons, fragments) = (index(header.kf8.skeletons)?, index(header.kf8.fragments)?);
    // The name of a fragment is the offset at which it is inserted, in decimal.
    let offset = |fragment: &Entry<'_>| str::from_utf8(fragment.name).ok()?.trim().parse().ok();
    let offsets: Vec<usize> = fragments
        .iter()
        .map(|fragment| offset(fragment).unwrap_or(0))
        .collect();
    let mut chapters = Vec::new();
    let (mut after, mut number) = (0, 0);
    for skeleton in &skeletons {
        job.check()?;
        let start = skeleton.value(PLACE, 0).unwrap_or(after);
        let len = skeleton.value(PLACE, 1).unwrap_or(0);
        if start < after {
            return Err(job.unreadable("its chapters overlap"));
        }
        let mut part = |from: usize, len: usize| {
            let rest = main.get(from..).unwrap_or_default();
            let part = &rest[..len.min(rest.len())];
            after = from.saturating_add(part.len());
            part
        };
        let mut chapter = Assembly::new(part(start, len));
        let mut from = start.saturating_add(len);
        for _ in 0..skeleton.value(COUNT, 0).unwrap_or(0) {
            let (Some(fragment), Some(offset)) = (fragments.get(number), offsets.get(number))
            else {
                break;
            };
            let len = fragment.value(PLACE, 1).unwrap_or(0);
            chapter.insert(offset.saturating_sub(start), part(from, len));
            from = from.saturating_add(len);
            number += 1;
        }
        chapters.push(Chapter {
            start,
            text: chapter.finish(),
        });
    }
    if chapters.is_empty() {
        chapters.push(Chapter {
            start: 0,
            text: main.to_vec(),
        });
    }
    Ok(Parts {
        chapters,
        flows: [Vec::new()]
            .into_iter()
            .chain(flows.map(|flow| text[flow].to_vec()))
            .collect(),
        fragments: offsets,
    })
}

/// Ranges of the flows in the text (FDST), the flow of the chapters first. Empty if the book has no table of flows.
fn flows(
    job: &Job<'_>,
    database: &Database,
    header: &Header<'_>,
    text: &[u8],
) -> Result<Vec<Range<usize>>> {
    let Some(number) = header.kf8.flows else {
        return Ok(Vec::new());
    };
    let record = database.record(number);
    if !record.is(b"FDST") {
        return Err(job.unreadable(
            "the table of its flows, which are the parts of its text, is missing (FDST)",
        ));
    }
    let mut last = 0;
    let table = record.from(record.size(4)).0.chunks_exact(8);
    let flows = table.take(record.size(8)).map(|bounds| {
        let (start, end) = (Record(bounds).size(0), Record(bounds).size(4));
        if start < last || end < start {
            return Err(job.unreadable("its flows overlap, which are the parts of its text (FDST)"));
        }
        last = end;
        Ok(start.min(text.len())..end.min(text.len()))
    });
    flows.collect()
}

/// A chapter that is being assembled. Fragments are inserted from its beginning to its end.
struct Assembly<'t> {
    whole: Vec<u8>,
    /// Part of the skeleton after the last inserted fragment.
    rest: &'t [u8],
}

impl<'t> Assembly<'t> {
    fn new(skeleton: &'t [u8]) -> Self {
        Self {
            whole: Vec::new(),
            rest: skeleton,
        }
    }

    /// Inserts a fragment. If its offset is within an earlier fragment, it is inserted after that one.
    fn insert(&mut self, offset: usize, fragment: &[u8]) {
        let len = offset.saturating_sub(self.whole.len());
        let (before, rest) = self.rest.split_at(len.min(self.rest.len()));
        self.whole.extend_from_slice(before);
        self.whole.extend_from_slice(fragment);
        self.rest = rest;
    }

    fn finish(mut self) -> Vec<u8> {
        self.whole.extend_from_slice(self.rest);
        self.whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_inserted_at_their_positions() {
        #[track_caller]
        fn check(fragments: &[(usize, &str)], expected: &str) {
            let mut chapter = Assembly::new(b"<a></a>");
            for (offset, text) in fragments {
                chapter.insert(*offset, text.as_bytes());
            }
            assert_eq!(String::from_utf8(chapter.finish()).unwrap(), expected);
        }
        check(&[], "<a></a>");
        check(&[(3, "one"), (6, "two")], "<a>onetwo</a>");
        check(&[(0, "one"), (6, "two")], "one<a>two</a>");
        check(
            &[(3, "one"), (1, "two"), (99, "three")],
            "<a>onetwo</a>three",
        );
    }
}
