//! Finds the images that the primary item is made of: a tree with coded images as its leaves. Decodes none of them.

use super::{
    codec::{Codec, Coded, Shape},
    derived::{Grid, Overlay},
    fault::Fault,
    items::{self, Extents, Id, Tables},
    placement::Placement,
    planes::Code,
    track::{self, Track},
};
use crate::pixels::{Channels, Depth, Layout};
use convertd_core::job::Input;
use std::sync::Arc;

/// Greatest depth of the tree, in derivations from a coded image to the main image.
const MAX_DEPTH: usize = 8;

/// Largest number of images in a tree. A grid has at most 256 × 256.
const MAX_PICTURES: usize = 1 << 16;

/// Largest description of a grid or an overlay, in bytes.
const MAX_DERIVED: u64 = 1 << 20;

/// An image with its transformations and its alpha image.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) base: Base,
    /// Width of the base image in pixels.
    pub(crate) width: u32,
    /// Height of the base image in pixels.
    pub(crate) height: u32,
    pub(crate) placement: Placement,
    /// Alpha image of the picture, which may have another size. The transformations of the picture apply to it.
    pub(crate) alpha: Option<Box<Picture>>,
    /// Whether the colours have been multiplied by alpha.
    pub(crate) premultiplied: bool,
    /// Channels of the picture, including alpha.
    channels: Channels,
    /// Bits per sample of the base image.
    depth: Depth,
}

/// Origin of an image's pixels.
#[derive(Debug)]
pub(crate) enum Base {
    /// Coded by the codec of the file.
    Coded(Leaf),
    /// A grid of images (`grid`).
    Tiles(Arc<Tiles>),
    /// An overlay of images (`iovl`).
    Layers(Arc<Layers>),
}

/// A coded image.
#[derive(Debug)]
pub(crate) struct Leaf {
    /// Position of the coded data in the file.
    pub(crate) extents: Extents,
    /// Content of the decoder configuration box, such as `hvcC` or `av1C`.
    pub(crate) config: Arc<[u8]>,
    /// Sample format that the decoder configuration box states.
    pub(crate) shape: Shape,
    /// Index of the AV1 operating point (`a1op`); 0 if the file does not state one.
    pub(crate) point: u8,
    /// Colour description in the container. It takes precedence over the description in the coded data, unless its
    /// matrix is unspecified.
    pub(crate) code: Option<Code>,
    /// Whether it is an alpha image, of which only luma is used.
    pub(crate) is_alpha: bool,
}

impl Leaf {
    /// The length of its data in bytes. An extent of length 0 extends to the end of the file, whose length is
    /// `file_len`.
    pub(crate) fn data_len(&self, file_len: u64) -> u64 {
        let lens = self.extents.iter().map(|&(_, len)| match len {
            0 => file_len,
            len => len.min(file_len),
        });
        lens.fold(0, u64::saturating_add).min(file_len)
    }
}

/// Tiles of equal size, side by side.
#[derive(Debug)]
pub(crate) struct Tiles {
    /// The tiles from left to right, then from top to bottom.
    pub(crate) pictures: Vec<Picture>,
    pub(crate) columns: usize,
    /// Width of a tile in pixels.
    pub(crate) width: u32,
    /// Height of a tile in pixels.
    pub(crate) height: u32,
}

/// Layers that lie on top of each other.
#[derive(Debug)]
pub(crate) struct Layers {
    /// Fill of the canvas: red, green, blue and alpha.
    pub(crate) fill: [u16; 4],
    /// The layers from the lowest to the topmost, each with the position of its upper left corner.
    pub(crate) pictures: Vec<((i32, i32), Picture)>,
}

impl Leaf {
    /// Describes the coded image of `picture` to its decoder, which may use this many threads besides its own.
    pub(crate) fn coded(&self, picture: &Picture, spare_threads: usize) -> Coded<'_> {
        Coded {
            config: &self.config,
            point: self.point,
            width: picture.width,
            height: picture.height,
            spare_threads,
        }
    }
}

impl Picture {
    /// The layout of the image after decoding and cropping, before rotation.
    pub(crate) fn layout(&self) -> Layout {
        Layout {
            width: self.placement.width,
            height: self.placement.height,
            ..self.base_layout()
        }
    }

