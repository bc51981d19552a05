//! The audio blocks of Enhanced AC-3 (A/52, E.1.2.4): their syntax. The fields have the same meaning as in AC-3, but
//! the header of the frame states which of them a block contains.

use super::super::{
    blocks::{Blocks, COUPLING, pass_skipped},
    channel::DAMAGED,
    coupling::{Coupling, DEFAULT, FIRST, SUBBAND, SUBBANDS},
};
use super::{
    extension::Extension,
    frame::{Frame, Offsets},
};
use convertd_core::coding::bits::MsbReader;

/// State of a frame while its blocks are read, in addition to the state of its channels.
pub(in crate::codecs::ac3) struct Reading {
    frame: Frame,
    extension: Option<Extension>,
    /// Band structure of spectral extension, which later blocks may reuse.
    copied_joins: Option<[bool; 17]>,
    /// Band structure of coupling, which later blocks may reuse.
    coupled_joins: [bool; SUBBANDS],
    /// Whether the coupling channel's initial leaks follow without a flag.
    needs_leaks: bool,
}

impl Reading {
    pub(in crate::codecs::ac3) fn new(frame: Frame, blocks: &mut Blocks) -> Self {
        for (channel, is_hybrid) in blocks.channels.iter_mut().zip(frame.hybrid) {
            channel.terms.is_hybrid = is_hybrid;
            channel.terms.fast_gain = 5 << 7;
            (channel.needs_coordinates, channel.needs_blends) = (true, true);
            channel.has_noise = true;
        }
        blocks.shape([2, 1, 1, 2, 7]);
        // Neither the coupling channel nor the low-frequency channel has noise of its own.
        for channel in &mut blocks.channels[5..] {
            channel.has_noise = false;
        }
        Self {
            frame,
            extension: None,
            copied_joins: None,
            coupled_joins: DEFAULT,
            needs_leaks: true,
        }
    }

