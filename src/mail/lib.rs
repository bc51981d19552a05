//! Mail: converts messages and mailboxes to every target that HTML converts to. Fetches nothing that a mail refers to,
//! checks no signature, and decrypts nothing.
//!
//! ```text
//! eml, mbox ──► mime ─────────┐
//! msg (CFB) ──► mapi, rtf ────┼──► message ──► page (HTML) ──► converters of HTML
//! tnef ───────► mapi, rtf ────┘
//! ```
//! The crate `mail-parser` could replace the first line of this diagram. Measured with version 0.11.1, it makes the
//! program 322 kB larger, brings a second table of charsets, and needs three more crates at build time; the code here
//! needs only crates that the program has already.
//!
//! Never: anything that has to be fetched, decrypted or trusted because it is signed; sheets and slides
//! (`convertd_sheets`, `convertd_slides`); page layout (`pdf_writer`, `hayro`).

mod about;
mod calendar;
mod codepage;
mod convert;
mod date;
mod eml;
mod html;
mod mapi;
mod mbox;
mod message;
mod mime;
mod msg;
mod old_text;
mod options;
mod page;
mod recognise;
mod report;
mod rtf;
mod saved;
mod signed;
mod tnef;

use crate::{
    containers::cfb,
    format::{Category, Format},
    job::{Input, read_head},
};
pub use about::{about, embedded};
pub use convert::convert;
pub use options::ATTACHMENTS;

// Types that all files of this package use.
pub(crate) use convertd_core::{containers, error, format, job};

static EML: Format = Format {
    name: "eml",
    aliases: &["mht", "mhtml"],
    category: Category::Mail,
    description: "E-mail (RFC 5322, MIME)",
    media_type: "message/rfc822",
    magic: &[],
};

static MBOX: Format = Format {
    name: "mbox",
    aliases: &[],
    category: Category::Mail,
    description: "Mailbox: several e-mails",
    media_type: "application/mbox",
    magic: &[],
};

static MSG: Format = Format {
    name: "msg",
    aliases: &[],
    category: Category::Mail,
    description: "Outlook message",
    media_type: "application/vnd.ms-outlook",
    magic: &[],
};

static TNEF: Format = Format {
    name: "tnef",
    aliases: &[],
    category: Category::Mail,
    description: "Outlook's winmail.dat",
    media_type: "application/vnd.ms-tnef",
    magic: &[&[(0, &tnef::SIGNATURE)]],
};

/// Returns all formats, as `/formats` lists them.
pub fn formats() -> Vec<&'static Format> {
    vec![&EML, &MBOX, &MSG, &TNEF]
}

/// Recognises mails by their content, since only TNEF has a signature. `extension` decides in cases of doubt.
pub fn recognise(
    head: &[u8],
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Option<&'static Format> {
    // An Outlook message is a compound file with this stream.
    if head.starts_with(cfb::SIGNATURE) {
        return cfb::mentions(input, "__properties_version1.0").then_some(&MSG);
    }
    let known = read_head(input, recognise::HEAD);
    let head = known.as_deref().unwrap_or(head);
    if recognise::is_box(head, extension) {
        return Some(&MBOX);
    }
    recognise::is_mail(head, extension).then_some(&EML)
}
