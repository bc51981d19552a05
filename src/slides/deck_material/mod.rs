//! Prepares a deck for writing it as a presentation whose slides keep their layout and formatting. Depends on no
//! format.
//!
//! A deck is read twice. The first pass collects the objects that slides share: pictures and designs. The pictures are
//! put into a document, so that they are reduced and converted like those of any other document. A design consists of
//! the frames that a master and a layout show behind the frames of a slide. The second pass belongs to the writer of
//! the format, which writes the slides one by one.

mod growing_lease;
mod material;

pub(crate) use growing_lease::GrowingLease;
pub(crate) use material::{Material, Sheet};

use super::deck::Deck;
use crate::{
    error::Result,
    job::{Job, Notes},
};
use convertd_pages::document;

/// Reads all slides, and prepares their pictures for a target that can contain these media types.
///
/// Errors: those of [`Deck::slide`]; [`Kind::BadInput`](crate::error::Kind::BadInput) if there are no slides, or if
/// all are hidden and left out.
pub(super) fn gather(
    job: &Job<'_>,
    deck: &mut dyn Deck,
    pictures: Option<&'static [&'static str]>,
    notes: &mut Notes,
) -> Result<Material> {
    let mut material = Material::gather(job, deck, notes)?;
    material.document = document::prepared(job, material.document, pictures, notes)?;
    Ok(material)
}
