//! Maps the names of the engine's metadata, which are those of ExifTool, to Tika's names. Reads no file.

use crate::format::{PDF_A_CONFORMANCE, PDF_A_PART, PDF_UA_PART};
use serde_json::{Map, Value};

/// Conversion of a value to the form that Tika's clients expect.
#[derive(Clone, Copy)]
enum As {
    /// Unchanged. A number becomes text.
    Text,
    /// A date of ExifTool as a date with a time in ISO 8601. Other texts are dropped.
    Moment,
    /// A date with a time in ISO 8601, in UTC if it has no zone. Other values are dropped, because clients could not
    /// parse them.
    Utc,
    /// A whole number. Other values are dropped, because clients could not parse them.
    Whole,
    /// A decimal number with at most this many decimals.
    Decimals(usize),
    /// Whether the lowest bit of a number is set: for `Flash`, whether the flash fired.
    Bit,
}

/// Names for pictures (`TIFF`, `Geographic` and `TikaCoreProperties` of Tika 3): ExifTool's, Tika's, and the
/// conversion.
const PICTURE_NAMES: &[(&str, &str, As)] = &[
    ("ImageWidth", "tiff:ImageWidth", As::Text),
    ("ImageHeight", "tiff:ImageLength", As::Text),
    ("Orientation", "tiff:Orientation", As::Text),
    ("XResolution", "tiff:XResolution", As::Decimals(1)),
    ("YResolution", "tiff:YResolution", As::Decimals(1)),
    ("Make", "tiff:Make", As::Text),
    ("Model", "tiff:Model", As::Text),
    ("Software", "tiff:Software", As::Text),
    ("ImageDescription", "dc:description", As::Text),
    ("Artist", "dc:creator", As::Text),
    ("Copyright", "dc:rights", As::Text),
    ("DateTimeOriginal", "exif:DateTimeOriginal", As::Moment),
    ("DateTimeOriginal", "dcterms:created", As::Moment),
    ("ModifyDate", "dcterms:modified", As::Moment),
    ("ExposureTime", "exif:ExposureTime", As::Decimals(6)),
    ("FNumber", "exif:FNumber", As::Decimals(1)),
    ("FocalLength", "exif:FocalLength", As::Decimals(1)),
    ("ISO", "exif:IsoSpeedRatings", As::Text),
    ("Flash", "exif:Flash", As::Bit),
    ("LensModel", "Exif SubIFD:Lens Model", As::Text),
    ("GPSLatitude", "geo:lat", As::Decimals(6)),
    ("GPSLongitude", "geo:long", As::Decimals(6)),
    ("GPSAltitude", "geo:alt", As::Decimals(2)),
];

/// Names for sound (`XMPDM` of Tika 3).
const SOUND_NAMES: &[(&str, &str, As)] = &[
    ("Title", "dc:title", As::Text),
    ("Artist", "dc:creator", As::Text),
    ("Artist", "xmpDM:artist", As::Text),
    ("Album", "xmpDM:album", As::Text),
    ("AlbumArtist", "xmpDM:albumArtist", As::Text),
    ("Composer", "xmpDM:composer", As::Text),
    ("TrackNumber", "xmpDM:trackNumber", As::Text),
    ("DiscNumber", "xmpDM:discNumber", As::Text),
    ("Date", "xmpDM:releaseDate", As::Text),
    ("Genre", "xmpDM:genre", As::Text),
    ("Comment", "xmpDM:logComment", As::Text),
    ("SampleRate", "xmpDM:audioSampleRate", As::Text),
    ("SampleRate", "samplerate", As::Text),
    ("Channels", "channels", As::Text),
    ("BitsPerSample", "bits", As::Text),
    ("Duration", "xmpDM:duration", As::Decimals(3)),
];

/// Names for mail (`Message` of Tika 3).
const MAIL_NAMES: &[(&str, &str, As)] = &[
    ("Subject", "dc:title", As::Text),
    ("Subject", "dc:subject", As::Text),
    ("From", "dc:creator", As::Text),
    ("From", "Message-From", As::Text),
    ("To", "Message-To", As::Text),
    ("Cc", "Message-Cc", As::Text),
    ("Bcc", "Message-Bcc", As::Text),
    ("Date", "dcterms:created", As::Text),
    ("Attachments", "X-TIKA:embedded_resource_names", As::Text),
];

