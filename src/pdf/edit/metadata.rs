//! What a file says about itself: the information dictionary (ISO 32000-2, 14.3.3), and the title in its XMP. Invents nothing.

use super::{
    store::{Data, Object, Store},
    value::{Dict, Id, Value},
};
use crate::pdf::read::trailer::Trailer;
use hayro::hayro_syntax::object::DateTime;
use memchr::memmem;
use std::rc::Rc;

/// The longest XMP that is changed, in bytes.
const MOST_XMP: usize = 4 << 20;

/// The information dictionary of the first file.
pub(super) fn info(store: &mut Store<'_>) -> Dict {
    let pdf = store.sources()[0];
    let own = Trailer::of(pdf.data().as_ref()).and_then(|trailer| trailer.info());
    if let Some(own) = own
        && let Some(dict) = store.dict_of(Id::of(0, own.into()))
        // A trailer that is damaged may lead anywhere.
        && !dict.has("Type")
    {
        return dict;
    }
    let about = pdf.metadata();
    let mut dict = Dict::default();
    let texts = [
        ("Title", &about.title),
        ("Author", &about.author),
        ("Subject", &about.subject),
        ("Keywords", &about.keywords),
        ("Creator", &about.creator),
        ("Producer", &about.producer),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            dict.set(key, Value::Text(text.clone()));
        }
    }
    for (key, date) in [
        ("CreationDate", &about.creation_date),
        ("ModDate", &about.modification_date),
    ] {
        if let Some(date) = date {
            dict.set(key, Value::Text(moment(date).into_bytes().into()));
        }
    }
    dict
}

/// A date (7.9.4).
fn moment(date: &DateTime) -> String {
    let DateTime {
        year,
        month,
        day,
        hour,
        minute,
        second,
        utc_offset_hour,
        utc_offset_minute,
    } = date;
    let sign = if *utc_offset_hour < 0 { '-' } else { '+' };
    let zone = utc_offset_hour.unsigned_abs();
    format!(
        "D:{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}{sign}{zone:02}'{utc_offset_minute:02}'"
    )
}

/// Changes the title in the XMP of a document, if it has one there.
pub(super) fn title(store: &mut Store<'_>, catalog: Id, title: &str) {
    let Some(Value::Ref(id)) = store
        .dict_of(catalog)
        .and_then(|catalog| catalog.get("Metadata").cloned())
    else {
        return;
    };
    let Object::Stream(mut dict, Data::Of(source)) = (*store.object(id)).clone() else {
        return;
    };
    let Some(stream) = store
        .stream(source)
        .filter(|stream| stream.raw_data().len() < MOST_XMP)
    else {
        return;
    };
    let Ok(xmp) = stream.decoded_data() else {
        return;
    };
    let (open, close) = (b"<dc:title>", b"</dc:title>");
    let (Some(from), Some(to)) = (memmem::find(&xmp, open), memmem::find(&xmp, close)) else {
        return;
    };
    if to < from {
        return;
    }
    let escaped = title
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let own = format!("<rdf:Alt><rdf:li xml:lang=\"x-default\">{escaped}</rdf:li></rdf:Alt>");
    let changed = [&xmp[..from + open.len()], own.as_bytes(), &xmp[to..]].concat();
    dict.remove("Filter");
    dict.remove("DecodeParms");
    store.set(id, Object::Stream(dict, Data::Own(Rc::new(changed))));
}
