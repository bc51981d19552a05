//! Output lines with their prefixes, for the writers of Markdown and plain text: indents, list markers, and blank lines
//! between blocks. Wraps no text itself.

use crate::{
    error::{Error, Result},
    job::Job,
};
use convertd_tree::options;
use std::io::Write;

/// The default width of lines, in columns.
pub(crate) const COLUMNS: usize = 72;

/// The size of the output buffer, in bytes.
const BUFFER: usize = 64 << 10;

/// The minimum width of text, in columns. Deeply nested text exceeds the line width instead of becoming narrower.
const NARROWEST: usize = 24;

/// The line width that the job asks for, or `None` if lines are not wrapped.
pub(crate) fn wrap(job: &Job<'_>) -> Option<usize> {
    match job.options().word(options::WRAP.name) {
        Some("none") => None,
        _ => Some(COLUMNS),
    }
}

/// The lines that are being written.
pub(crate) struct Sheet<'a> {
    job: &'a Job<'a>,
    /// The line width in columns, or `None` if lines are not wrapped.
    pub(crate) wrap: Option<usize>,
    sink: Option<&'a mut dyn Write>,
    /// The lines that have not been written yet. Without a sink, that is all of them.
    pub(crate) out: String,
    /// The prefix of each line without a marker.
    pub(crate) indent: String,
    /// A list marker or the like for the next line only, and the length of the indent before it.
    pub(crate) marker: Option<(usize, String)>,
    /// Whether a blank line separates the next block from the one before.
    pub(crate) apart: bool,
}

impl<'a> Sheet<'a> {
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

    /// Writes the buffer to the sink.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.sink {
            sink.write_all(self.out.as_bytes())
                .map_err(Error::unwritten)?;
            self.out.clear();
        }
        Ok(())
    }

    /// The number of columns that the indent leaves for text, or `None` if lines are not wrapped.
    pub(crate) fn room(&self) -> Option<usize> {
        self.wrap.map(|columns| self.room_within(columns))
    }

    /// The number of columns that the indent leaves of `columns`, but at least [`NARROWEST`].
    pub(crate) fn room_within(&self, columns: usize) -> usize {
        columns.saturating_sub(self.indent.len()).max(NARROWEST)
    }

    /// Begins a block: writes the blank line before it if `apart` is set, except at the beginning of the text and right
    /// after a marker. Flushes a full buffer.
    pub(crate) fn begin(&mut self) -> Result<()> {
        if std::mem::take(&mut self.apart) && !self.out.is_empty() && self.marker.is_none() {
            let indent = self.indent.trim_end();
            self.out.push_str(indent);
            self.out.push('\n');
        }
        if self.out.len() > BUFFER && self.sink.is_some() {
            self.job.check()?;
            // Keep the last character (usually a line end), because an empty buffer means a document without blocks.
            let last = self.out.pop();
            self.flush()?;
            self.out.extend(last);
        }
        Ok(())
    }

    /// Writes a line. An empty line gets no trailing white space from its prefix.
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
