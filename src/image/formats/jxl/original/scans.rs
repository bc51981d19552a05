//! Writes the entropy-coded data of a scan (ITU-T T.81, A.2 and B.2.3): the order of blocks, the restart intervals, and
//! the padding of the last byte. Codes no block itself.

use super::{
    Lost, Result,
    coefficients::{Picture, Plane},
    data::Scan,
    entropy::{Band, Coder, Codes, Tables},
};
use crate::formats::jpeg::markers::{PREFIX, RST0};

/// State that the markers before a scan have set.
#[derive(Default)]
pub(super) struct State {
    pub(super) is_progressive: bool,
    /// Number of MCUs between restart markers; 0 without restart markers.
    pub(super) restart_interval: usize,
    /// Huffman codes of DC coefficients, by the slot of their table.
    pub(super) dc: [Option<Box<Codes>>; 4],
    /// Huffman codes of AC coefficients, by the slot of their table.
    pub(super) ac: [Option<Box<Codes>>; 4],
}

/// The bits that pad bytes, in the order of the file. `None` means ones.
pub(super) struct Padding<'a>(pub(super) Option<std::slice::Iter<'a, bool>>);

impl Padding<'_> {
    fn next(&mut self) -> Result<bool> {
        match &mut self.0 {
            Some(bits) => bits.next().copied().ok_or(Lost),
            None => Ok(true),
        }
    }
}

/// A component of a scan.
struct CodedComponent<'a> {
    plane: &'a Plane,
    tables: Tables<'a>,
    /// Number of the component's blocks in an MCU, across.
    horizontal: usize,
    /// Number of the component's blocks in an MCU, down.
    vertical: usize,
    /// DC coefficient of the component's previous block.
    before: i32,
}

/// Appends the data of a scan. Calls `go_on` before each row of MCUs, and fails if `go_on` returns `false`.
pub(super) fn write(
    file: &mut Vec<u8>,
    scan: &Scan,
    picture: &Picture,
    state: &State,
    padding: &mut Padding<'_>,
    go_on: &dyn Fn() -> bool,
) -> Result<()> {
    let band = Band {
        is_progressive: state.is_progressive,
        first: scan.first.into(),
        last: scan.last.into(),
        refines: scan.high > 0,
        low: scan.low.into(),
    };
    let is_whole = (scan.first, scan.last, scan.low, scan.high) == (0, 63, 0, 0);
    if !state.is_progressive && !is_whole {
        return Err(Lost);
    }
    let mut parts = parts(scan, picture, state)?;
    let (across, down) = match &parts[..] {
        [alone] => picture.blocks_alone(alone.plane),
        _ => picture.mcus(),
    };
    let mut coder = Coder::new(band);
    let mut resets = scan.resets.iter().peekable();
    let mut zero_runs = scan.zero_runs.iter().peekable();
    let (mut number, mut restarts) = (0, 0);
    for mcu in 0..across * down {
        let (column, row) = (mcu % across, mcu / across);
        if column == 0 && !go_on() {
            return Err(Lost);
        }
        // After each restart interval, a restart marker starts a new byte, and resets the predictions.
        let interval = state.restart_interval;
        if interval > 0 && mcu > 0 && mcu.is_multiple_of(interval) {
            end(file, coder, padding)?;
            file.extend([PREFIX, RST0 + restarts % 8]);
            restarts = (restarts + 1) % 8;
            coder = Coder::new(band);
            for part in &mut parts {
                part.before = 0;
            }
        }
        for part in &mut parts {
            for block in 0..part.horizontal * part.vertical {
                let x = column * part.horizontal + block % part.horizontal;
                let y = row * part.vertical + block / part.horizontal;
                let block = part.plane.blocks.get(y * part.plane.across + x);
                // If the original encoder ended a run of blocks before this block, although the run could have
                // continued, it ends now, too.
                if resets.next_if(|reset| **reset == number).is_some() {
                    coder.end_run()?;
                }
                let runs = zero_runs.next_if(|(block, _)| *block == number);
                let runs = runs.map_or(0, |(_, runs)| *runs);
                coder.block(block.ok_or(Lost)?, &mut part.before, part.tables, runs)?;
                number += 1;
            }
        }
    }
    end(file, coder, padding)
}

/// The components of a scan with their Huffman codes. In a scan of one component, an MCU is a single block.
fn parts<'a>(
    scan: &Scan,
    picture: &'a Picture,
    state: &'a State,
) -> Result<Vec<CodedComponent<'a>>> {
    let is_alone = scan.parts.len() == 1;
    let parts = scan.parts.iter().map(|part| {
        let plane = picture.components.get(part.component).ok_or(Lost)?;
        let codes =
            |of: &'a [Option<Box<Codes>>; 4], slot: u8| of[usize::from(slot & 3)].as_deref();
        Ok(CodedComponent {
            plane,
            tables: Tables {
                dc: codes(&state.dc, part.dc),
                ac: codes(&state.ac, part.ac),
            },
            horizontal: if is_alone { 1 } else { plane.horizontal },
            vertical: if is_alone { 1 } else { plane.vertical },
            before: 0,
        })
    });
    parts.collect()
}

/// Ends the run of blocks, pads the coded data to a whole byte, and appends it.
fn end(file: &mut Vec<u8>, mut coder: Coder<'_>, padding: &mut Padding<'_>) -> Result<()> {
    coder.end_run()?;
    for _ in 0..coder.bits.spare() {
        let bit = padding.next()?;
        coder.bits.put(bit.into(), 1);
    }
    coder.bits.finish();
    file.append(&mut coder.bits.bytes);
    Ok(())
}
