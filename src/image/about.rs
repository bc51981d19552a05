//! Metadata of a picture under the names of ExifTool: size, orientation, resolution, and from EXIF such properties as
//! date, location and camera. Decodes no pixels.

use super::{
    metadata::exif::{Entry, Tree},
    open::Still,
    row,
};
use convertd_core::{
    error::{Error, Result},
    job::{Input, Job, Notes},
};
use serde_json::{Map, Value};
use tiff::tags::Type;

/// Memory for metadata in bytes: EXIF and XMP as blocks, and their parsed fields.
const MEMORY: u64 = 16 << 20;
/// Largest length of a text that is reported, in characters.
const MAX_TEXT: usize = 4000;

/// The EXIF tags that are reported (Exif 2.32, tables 4 to 8), with the names of ExifTool.
const TAGS: [(u16, &str); 29] = [
    (270, "ImageDescription"),
    (271, "Make"),
    (272, "Model"),
    (305, "Software"),
    (306, "ModifyDate"),
    (315, "Artist"),
    (33_432, "Copyright"),
    (33_434, "ExposureTime"),
    (33_437, "FNumber"),
    (34_850, "ExposureProgram"),
    (34_855, "ISO"),
    (36_867, "DateTimeOriginal"),
    (36_868, "CreateDate"),
    (36_880, "OffsetTime"),
    (36_881, "OffsetTimeOriginal"),
    (37_377, "ShutterSpeedValue"),
    (37_378, "ApertureValue"),
    (37_380, "ExposureCompensation"),
    (37_383, "MeteringMode"),
    (37_385, "Flash"),
    (37_386, "FocalLength"),
    (40_961, "ColorSpace"),
    (41_986, "ExposureMode"),
    (41_987, "WhiteBalance"),
    (41_989, "FocalLengthIn35mmFormat"),
    (42_032, "OwnerName"),
    (42_033, "SerialNumber"),
    (42_035, "LensMake"),
    (42_036, "LensModel"),
];

/// Returns the metadata of the first picture in a file. Damaged metadata is left out.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the file has no readable header.
pub fn about(job: &Job<'_>, input: &mut dyn Input) -> Result<Map<String, Value>> {
    let reader = row(job.from).and_then(|row| row.read.as_ref());
    let reader = reader.ok_or_else(|| Error::internal("no such conversion", job.from.name))?;
    job.reserve(MEMORY)?;
    let mut about = Map::new();
    let mut still = Still::new(reader, input, None, &mut Notes::default())?;
    let metadata = still.metadata(true)?;
    {
        let mut source = still.open(job)?;
        let header = source.header();
        about.insert("ImageWidth".into(), header.layout.width.into());
        about.insert("ImageHeight".into(), header.layout.height.into());
        about.insert("Orientation".into(), header.orientation.to_exif().into());
    }
    if let Some((across, down)) = metadata
        .resolution
        .and_then(|resolution| resolution.inches())
    {
        about.insert("XResolution".into(), across.into());
        about.insert("YResolution".into(), down.into());
    }
    if let Some(tree) = metadata.exif.as_deref().and_then(Tree::of) {
        add_exif(&tree, &mut about);
    }
    Ok(about)
}

/// Adds the EXIF tags of [`TAGS`], and the GPS position. EXIF stores a coordinate as three fractions for degrees,
/// minutes and seconds, and a letter for the hemisphere.
fn add_exif(tree: &Tree, about: &mut Map<String, Value>) {
    for entry in tree.first.iter().chain(&tree.exif) {
        let tag = entry.tag.to_u16();
        let known = TAGS.iter().find(|(number, _)| *number == tag);
        if let (Some((_, name)), Some(value)) = (known, value(entry)) {
            about.insert((*name).to_owned(), value);
        }
    }
    let gps = |tag: u16| tree.gps.iter().find(|entry| entry.tag.to_u16() == tag);
    let letter = |tag: u16| gps(tag).and_then(text).unwrap_or_default();
    for (name, [reference, tag], negative) in
        [("GPSLatitude", [1, 2], "S"), ("GPSLongitude", [3, 4], "W")]
    {
        if let Some([degrees, minutes, seconds]) = gps(tag).and_then(numbers) {
            let size = degrees + minutes / 60.0 + seconds / 3600.0;
            let sign = if letter(reference) == negative {
                -1.0
            } else {
                1.0
            };
            about.insert(name.into(), (sign * size).into());
        }
    }
    // Tags 5 and 6 of the GPS directory: GPSAltitudeRef, where 1 means below sea level, and GPSAltitude.
    if let Some([altitude]) = gps(6).and_then(numbers) {
        let is_below = gps(5).is_some_and(|entry| entry.value.first() == Some(&1));
        let altitude = if is_below { -altitude } else { altitude };
        about.insert("GPSAltitude".into(), altitude.into());
    }
}

/// Returns the value of an entry as JSON: its text, or the first of its numbers. `None` for types that are not
/// reported, and for empty or invalid values.
fn value(entry: &Entry) -> Option<Value> {
    match entry.kind {
        Type::ASCII => text(entry).map(Value::from),
        Type::SHORT => {
            let two = entry.value.first_chunk()?;
            Some(u16::from_le_bytes(*two).into())
        }
        Type::LONG => {
            let four = entry.value.first_chunk()?;
            Some(u32::from_le_bytes(*four).into())
        }
        Type::RATIONAL | Type::SRATIONAL => numbers::<1>(entry).map(|[number]| number.into()),
        _ => None,
    }
}

/// Returns the text of an entry up to the first zero byte, trimmed, and cut to [`MAX_TEXT`]. `None` if it is empty.
fn text(entry: &Entry) -> Option<String> {
    let text = String::from_utf8_lossy(&entry.value);
    let text = text.split('\0').next().unwrap_or_default().trim();
    (!text.is_empty()).then(|| text.chars().take(MAX_TEXT).collect())
}

/// Returns the first `N` fractions of an entry. `None` if there are fewer, if a denominator is 0, or if the entry has
/// another type.
fn numbers<const N: usize>(entry: &Entry) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    let mut fractions = entry.value.chunks_exact(8);
    for number in &mut numbers {
        let (numerator, denominator) = fractions.next()?.split_at(4);
        let [numerator, denominator]: [[u8; 4]; 2] =
            [numerator.try_into().ok()?, denominator.try_into().ok()?];
        let (numerator, denominator) = match entry.kind {
            Type::RATIONAL => (
                u32::from_le_bytes(numerator).into(),
                u32::from_le_bytes(denominator).into(),
            ),
            Type::SRATIONAL => (
                i32::from_le_bytes(numerator).into(),
                i32::from_le_bytes(denominator).into(),
            ),
            _ => return None,
        };
        let (numerator, denominator): (f64, f64) = (numerator, denominator);
        *number = Some(numerator / denominator).filter(|number| number.is_finite())?;
    }
    Some(numbers)
}
