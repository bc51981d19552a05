//! Checks a file that has been parsed: turns its faults into errors of the conversion, and refuses sizes above the
//! limits. Opens nothing.

use super::{
    fault::Fault,
    tree::{Base, Picture},
};
use crate::{
    limits,
    source::{failed, unsupported},
};
use convertd_core::{error::Result, job::Job};

/// Converts a fault of a file to the error of the conversion.
pub(super) fn opening<T>(job: &Job<'_>, found: std::result::Result<T, Fault>) -> Result<T> {
    found.map_err(|fault| match fault {
        Fault::Io(err) => failed(job, err),
        Fault::Broken => job.unreadable("its item properties are invalid"),
        Fault::Unsupported(what) => unsupported(job, what),
    })
}

/// Refuses sizes outside the limits: of the picture, its alpha image, and all images that it is made of.
pub(super) fn check(job: &Job<'_>, picture: &Picture) -> Result<()> {
    limits::check(job, picture.width, picture.height, None)?;
    if let Some(alpha) = &picture.alpha {
        check(job, alpha)?;
    }
    match &picture.base {
        Base::Coded(_) => Ok(()),
        Base::Tiles(tiles) => tiles.pictures.iter().try_for_each(|tile| check(job, tile)),
        Base::Layers(layers) => {
            let mut pictures = layers.pictures.iter();
            pictures.try_for_each(|(_, layer)| check(job, layer))
        }
    }
}
