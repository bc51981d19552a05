//! Lines of text on their way into a file, with what stands in front of each: shared by the writers of Markdown and of plain text.
//! Breaks no text itself.

use super::options;
use crate::{
    error::{Error, Result},
    job::Job,
};
use std::io::Write;

/// How many columns lines have, unless they are not to be broken.
pub(crate) const COLUMNS: usize = 72;

/// How much is gathered before it is written, in bytes.
const BUFFER: usize = 64 << 10;

/// The narrowest that text is set, however deep it stands.
const NARROWEST: usize = 24;

/// How many columns lines are to have, as the job says; `None` if they are not to be broken.
pub(crate) fn wrap(job: &Job<'_>) -> Option<usize> {
    match job.options().word(options::WRAP.name) {
        Some("none") => None,
        _ => Some(COLUMNS),
    }
}

/// Lines that are being written.
pub(crate) struct Sheet<'a> {
    job: &'a Job<'a>,
    /// Columns of a line.
    pub(crate) wrap: Option<usize>,
    sink: Option<&'a mut dyn Write>,
    /// What has not been written yet: all of it, without a sink.
    pub(crate) out: String,
    /// What stands in front of each line.
    pub(crate) indent: String,
    /// What stands in front of the next line, behind so many bytes of the indent.
    pub(crate) marker: Option<(usize, String)>,
    /// The next block is set apart by an empty line.
    pub(crate) apart: bool,
}

impl<'a> Sheet<'a> {
    /// One without lines.
    pub(crate) fn new(
        job: &'a Job<'a>,
        wrap: Option<usize>,
        sink: Option<&'a mut dyn Write>,
    ) -> Self {
        Self {
            job,
            wrap,
            sink,
            out: String::new(),
            indent: String::new(),
            marker: None,
            apart: false,
        }
    }

    /// Writes what has been gathered.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.sink {
            sink.write_all(self.out.as_bytes())
                .map_err(Error::unwritten)?;
            self.out.clear();
        }
        Ok(())
    }

    /// How many columns text may have here; `None` if it is not to be broken.
    pub(crate) fn room(&self) -> Option<usize> {
        self.wrap.map(|columns| self.room_within(columns))
    }

    /// How many of so many columns text may have here.
    pub(crate) fn room_within(&self, columns: usize) -> usize {
        columns.saturating_sub(self.indent.len()).max(NARROWEST)
    }

    /// Sets what comes apart from what came.
    pub(crate) fn begin(&mut self) -> Result<()> {
        if std::mem::take(&mut self.apart) && !self.out.is_empty() && self.marker.is_none() {
            let indent = self.indent.trim_end();
            self.out.push_str(indent);
            self.out.push('\n');
        }
        if self.out.len() > BUFFER && self.sink.is_some() {
            self.job.check()?;
            // Something stays, so that one can see that something came.
            let last = self.out.pop();
            self.flush()?;
            self.out.extend(last);
        }
        Ok(())
    }

    /// Adds a line. One without text has no white space at its end.
    pub(crate) fn line(&mut self, text: &str) -> Result<()> {
        let start = self.out.len();
        match self.marker.take() {
            Some((at, marker)) => {
                self.out.push_str(&self.indent[..at]);
                self.out.push_str(&marker);
            }
            None => self.out.push_str(&self.indent),
        }
        self.out.push_str(text);
        if text.is_empty() {
            let end = self.out[start..].trim_end().len();
            self.out.truncate(start + end);
        }
        self.out.push('\n');
        Ok(())
    }
}
