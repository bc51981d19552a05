//! Decodes JPEG with arithmetic coding (T.81, annexes D, F.1.4 and G.1.3), sequential and progressive, to coefficients.
//!
//! Arithmetic coding was patented until about 2010, so few programs write it (`cjpeg -arithmetic` does); libjpeg-turbo
//! reads it, but zune-jpeg does not. Each number is a sequence of binary decisions, which the module `decisions`
//! decodes.

use super::{
    decisions::{Coder, State},
    held::{Block, Held},
    scan::{OtherPart, OtherScan},
    scans::Order,
    structure::Structure,
};

/// Decodes a scan. Fails with the number of the row of MCUs in which it is damaged.
pub(super) fn decode(
    scan: &OtherScan,
    data: &[u8],
    structure: &Structure,
    all: &mut [Held],
) -> Result<(), usize> {
    let run = Run::new(scan, data, structure.progressive);
    run.decode(&scan.order(structure), all)
}

/// Number of statistics bins for a DC difference (table F.4).
const DC_STATES: usize = 49;
/// Number of statistics bins for the AC coefficients of a block (table F.5).
const AC_STATES: usize = 245;

/// A scan that is being decoded.
struct Run<'a> {
    scan: &'a OtherScan,
    is_progressive: bool,
    coder: Coder<'a>,
    dc: [[State; DC_STATES]; 4],
    ac: [[State; AC_STATES]; 4],
    /// Last DC coefficient of each component.
    predictions: [i32; 4],
    /// Conditioning category of the last DC difference of each component.
    contexts: [usize; 4],
}

impl<'a> Run<'a> {
    fn new(scan: &'a OtherScan, data: &'a [u8], is_progressive: bool) -> Self {
        Self {
            scan,
            is_progressive,
            coder: Coder::new(data),
            dc: [[0; DC_STATES]; 4],
            ac: [[0; AC_STATES]; 4],
            predictions: [0; 4],
            contexts: [0; 4],
        }
    }

