//! The recoder: which outputs of the network make up a character. An alphabet has an output for each letter; the thousands of
//! characters of Chinese are sequences of up to nine outputs. Knows nothing of probabilities.
//!
//! In the file: a 32-bit number of characters, and for each an 8-bit flag, a 32-bit length and as many 32-bit outputs. Several
//! characters may have the same code; the last of them is meant.

use super::{fields::Fields, unicharset, unusable};
use convertd_media::error::Result;
use std::collections::HashMap;

/// The most outputs that a character has.
pub(crate) const LONGEST: usize = 9;

/// Some outputs in a row: a character's, or the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Code {
    len: u8,
    outputs: [u16; LONGEST],
}

impl Code {
    /// The code with another output behind it, unless it is as long as can be.
    pub(crate) fn with(mut self, output: u16) -> Option<Self> {
        *self.outputs.get_mut(usize::from(self.len))? = output;
        self.len += 1;
        Some(self)
    }

    /// Number of outputs.
    pub(crate) fn len(&self) -> usize {
        usize::from(self.len)
    }
}

/// The codes of all characters.
pub(crate) struct Recoder {
    ids: HashMap<Code, u32>,
}

impl Recoder {
    /// Parses the recoder of a model with so many characters, and outputs of the network.
    pub(crate) fn parse(bytes: &[u8], characters: usize, outputs: usize) -> Result<Self> {
        let mut fields = Fields::new(bytes);
        let count = fields.count("the number of codes of its recoder", unicharset::MOST)?;
        if count > characters {
            return Err(unusable("its recoder has more characters than there are"));
        }
        let mut ids = HashMap::new();
        for id in 0..count {
            fields.i8()?;
            let len = fields.count("the length of a code of its recoder", LONGEST)?;
            let mut code = Code::default();
            for _ in 0..len {
                let output = fields.count("an output in its recoder", outputs - 1)?;
                // At most LONGEST of them were counted.
                code = code.with(output as u16).unwrap_or(code);
            }
            if len > 0 {
                ids.insert(code, id as u32);
            }
        }
        Ok(Self { ids })
    }

    /// The character with this code.
    pub(crate) fn id(&self, code: &Code) -> Option<usize> {
        self.ids.get(code).map(|id| *id as usize)
    }

    /// Memory in bytes that parsing `len` bytes takes at most: a code of one output takes nine bytes there.
    pub(crate) fn memory(len: u64) -> u64 {
        len.saturating_mul(8)
    }
}
