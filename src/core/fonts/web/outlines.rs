//! Undoes WOFF 2.0's transformations of the tables `glyf`, `loca` and `hmtx` (5.1 to 5.4). Draws nothing.
//!
//! The points of all glyphs are stored in streams: the number of points of each contour, a flag for each point, and its
//! distance from the previous point. The result uses the short forms of OpenType: a distance of 0 takes no byte, a
//! short one takes one byte, and a run of equal flags is stored once.

use super::{Entry, Table, reader::ByteReader};

/// Flag of a component of a composite glyph (OpenType, "glyf"): the arguments are 16-bit numbers.
const WORDS: u16 = 0x0001;
/// Flag of a component of a composite glyph (OpenType, "glyf"): a scale follows.
const SCALE: u16 = 0x0008;
/// Flag of a component of a composite glyph (OpenType, "glyf"): another component follows.
const MORE_COMPONENTS: u16 = 0x0020;
/// Flag of a component of a composite glyph (OpenType, "glyf"): a horizontal and a vertical scale follow.
const TWO_SCALES: u16 = 0x0040;
/// Flag of a component of a composite glyph (OpenType, "glyf"): a matrix of two by two numbers follows.
const MATRIX: u16 = 0x0080;
/// Flag of a component of a composite glyph (OpenType, "glyf"): instructions follow the last component.
const INSTRUCTIONS: u16 = 0x0100;

/// Restores the transformed tables of a font, and adds them to `tables`; the table `glyf` may take at most `most`
/// bytes. `None` if a table is damaged, or if WOFF 2.0 defines no transformation of it.
pub(super) fn restore(
    tables: &mut Vec<Table>,
    packed: &[(Entry, &[u8])],
    most: usize,
) -> Option<()> {
    let find = |name: &[u8; 4]| packed.iter().find(|(entry, _)| entry.name == *name);
    let mut lefts = None;
    if let Some((_, stored)) = find(b"glyf") {
        let streams = Streams::read(stored)?;
        let is_short = streams.is_short;
        let (glyphs, starts, edges) = streams.glyphs(most)?;
        let (starts, is_short) = offsets(&starts, is_short);
        let head = &mut tables.iter_mut().find(|(name, _)| name == b"head")?.1;
        let form = u16::from(!is_short).to_be_bytes();
        head.get_mut(FORM..FORM + 2)?.copy_from_slice(&form);
        tables.push((*b"glyf", glyphs));
        tables.push((*b"loca", starts));
        lefts = Some(edges);
    }
    for (entry, stored) in packed {
        match &entry.name {
            b"glyf" | b"loca" => {}
            b"hmtx" => {
                let hhea = &tables.iter().find(|(name, _)| name == b"hhea")?.1;
                let count = usize::from(ByteReader(hhea.get(34..)?).u16()?);
                let table = widths(stored, count, lefts.as_ref()?)?;
                if table.len() != entry.len {
                    return None;
                }
                tables.push((entry.name, table));
            }
            _ => return None,
        }
    }
    Some(())
}

/// Makes the table `loca`, and returns whether it has 16-bit offsets (halved). The offsets keep the width that they had
/// in the original table, unless one of them no longer fits into 16 bits.
fn offsets(starts: &[u32], was_short: bool) -> (Vec<u8>, bool) {
    let is_short = was_short && starts.iter().all(|start| start / 2 <= u16::MAX.into());
    let table = match is_short {
        true => starts
            .iter()
            .flat_map(|start| ((start / 2) as u16).to_be_bytes())
            .collect(),
        false => starts
            .iter()
            .flat_map(|start| start.to_be_bytes())
            .collect(),
    };
    (table, is_short)
}

/// Makes the table `hmtx`, in which `count` glyphs have a width of their own; `lefts` are the left side bearings of all
/// glyphs.
fn widths(stored: &[u8], count: usize, lefts: &[i16]) -> Option<Vec<u8>> {
    let mut reader = ByteReader(stored);
    let flags = reader.u8()?;
    let advances = reader.take(2 * count)?;
    let mut table = Vec::with_capacity(2 * (count + lefts.len()));
    let mut bearing = |at: usize, follows: bool, table: &mut Vec<u8>| {
        let own = match follows {
            true => lefts.get(at)?.to_be_bytes(),
            false => reader.array()?,
        };
        table.extend(own);
        Some(())
    };
    for at in 0..count {
        table.extend(&advances[2 * at..2 * at + 2]);
        bearing(at, flags & 1 != 0, &mut table)?;
    }
    for at in count..lefts.len() {
        bearing(at, flags & 2 != 0, &mut table)?;
    }
    Some(table)
}

/// Offset in the table `head` of `indexToLocFormat`, the width of the offsets in `loca`.
const FORM: usize = 50;

