//! Makes the setup header of a Vorbis stream (Vorbis I, section 4.2.4). For two channels it is the header of libvorbis,
//! which `rusty_vorbis` contains. The header for a single channel is derived from that header. Does not make codebooks.
//!
//! The header for one channel has the same codebooks and floors, bit by bit. Only what follows them differs: the
//! residues end at half the number of values, and the mappings have no coupling. The trap: nothing in the header is
//! aligned to bytes, so the end of the floors has to be found to the bit. To find it, the rest is written for two
//! channels first, and the length of the rest is subtracted from the length of the whole header.

use crate::sink::encoder_error;
use convertd_core::error::{Error, Result};
use rusty_vorbis::{
    BitWriter,
    setup::{Residue, SETUP_Q4_STEREO, SetupTables, parse_setup},
};

/// Bits of a count in the setup header: it has at most 64 residues, mappings and modes each.
const COUNT_BITS: u32 = 6;

/// The setup header and its parsed tables, for one or two channels.
pub(crate) fn setup(channels: usize) -> Result<(Vec<u8>, SetupTables)> {
    let stereo = parse_setup(SETUP_Q4_STEREO, 2).map_err(encoder_error)?;
    if channels == 2 {
        return Ok((SETUP_Q4_STEREO.to_vec(), stereo));
    }
    let packet = with_tail(&stereo, channels)?;
    let tables = parse_setup(&packet, channels as u8).map_err(encoder_error)?;
    Ok((packet, tables))
}

/// Copies the stereo header up to the end of its floors, and writes the rest for this number of channels.
fn with_tail(stereo: &SetupTables, channels: usize) -> Result<Vec<u8>> {
    let mut old_tail = BitWriter::new();
    tail(stereo, 2, &mut old_tail);
    // The framing bit is the last bit that is set.
    let packet = SETUP_Q4_STEREO;
    let padding = packet.last().map_or(0, |byte| byte.leading_zeros()) as usize;
    let start_len = (8 * packet.len())
        .checked_sub(padding + old_tail.bit_len())
        .ok_or_else(|| Error::internal("the encoder failed", "its set-up header is too short"))?;
    let mut writer = BitWriter::new();
    for bit in 0..start_len {
        writer.write(u32::from(packet[bit / 8] >> (bit % 8) & 1), 1);
    }
    tail(stereo, channels, &mut writer);
    Ok(writer.into_bytes())
}

/// Writes residues, mappings, modes and the framing bit.
fn tail(tables: &SetupTables, channels: usize, writer: &mut BitWriter) {
    writer.write(tables.residues.len() as u32 - 1, COUNT_BITS);
    for residue in &tables.residues {
        write_residue(residue, channels, writer);
    }
    writer.write(tables.mappings.len() as u32 - 1, COUNT_BITS);
    for mapping in &tables.mappings {
        writer.write(0, 16);
        // The flag for "one submap only".
        writer.write(0, 1);
        if channels == 2 {
            writer.write(1, 1);
            writer.write(mapping.coupling.len() as u32 - 1, 8);
            for (magnitude, angle) in &mapping.coupling {
                writer.write(u32::from(*magnitude), 1);
                writer.write(u32::from(*angle), 1);
            }
        } else {
            writer.write(0, 1);
        }
        writer.write(0, 2);
        writer.write(0, 8);
        writer.write(u32::from(mapping.submap_floors[0]), 8);
        writer.write(u32::from(mapping.submap_residues[0]), 8);
    }
    writer.write(tables.modes.len() as u32 - 1, COUNT_BITS);
    for mode in &tables.modes {
        writer.write(u32::from(mode.blockflag), 1);
        writer.write(0, 32);
        writer.write(u32::from(mode.mapping), 8);
    }
    writer.write(1, 1);
}

/// Writes a residue. A residue interleaves the channels and has to end at the same frequency for any number of them, so
/// its end depends on that number.
fn write_residue(residue: &Residue, channels: usize, writer: &mut BitWriter) {
    let end = (residue.end * channels as u32 / 2).next_multiple_of(residue.partition_size);
    writer.write(u32::from(residue.residue_type), 16);
    writer.write(residue.begin, 24);
    writer.write(end, 24);
    writer.write(residue.partition_size - 1, 24);
    writer.write(u32::from(residue.classifications) - 1, 6);
    writer.write(u32::from(residue.classbook), 8);
    for cascade in &residue.cascade {
        writer.write(u32::from(cascade & 7), 3);
        writer.write(u32::from(cascade >> 3 != 0), 1);
        if cascade >> 3 != 0 {
            writer.write(u32::from(cascade >> 3), 5);
        }
    }
    for book in residue.books.iter().flatten() {
        if let Ok(book) = u32::try_from(*book) {
            writer.write(book, 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewritten_stereo_header_is_unchanged() {
        let (packet, tables) = setup(2).unwrap();
        assert!(with_tail(&tables, 2).unwrap() == packet);
    }

    #[test]
    fn a_mono_header_has_no_coupling_and_the_same_bandwidth() {
        let (_, tables) = setup(1).unwrap();
        assert!(
            tables
                .mappings
                .iter()
                .all(|mapping| mapping.coupling.is_empty())
        );
        let ends: Vec<u32> = tables.residues.iter().map(|residue| residue.end).collect();
        assert_eq!(ends, [112, 896]);
    }
}
