//! The items of AVIF (ISO/IEC 14496-12, 8.11, and 23008-12): where the picture and its transparency stand, and what is said
//! about them. Reads one box into memory, the one named `meta`; never the coded picture.
//!
//! A file is a list of items, of which `pitm` names the primary one. `iinf` tells their kinds (`av01`: a coded picture;
//! `grid`: one made of others), `iloc` where they stand, `iprp` their properties (size, colour, rotation), and `iref`
//! how they refer to one another: `dimg` to the parts of a grid, `auxl` from an alpha plane to its picture, `prem` from
//! a picture that is multiplied by it.

use super::{
    fault::Fault,
    grid::{Extents, Grid, Tiles},
};
use crate::{
    containers::bmff::{Content, Head},
    job::Input,
};
use image::metadata::Orientation;
use std::io::{self, Read};

/// Most bytes of descriptions.
const MOST_META: u64 = 4 << 20;

/// Most entries in any of the tables, and most pieces of all items together.
const MOST_ENTRIES: usize = 1 << 14;

/// How numbers of luma and chroma are to be understood (ITU-T H.273): primaries, transfer, matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) primaries: u16,
    pub(crate) transfer: u16,
    pub(crate) matrix: u16,
    pub(crate) full: bool,
}

/// What the descriptions say.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// More than 8 bits a sample.
    pub(crate) deep: bool,
    pub(crate) grey: bool,
    pub(crate) icc: Option<Vec<u8>>,
    pub(crate) code: Option<Code>,
    pub(crate) orientation: Orientation,
    pub(crate) colour: Tiles,
    pub(crate) alpha: Option<Tiles>,
    /// Colours have been multiplied by alpha.
    pub(crate) premultiplied: bool,
}

/// Finds the primary picture.
pub(crate) fn describe(input: &mut dyn Input) -> Result<Description, Fault> {
    let (start, meta) = meta(input)?;
    let tables = Tables::of(start, &meta).ok_or(Fault::Broken)?;
    tables.describe(input)
}

/// The box `meta`, and where its content begins in the file.
fn meta(input: &mut dyn Input) -> Result<(u64, Vec<u8>), Fault> {
    let mut place = 0;
    loop {
        let head = Head::read(input, place).map_err(|err| match err.kind() {
            io::ErrorKind::InvalidData => Fault::Broken,
            _ => Fault::Io(err),
        })?;
        if &head.kind == b"meta" {
            let len = head.len.filter(|len| *len <= MOST_META);
            let len = len.ok_or(Fault::Unsupported("too many descriptions"))?;
            let mut meta = Vec::new();
            (&mut *input).take(len).read_to_end(&mut meta)?;
            return Ok((head.start, meta));
        }
        place = head.next().ok_or(Fault::Broken)?;
    }
}

/// What is known of items by their numbers.
#[derive(Default)]
struct Tables<'a> {
    primary: u64,
    kinds: Vec<(u64, [u8; 4])>,
    places: Vec<(u64, Extents)>,
    properties: Vec<([u8; 4], &'a [u8])>,
    /// Which property an item has, from 0.
    owned: Vec<(u64, usize)>,
    /// Kind of reference, from, to.
    references: Vec<([u8; 4], u64, u64)>,
}

impl<'a> Tables<'a> {
    fn of(start: u64, meta: &'a [u8]) -> Option<Self> {
        let mut found = Self::default();
        let mut rest = Content(meta);
        rest.version()?;
        let (mut iloc, mut data) = (None, None);
        while let Some((name, mut content)) = rest.next_box() {
            match &name {
                b"pitm" => {
                    let (version, _) = content.version()?;
                    found.primary = content.number(if version == 0 { 2 } else { 4 })?;
                }
                b"iinf" => found.kinds(content)?,
                b"iprp" => found.properties(content)?,
                b"iref" => found.references(content)?,
                b"iloc" => iloc = Some(content),
                // Where it begins in the file, by its distance from the end of what was read.
                b"idat" => {
                    data = Some(start + (meta.len() - rest.0.len() - content.0.len()) as u64)
                }
                _ => {}
            }
        }
        found.places(iloc?, data)?;
        Some(found)
    }

    /// Adds to a table, unless it is full.
    fn add<T>(table: &mut Vec<T>, entry: T) -> Option<()> {
        (table.len() < MOST_ENTRIES).then(|| table.push(entry))
    }

    fn kinds(&mut self, mut content: Content<'a>) -> Option<()> {
        let (version, _) = content.version()?;
        content.number(if version == 0 { 2 } else { 4 })?;
        while let Some((name, mut entry)) = content.next_box() {
            if &name != b"infe" {
                continue;
            }
            let (version, _) = entry.version()?;
            let item = entry.number(if version < 3 { 2 } else { 4 })?;
            entry.take(2)?;
            Self::add(&mut self.kinds, (item, *entry.take(4)?.first_chunk()?))?;
        }
        Some(())
    }

