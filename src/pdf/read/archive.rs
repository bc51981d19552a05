//! Draws several pages at the same time, and writes them as pictures to a ZIP archive, in page order. Other modules
//! write the picture formats.

use super::{page_drawing::report_progress, pictures};
use crate::{
    containers::zip::{Packing, Writer},
    error::{Error, Result},
    job::{InMemory, Job, Lease, Notes, Output},
};
use hayro::hayro_syntax::{Pdf, page::Page};
use std::{ops::Range, thread};

/// Limit on the number of pages that are drawn at the same time.
const MAX_THREADS: usize = 8;

/// Stack of a drawing thread, in bytes. It is as large as the stack of the main thread, because the renderer recurses
/// into nested forms.
const STACK: usize = 8 << 20;

/// Writes an archive of pages, counted from 0, as `page-001.png` and so on.
///
/// Pages are drawn in batches, one page for each thread. If a batch fails, for example because there is not enough
/// memory for all of its pages, its pages and all later ones are drawn one by one.
pub(super) fn write(
    job: &Job<'_>,
    pdf: &Pdf,
    range: Range<usize>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let pages = pdf.pages();
    // All numbers have as many digits as the largest one, so that the names sort in page order.
    let digits = pages.len().to_string().len().max(3);
    let mut threads = (1 + job.spare_threads).min(MAX_THREADS);
    let mut archive = Writer::new(job, output);
    let mut done = range.start;
    while done < range.end {
        job.check()?;
        report_progress(job, done - range.start, range.len());
        let batch = &pages[done..range.end.min(done + threads)];
        let drawn = match draw_all(job, batch, done + 1) {
            // The memory may suffice for a single page, so the batch is drawn again with one thread.
            Err(_) if threads > 1 => {
                threads = 1;
                continue;
            }
            drawn => drawn?,
        };
        // The pages of a batch are in page order, so they are written to the archive in this order.
        for page in drawn {
            done += 1;
            let name = format!("page-{done:0digits$}.{}", job.task.to);
            archive.add(&name, &page.bytes, Packing::Stored)?;
            page.notes.move_into(notes);
        }
    }
    notes.mark_archive();
    archive.finish()
}

/// A page as a picture file in memory.
struct Drawn<'a> {
    bytes: Vec<u8>,
    /// Notes about this page.
    notes: Notes,
    /// Lease for the memory of `bytes`.
    _lease: Lease<'a>,
}

/// Draws pages at the same time, each in a thread of its own. `first` is the number of the first
/// page.
fn draw_all<'a>(job: &Job<'a>, pages: &[Page<'_>], first: usize) -> Result<Vec<Drawn<'a>>> {
    thread::scope(|scope| {
        // The threads borrow the file. The scope joins them before it returns.
        let start = |(number, page)| {
            let job = *job;
            thread::Builder::new()
                .name(format!("page {number}"))
                .stack_size(STACK)
                .spawn_scoped(scope, move || draw(&job, page, number))
                .map_err(|err| Error::internal("a thread could not be started", err))
        };
        let started: Vec<_> = (first..).zip(pages).map(start).collect();
        let join = |thread: Result<thread::ScopedJoinHandle<'_, _>>| match thread?.join() {
            Ok(drawn) => drawn,
            // A panic of the renderer is passed on to the panic guard around the job.
            Err(panic) => std::panic::resume_unwind(panic),
        };
        started.into_iter().map(join).collect()
    })
}

/// Draws one page into a picture file.
fn draw<'a>(job: &Job<'a>, page: &Page<'_>, number: usize) -> Result<Drawn<'a>> {
    let mut notes = Notes::default();
    let mut file = InMemory::new(job);
    // The page counts as a part of the job, and must not start threads itself.
    let drawn = job.part(job.task, (job.from, job.to), job.input_len, |job| {
        let job = &Job {
            spare_threads: 0,
            ..*job
        };
        pictures::draw(job, page, number, &mut file, &mut notes)
    });
    let (bytes, lease) = file.finish()?;
    drawn?;
    Ok(Drawn {
        bytes,
        notes,
        _lease: lease,
    })
}
