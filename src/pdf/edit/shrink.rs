//! Reduces pictures that have more pixels than the quality of the job needs. Leaves alone pictures whose colours could
//! change: those with inks, palettes, single bits, or colour key masks (ISO 32000-2, 8.9.5).

use super::{
    assemble::SourcePage,
    shown::{self, Shown},
    store::{Data, Object, Store},
    value::{Dict, Id, Value},
};
use crate::{
    error::Result,
    image::plate::reduced::Samples,
    job::{Job, Lease, Notes},
};
use hayro::hayro_syntax::object::stream::ImageDecodeParams;
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::{collections::BTreeMap, rc::Rc};

/// Factor by which the resolution of a picture must exceed the needed one before the picture is reduced.
const LEAST_EXCESS: f64 = 1.25;

/// Limit on the size of a reduced picture, as a share of its original bytes.
const MAX_SHARE: f64 = 0.9;

/// Minimum number of pixels of a picture that is reduced.
const FEWEST: u64 = 10_000;
/// Limit on the pixels of a picture that is reduced.
const MAX: u64 = 1 << 26;

/// Entries of an image dictionary that prevent a reduction.
const SPECIAL: [&str; 7] = [
    "ImageMask",
    "Mask",
    "Decode",
    "SMaskInData",
    "Matte",
    "Alternates",
    "OPI",
];

/// Filters that can be decoded. A picture may have one of them, or no filter.
const FILTERS: [&str; 3] = ["FlateDecode", "DCTDecode", "LZWDecode"];

/// Memory in bytes per byte of samples, for the picture encoded, decoded, during the reduction, and encoded again.
const SCRATCH: u64 = 12;

/// Level of Deflate for masks, from 0 to 10.
const LEVEL: u8 = 9;

/// Reduces the pictures of pages, and notes their number.
///
/// Errors: there is not enough memory, or the job is to end.
pub(super) fn shrink(
    job: &Job<'_>,
    store: &mut Store<'_>,
    picks: &[SourcePage],
    dpi: f64,
    notes: &mut Notes,
) -> Result<()> {
    let mut pages: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for pick in picks {
        pages.entry(pick.source).or_default().push(pick.index);
    }
    let mut changed = 0;
    for (source, mut indices) in pages {
        indices.sort_unstable();
        indices.dedup();
        let Some(pdf) = store.sources().get(source as usize).copied() else {
            continue;
        };
        let mut shown = Shown::default();
        for page in indices
            .into_iter()
            .filter_map(|index| pdf.pages().get(index))
        {
            shown.add(job, page)?;
        }
        for (picture, density) in shown.all() {
            store.check()?;
            if density > LEAST_EXCESS * dpi {
                let id = Id::of(source, picture);
                changed += usize::from(reduce(job, store, id, dpi / density)?);
            }
        }
    }
    match changed {
        0 => {}
        1 => notes.add(format!("A picture was reduced to {dpi} dpi.")),
        _ => notes.add(format!("{changed} pictures were reduced to {dpi} dpi.")),
    }
    Ok(())
}

/// A picture that can be reduced.
struct Picture {
    dict: Dict,
    width: u32,
    height: u32,
    is_grey: bool,
}

/// Reduces a picture and its mask, if that saves enough. Returns whether it did.
fn reduce(job: &Job<'_>, store: &mut Store<'_>, id: Id, scale: f64) -> Result<bool> {
    let Some(picture) = picture(store, id) else {
        return Ok(false);
    };
    let mask = picture.dict.get("SMask").and_then(Value::as_ref);
    // The colours of the picture may be premultiplied with a matte colour, according to its mask (11.6.5.2). Such a
    // picture stays unchanged.
    if mask.is_some_and(|mask| store.dict_of(mask).is_none_or(|mask| mask.has("Matte"))) {
        return Ok(false);
    }
    let Some(Decoded {
        samples,
        packed: len,
        lease,
    }) = Decoded::read(store, id, &picture)?
    else {
        return Ok(false);
    };
    let (width, height) = (scaled(picture.width, scale), scaled(picture.height, scale));
    let jpeg = samples.jpeg(job, width, height)?;
    // This ends the lease for the samples of the picture, so that the mask can use the memory.
    drop(lease);
    if len < shown::LEAST as usize || jpeg.len() as f64 > MAX_SHARE * len as f64 {
        return Ok(false);
    }
    let dict = picture_dictionary(picture.dict, width, height, "DCTDecode");
    store.set(id, Object::Stream(dict, Data::Own(Rc::new(jpeg))));
    if let Some(mask) = mask {
        reduce_mask(store, mask, scale)?;
    }
    Ok(true)
}