    fn properties(&mut self, mut content: Content<'a>) -> Option<()> {
        while let Some((name, mut part)) = content.next_box() {
            match &name {
                b"ipco" => {
                    while let Some((name, property)) = part.next_box() {
                        Self::add(&mut self.properties, (name, property.0))?;
                    }
                }
                b"ipma" => {
                    let (version, flags) = part.version()?;
                    for _ in 0..part.number(4)? {
                        let item = part.number(if version == 0 { 2 } else { 4 })?;
                        for _ in 0..part.number(1)? {
                            let (len, mask) = if flags & 1 == 0 {
                                (1, 0x7f)
                            } else {
                                (2, 0x7fff)
                            };
                            let index = part.number(len)? & mask;
                            if let Some(index) = index.checked_sub(1) {
                                Self::add(&mut self.owned, (item, index as usize))?;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Some(())
    }

    fn references(&mut self, mut content: Content<'a>) -> Option<()> {
        let (version, _) = content.version()?;
        let width = if version == 0 { 2 } else { 4 };
        while let Some((name, mut reference)) = content.next_box() {
            let from = reference.number(width)?;
            for _ in 0..reference.number(2)? {
                let to = reference.number(width)?;
                Self::add(&mut self.references, (name, from, to))?;
            }
        }
        Some(())
    }

    fn places(&mut self, mut content: Content<'a>, data: Option<u64>) -> Option<()> {
        let (version, _) = content.version()?;
        let sizes = content.number(2)? as usize;
        let [offset, length, base, index] = [12, 8, 4, 0].map(|shift| sizes >> shift & 15);
        let wide = if version < 2 { 2 } else { 4 };
        let mut pieces = 0;
        for _ in 0..content.number(wide)? {
            let item = content.number(wide)?;
            let method = if version == 0 {
                0
            } else {
                content.number(2)? & 15
            };
            content.take(2)?;
            let base = content.number(base)?;
            let mut extents = Vec::new();
            for _ in 0..content.number(2)? {
                if version > 0 {
                    content.take(index)?;
                }
                let offset = base.checked_add(content.number(offset)?)?;
                let length = content.number(length)?;
                let start = match method {
                    0 => Some(0),
                    1 => data,
                    _ => None,
                };
                pieces += 1;
                if pieces > MOST_ENTRIES {
                    return None;
                }
                if let Some(start) = start {
                    extents.push((start.checked_add(offset)?, length));
                }
            }
            Self::add(&mut self.places, (item, extents))?;
        }
        Some(())
    }

    /// The content of a property of an item.
    fn property(&self, item: u64, name: &[u8; 4]) -> impl Iterator<Item = &'a [u8]> {
        let owned = self.owned.iter().filter(move |(owner, _)| *owner == item);
        owned
            .filter_map(|(_, index)| self.properties.get(*index))
            .filter(move |(found, _)| found == name)
            .map(|(_, content)| *content)
    }

    fn extents(&self, item: u64) -> Option<Extents> {
        let (_, extents) = self.places.iter().find(|(found, _)| *found == item)?;
        (!extents.is_empty()).then(|| extents.clone())
    }

    fn describe(&self, input: &mut dyn Input) -> Result<Description, Fault> {
        let item = self.primary;
        let colour = self.tiles(item, input)?;
        let alpha = self
            .references
            .iter()
            .filter(|(name, _, to)| name == b"auxl" && *to == item)
            .map(|(_, from, _)| *from)
            .find(|from| self.is_alpha(*from));
        let tiles = alpha.map(|alpha| self.tiles(alpha, input));
        let (width, height) = self.sides(item).ok_or(Fault::Broken)?;
        if alpha.is_some_and(|alpha| self.sides(alpha) != Some((width, height))) {
            return Err(Fault::Unsupported("transparency of another size"));
        }
        let first = self.parts(item).next().unwrap_or(item);
        // Of the configuration: profile and level, then tier, depth, grey, and subsampling, a bit each.
        let config = self.property(first, b"av1C").next();
        let flags = *config
            .and_then(|config| config.get(2))
            .ok_or(Fault::Broken)?;
        let (mut icc, mut code) = self.colours(item).ok_or(Fault::Broken)?;
        if icc.is_none() && code.is_none() {
            (icc, code) = self.colours(first).ok_or(Fault::Broken)?;
        }
        let first_byte = |name| self.property(item, name).next()?.first().copied();
        Ok(Description {
            width,
            height,
            deep: flags & 0x40 != 0,
            grey: flags & 0x10 != 0,
            icc,
            code,
            orientation: orientation(first_byte(b"irot"), first_byte(b"imir")),
            colour,
            alpha: tiles.transpose()?,
            premultiplied: self
                .references
                .iter()
                .any(|(name, from, to)| name == b"prem" && *from == item && Some(*to) == alpha),
        })
    }

    /// Width and height of an item.
    fn sides(&self, item: u64) -> Option<(u32, u32)> {
        let mut size = Content(self.property(item, b"ispe").next()?);
        size.version()?;
        Some((size.number(4)? as u32, size.number(4)? as u32))
    }

    /// The items that an item is made of.
    fn parts(&self, item: u64) -> impl Iterator<Item = u64> {
        let parts = self.references.iter();
        parts
            .filter(move |(name, from, _)| name == b"dimg" && *from == item)
            .map(|(_, _, to)| *to)
    }

    /// The coded pictures of an item: itself, or its tiles.
    fn tiles(&self, item: u64, input: &mut dyn Input) -> Result<Tiles, Fault> {
        let (width, height) = self.sides(item).ok_or(Fault::Broken)?;
        match &self.kind(item)? {
            b"av01" => Ok(Tiles {
                places: vec![self.extents(item).ok_or(Fault::Broken)?],
                columns: 1,
                width,
                height,
            }),
            b"grid" => {
                let grid = Grid::read(input, &self.extents(item).ok_or(Fault::Broken)?)?;
                let parts: Vec<u64> = self.parts(item).collect();
                let first = parts.first().copied().ok_or(Fault::Broken)?;
                let sides = self.sides(first).ok_or(Fault::Broken)?;
                let mut places = Vec::new();
                for part in &parts {
                    if &self.kind(*part)? != b"av01" {
                        return Err(Fault::Unsupported("tiles of another codec than AV1"));
                    }
                    places.push(self.extents(*part).ok_or(Fault::Broken)?);
                }
                let tiles = Tiles {
                    places,
                    columns: grid.columns,
                    width: sides.0,
                    height: sides.1,
                };
                let whole = parts.len() == grid.rows * grid.columns
                    && (grid.width, grid.height) == (width, height)
                    && tiles.cover(width, height);
                if whole { Ok(tiles) } else { Err(Fault::Broken) }
            }
            _ => Err(Fault::Unsupported("another codec than AV1")),
        }
    }

    fn kind(&self, item: u64) -> Result<[u8; 4], Fault> {
        let kind = self.kinds.iter().find(|(found, _)| *found == item);
        kind.map(|(_, kind)| *kind).ok_or(Fault::Broken)
    }

    /// What is said about the colours of an item: a profile, and how numbers are to be understood.
    fn colours(&self, item: u64) -> Option<(Option<Vec<u8>>, Option<Code>)> {
        let (mut icc, mut code) = (None, None);
        for colour in self.property(item, b"colr") {
            match colour.split_first_chunk::<4>()? {
                (b"prof" | b"rICC", profile) => icc = Some(profile.to_vec()),
                (b"nclx", &[p0, p1, t0, t1, m0, m1, range, ..]) => {
                    code = Some(Code {
                        primaries: u16::from_be_bytes([p0, p1]),
                        transfer: u16::from_be_bytes([t0, t1]),
                        matrix: u16::from_be_bytes([m0, m1]),
                        full: range & 0x80 != 0,
                    });
                }
                _ => {}
            }
        }
        Some((icc, code))
    }

    fn is_alpha(&self, item: u64) -> bool {
        self.property(item, b"auxC").any(|content| {
            let name = content.get(4..).unwrap_or_default();
            name.starts_with(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")
                || name.starts_with(b"urn:mpeg:hevc:2015:auxid:1\0")
        })
    }
}

/// Quarters to the left, then perhaps upside down (0) or left to right (1), as EXIF tells it.
fn orientation(turned: Option<u8>, mirrored: Option<u8>) -> Orientation {
    let tag = match (turned.unwrap_or(0) & 3, mirrored.map(|axis| axis & 1)) {
        (0, None) => 1,
        (0, Some(1)) | (2, Some(0)) => 2,
        (2, None) => 3,
        (0, Some(_)) | (2, Some(_)) => 4,
        (1, Some(0)) | (3, Some(1)) => 5,
        (3, None) => 6,
        (3, Some(_)) | (1, Some(_)) => 7,
        (_, None) => 8,
        (_, Some(_)) => 1,
    };
    Orientation::from_exif(tag).unwrap_or(Orientation::NoTransforms)
}
