//! The tiers of quality. What a tier means for a target is the target's own business.

use crate::error::{Error, Kind, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How much to spend on looking or sounding good. What it means for each target stands in the README.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Small or quick.
    Low,
    /// The default.
    #[default]
    Medium,
    /// Close to the original.
    High,
}

impl Quality {
    /// Picks the value for this quality out of those for low, medium and high.
    pub fn pick<T>(self, low: T, medium: T, high: T) -> T {
        match self {
            Self::Low => low,
            Self::Medium => medium,
            Self::High => high,
        }
    }
}

impl Quality {
    /// Reads a tier. `name` is what the caller knows the field by.
    ///
    /// Errors: [`Kind::BadInput`] naming the field, the value and what it may be.
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