    /// Reads the block with this number, and decodes the coefficients of its channels.
    pub(in crate::codecs::ac3) fn next(
        &mut self,
        blocks: &mut Blocks,
        bits: &mut MsbReader<'_>,
        number: usize,
    ) -> Result<(), &'static str> {
        let full = blocks.header.full_channels();
        for channel in &mut blocks.channels[..full] {
            channel.is_short = self.frame.tells_short && bits.flag();
        }
        for channel in &mut blocks.channels[..full] {
            channel.has_noise = !self.frame.tells_noise || bits.flag();
        }
        blocks.read_gains(bits);
        if number == 0 || bits.flag() {
            self.read_extension(blocks, bits)?;
        }
        self.read_blends(blocks, bits);
        let (is_new, is_coupled) = self.frame.coupling[number];
        if is_new {
            self.read_coupling(blocks, bits, is_coupled)?;
        }
        if let Some(coupling) = &mut blocks.coupling {
            coupling.read_coordinates(bits, &mut blocks.channels[..full]);
        }
        if blocks.header.mode == 2 && (number == 0 || bits.flag()) {
            let count = self.sums(blocks);
            for flag in &mut blocks.sums[..count] {
                *flag = bits.flag();
            }
        }
        blocks.read_exponents(bits, &self.frame.strategies[number])?;
        self.read_allocation(blocks, bits, number)?;
        if self.frame.tells_skipped {
            pass_skipped(bits);
        }
        // The order matters: decoupling needs the coefficients of all channels, sums and differences need decoupled
        // channels, and spectral extension copies coefficients that are final.
        blocks.read_coefficients(bits, number);
        blocks.decouple();
        blocks.part_sums();
        if let Some(extension) = &self.extension {
            blocks.extend(extension, &self.frame.softening);
        }
        Ok(())
    }

    /// Reads the strategy of spectral extension (A/52, E.3.6), which replaces high bands by copies of low bands.
    fn read_extension(
        &mut self,
        blocks: &mut Blocks,
        bits: &mut MsbReader<'_>,
    ) -> Result<(), &'static str> {
        let full = blocks.header.full_channels();
        self.extension = None;
        let is_used = bits.flag();
        let mut copies = [false; 5];
        for copies in &mut copies[..if is_used { full } else { 0 }] {
            *copies = blocks.header.mode == 1 || bits.flag();
        }
        if is_used {
            self.extension = Some(Extension::read(bits, &mut self.copied_joins)?);
        }
        let begin = self.extension.as_ref().map(|extension| extension.begin);
        for (channel, copies) in blocks.channels[..full].iter_mut().zip(copies) {
            channel.copied_from = begin.filter(|_| copies);
            channel.needs_blends |= !copies;
        }
        Ok(())
    }

    /// Reads the coordinates of spectral extension of each channel that uses it.
    fn read_blends(&self, blocks: &mut Blocks, bits: &mut MsbReader<'_>) {
        let Some(extension) = &self.extension else {
            return;
        };
        let full = blocks.header.full_channels();
        for channel in &mut blocks.channels[..full] {
            if channel.copied_from.is_some()
                && (std::mem::take(&mut channel.needs_blends) || bits.flag())
            {
                channel.blends = extension.read_blends(bits);
            }
        }
    }

    /// Reads the coupling strategy of a block (A/52, E.1.2.4).
    fn read_coupling(
        &mut self,
        blocks: &mut Blocks,
        bits: &mut MsbReader<'_>,
        is_used: bool,
    ) -> Result<(), &'static str> {
        let full = blocks.header.full_channels();
        let is_stereo = blocks.header.mode == 2;
        blocks.coupling = None;
        if is_used && bits.flag() {
            return Err("it uses enhanced coupling, which is not supported");
        }
        for channel in &mut blocks.channels[..full] {
            channel.is_coupled = is_used && (is_stereo || bits.flag());
            channel.needs_coordinates |= !channel.is_coupled;
        }
        if !is_used {
            self.needs_leaks = true;
            return Ok(());
        }
        let copied = self.extension.as_ref();
        let end = copied.map(|extension| extension.begin.saturating_sub(FIRST) / SUBBAND);
        let joins = Some(&mut self.coupled_joins);
        let (coupling, range) = Coupling::read(bits, is_stereo, end, joins)?;
        blocks.couple(coupling, range);
        Ok(())
    }

    /// Number of rematrixing bands, in which left and right may be coded as sum and difference. Coupling and spectral
    /// extension reduce the number (E.2.3.3.16).
    fn sums(&self, blocks: &Blocks) -> usize {
        let coupled = blocks.coupling.as_ref().map(|coupling| coupling.first);
        match (coupled, &self.extension) {
            (Some(0), _) => 2,
            (Some(1 | 2), _) => 3,
            (None, Some(extension)) if extension.subband <= 3 => 3,
            _ => 4,
        }
    }

    /// Reads the parameters of bit allocation. The header of the frame states which of them a block contains.
    fn read_allocation(
        &mut self,
        blocks: &mut Blocks,
        bits: &mut MsbReader<'_>,
        number: usize,
    ) -> Result<(), &'static str> {
        if self.frame.tells_shape {
            if bits.flag() {
                blocks.read_shape(bits);
            } else if number == 0 {
                return Err(DAMAGED);
            }
        }
        self.read_offsets(blocks, bits, number);
        if self.frame.tells_gains && bits.flag() {
            for at in blocks.coded() {
                gain(blocks, at, bits.take(3) as i32);
            }
        } else {
            for at in blocks.coded() {
                gain(blocks, at, 4);
            }
        }
        // An offset for converters to AC-3 (convsnroffst), which a decoder ignores.
        if self.frame.header.has_conversion() && bits.flag() {
            bits.skip(10);
        }
        if blocks.coupling.is_some() && (std::mem::take(&mut self.needs_leaks) || bits.flag()) {
            blocks.read_leaks(bits);
        }
        if self.frame.tells_segments && bits.flag() {
            blocks.read_segments(bits)?;
        }
        Ok(())
    }

    /// Reads the offsets of the signal-to-noise ratio, from the frame or from this block.
    fn read_offsets(&self, blocks: &mut Blocks, bits: &mut MsbReader<'_>, number: usize) {
        if let Offsets::Frame(coarse, fine) = self.frame.offsets {
            for at in [0, 1, 2, 3, 4, 5, COUPLING] {
                offset(blocks, at, coarse, fine);
            }
            return;
        }
        if number > 0 && !bits.flag() {
            return;
        }
        let coarse = bits.take(6) as i32;
        let mut fine = None;
        for at in blocks.coded() {
            let own = match fine {
                Some(fine) if self.frame.offsets == Offsets::Block => fine,
                _ => bits.take(4) as i32,
            };
            fine = Some(own);
            offset(blocks, at, coarse, own);
        }
    }
}

/// Sets the offset of a channel. If the offset changes, marks the channel's bit allocation as stale.
fn offset(blocks: &mut Blocks, at: usize, coarse: i32, fine: i32) {
    let channel = &mut blocks.channels[at];
    let offset = ((coarse - 15) * 16 + fine) * 4;
    channel.is_stale |= channel.terms.offset != offset;
    channel.terms.offset = offset;
}

/// Sets the fast gain of a channel. If the gain changes, marks the channel's bit allocation as stale.
fn gain(blocks: &mut Blocks, at: usize, code: i32) {
    let channel = &mut blocks.channels[at];
    let gain = (code + 1) << 7;
    channel.is_stale |= channel.terms.fast_gain != gain;
    channel.terms.fast_gain = gain;
}
