//! The coefficients of a whole picture, for files that are not decoded row by row: progressive files (T.81, annex G),
//! and all files with arithmetic coding or with 12 bits per sample. Calls the decoders of scans, but decodes none
//! itself.
//!
//! A progressive file codes each block in several scans, so no row is complete before the last scan. At reduced size,
//! only the lowest coefficients are needed, and scans without them are skipped: at one eighth, only DC coefficients are
//! decoded, and take two bytes for each block. A refinement scan can only be decoded if it is known which coefficients
//! are zero, so it needs all earlier scans of these coefficients.

use super::{
    arithmetic,
    fault::DAMAGED,
    held::Held,
    idct, progressive,
    scan::OtherScan,
    sequential,
    structure::{Process, Structure},
};

/// The scans and coefficients that are needed for blocks with `side` samples in each direction.
struct Needs {
    /// Whether each scan is needed.
    scans: Vec<bool>,
    /// Number of coefficients that are kept of a block, for each component.
    depths: Vec<usize>,
}

impl Needs {
    /// Goes through the scans from the last one to the first, because a refinement scan makes earlier scans needed.
    fn of(structure: &Structure, side: usize) -> Self {
        let mut depths = vec![idct::needed(side); structure.components.len()];
        let mut scans = vec![!structure.progressive; structure.other_scans.len()];
        if structure.progressive {
            for (is_needed, scan) in scans.iter_mut().zip(&structure.other_scans).rev() {
                for part in &scan.parts {
                    let depth = &mut depths[part.component];
                    if scan.first < *depth {
                        *is_needed = true;
                        if scan.refines() {
                            *depth = (*depth).max(scan.last + 1);
                        }
                    }
                }
            }
        }
        Self { scans, depths }
    }
}

/// Returns whether a damaged file may have lost detail for blocks of this size: the end of its last scan may be
/// missing, or the file lacks the lowest bits of some coefficients.
pub(super) fn is_cut(structure: &Structure, side: usize) -> bool {
    let needs = Needs::of(structure, side);
    let has = |component: usize, at: usize| {
        structure.other_scans.iter().any(|scan| {
            let holds = !structure.progressive || (scan.first..=scan.last).contains(&at);
            holds && scan.low == 0 && scan.parts.iter().any(|part| part.component == component)
        })
    };
    needs.scans.last() == Some(&true)
        || !(0..structure.components.len())
            .all(|component| (0..idct::needed(side)).all(|at| has(component, at)))
}

/// Memory of [`Picture::decode`] in bytes. A block with AC coefficients has a mask of 8 bytes.
pub(super) fn memory(structure: &Structure, side: usize) -> u64 {
    let (across, down) = structure.mcus();
    let depths = Needs::of(structure, side).depths;
    let of_component = structure
        .components
        .iter()
        .zip(depths)
        .map(|(part, depth)| {
            let blocks = (across * down * part.horizontal * part.vertical) as u64;
            blocks * (2 * depth as u64 + if depth > 1 { 8 } else { 0 })
        });
    of_component.sum()
}

/// The coefficients of all components.
pub(super) struct Picture {
    pub(super) components: Vec<Held>,
    /// Number of rows of MCUs, from the top, that have been decoded.
    pub(super) decoded: usize,
    /// Number of these rows without loss of detail.
    pub(super) exact: usize,
}

impl Picture {
    /// Decodes the scans that are needed for blocks with `side` samples in each direction. A damaged scan is an error,
    /// unless `keep_damaged` is set. Calls `go_on` before each scan, and fails if it returns `false`.
    pub(super) fn decode(
        file: &[u8],
        structure: &Structure,
        side: usize,
        keep_damaged: bool,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Self, &'static str> {
        let needs = Needs::of(structure, side);
        let (across, down) = structure.mcus();
        let parts = structure.components.iter().zip(needs.depths);
        let components = parts.map(|(part, depth)| {
            let across = across * part.horizontal;
            Held::new(across * down * part.vertical, across, depth)
        });
        let mut picture = Self {
            components: components.collect(),
            decoded: down,
            exact: down,
        };
        for scan in &structure.scans {
            let data = file.get(scan.data.clone()).ok_or(DAMAGED)?;
            if !go_on() {
                return Err(DAMAGED);
            }
            if let Err(row) = sequential::decode(scan, data, structure, &mut picture.components) {
                if !keep_damaged {
                    return Err(DAMAGED);
                }
                picture.decoded = picture.decoded.min(row);
                picture.exact = picture.exact.min(row);
            }
        }
        let mut damaged: Vec<&OtherScan> = Vec::new();
        let scans = structure.other_scans.iter().zip(needs.scans);
        for (scan, _) in scans.filter(|(_, is_needed)| *is_needed) {
            // A scan of AC coefficients is skipped if an earlier scan of the same coefficients is damaged, because a
            // refinement depends on them.
            if scan.first > 0 && damaged.iter().any(|other| other.overlaps(scan)) {
                picture.exact = 0;
                continue;
            }
            let data = file.get(scan.data.clone()).ok_or(DAMAGED)?;
            if !go_on() {
                return Err(DAMAGED);
            }
            let held = &mut picture.components;
            let done = match structure.process {
                Process::Arithmetic => arithmetic::decode(scan, data, structure, held),
                Process::Huffman | Process::Lossless => {
                    progressive::decode(scan, data, structure, held)
                }
            };
            let Err(row) = done else {
                continue;
            };
            if !keep_damaged {
                return Err(DAMAGED);
            }
            damaged.push(scan);
            picture.exact = picture.exact.min(row);
            // Without the first DC scan of a progressive file, nothing of a block is known; the other scans only refine
            // it. In a sequential file, each component has a single scan.
            if !structure.progressive || (scan.first == 0 && !scan.refines()) {
                picture.decoded = picture.decoded.min(row);
            }
        }
        Ok(picture)
    }
}

