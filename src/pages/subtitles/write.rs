//! Writes cues as SubRip, as WebVTT, or as plain text. Reads nothing.

use super::cue::{Cue, Edge, Piece};
use crate::{
    coding::escape,
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use convertd_core::clock;
use std::fmt::Write as _;

/// Number of bytes that are buffered before they are written.
const STEP: usize = 64 << 10;

/// Target format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    SubRip,
    WebVtt,
    Words,
}

/// A file while it is written.
pub(super) struct Writer<'a> {
    job: &'a Job<'a>,
    dialect: Dialect,
    output: &'a mut dyn Output,
    text: String,
    count: u64,
    /// Number of cues that end before they begin.
    turned: u64,
}

impl<'a> Writer<'a> {
    pub(super) fn new(job: &'a Job<'a>, dialect: Dialect, output: &'a mut dyn Output) -> Self {
        let text = match dialect {
            Dialect::WebVtt => "WEBVTT\n\n".to_owned(),
            Dialect::SubRip | Dialect::Words => String::new(),
        };
        Self {
            job,
            dialect,
            output,
            text,
            count: 0,
            turned: 0,
        }
    }

    /// Adds a cue, unless it has no visible text.
    ///
    /// Errors: the output could not be written; those of the job's deadline.
    pub(super) fn add(&mut self, cue: &Cue) -> Result<()> {
        if cue.is_empty() {
            return Ok(());
        }
        self.count += 1;
        self.turned += u64::from(cue.end < cue.start);
        if self.dialect != Dialect::Words {
            self.times(cue);
        }
        let mut line = self.text.len();
        for piece in &cue.words {
            match (piece, self.dialect) {
                // No line break follows a blank line, because an empty line would end the cue.
                (Piece::Break, _) if self.text[line..].trim().is_empty() => {}
                (Piece::Break, _) => {
                    self.text.push('\n');
                    line = self.text.len();
                }
                (Piece::Text(text), Dialect::WebVtt) => escape::text(text, &mut self.text),
                (Piece::Text(text), _) => self.text.push_str(text),
                (_, Dialect::Words) => {}
                (Piece::Open(emphasis), _) => {
                    let _ = write!(self.text, "<{}>", emphasis.name());
                }
                (Piece::Close(emphasis), _) => {
                    let _ = write!(self.text, "</{}>", emphasis.name());
                }
            }
        }
        self.text.push_str(match self.dialect {
            Dialect::Words => "\n",
            Dialect::SubRip | Dialect::WebVtt => "\n\n",
        });
        if self.text.len() >= STEP {
            self.job.check()?;
            self.flush()?;
        }
        Ok(())
    }

    fn times(&mut self, cue: &Cue) {
        let web = self.dialect == Dialect::WebVtt;
        let mark = if web { '.' } else { ',' };
        let (start, end) = (
            clock::written(cue.start, mark),
            clock::written(cue.end, mark),
        );
        let _ = match (web, cue.edge) {
            (true, Edge::Bottom) => writeln!(self.text, "{start} --> {end}"),
            (true, Edge::Middle) => writeln!(self.text, "{start} --> {end} line:50%"),
            (true, Edge::Top) => writeln!(self.text, "{start} --> {end} line:0"),
            (false, edge) => {
                let key = match edge {
                    Edge::Bottom => "",
                    Edge::Middle => "{\\an5}",
                    Edge::Top => "{\\an8}",
                };
                write!(self.text, "{}\n{start} --> {end}\n{key}", self.count)
            }
        };
    }

    fn flush(&mut self) -> Result<()> {
        let text = std::mem::take(&mut self.text);
        let bytes = text.as_bytes();
        self.output.write_all(bytes).map_err(Error::unwritten)
    }

    /// Writes the rest, and returns the number of cues.
    ///
    /// Errors: the rest could not be written.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Result<u64> {
        self.flush()?;
        match self.turned {
            0 => {}
            1 => notes.add("A cue ends before it begins; its times were kept."),
            count => notes.add(format!(
                "{count} cues end before they begin; their times were kept."
            )),
        }
        Ok(self.count)
    }
}
