//! Visitors of JSON that pass on the text of each value and skip its nesting without recursion. The reader of JSON
//! tables and the conversions between data formats use them.

use crate::{cells::MAX_TEXT, error::Result};
use serde::{
    Deserializer,
    de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{
    borrow::Cow,
    cell::Cell,
    fmt,
    io::{self, BufRead, Read},
    rc::Rc,
};

/// Parses a text with a visitor.
pub(crate) fn parse<'t, V: Visitor<'t>>(text: &'t str, visitor: V) -> serde_json::Result<V::Value> {
    serde_json::Deserializer::from_str(text).deserialize_any(visitor)
}

/// Visitor of the members of an object: name, and JSON text of the value.
pub(crate) struct Fields<'v>(pub(crate) &'v mut dyn FnMut(&str, &str) -> Result<()>);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Result<()>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while let Some(name) = fields.next_key::<Cow<'de, str>>()? {
            let value: &RawValue = fields.next_value()?;
            if let Err(err) = (self.0)(&name, value.get()) {
                // The parser would report a visitor that stops early as a fault of the file, so the rest of the object
                // is read and ignored.
                while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(Err(err));
            }
        }
        Ok(Ok(()))
    }
}

/// Visitor of the values of an array as JSON texts.
pub(crate) struct Values<'v>(pub(crate) &'v mut dyn FnMut(&str) -> Result<()>);

impl<'de> Visitor<'de> for Values<'_> {
    type Value = Result<()>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        while let Some(value) = values.next_element::<&RawValue>()? {
            if let Err(err) = (self.0)(value.get()) {
                while values.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(Err(err));
            }
        }
        Ok(Ok(()))
    }
}

/// Calls `take` with the JSON text of each item of an array, or of each value if they follow one another without an
/// array around them (`is_bare`). Holds one item in memory. Ends with an error when `take` returns false.
pub(crate) fn each(
    source: impl BufRead,
    is_bare: bool,
    take: &mut dyn FnMut(&str) -> bool,
) -> serde_json::Result<()> {
    let left = Rc::new(Cell::new(MAX_TEXT));
    let mut json = serde_json::Deserializer::from_reader(Bounded {
        inner: source,
        left: left.clone(),
    });
    let items = Items(&mut |item: &RawValue| {
        left.set(MAX_TEXT);
        take(item.get())
    });
    match is_bare {
        false => json.deserialize_seq(items).and_then(|()| json.end()),
        true => {
            let mut values = json.into_iter::<Box<RawValue>>();
            values.try_for_each(|item| match (items.0)(&item?) {
                true => Ok(()),
                false => Err(serde_json::Error::custom("stopped")),
            })
        }
    }
}

/// Visitor of the items of the top-level array. Stops when the callback returns false.
struct Items<'v>(&'v mut dyn FnMut(&RawValue) -> bool);

impl<'de> Visitor<'de> for Items<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element::<Box<RawValue>>()? {
            if !(self.0)(&item) {
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// Stream that fails when an item becomes too long to be kept in memory.
struct Bounded<R> {
    /// Source of the bytes.
    inner: R,
    /// Number of bytes that the current item may still take.
    left: Rc<Cell<usize>>,
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::other(format!(
                "one of its rows is longer than {} MiB, the limit",
                MAX_TEXT >> 20
            )));
        }
        let most = out.len().min(left);
        let len = self.inner.read(&mut out[..most])?;
        self.left.set(left - len);
        Ok(len)
    }
}