/// The quantised coefficients of a complete file, for comparison with another file.
#[cfg(feature = "jxl")]
pub(crate) struct Quantised {
    pub(crate) width: u32,
    pub(crate) height: u32,
    components: Vec<Held>,
}

#[cfg(feature = "jxl")]
impl Quantised {
    /// Decodes a file. `None` if it is damaged, or uses the lossless process.
    pub(crate) fn read(file: &[u8]) -> Option<Self> {
        let structure = Structure::parse(&mut std::io::Cursor::new(file)).ok()?;
        if structure.process == Process::Lossless {
            return None;
        }
        let picture = Picture::decode(file, &structure, 8, false, &|| true).ok()?;
        Some(Self {
            width: structure.width,
            height: structure.height,
            components: picture.components,
        })
    }

    /// Number of components.
    pub(crate) fn components(&self) -> usize {
        self.components.len()
    }

    /// Returns the coefficients of a block in zigzag order. `None` beyond the edge of the component.
    pub(crate) fn block(&self, component: usize, x: usize, y: usize) -> Option<&[i16]> {
        let held = self.components.get(component)?;
        let at = y * held.across + x;
        (x < held.across && at < held.count()).then(|| held.values(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jpeg_encoder::{ColorType, Encoder};
    use std::io::Cursor;

    /// A file with a scan of DC coefficients, and some scans of bands of AC coefficients.
    fn structure() -> Structure {
        let pixels: Vec<u8> = (0..640 * 480 * 3u32).map(|at| (at / 97) as u8).collect();
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 90);
        encoder.set_progressive(true);
        encoder.encode(&pixels, 640, 480, ColorType::Rgb).unwrap();
        Structure::parse(&mut Cursor::new(file)).unwrap()
    }

    #[test]
    fn unneeded_scans_are_skipped() {
        let structure = structure();
        let blocks = structure.coefficients() / 64;
        for (side, depth) in [(1, 1), (2, 5), (4, 25), (8, 64)] {
            let needs = Needs::of(&structure, side);
            for (scan, is_needed) in structure.other_scans.iter().zip(&needs.scans) {
                assert_eq!(*is_needed, scan.first < idct::needed(side), "{side}");
            }
            assert!(needs.depths.iter().all(|&found| found == depth));
            let of_block = 2 * depth as u64 + if depth > 1 { 8 } else { 0 };
            assert_eq!(memory(&structure, side), blocks * of_block);
        }
        assert!(Needs::of(&structure, 1).scans.contains(&false));
    }

    #[test]
    fn a_refinement_needs_all_scans_that_it_refines() {
        let mut structure = structure();
        for scan in &mut structure.other_scans {
            scan.low = 1;
        }
        let mut refinement = structure.other_scans[1].clone();
        (refinement.first, refinement.last) = (1, 63);
        (refinement.high, refinement.low) = (1, 0);
        let component = refinement.parts[0].component;
        structure.other_scans.push(refinement);
        let needs = Needs::of(&structure, 2);
        for (scan, is_needed) in structure.other_scans.iter().zip(&needs.scans) {
            let is_refined = scan.parts[0].component == component;
            assert_eq!(*is_needed, is_refined || scan.first < 5);
        }
        assert_eq!(needs.depths[component], 64);
        assert_eq!(needs.depths[(component + 1) % 3], 5);
        assert!(is_cut(&structure, 2));
        assert_eq!(Needs::of(&structure, 1).depths, [1, 1, 1]);
    }
}
