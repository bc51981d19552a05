//! Optional fields of a conversion, as data: their names, the values they take, and the values somebody gave.

use crate::error::{Error, Kind, Result};
use serde::{Deserialize, Serialize};

/// An optional form field.
#[derive(Debug)]
pub struct OptionSpec {
    /// Name of the form field.
    pub name: &'static str,
    /// What it means and which values it takes, in one line.
    pub help: &'static str,
    /// Whether a value is acceptable.
    pub check: fn(&str) -> bool,
}

impl OptionSpec {
    /// The value without the white space around it.
    ///
    /// Errors: [`Kind::BadInput`] naming the option, the value and what it may be.
    pub fn accept<'v>(&self, value: &'v str) -> Result<&'v str> {
        let value = value.trim();
        if (self.check)(value) {
            return Ok(value);
        }
        Err(Error::new(
            Kind::BadInput,
            format!("{} is {value:?}; it must be: {}", self.name, self.help),
        ))
    }
}

/// Optional form fields with values that the converter's [`OptionSpec`] has accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// The value of `name`, if the caller sent the field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Adds a field. The first value of a repeated one counts.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Whether the caller sent none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
