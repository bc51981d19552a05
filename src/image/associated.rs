//! Undoes associated (premultiplied) alpha: divides the colours of a source by their alpha. Changes nothing else.

use crate::{
    hdr_colour::HdrColour,
    pixels::{Rows, alpha},
    source::{Header, Source},
};
use convertd_core::error::Result;

/// Wraps `source` so that its rows have straight alpha.
pub(crate) fn straight<'a>(source: Box<dyn Source<'a> + 'a>) -> Box<dyn Source<'a> + 'a> {
    Box::new(Associated(source))
}

struct Associated<'a>(Box<dyn Source<'a> + 'a>);

impl<'a> Source<'a> for Associated<'a> {
    fn header(&mut self) -> &mut Header {
        self.0.header()
    }

    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }

    fn hdr(&self) -> Option<HdrColour> {
        self.0.hdr()
    }

    fn reduce(&mut self, ratio: f64) {
        self.0.reduce(ratio);
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        self.0.decode().map(alpha::straight)
    }
}
