//! The three quality levels, and numbers between them. Each target format defines their meaning.

use crate::error::{Error, Kind, Result, quoted};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Quality of the result, at the cost of size or time. The manual describes the meaning of each level for each target.
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
    /// A number from 1 to 100, as for JPEG. Targets without such a scale take the nearest level.
    Number(u8),
}

/// Smallest number that counts as medium: halfway between the JPEG qualities of low and medium.
const MEDIUM_FROM: u8 = 71;
/// Smallest number that counts as high: halfway between the JPEG qualities of medium and high.
const HIGH_FROM: u8 = 87;

impl Quality {
    /// Picks the value for this quality from the values for low, medium and high.
    pub fn pick<T>(self, low: T, medium: T, high: T) -> T {
        match self {
            Self::Low => low,
            Self::Medium => medium,
            Self::High => high,
            Self::Number(number) if number < MEDIUM_FROM => low,
            Self::Number(number) if number < HIGH_FROM => medium,
            Self::Number(_) => high,
        }
    }

    /// The requested number, or the number for the requested level.
    pub fn number(self, low: u8, medium: u8, high: u8) -> u8 {
        match self {
            Self::Number(number) => number,
            Self::Low | Self::Medium | Self::High => self.pick(low, medium, high),
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
            _ => match text.parse() {
                Ok(number @ 1..=100) if !text.starts_with(['+', '0']) => Ok(Self::Number(number)),
                _ => Err(Error::new(
                    Kind::BadInput,
                    format!(
                        "{name} is {}; it must be one of \"low\", \"medium\", \"high\", or a whole number from 1 to 100",
                        quoted(text)
                    ),
                )),
            },
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Low | Self::Medium | Self::High => {
                f.write_str(self.pick("low", "medium", "high"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_numbers_are_read() {
        #[track_caller]
        fn check(text: &str, expected: Option<Quality>, level: &str) {
            let found = Quality::parse("quality", text).ok();
            assert_eq!(found, expected);
            if let Some(found) = found {
                assert_eq!(found.pick("low", "medium", "high"), level);
                assert_eq!(found.to_string(), text);
            }
        }
        check("low", Some(Quality::Low), "low");
        check("high", Some(Quality::High), "high");
        check("1", Some(Quality::Number(1)), "low");
        check("70", Some(Quality::Number(70)), "low");
        check("75", Some(Quality::Number(75)), "medium");
        check("100", Some(Quality::Number(100)), "high");
        for wrong in ["0", "101", "-1", "+5", "05", "7.5", "", "best"] {
            check(wrong, None, "");
        }
    }
}
