//! GIF. Its frames come composed onto the canvas.

use super::{Source, other};
use crate::{
    convert::{Input, Job},
    error::Result,
};

pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    other::open(job, input)
}
