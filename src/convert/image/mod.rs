//! Pictures.
use super::{Converter, Input, Job, Notes, Output};
use crate::error::Result;

/// All pictures.
pub static CONVERTER: Converter = Converter {
    name: "image",
    reads: &["png"],
    writes: &["png"],
    options: &[],
    quality: |_| "",
    recognise: None,
    convert,
};

fn convert(_: &Job<'_>, _: &mut dyn Input, _: &mut dyn Output) -> Result<Notes> {
    Ok(Notes::default())
}
