//! The models that are compiled in. `data/pack.py` makes their files.

use super::Model;
use crate::{languages::BUILT_IN, traineddata::unusable};
use convertd_core::{coding::xz, error::Result};
use std::{io::Cursor, sync::OnceLock};

/// The files, in the order of [`BUILT_IN`]: the unpacked length in 32 bits, and an xz stream.
static FILES: [&[u8]; BUILT_IN.len()] = [
    include_bytes!("../data/eng.xz"),
    include_bytes!("../data/Latin.xz"),
];

impl Model<'static> {
    /// The compiled-in model with this index in [`BUILT_IN`]. It stays loaded until the process ends, without a lease
    /// of any job, because both models together take only 3 MiB.
    ///
    /// # Panics
    ///
    /// If the index is out of range.
    pub fn built_in(index: usize) -> Result<&'static Self> {
        static LOADED: [OnceLock<Option<Model<'static>>>; BUILT_IN.len()] =
            [const { OnceLock::new() }; BUILT_IN.len()];
        LOADED[index]
            .get_or_init(|| load(FILES[index]))
            .as_ref()
            // This cannot fail: a test loads all compiled-in models.
            .ok_or_else(|| unusable("the compiled-in model is damaged"))
    }
}

fn load(file: &[u8]) -> Option<Model<'static>> {
    let (len, packed) = file.split_first_chunk()?;
    let mut bytes = vec![0; u32::from_le_bytes(*len) as usize];
    xz::unpack(packed, &mut bytes)?;
    Model::assemble(&mut Cursor::new(&bytes), &|_| Ok(())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_compiled_in_models_load() {
        for (index, (name, height)) in BUILT_IN.iter().zip([36, 48]).enumerate() {
            assert_eq!(Model::built_in(index).unwrap().height(), height, "{name}");
        }
    }
}
