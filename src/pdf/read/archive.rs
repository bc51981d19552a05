//! All pages as pictures in a ZIP archive. As many pages are drawn at once as there are threads; the archive keeps their
//! order. The format of the pictures is decided elsewhere.

use super::pictures::{PageDrawing, tell};
use crate::{
    containers::zip::{Packing, Writer},
    error::{Error, Result},
    image::drawing,
    job::{Gate, Job, Need, Notes, Output, Progress},
};
use hayro::hayro_syntax::{Pdf, page::Page};
use std::{
    io::Cursor,
    sync::{Mutex, PoisonError},
    thread,
};

/// The largest number of pages drawn at once.
const MAX_THREADS: usize = 8;

/// The stack of a drawing thread in bytes: the same as the main thread's.
const STACK: usize = 8 << 20;

/// Writes an archive of the pages, which are called `page-001.png` and so on.
pub(super) fn write(
    job: &Job<'_>,
    pdf: &Pdf,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let pages = pdf.pages();
    let digits = pages.len().to_string().len().max(3);
    let mut threads = (1 + job.spare_threads).min(MAX_THREADS);
    let mut archive = Writer::new(job, output);
    let mut done = 0;
    while done < pages.len() {
        job.check()?;
        tell(job, pdf, done);
        let batch = &pages[done..pages.len().min(done + threads)];
        let drawn = match draw_all(job, batch, done + 1) {
            // There may be memory for one page at a time.
            Err(_) if threads > 1 => {
                threads = 1;
                continue;
            }
            drawn => drawn?,
        };
        for (bytes, remarks) in drawn {
            done += 1;
            let name = format!("page-{done:0digits$}.{}", job.task.to);
            archive.add(&name, &bytes, Packing::Stored)?;
            remarks.tell_once(notes);
        }
    }
    notes.mark_archive();
    archive.finish()
}

/// Draws several pages at once, starting with this page number.
fn draw_all(job: &Job<'_>, pages: &[Page<'_>], first: usize) -> Result<Vec<(Vec<u8>, Notes)>> {
    let share = Share {
        gate: job.gate,
        threads: pages.len() as u64,
        granted: Mutex::new(0),
    };
    thread::scope(|scope| {
        let start = |(number, page)| {
            let (job, share) = (*job, &share);
            thread::Builder::new()
                .name(format!("page {number}"))
                .stack_size(STACK)
                .spawn_scoped(scope, move || draw(job, share, page, number))
                .map_err(|err| Error::internal("a thread could not be started", err))
        };
        let started: Vec<_> = (first..).zip(pages).map(start).collect();
        let join = |thread: Result<thread::ScopedJoinHandle<'_, _>>| match thread?.join() {
            Ok(drawn) => drawn,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        started.into_iter().map(join).collect()
    })
}

/// Draws one page into its own file.
fn draw(
    job: Job<'_>,
    share: &Share<'_>,
    page: &Page<'_>,
    number: usize,
) -> Result<(Vec<u8>, Notes)> {
    let job = Job {
        gate: share,
        spare_threads: 0,
        ..job
    };
    let mut notes = Notes::default();
    let mut file = Cursor::new(Vec::new());
    let drawing = PageDrawing::new(&job, page, number)?;
    drawing.tell(&mut notes);
    drawing::write(&job, Box::new(drawing), &mut file, &mut notes)?;
    Ok((file.into_inner(), notes))
}

/// The memory gate for pages that are drawn at once: reserves for every thread what one page needs.
struct Share<'a> {
    gate: &'a dyn Gate,
    threads: u64,
    /// Bytes for each page.
    granted: Mutex<u64>,
}

impl Gate for Share<'_> {
    fn reserve(&self, need: Need) -> Result<()> {
        let mut granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
        // The finished file is held in memory, too.
        let memory = need.memory + need.memory / 2;
        if memory > *granted {
            self.gate.reserve(Need {
                memory: memory.saturating_mul(self.threads),
            })?;
            *granted = memory;
        }
        Ok(())
    }

    fn max_output(&self) -> u64 {
        self.gate.max_output()
    }

    fn max_memory(&self) -> u64 {
        self.gate.max_memory()
    }

    fn check(&self) -> Result<()> {
        self.gate.check()
    }

    // Progress counts pages, not rows.
    fn progress(&self, _: Progress) {}
}
