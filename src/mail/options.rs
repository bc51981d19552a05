//! The option `attachments` of conversions of mail.

use crate::job::{OptionKind, OptionSpec, Options};

/// Treatment of attachments.
pub static ATTACHMENTS: OptionSpec = OptionSpec {
    name: "attachments",
    kind: OptionKind::OneOf(&["list", "append", "zip"]),
    default: Some("list"),
    help: "handling of the attachments of a mail: list their names and sizes (list), append them as converted pages (append, only for pdf), or return a zip of the result and the attachments (zip)",
};

/// Treatment of attachments.
pub(super) enum Attachments {
    List,
    Append,
    Zip,
}

/// Returns the treatment that the options ask for; the default is the list.
pub(super) fn attachments(options: &Options) -> Attachments {
    match options.word(ATTACHMENTS.name) {
        Some("append") => Attachments::Append,
        Some("zip") => Attachments::Zip,
        _ => Attachments::List,
    }
}
