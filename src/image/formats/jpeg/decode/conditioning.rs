//! The conditioning of arithmetic coding (T.81, B.2.4.3): bounds that select the statistics for decoding a coefficient.
//! Decodes nothing.

use super::fault::Fault;

/// The conditioning values of all tables (T.81, B.2.4.3).
#[derive(Clone, Debug)]
pub(crate) struct Conditioning {
    /// The lower and upper bound of small differences (L and U).
    pub(super) dc: [(u32, u32); 4],
    /// The last of the low frequencies (Kx).
    pub(super) ac: [usize; 4],
}

impl Default for Conditioning {
    fn default() -> Self {
        Self {
            dc: [(0, 1); 4],
            ac: [5; 4],
        }
    }
}

impl Conditioning {
    /// Stores the conditioning values of a DAC segment.
    pub(super) fn set(&mut self, segment: &[u8]) -> Result<(), Fault> {
        const ODD: Fault = Fault::Broken("its arithmetic coding has invalid conditioning");
        for &[table, value] in segment.as_chunks().0 {
            let at = usize::from(table & 15);
            let (low, high) = ((value & 15).into(), (value >> 4).into());
            match table >> 4 {
                0 if low <= high => *self.dc.get_mut(at).ok_or(ODD)? = (low, high),
                1 if (1..64).contains(&value) => *self.ac.get_mut(at).ok_or(ODD)? = value.into(),
                _ => return Err(ODD),
            }
        }
        Ok(())
    }
}
