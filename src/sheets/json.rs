//! Visitors of JSON that pass on the text of each value and skip its nesting without recursion. Readers of rows and of
//! data use them.

use crate::error::Result;
use serde::{
    Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{borrow::Cow, fmt};

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
                // The parser would report a visitor that stops early as a fault of the file.
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