    /// The layout of the image after decoding, before cropping.
    pub(crate) fn base_layout(&self) -> Layout {
        Layout {
            width: self.width,
            height: self.height,
            channels: self.channels,
            depth: self.depth,
        }
    }
}

/// The main picture of a file.
pub(crate) struct Main {
    pub(crate) picture: Picture,
    pub(crate) icc: Option<Vec<u8>>,
    pub(crate) code: Option<Code>,
    /// Relation of the picture to an image sequence in the file. Only the picture is converted.
    pub(crate) sequence: Option<Sequence>,
    /// Whether the file has a gain map for HDR screens.
    pub(crate) has_gain_map: bool,
    /// Whether the file has a short video, as live photos have.
    pub(crate) has_film: bool,
}

/// Relation of a picture to the sequence in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// The picture is the first picture of the sequence, because the file has no still picture.
    First,
    /// The picture is a still picture in addition to the sequence.
    Additional,
}

/// Finds the main picture.
pub(crate) fn find(input: &mut dyn Input, codec: &'static Codec) -> Result<Main, Fault> {
    if let Some(tables) = Tables::read(input)? {
        let mut builder = Builder {
            tables: &tables,
            codec,
            input,
            count: 0,
        };
        let root = Inherited {
            code: None,
            is_alpha: false,
            depth: 0,
        };
        let picture = builder.picture(tables.primary, root)?;
        let mut item = tables.primary;
        let (mut icc, mut code) = (None, None);
        // A derived image without colour information takes the colour information of its first input, for example of
        // the first tile of a grid.
        for _ in 0..MAX_DEPTH {
            (icc, code) = colours(tables.property(item, b"colr")).ok_or(Fault::Broken)?;
            match tables.parts(item).first() {
                Some(part) if icc.is_none() && code.is_none() => item = *part,
                _ => break,
            }
        }
        let has_sequence = matches!(items::find(input, 0, *b"moov"), Ok(Some(_)));
        return Ok(Main {
            code: code.or(first_code(&picture)),
            picture,
            icc,
            sequence: has_sequence.then_some(Sequence::Additional),
            has_gain_map: tables.has_gain_map(),
            has_film: matches!(items::find(input, 0, *b"mpvd"), Ok(Some(_))),
        });
    }
    match track::sequence(input, codec.kind)? {
        Some(found) => first(&found, codec),
        None => Err(Fault::Unsupported("only pictures in an unknown coding")),
    }
}

/// The first picture of a sequence.
pub(crate) fn first(found: &track::Sequence, codec: &'static Codec) -> Result<Main, Fault> {
    let mut picture = of_track(&found.colours, codec, false)?;
    if let Some(alpha) = &found.alpha {
        picture.channels = with_alpha(picture.channels);
        picture.alpha = Some(Box::new(of_track(alpha, codec, true)?));
        picture.premultiplied = found.premultiplied;
    }
    let (icc, code) = colours(found.colours.named(*b"colr")).ok_or(Fault::Broken)?;
    Ok(Main {
        code: code.or(first_code(&picture)),
        picture,
        icc,
        sequence: Some(Sequence::First),
        has_gain_map: false,
        has_film: false,
    })
}

/// The first sample of a track as a picture.
fn of_track(track: &Track, codec: &'static Codec, is_alpha: bool) -> Result<Picture, Fault> {
    let config = track.named(codec.config).next().ok_or(Fault::Broken)?;
    let (_, code) = colours(track.named(*b"colr")).ok_or(Fault::Broken)?;
    let leaf = Leaf {
        extents: track.samples[0].extents(),
        shape: (codec.shape)(config).ok_or(Fault::Broken)?,
        config: config.into(),
        point: 0,
        code,
        is_alpha,
    };
    let mut picture = coded(leaf, track.width, track.height);
    // The sample entry of the colours has the transformations of a sequence. They are applied after alpha was added.
    let turns = track.properties.iter().filter(|_| !is_alpha);
    for (name, content) in turns.filter(|(name, _)| matches!(name, b"irot" | b"imir")) {
        picture.placement.then(name, content).ok_or(Fault::Broken)?;
    }
    Ok(picture)
}