/// Flag of a point of a simple glyph (OpenType, "glyf"): the point is on the curve.
const ON_CURVE: u8 = 0x01;
/// Flag of a point of a simple glyph (OpenType, "glyf"): the horizontal distance takes one byte.
const SHORT_X: u8 = 0x02;
/// Flag of a point of a simple glyph (OpenType, "glyf"): the vertical distance takes one byte.
const SHORT_Y: u8 = 0x04;
/// Flag of a point of a simple glyph (OpenType, "glyf"): the next byte is the number of repetitions of this flag.
const REPEATED: u8 = 0x08;
/// Flag of a point of a simple glyph (OpenType, "glyf"): the horizontal distance is positive if it takes one byte, and
/// otherwise 0.
const SAME_OR_POSITIVE_X: u8 = 0x10;
/// Flag of a point of a simple glyph (OpenType, "glyf"): the vertical distance is positive if it takes one byte, and
/// otherwise 0.
const SAME_OR_POSITIVE_Y: u8 = 0x20;
/// Flag of a point of a simple glyph (OpenType, "glyf"): the contours of the glyph overlap (first point only).
const OVERLAPS: u8 = 0x40;

/// Appends the distance of a point from the previous one along one axis, in as few bytes as possible, and returns the
/// flags of the point for this axis.
fn pack(distance: i16, short: u8, same_or_positive: u8, out: &mut Vec<u8>) -> u8 {
    match distance {
        0 => same_or_positive,
        1..=255 => {
            out.push(distance as u8);
            short | same_or_positive
        }
        -255..0 => {
            out.push(distance.unsigned_abs() as u8);
            short
        }
        _ => {
            out.extend(distance.to_be_bytes());
            0
        }
    }
}

/// The streams of outlines.
struct Streams<'b> {
    count: usize,
    /// Whether the original table `loca` had 16-bit offsets.
    is_short: bool,
    /// A bit for each glyph, set if its contours overlap. Empty if the file does not state this.
    overlapping: &'b [u8],
    contours: ByteReader<'b>,
    points: ByteReader<'b>,
    flags: ByteReader<'b>,
    glyphs: ByteReader<'b>,
    composites: ByteReader<'b>,
    /// A bit for each glyph, set if the file states its bounding box.
    boxed: &'b [u8],
    /// The bounding boxes that the file states.
    boxes: ByteReader<'b>,
    instructions: ByteReader<'b>,
}

impl<'b> Streams<'b> {
    /// Opens the transformed `glyf` table of WOFF 2 (section 5.1): seven streams, each for one kind of data.
    fn read(stored: &'b [u8]) -> Option<Self> {
        let mut reader = ByteReader(stored);
        reader.skip(2)?;
        let has_overlaps = reader.u16()? & 1 != 0;
        let count = usize::from(reader.u16()?);
        let is_short = reader.u16()? == 0;
        let mut lengths = [0; 7];
        for length in &mut lengths {
            *length = reader.u32()? as usize;
        }
        let mut next = |at: usize| reader.take(lengths[at]).map(ByteReader);
        let (contours, points, flags, glyphs, composites) =
            (next(0)?, next(1)?, next(2)?, next(3)?, next(4)?);
        let (mut boxes, instructions) = (next(5)?, next(6)?);
        let boxed = boxes.take(4 * count.div_ceil(32))?;
        let overlapping = match has_overlaps {
            true => reader.take(count.div_ceil(8))?,
            false => &[],
        };
        Some(Self {
            count,
            is_short,
            overlapping,
            contours,
            points,
            flags,
            glyphs,
            composites,
            boxed,
            boxes,
            instructions,
        })
    }

    /// Makes the table `glyf`. Also returns the offset of each glyph in the table, followed by the offset of the
    /// table's end, and the left side bearing of each glyph.
    fn glyphs(mut self, most: usize) -> Option<(Vec<u8>, Vec<u32>, Vec<i16>)> {
        let (mut table, mut starts, mut lefts) = (Vec::new(), Vec::new(), Vec::new());
        for glyph in 0..self.count {
            starts.push(table.len() as u32);
            let from = table.len();
            let bounds = match self.boxed[glyph / 8] & 0x80 >> (glyph % 8) {
                0 => None,
                _ => Some(self.boxes.array::<8>()?),
            };
            match self.contours.u16()? {
                0 if bounds.is_none() => {}
                0xffff => self.composite(&bounds?, &mut table)?,
                contours if contours < 0x8000 && contours > 0 => {
                    let bits = self.overlapping.get(glyph / 8).copied().unwrap_or(0);
                    let overlaps = bits & 0x80 >> (glyph % 8) != 0;
                    self.simple(contours, (bounds, overlaps), &mut table)?
                }
                _ => return None,
            }
            let left = match table.get(from + 2..from + 4) {
                Some(left) => i16::from_be_bytes(left.try_into().ok()?),
                None => 0,
            };
            lefts.push(left);
            table.resize(table.len().next_multiple_of(4), 0);
            if table.len() > most {
                return None;
            }
        }
        starts.push(table.len() as u32);
        Some((table, starts, lefts))
    }

