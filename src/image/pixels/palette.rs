//! Pictures whose pixels are indices into a palette. Does not choose colours, as [`quantise`](super::quantise) does.
//!
//! If the target has palettes and nothing changes the colours, indices pass through as 8-bit grey, and never become
//! colours. Otherwise they are replaced by colours, row by row. An index beyond the palette counts as the first colour
//! of the palette: readers apply [`Colours::limit`].

use super::{
    layout::{Channels, Depth, Layout},
    rows::Rows,
};
use convertd_core::error::Result;

/// The colours of a palette: 1 to 256, in 8-bit RGBA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Colours(Vec<[u8; 4]>);

impl Colours {
    /// Takes at most 256 colours. An empty palette becomes black.
    pub(crate) fn new(mut colours: Vec<[u8; 4]>) -> Self {
        colours.truncate(256);
        if colours.is_empty() {
            colours.push([0, 0, 0, 255]);
        }
        Self(colours)
    }

    pub(crate) fn entries(&self) -> &[[u8; 4]] {
        &self.0
    }

    /// Number of bits of an index: 1, 2, 4 or 8.
    pub(crate) fn bits(&self) -> u32 {
        match self.0.len() {
            0..=2 => 1,
            3..=4 => 2,
            5..=16 => 4,
            _ => 8,
        }
    }

    /// Replaces indices beyond the palette by 0.
    pub(crate) fn limit(&self, indices: &mut [u8]) {
        for index in indices {
            if usize::from(*index) >= self.0.len() {
                *index = 0;
            }
        }
    }

    /// Returns whether all colours are opaque.
    pub(crate) fn is_opaque(&self) -> bool {
        self.0.iter().all(|&[.., alpha]| alpha == 255)
    }

    /// The channels of a picture in these colours.
    pub(crate) fn channels(&self) -> Channels {
        let grey = self.0.iter().all(|&[r, g, b, _]| r == g && g == b);
        match (self.is_opaque(), grey) {
            (false, _) => Channels::Rgba,
            (true, false) => Channels::Rgb,
            (true, true) => Channels::Grey,
        }
    }
}

/// Unpacks `row.len()` indices of `bits` bits each. The highest bits come first.
pub(crate) fn unpack(packed: &[u8], bits: u32, row: &mut [u8]) {
    let per_byte = 8 / bits as usize;
    for (indices, &byte) in row.chunks_mut(per_byte).zip(packed) {
        for (at, index) in (1..).zip(indices) {
            *index = byte >> (8 - at * bits) & (0xff >> (8 - bits));
        }
    }
}

/// Packs indices into `bits` bits each: the inverse of [`unpack`].
pub(crate) fn pack(row: &[u8], bits: u32, packed: &mut Vec<u8>) {
    packed.clear();
    packed.extend(row.chunks(8 / bits as usize).map(|indices| {
        (1..)
            .zip(indices)
            .fold(0, |byte, (at, index)| byte | index << (8 - at * bits))
    }));
}

/// Rows of indices that are converted to colours.
pub(crate) struct LookedUp<'a> {
    indices: Box<dyn Rows + 'a>,
    colours: Box<[[u8; 4]; 256]>,
    channels: Channels,
    row: Vec<u8>,
}

impl<'a> LookedUp<'a> {
    /// Converts `indices`, which must be rows of 8-bit grey.
    pub(crate) fn new(indices: Box<dyn Rows + 'a>, colours: &Colours) -> Self {
        let mut all = Box::new([[0, 0, 0, 255]; 256]);
        all[..colours.0.len()].copy_from_slice(&colours.0);
        Self {
            channels: colours.channels(),
            row: vec![0; indices.layout().row_bytes()],
            indices,
            colours: all,
        }
    }
}

impl Rows for LookedUp<'_> {
    fn layout(&self) -> Layout {
        self.indices.layout().with(self.channels, Depth::Eight)
    }

    fn goes_on(&self) -> bool {
        self.indices.goes_on()
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.indices.next_row(&mut self.row)?;
        let pixels = self
            .row
            .iter()
            .map(|&index| self.colours[usize::from(index)]);
        match self.channels {
            Channels::Grey | Channels::GreyAlpha => {
                for (sample, [grey, ..]) in row.iter_mut().zip(pixels) {
                    *sample = grey;
                }
            }
            Channels::Rgb => {
                for (pixel, [r, g, b, _]) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                    *pixel = [r, g, b];
                }
            }
            Channels::Rgba => {
                for (pixel, colour) in row.as_chunks_mut().0.iter_mut().zip(pixels) {
                    *pixel = colour;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_indices_are_unpacked_unchanged() {
        for bits in [1, 2, 4, 8] {
            let row: Vec<u8> = (0..13).map(|at| (at * 7) & (0xff >> (8 - bits))).collect();
            let mut packed = Vec::new();
            pack(&row, bits, &mut packed);
            assert_eq!(packed.len(), (13 * bits as usize).div_ceil(8));
            let mut back = vec![0; 13];
            unpack(&packed, bits, &mut back);
            assert_eq!(back, row);
        }
    }

    #[test]
    fn colours_determine_channels_and_bits() {
        #[track_caller]
        fn check(colours: &[[u8; 4]], channels: Channels, bits: u32) {
            let colours = Colours::new(colours.to_vec());
            assert_eq!((colours.channels(), colours.bits()), (channels, bits));
        }
        check(&[[7, 7, 7, 255]; 2], Channels::Grey, 1);
        check(&[[7, 7, 8, 255]; 3], Channels::Rgb, 2);
        check(&[[7, 7, 7, 0]; 5], Channels::Rgba, 4);
        check(&[[7, 7, 7, 255]; 300], Channels::Grey, 8);
    }
}