/// A coded picture in its own size, without transformations.
fn coded(leaf: Leaf, width: u32, height: u32) -> Picture {
    Picture {
        width,
        height,
        placement: Placement::whole(width, height),
        alpha: None,
        premultiplied: false,
        channels: if leaf.shape.grey || leaf.is_alpha {
            Channels::Grey
        } else {
            Channels::Rgb
        },
        depth: if leaf.shape.bits > 8 {
            Depth::Sixteen
        } else {
            Depth::Eight
        },
        base: Base::Coded(leaf),
    }
}

/// Colour description of the first leaf: in the container, or else in the coded data.
fn first_code(picture: &Picture) -> Option<Code> {
    match &picture.base {
        Base::Coded(leaf) => Some(leaf.code.unwrap_or(leaf.shape.code)),
        Base::Tiles(tiles) => first_code(tiles.pictures.first()?),
        Base::Layers(layers) => first_code(&layers.pictures.first()?.1),
    }
}

/// Parses the `colr` properties (ISO/IEC 14496-12, 12.1.5): an ICC profile, and code points (`nclx`). `None` if a
/// property is shorter than its type.
fn colours<'a>(
    properties: impl Iterator<Item = &'a [u8]>,
) -> Option<(Option<Vec<u8>>, Option<Code>)> {
    let (mut icc, mut code) = (None, None);
    for colour in properties {
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

/// Context that a picture takes over from the image derived from it.
#[derive(Clone, Copy)]
struct Inherited {
    code: Option<Code>,
    is_alpha: bool,
    /// Number of images above this image in the tree.
    depth: usize,
}

/// State while the tree is built.
struct Builder<'a> {
    tables: &'a Tables,
    codec: &'static Codec,
    input: &'a mut dyn Input,
    /// Number of images so far.
    count: usize,
}

impl Builder<'_> {
    /// Builds the tree below an item. The code points of a derived item apply to the pictures that it refers to, unless
    /// these have their own. Depth and number are limited, because items of a damaged file may refer to each other in a
    /// circle.
    fn picture(&mut self, item: Id, mut inherited: Inherited) -> Result<Picture, Fault> {
        self.count += 1;
        if inherited.depth > MAX_DEPTH || self.count > MAX_PICTURES {
            return Err(Fault::Unsupported("pictures nested too deeply"));
        }
        inherited.depth += 1;
        if let (_, Some(code)) =
            colours(self.tables.property(item, b"colr")).ok_or(Fault::Broken)?
        {
            inherited.code = Some(code);
        }
        let kind = self.tables.kind(item)?;
        let mut picture = match &kind {
            b"grid" => self.tiles(item, inherited)?,
            b"iovl" => self.layers(item, inherited)?,
            // The transformations of this item are applied after those of the item that it is derived from.
            b"iden" => {
                let part = self.tables.parts(item).first().ok_or(Fault::Broken)?;
                self.picture(*part, inherited)?
            }
            kind if *kind == self.codec.kind => self.leaf(item, inherited)?,
            _ => return Err(Fault::Unsupported(named(&kind))),
        };
        // An alpha image has the transformations of its main image. Its own transformations are ignored.
        if inherited.is_alpha {
            return Ok(picture);
        }
        for (name, property) in self.tables.properties_of(item) {
            let placed = picture.placement.then(name, property);
            placed.ok_or(Fault::Broken)?;
        }
        if let Some(alpha) = self.tables.alpha(item) {
            let inherited = Inherited {
                is_alpha: true,
                ..inherited
            };
            picture.premultiplied = self.tables.is_multiplied_by(item, alpha);
            picture.alpha = Some(Box::new(self.picture(alpha, inherited)?));
            picture.channels = with_alpha(picture.channels);
        }
        Ok(picture)
    }

    /// Builds the picture of a coded image item.
    fn leaf(&mut self, item: Id, inherited: Inherited) -> Result<Picture, Fault> {
        let config = self.tables.property(item, &self.codec.config).next();
        let config = config.ok_or(Fault::Broken)?;
        let (width, height) = self.tables.sides(item).ok_or(Fault::Broken)?;
        let point = self.tables.property(item, b"a1op").next();
        let leaf = Leaf {
            point: point
                .and_then(|content| content.first())
                .copied()
                .unwrap_or(0),
            extents: self.tables.extents(item)?.clone(),
            shape: (self.codec.shape)(config).ok_or(Fault::Broken)?,
            config: config.into(),
            code: inherited.code,
            is_alpha: inherited.is_alpha,
        };
        Ok(coded(leaf, width, height))
    }

    /// Builds a grid (ISO/IEC 23008-12, 6.6.2.3), whose tiles must all have the same size and cover the picture.
    fn tiles(&mut self, item: Id, inherited: Inherited) -> Result<Picture, Fault> {
        let grid = Grid::parse(&self.derived(item)?).ok_or(Fault::Broken)?;
        let parts = self.tables.parts(item);
        if parts.len() != grid.rows * grid.columns {
            return Err(Fault::Broken);
        }
        let pictures = parts.iter().map(|part| self.picture(*part, inherited));
        let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
        let sides = |picture: &Picture| picture.placement.sides();
        let (width, height) = pictures.first().map(sides).ok_or(Fault::Broken)?;
        let is_even = pictures.iter().all(|tile| sides(tile) == (width, height));
        if !is_even || !grid.is_covered_by(width, height) {
            return Err(Fault::Broken);
        }
        let (channels, depth) = common(&pictures);
        Ok(Picture {
            base: Base::Tiles(Arc::new(Tiles {
                pictures,
                columns: grid.columns,
                width,
                height,
            })),
            width: grid.width,
            height: grid.height,
            placement: Placement::whole(grid.width, grid.height),
            alpha: None,
            premultiplied: false,
            channels,
            depth,
        })
    }

    /// Builds an overlay (ISO/IEC 23008-12, 6.6.2.2). The overlay is opaque only if its fill is opaque; then it has no
    /// alpha channel.
    fn layers(&mut self, item: Id, inherited: Inherited) -> Result<Picture, Fault> {
        let parts = self.tables.parts(item);
        let overlay = Overlay::parse(&self.derived(item)?, parts.len()).ok_or(Fault::Broken)?;
        let mut pictures = Vec::new();
        for (offset, part) in overlay.offsets.into_iter().zip(parts) {
            pictures.push((offset, self.picture(*part, inherited)?));
        }
        let (_, depth) = common(pictures.iter().map(|(_, picture)| picture));
        Ok(Picture {
            base: Base::Layers(Arc::new(Layers {
                fill: overlay.fill,
                pictures,
            })),
            width: overlay.width,
            height: overlay.height,
            placement: Placement::whole(overlay.width, overlay.height),
            alpha: None,
            premultiplied: false,
            channels: match overlay.fill {
                [.., u16::MAX] => Channels::Rgb,
                _ => Channels::Rgba,
            },
            depth,
        })
    }

    /// Description of a derived image item, in its data.
    fn derived(&mut self, item: Id) -> Result<Vec<u8>, Fault> {
        let extents = self.tables.extents(item)?;
        Ok(items::data(self.input, extents, MAX_DERIVED)?)
    }
}