    /// Restores a simple glyph (section 5.2): end points, flags and coordinates, and its bounding box if none is
    /// stored.
    fn simple(
        &mut self,
        contours: u16,
        (bounds, overlaps): (Option<[u8; 8]>, bool),
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let (mut ends, mut count) = (Vec::new(), 0_usize);
        for _ in 0..contours {
            count += usize::from(self.points.short()?);
            ends.extend(u16::try_from(count.checked_sub(1)?).ok()?.to_be_bytes());
        }
        let flags = self.flags.take(count)?;
        let (mut x, mut y) = (0_i16, 0_i16);
        let (mut low, mut high) = ([i16::MAX; 2], [i16::MIN; 2]);
        let (mut across, mut down) = (Vec::new(), Vec::new());
        let mut packed: Vec<u8> = Vec::new();
        // Number of repetitions of the last flag, which the table stores after the flag.
        let mut repeats = 0_u8;
        for (nth, flag) in flags.iter().enumerate() {
            let (dx, dy) = self.step(flag & 0x7f)?;
            (x, y) = (x.wrapping_add(dx), y.wrapping_add(dy));
            (low, high) = (
                [low[0].min(x), low[1].min(y)],
                [high[0].max(x), high[1].max(y)],
            );
            // In WOFF 2.0 a set bit marks a point off the curve, in OpenType a point on the curve.
            let mut own = if flag & 0x80 == 0 { ON_CURVE } else { 0 };
            if nth == 0 && overlaps {
                own |= OVERLAPS;
            }
            own |= pack(dx, SHORT_X, SAME_OR_POSITIVE_X, &mut across);
            own |= pack(dy, SHORT_Y, SAME_OR_POSITIVE_Y, &mut down);
            match packed.as_mut_slice() {
                [.., last] if repeats == 0 && *last == own => {
                    *last |= REPEATED;
                    repeats = 1;
                    packed.push(1);
                }
                [.., last, count] if (1..255).contains(&repeats) && *last == own | REPEATED => {
                    repeats += 1;
                    *count = repeats;
                }
                _ => {
                    repeats = 0;
                    packed.push(own);
                }
            }
        }
        out.extend(contours.to_be_bytes());
        match bounds {
            Some(bounds) => out.extend(bounds),
            None => out.extend([low, high].concat().into_iter().flat_map(i16::to_be_bytes)),
        }
        out.extend(ends);
        self.instructions(out)?;
        out.extend(packed);
        out.extend(across);
        out.extend(down);
        Some(())
    }

    /// Offset of a point from the previous one (5.2, the table of triplet encodings).
    fn step(&mut self, kind: u8) -> Option<(i16, i16)> {
        let signed = |positive: u8, by: u16| match positive & 1 {
            1 => by as i16,
            _ => (by as i16).wrapping_neg(),
        };
        let kind_of = |base: u8| u16::from(kind - base);
        let mut byte = || self.glyphs.u8().map(u16::from);
        Some(match kind {
            ..10 => (0, signed(kind, ((kind_of(0) & 14) << 7) + byte()?)),
            10..20 => (signed(kind, ((kind_of(10) & 14) << 7) + byte()?), 0),
            20..84 => {
                let (base, both) = (kind_of(20), byte()?);
                (
                    signed(kind, 1 + (base & 0x30) + (both >> 4)),
                    signed(kind >> 1, 1 + ((base & 0x0c) << 2) + (both & 15)),
                )
            }
            84..120 => {
                let (base, dx, dy) = (kind_of(84), byte()?, byte()?);
                (
                    signed(kind, 1 + ((base / 12) << 8) + dx),
                    signed(kind >> 1, 1 + (((base % 12) >> 2) << 8) + dy),
                )
            }
            120..124 => {
                let (one, two, three) = (byte()?, byte()?, byte()?);
                (
                    signed(kind, (one << 4) + (two >> 4)),
                    signed(kind >> 1, ((two & 15) << 8) + three),
                )
            }
            _ => {
                let (dx, dy) = (byte()? << 8 | byte()?, byte()? << 8 | byte()?);
                (signed(kind, dx), signed(kind >> 1, dy))
            }
        })
    }

    /// Restores a composite glyph, which WOFF 2.0 describes in the same form as OpenType.
    fn composite(&mut self, bounds: &[u8; 8], out: &mut Vec<u8>) -> Option<()> {
        out.extend([0xff, 0xff]);
        out.extend(bounds);
        let mut is_instructed = false;
        loop {
            let head = self.composites.take(4)?;
            let flags = u16::from_be_bytes([head[0], head[1]]);
            let arguments = if flags & WORDS != 0 { 4 } else { 2 };
            let scales = match flags {
                _ if flags & SCALE != 0 => 2,
                _ if flags & TWO_SCALES != 0 => 4,
                _ if flags & MATRIX != 0 => 8,
                _ => 0,
            };
            out.extend(head);
            out.extend(self.composites.take(arguments + scales)?);
            is_instructed |= flags & INSTRUCTIONS != 0;
            if flags & MORE_COMPONENTS == 0 {
                break;
            }
        }
        match is_instructed {
            true => self.instructions(out),
            false => Some(()),
        }
    }

    /// Appends the instructions of a glyph, with their length.
    fn instructions(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let length = self.glyphs.short()?;
        out.extend(length.to_be_bytes());
        out.extend(self.instructions.take(usize::from(length))?);
        Some(())
    }
}
