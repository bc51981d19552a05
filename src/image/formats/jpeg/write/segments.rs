//! The marker segments of a file (T.81, annex B; JFIF 1.02): everything except the entropy-coded data.

use super::band::Band;
use crate::{
    formats::jpeg::markers::{
        APP0, APP1, APP2, DHT, DQT, EXIF, ICC, JFIF, PREFIX, SOI, SOS, XMP, segment,
    },
    metadata::Resolution,
    pixels::Layout,
    target::Extras,
};

/// The largest content of a segment in bytes, without its length field.
const MAX: usize = 65_533;

/// The largest EXIF and XMP in bytes: the content of a segment without its identifier.
pub(crate) const MAX_METADATA: usize = MAX - XMP.len();

/// Returns all segments before the Huffman tables. `frame` is the marker of the frame header; `steps` are the
/// quantisation tables of luma and chroma, in zigzag order.
pub(crate) fn head(
    frame: u8,
    layout: Layout,
    band: &Band,
    steps: &[[u8; 64]; 2],
    extras: Extras,
) -> Vec<u8> {
    let mut head = vec![PREFIX, SOI];
    // Without a resolution, the density states square pixels.
    let density = extras.metadata.resolution.and_then(Resolution::density);
    let ([across, down], unit) = density.unwrap_or(([1, 1], 0));
    let [across, down] = [across, down].map(u16::to_be_bytes);
    // JFIF version 1.02, and no thumbnail.
    let jfif = [JFIF, &[1, 2, unit], &across, &down, &[0, 0]];
    segment(&mut head, APP0, &jfif.concat());
    for (prefix, data) in [(EXIF, extras.metadata.exif), (XMP, extras.metadata.xmp)] {
        if let Some(data) = data {
            segment(&mut head, APP1, &[prefix, &data].concat());
        }
    }
    // The profile is split into parts. Each holds its number, from 1, and the number of all parts (ICC.1, B.4). A
    // profile of more than 255 parts is left out.
    let profile = extras.icc.unwrap_or_default();
    let parts = profile.chunks(MAX - ICC.len() - 2);
    if let Ok(count) = u8::try_from(parts.len()) {
        for (number, part) in (1..=count).zip(parts) {
            segment(&mut head, APP2, &[ICC, &[number, count], part].concat());
        }
    }
    let count = band.planes.len() as u8;
    for (kind, steps) in (0..count.min(2)).zip(steps) {
        segment(&mut head, DQT, &[&[kind][..], steps].concat());
    }
    let [height, width] = [layout.height, layout.width].map(|side| (side as u16).to_be_bytes());
    // 8 bits per sample, the size, and for each component its number, sampling factors and quantisation table.
    let mut header = [&[8], &height[..], &width, &[count]].concat();
    for plane in 0..count {
        let sampling = if plane == 0 && band.halves_colour {
            0x22
        } else {
            0x11
        };
        header.extend([plane + 1, sampling, plane.min(1)]);
    }
    segment(&mut head, frame, &header);
    head
}

/// Appends a Huffman table. `number` is its index as in [`Symbol::table`](super::symbols::Symbol::table), and `lengths`
/// has the length of each symbol's code word.
pub(crate) fn huffman_table(to: &mut Vec<u8>, number: usize, lengths: &[u8]) {
    let name = (number % 2 * 0x10 + number / 2) as u8;
    let mut counts = [0; 16];
    let mut symbols = Vec::new();
    for (length, count) in (1..).zip(&mut counts) {
        let same = (0..=255).zip(lengths).filter(|(_, at)| **at == length);
        let before = symbols.len();
        symbols.extend(same.map(|(symbol, _)| symbol));
        *count = (symbols.len() - before) as u8;
    }
    segment(to, DHT, &[&[name], &counts[..], &symbols].concat());
}

/// Appends the header of the only scan of a sequential file: all components, all coefficients (spectral selection 0 to
/// 63), without successive approximation.
pub(crate) fn scan(to: &mut Vec<u8>, planes: u8) {
    part_scan(
        to,
        (0..planes).map(|plane| (plane, plane.min(1) * 0x11)),
        [0, 63, 0],
    );
}

/// Appends the header of a scan. Each component has the numbers of its Huffman tables: DC in the upper four bits, AC in
/// the lower four. `selection` is the first and the last coefficient, and the bits of successive approximation.
pub(crate) fn part_scan(
    to: &mut Vec<u8>,
    components: impl Iterator<Item = (u8, u8)>,
    selection: [u8; 3],
) {
    let components: Vec<u8> = components
        .flat_map(|(component, tables)| [component + 1, tables])
        .collect();
    let count = components.len() as u8 / 2;
    segment(to, SOS, &[&[count], &components[..], &selection].concat());
}