/// Reduces the mask of a picture, and encodes it without further loss.
fn reduce_mask(store: &mut Store<'_>, id: Id, scale: f64) -> Result<()> {
    let Some(mask) = picture(store, id).filter(|mask| mask.is_grey) else {
        return Ok(());
    };
    let Some(Decoded {
        samples,
        packed: len,
        lease: _lease,
    }) = Decoded::read(store, id, &mask)?
    else {
        return Ok(());
    };
    let (width, height) = (scaled(mask.width, scale), scaled(mask.height, scale));
    let packed = compress_to_vec_zlib(&samples.resized(width, height)?, LEVEL);
    if packed.len() < len {
        let dict = picture_dictionary(mask.dict, width, height, "FlateDecode");
        store.set(id, Object::Stream(dict, Data::Own(Rc::new(packed))));
    }
    Ok(())
}

fn scaled(side: u32, scale: f64) -> u32 {
    ((f64::from(side) * scale).ceil() as u32).max(1)
}

/// Returns the dictionary of a picture with the size and the filter of its new samples of eight bits.
fn picture_dictionary(mut dict: Dict, width: u32, height: u32, filter: &str) -> Dict {
    dict.remove("DecodeParms");
    dict.set("Width", i64::from(width));
    dict.set("Height", i64::from(height));
    dict.set("Filter", Value::name(filter));
    dict
}

/// A picture that can be reduced, or `None`.
fn picture(store: &mut Store<'_>, id: Id) -> Option<Picture> {
    let object = store.object(id);
    let Object::Stream(dict, Data::Of(_)) = &*object else {
        return None;
    };
    let is_special = |key: &&str| dict.has(key);
    if SPECIAL.iter().any(is_special) || store.integer(dict.get("BitsPerComponent")) != Some(8) {
        return None;
    }
    let filter = match dict.get("Filter").map(|filter| store.resolve(filter)) {
        Some(Value::Array(filters)) if filters.len() == 1 => Some(store.resolve(&filters[0])),
        filter => filter,
    };
    let is_undone = |filter: &Value| FILTERS.iter().any(|name| filter.is_name(name));
    if !filter.as_ref().is_none_or(is_undone) {
        return None;
    }
    let mut side = |key: &str| u32::try_from(store.integer(dict.get(key))?).ok();
    let (width, height) = (side("Width")?, side("Height")?);
    let pixels = u64::from(width) * u64::from(height);
    let samples = component_count(store, dict.get("ColorSpace")?)?;
    (FEWEST..=MAX).contains(&pixels).then(|| Picture {
        dict: dict.clone(),
        width,
        height,
        is_grey: samples == 1,
    })
}

/// Number of components of a colour space that is grey or RGB.
fn component_count(store: &mut Store<'_>, space: &Value) -> Option<u8> {
    let space = store.resolve(space);
    let family = match &space {
        Value::Array(parts) => store.resolve(parts.first()?),
        name => name.clone(),
    };
    if family.is_name("DeviceGray") || family.is_name("CalGray") {
        return Some(1);
    }
    if family.is_name("DeviceRGB") || family.is_name("CalRGB") {
        return Some(3);
    }
    let Value::Array(parts) = space else {
        return None;
    };
    let profile = store
        .dict(parts.get(1))
        .filter(|_| family.is_name("ICCBased"))?;
    match store.integer(profile.get("N")) {
        Some(1) => Some(1),
        Some(3) => Some(3),
        _ => None,
    }
}

/// The samples of a picture.
struct Decoded<'a> {
    samples: Samples,
    /// Bytes that the encoded picture takes now.
    packed: usize,
    lease: Lease<'a>,
}

impl<'a> Decoded<'a> {
    /// Decodes a picture. `None` if it is damaged, or differs from its dictionary.
    ///
    /// Errors: there is not enough memory.
    fn read(store: &mut Store<'a>, id: Id, picture: &Picture) -> Result<Option<Self>> {
        let samples: u8 = if picture.is_grey { 1 } else { 3 };
        let len = u64::from(picture.width) * u64::from(picture.height) * u64::from(samples);
        let lease = store.borrow(SCRATCH * len)?;
        let Some(stream) = store.stream(id) else {
            return Ok(None);
        };
        let parameters = ImageDecodeParams {
            is_indexed: false,
            bpc: Some(8),
            num_components: Some(samples),
            target_dimension: None,
            width: picture.width,
            height: picture.height,
        };
        let packed = stream.raw_data().len();
        let Ok(decoded) = stream.decoded_image(&parameters) else {
            return Ok(None);
        };
        let is_as_declared = decoded.image_data.as_ref().is_none_or(|data| {
            (data.width, data.height) == (picture.width, picture.height)
                && data.bits_per_component == 8
                && data.alpha.is_none()
        });
        let data = decoded.data.into_owned();
        if !is_as_declared || data.len() as u64 != len {
            return Ok(None);
        }
        Ok(Some(Self {
            samples: Samples {
                data,
                width: picture.width,
                height: picture.height,
                is_grey: picture.is_grey,
            },
            packed,
            lease,
        }))
    }
}
