//! The three quality levels. Each target format decides what they mean for it.

use crate::error::{Error, Kind, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How good the result should look or sound, at the cost of size or time. The README says what each level means for each
/// target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// A small file or a quick conversion.
    Low,
    /// The default.
    #[default]
    Medium,
    /// Close to the original.
    High,
}

impl Quality {
    /// Picks the value for this quality from the values for low, medium and high.
    pub fn pick<T>(self, low: T, medium: T, high: T) -> T {
        match self {
            Self::Low => low,
            Self::Medium => medium,
            Self::High => high,
        }
    }
}

impl Quality {
    /// Parses a quality. `name` is the field's name in error messages.
    ///
    /// Errors: [`Kind::BadInput`] with the field, the value and the accepted values.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        match text {
            "low" => Ok(Self::Low),
            "medium" => Ok(Self::Medium),
            "high" => Ok(Self::High),
            _ => Err(Error::new(
                Kind::BadInput,
                format!("{name} is {text:?}; it must be one of \"low\", \"medium\", \"high\""),
            )),
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pick("low", "medium", "high"))
    }
}