/// Names for office files (`Office`, `OfficeOpenXMLExtended` and `PagedText` of Tika 3).
const OFFICE_NAMES: &[(&str, &str, As)] = &[
    ("Title", "dc:title", As::Text),
    ("Creator", "dc:creator", As::Text),
    ("Subject", "dc:subject", As::Text),
    ("Description", "dc:description", As::Text),
    ("Keywords", "meta:keyword", As::Text),
    ("Language", "dc:language", As::Text),
    ("Category", "cp:category", As::Text),
    ("LastModifiedBy", "meta:last-author", As::Text),
    ("RevisionNumber", "cp:revision", As::Whole),
    ("CreateDate", "dcterms:created", As::Utc),
    ("ModifyDate", "dcterms:modified", As::Utc),
    ("LastPrinted", "meta:print-date", As::Utc),
    ("Application", "extended-properties:Application", As::Text),
    ("Company", "extended-properties:Company", As::Text),
    ("Manager", "extended-properties:Manager", As::Text),
    ("Pages", "xmpTPg:NPages", As::Whole),
    ("Pages", "meta:page-count", As::Whole),
    ("Slides", "meta:slide-count", As::Whole),
    ("Words", "meta:word-count", As::Whole),
    ("Characters", "meta:character-count", As::Whole),
    ("Tables", "meta:table-count", As::Whole),
];

/// Names for PDFs.
const PDF_NAMES: &[(&str, &str, As)] = &[
    ("Title", "dc:title", As::Text),
    ("Author", "dc:creator", As::Text),
    ("Subject", "dc:subject", As::Text),
    ("Keywords", "meta:keyword", As::Text),
    ("Creator", "xmp:CreatorTool", As::Text),
    ("Producer", "pdf:docinfo:producer", As::Text),
    ("CreateDate", "dcterms:created", As::Moment),
    ("ModDate", "dcterms:modified", As::Moment),
    ("PDFVersion", "pdf:PDFVersion", As::Text),
    ("PageCount", "xmpTPg:NPages", As::Text),
    (PDF_A_PART, PDF_A_PART, As::Text),
    (PDF_A_CONFORMANCE, PDF_A_CONFORMANCE, As::Text),
    (PDF_UA_PART, PDF_UA_PART, As::Text),
];

/// Adds the metadata of a picture.
pub(super) fn of_picture(
    metadata: &Map<String, Value>,
    format: &str,
    about: &mut Map<String, Value>,
) {
    rename(metadata, PICTURE_NAMES, about);
    // Tika's parser for JPEG has other names for the size than its other parsers.
    let sizes = match format {
        "jpg" => ["Image Width", "Image Height"],
        _ => ["width", "height"],
    };
    for (name, key) in ["ImageWidth", "ImageHeight"].iter().zip(sizes) {
        if let Some(size) = metadata.get(*name) {
            let unit = if format == "jpg" { " pixels" } else { "" };
            about.insert(key.to_owned(), format!("{size}{unit}").into());
        }
    }
    if metadata.contains_key("XResolution") {
        about.insert("tiff:ResolutionUnit".into(), "Inch".into());
    }
}

/// Adds the metadata of a sound.
pub(super) fn of_sound(
    metadata: &Map<String, Value>,
    format: &str,
    about: &mut Map<String, Value>,
) {
    rename(metadata, SOUND_NAMES, about);
    about.insert("xmpDM:audioCompressor".into(), format.to_uppercase().into());
    let kind = match metadata.get("Channels").and_then(Value::as_u64) {
        Some(1) => "Mono",
        Some(2) => "Stereo",
        Some(6) => "5.1",
        Some(8) => "7.1",
        Some(_) => "Other",
        None => return,
    };
    about.insert("xmpDM:audioChannelType".into(), kind.into());
}

/// Adds the metadata of a mail.
pub(super) fn of_mail(metadata: &Map<String, Value>, about: &mut Map<String, Value>) {
    rename(metadata, MAIL_NAMES, about);
    let from = metadata
        .get("From")
        .and_then(Value::as_str)
        .unwrap_or_default();
    // The field has the form `Name <address>`, an address alone, or a name alone.
    let (name, address) = match from.rsplit_once('<') {
        Some((name, address)) => (name.trim().trim_matches('"'), address.trim_end_matches('>')),
        None if from.contains('@') => ("", from),
        None => (from, ""),
    };
    for (key, value) in [
        ("Message:From-Name", name),
        ("Message:From-Email", address.trim()),
    ] {
        if !value.is_empty() {
            about.insert(key.into(), value.into());
        }
    }
}

/// Adds the metadata of an Office file.
pub(super) fn of_office(metadata: &Map<String, Value>, about: &mut Map<String, Value>) {
    rename(metadata, OFFICE_NAMES, about);
}

