//! The optional form field that decides whether damaged files are converted. It is the same for sound and pictures.
//! Repairs nothing.

use crate::{
    error::{Error, Kind, Reason, Result},
    job::{Notes, OptionKind, OptionSpec, Options},
};

/// The name of the field.
const NAME: &str = "damaged";

/// The field, as `/formats` and the command line describe it.
pub static DAMAGED: OptionSpec = OptionSpec {
    name: NAME,
    kind: OptionKind::OneOf(&["refuse", "keep"]),
    default: Some("refuse"),
    help: "handling of a damaged or incomplete file: reject it (refuse), or convert the readable part and name the rest in a note (keep)",
};

/// Treatment of a sound or a picture with missing parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The conversion fails.
    Refuse,
    /// The intact part is converted, and notes state what is missing.
    Keep,
}

impl Damage {
    /// Reads the field. Its value has been validated before.
    pub fn of(options: &Options) -> Self {
        match options.word(NAME) {
            Some("keep") => Self::Keep,
            _ => Self::Refuse,
        }
    }

    /// Adds a note about the losses, which are clauses that follow "the file is damaged: ".
    ///
    /// Errors: [`Kind::BadInput`] if there are losses and the user did not choose to keep damaged files.
    pub fn judge(self, losses: Vec<String>, notes: &mut Notes) -> Result<()> {
        if losses.is_empty() {
            return Ok(());
        }
        let losses = losses.join("; ");
        match self {
            Self::Keep => {
                notes.add(format!("The file is damaged: {losses}."));
                Ok(())
            }
            Self::Refuse => Err(Error::new(
                Kind::BadInput,
                format!(
                    "the file is damaged: {losses}. Send a complete copy, or set {NAME}=keep to convert what is left"
                ),
            )
            .because(Reason::Damaged)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_refused_unless_the_client_accepts_them() {
        let mut notes = Notes::default();
        let losses = || vec!["a".to_owned(), "b".to_owned()];
        assert!(Damage::Refuse.judge(Vec::new(), &mut notes).is_ok());
        let err = Damage::Refuse.judge(losses(), &mut notes).unwrap_err();
        assert!(err.message().contains("a; b"));
        assert_eq!(notes, Notes::default());
        Damage::Keep.judge(losses(), &mut notes).unwrap();
        assert_eq!(notes.0, ["The file is damaged: a; b."]);
    }
}