/// The same channels with alpha.
fn with_alpha(channels: Channels) -> Channels {
    match channels {
        Channels::Grey | Channels::GreyAlpha => Channels::GreyAlpha,
        Channels::Rgb | Channels::Rgba => Channels::Rgba,
    }
}

/// The narrowest pixel type that holds all of these pictures without loss.
fn common<'a>(pictures: impl IntoIterator<Item = &'a Picture>) -> (Channels, Depth) {
    let (mut channels, mut depth) = (Channels::Grey, Depth::Eight);
    for picture in pictures {
        depth = depth.max(picture.depth);
        let is_grey = channels.is_grey() && picture.channels.is_grey();
        let has_alpha = channels.has_alpha() || picture.channels.has_alpha();
        channels = if is_grey {
            Channels::Grey
        } else {
            Channels::Rgb
        };
        if has_alpha {
            channels = with_alpha(channels);
        }
    }
    (channels, depth)
}

/// Name of an unsupported item type, to follow the word "uses" in an error message.
fn named(kind: &[u8; 4]) -> &'static str {
    match kind {
        b"hvc1" | b"hev1" | b"lhv1" => "a picture coded as HEVC",
        b"av01" => "a picture coded as AV1",
        b"avc1" => "a picture coded as H.264",
        b"vvc1" => "a picture coded as VVC",
        b"jpeg" => "a picture coded as JPEG",
        b"j2k1" => "a picture coded as JPEG 2000",
        b"unci" => "an uncompressed picture (ISO/IEC 23001-17)",
        b"tild" => "tiles of the item type tili",
        b"tmap" => "a tone map as its main picture",
        _ => "a main picture of an unknown type",
    }
}