    /// Decodes the scan (T.81, F.2.4 and G.2.4). Fails with the number of the row of MCUs in which it is damaged.
    fn decode(mut self, order: &Order, all: &mut [Held]) -> Result<(), usize> {
        let mut since = 0;
        for (y, x) in (0..order.down).flat_map(|y| (0..order.across).map(move |x| (y, x))) {
            let row = y / order.rows;
            // A restart marker resets all statistics and predictions.
            if self.scan.restart > 0 && since == self.scan.restart {
                let data = self.coder.after_restart().ok_or(row)?;
                self = Self::new(self.scan, data, self.is_progressive);
                since = 0;
            }
            since += 1;
            for (part, &(h, v)) in self.scan.parts.iter().zip(&order.units) {
                let held = &mut all[part.component];
                for block_y in y * v..(y + 1) * v {
                    for block_x in x * h..(x + 1) * h {
                        let mut block = held.block(block_y * held.across + block_x);
                        self.block(part, &mut block).ok_or(row)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Decodes the part of a block that the scan contains.
    fn block(&mut self, part: &OtherPart, block: &mut Block<'_>) -> Option<()> {
        let scan = self.scan;
        let dc = block.values.first_mut()?;
        match (self.is_progressive, scan.first, scan.high) {
            (false, _, _) => {
                *dc = self.dc(part)? as i16;
                self.band(part, block, 1, 63)
            }
            (true, 0, 0) => {
                *dc = (self.dc(part)? << scan.low) as i16;
                Some(())
            }
            (true, 0, _) => {
                if self.coder.even_bit() {
                    *dc |= 1 << scan.low;
                }
                Some(())
            }
            (true, first, 0) => self.band(part, block, first, scan.last),
            (true, first, _) => self.refine(part, block, first, scan.last),
        }
    }

    /// Decodes a DC coefficient (F.1.4.1 and F.1.4.4.1).
    fn dc(&mut self, part: &OtherPart) -> Option<i32> {
        let states = &mut self.dc[part.dc];
        let prediction = &mut self.predictions[part.component];
        let context = &mut self.contexts[part.component];
        let mut at = *context;
        if !self.coder.bit(&mut states[at]) {
            *context = 0;
            return Some(*prediction);
        }
        let is_negative = self.coder.bit(&mut states[at + 1]);
        at += 2 + usize::from(is_negative);
        // The category of the difference: its number of bits is coded in unary form, from bin 20 on (X1 in table F.4).
        let mut magnitude = u32::from(self.coder.bit(&mut states[at]));
        if magnitude != 0 {
            at = 20;
            while self.coder.bit(&mut states[at]) {
                magnitude <<= 1;
                if magnitude == 1 << 15 {
                    return None;
                }
                at += 1;
            }
        }
        // The conditioning category of the next difference, by the size and sign of this one (figure F.10).
        let (low, high) = self.scan.conditioning.dc[part.dc];
        let sign = usize::from(is_negative);
        *context = if magnitude < 1 << low >> 1 {
            0
        } else if magnitude > 1 << high >> 1 {
            12 + 4 * sign
        } else {
            4 + 4 * sign
        };
        let difference = self
            .coder
            .rest(magnitude, &mut states[at + 14], is_negative);
        *prediction = prediction.wrapping_add(difference);
        Some(*prediction)
    }

    /// Decodes the AC coefficients from `first` to `last` (F.1.4.2 and F.1.4.4.2).
    fn band(
        &mut self,
        part: &OtherPart,
        block: &mut Block<'_>,
        first: usize,
        last: usize,
    ) -> Option<()> {
        let states = &mut self.ac[part.ac];
        let mut at = first;
        while at <= last {
            // The first decision says whether the block ends here.
            if self.coder.bit(&mut states[3 * (at - 1)]) {
                break;
            }
            // Each zero coefficient takes one decision.
            while !self.coder.bit(&mut states[3 * (at - 1) + 1]) {
                at += 1;
                if at > last {
                    return None;
                }
            }
            let is_negative = self.coder.even_bit();
            let mut state = 3 * (at - 1) + 2;
            let mut magnitude = u32::from(self.coder.bit(&mut states[state]));
            if magnitude != 0 && self.coder.bit(&mut states[state]) {
                magnitude <<= 1;
                // Low and high coefficients have separate bins for their size (table F.5).
                let is_low = at <= self.scan.conditioning.ac[part.ac];
                state = if is_low { 189 } else { 217 };
                while self.coder.bit(&mut states[state]) {
                    magnitude <<= 1;
                    if magnitude == 1 << 15 {
                        return None;
                    }
                    state += 1;
                }
            }
            let value = self
                .coder
                .rest(magnitude, &mut states[state + 14], is_negative);
            block.set(at, (value << self.scan.low) as i16);
            at += 1;
        }
        Some(())
    }

    /// Refines the AC coefficients from `first` to `last` by one bit (G.1.3.3).
    fn refine(
        &mut self,
        part: &OtherPart,
        block: &mut Block<'_>,
        first: usize,
        last: usize,
    ) -> Option<()> {
        let states = &mut self.ac[part.ac];
        let one = 1 << self.scan.low;
        // `known` is the last coefficient that earlier scans made nonzero. The block cannot end at or before it, so up
        // to there the file has no decisions about the end.
        let known = *block.known & u64::MAX >> (63 - last);
        let known = known.checked_ilog2().unwrap_or(0) as usize;
        let mut at = first;
        while at <= last {
            if at > known && self.coder.bit(&mut states[3 * (at - 1)]) {
                break;
            }
            loop {
                let state = 3 * (at - 1);
                if *block.known >> at & 1 != 0 {
                    if self.coder.bit(&mut states[state + 2])
                        && let Some(value) = block.values.get_mut(at)
                    {
                        *value = value.wrapping_add(if *value < 0 { -one } else { one });
                    }
                    break;
                }
                if self.coder.bit(&mut states[state + 1]) {
                    let is_negative = self.coder.even_bit();
                    block.set(at, if is_negative { -one } else { one });
                    break;
                }
                at += 1;
                if at > last {
                    return None;
                }
            }
            at += 1;
        }
        Some(())
    }
}