/// Adds the metadata of a PDF.
pub(super) fn of_pdf(metadata: &Map<String, Value>, about: &mut Map<String, Value>) {
    rename(metadata, PDF_NAMES, about);
}

/// Copies the known fields under their new names.
fn rename(
    metadata: &Map<String, Value>,
    names: &[(&str, &str, As)],
    about: &mut Map<String, Value>,
) {
    for (name, key, form) in names {
        if let Some(value) = metadata.get(*name).and_then(|value| formed(value, *form)) {
            about.insert((*key).to_owned(), value);
        }
    }
}

/// Converts a value to the form that Tika's clients parse. `None` if that is impossible.
fn formed(value: &Value, form: As) -> Option<Value> {
    Some(match (value, form) {
        (Value::String(date), As::Moment) => in_iso(date)?.into(),
        (Value::String(date), As::Utc) => moment(date)?.into(),
        (Value::String(number), As::Whole) => number.parse::<u32>().ok()?.to_string().into(),
        (Value::Number(number), As::Decimals(most)) => {
            let text = format!("{:.most$}", number.as_f64()?);
            // `5.60` becomes `5.6`, but `5.0` stays.
            let text = text.trim_end_matches('0');
            let zero = if text.ends_with('.') { "0" } else { "" };
            format!("{text}{zero}").into()
        }
        (Value::Number(number), As::Bit) => (number.as_u64()? & 1 == 1).to_string().into(),
        (Value::Number(number), _) => number.to_string().into(),
        (value, _) => value.clone(),
    })
}

/// Converts ExifTool's form of a date to ISO 8601: `2006:09:18 16:27:50-04:00` becomes `2006-09-18T16:27:50-04:00`. A
/// time without a zone stays without one. `None` for dates such as `0000:00:00`.
fn in_iso(date: &str) -> Option<String> {
    let (day, time) = date.split_once(' ').unwrap_or((date, "00:00:00"));
    let day = day.replace(':', "-");
    let is_day = day.len() == 10 && day.starts_with(|c: char| ('1'..='9').contains(&c));
    is_day.then(|| format!("{day}T{}", time.trim()))
}

/// Returns a date in ISO 8601 with a time. A missing zone is written as UTC, as Tika does. `None` for other texts.
pub(super) fn moment(date: &str) -> Option<String> {
    let is_date = |text: &str| {
        text.len() == 10
            && text.char_indices().all(|(at, c)| match at {
                4 | 7 => c == '-',
                _ => c.is_ascii_digit(),
            })
    };
    match date.get(..10).filter(|day| is_date(day))? {
        day if date.len() == 10 => Some(format!("{day}T00:00:00Z")),
        _ if date.as_bytes().get(10) == Some(&b'T') => Some(match date.len() {
            // Without a zone.
            19 => format!("{date}Z"),
            _ => date.to_owned(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_written_as_tika_does() {
        let metadata = json!({
            "ImageWidth": 100, "FNumber": 5.6, "FocalLength": 194, "Flash": 16, "GPSLatitude": -12.54321,
            "DateTimeOriginal": "2009:08:11 09:09:45", "ModifyDate": "0000:00:00 00:00:00", "ExposureTime": 0.000625,
        });
        let mut about = Map::new();
        of_picture(metadata.as_object().unwrap(), "jpg", &mut about);
        let expected = json!({
            "tiff:ImageWidth": "100", "Image Width": "100 pixels", "exif:FNumber": "5.6", "exif:FocalLength": "194.0",
            "exif:Flash": "false", "geo:lat": "-12.54321", "exif:DateTimeOriginal": "2009-08-11T09:09:45",
            "dcterms:created": "2009-08-11T09:09:45", "exif:ExposureTime": "0.000625",
        });
        assert_eq!(Value::Object(about), expected);
    }

    #[test]
    fn senders_are_a_name_and_an_address() {
        #[track_caller]
        fn check(from: &str, name: Option<&str>, address: Option<&str>) {
            let mut about = Map::new();
            of_mail(json!({ "From": from }).as_object().unwrap(), &mut about);
            let found = |key: &str| about.get(key).and_then(Value::as_str);
            assert_eq!(found("Message:From-Name"), name);
            assert_eq!(found("Message:From-Email"), address);
        }
        check("A <a@b.c>", Some("A"), Some("a@b.c"));
        check("a@b.c", None, Some("a@b.c"));
        check("A B", Some("A B"), None);
        check("", None, None);
    }
}
