//! MAPI properties (MS-OXPROPS), in which Outlook's files store everything, and their conversion to a [`Message`].
//! Reads no file itself.

use super::{
    codepage::{UTF_8, WESTERN, in_codepage},
    date,
    message::{Attachment, Message},
    rtf,
};
use crate::containers::mime::Head;
use std::collections::HashMap;

/// Property identifiers (MS-OXPROPS, section 2).
pub(super) mod id {
    // Header fields: subject, sender and times.
    pub(crate) const SUBJECT: u16 = 0x0037;
    pub(crate) const SUBMITTED: u16 = 0x0039;
    pub(crate) const REPRESENTING_NAME: u16 = 0x0042;
    pub(crate) const HEADERS: u16 = 0x007d;
    pub(crate) const SENDER_NAME: u16 = 0x0c1a;
    pub(crate) const SENDER_ADDRESS: u16 = 0x0c1f;
    // Type of a recipient, recipients as the message displays them, time of delivery, and subject without its prefix.
    pub(crate) const RECIPIENT_TYPE: u16 = 0x0c15;
    pub(crate) const BCC: u16 = 0x0e02;
    pub(crate) const CC: u16 = 0x0e03;
    pub(crate) const TO: u16 = 0x0e04;
    pub(crate) const DELIVERED: u16 = 0x0e06;
    pub(crate) const NORMAL_SUBJECT: u16 = 0x0e1d;
    // Body in its three forms.
    pub(crate) const BODY: u16 = 0x1000;
    pub(crate) const RTF: u16 = 0x1009;
    pub(crate) const HTML: u16 = 0x1013;
    // Recipients and attachments.
    pub(crate) const NAME: u16 = 0x3001;
    pub(crate) const ADDRESS: u16 = 0x3003;
    pub(crate) const DATA: u16 = 0x3701;
    pub(crate) const EXTENSION: u16 = 0x3703;
    pub(crate) const SHORT_NAME: u16 = 0x3704;
    pub(crate) const LONG_NAME: u16 = 0x3707;
    pub(crate) const MEDIA_TYPE: u16 = 0x370e;
    pub(crate) const CONTENT_ID: u16 = 0x3712;
    pub(crate) const LOCATION: u16 = 0x3713;
    // Addresses and code pages.
    pub(crate) const SMTP: u16 = 0x39fe;
    pub(crate) const CODEPAGE: u16 = 0x3fde;
    pub(crate) const MESSAGE_CODEPAGE: u16 = 0x3ffd;
    pub(crate) const SENDER_SMTP: u16 = 0x5d01;
}

/// Property value by its type (MS-OXCDATA 2.11.1).
#[derive(Debug)]
pub(super) enum Value {
    /// Integer, boolean or time.
    Number(u64),
    /// Text, decoded from UTF-16.
    Text(String),
    /// Text in the code page of the message, or binary data.
    Bytes(Vec<u8>),
}

/// Properties of a message, a recipient or an attachment.
#[derive(Debug, Default)]
pub(super) struct Properties(HashMap<u16, Value>);

impl Properties {
    /// Adds a property. If the file has the property twice, the first value counts.
    pub(super) fn add(&mut self, id: u16, value: Value) {
        self.0.entry(id).or_insert(value);
    }

    pub(super) fn number(&self, id: u16) -> Option<u64> {
        match self.0.get(&id)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) | Value::Bytes(_) => None,
        }
    }

    /// Returns the text of a property, decoded from this code page. Empty if the property is missing.
    pub(super) fn text(&self, id: u16, codepage: u64) -> String {
        let text = match self.0.get(&id) {
            Some(Value::Text(text)) => text.clone(),
            // Some programs declare UTF-8 for everything, but write in the code page of the machine. So bytes that are
            // not UTF-8 are decoded in another code page.
            Some(Value::Bytes(bytes)) if codepage == UTF_8 && str::from_utf8(bytes).is_err() => {
                let other = self.number(id::CODEPAGE).filter(|page| *page != UTF_8);
                in_codepage(other.unwrap_or(WESTERN), bytes.clone())
            }
            Some(Value::Bytes(bytes)) => in_codepage(codepage, bytes.clone()),
            Some(Value::Number(_)) | None => String::new(),
        };
        text.trim_end_matches('\0').trim().to_owned()
    }

    /// Takes the bytes of a property, which may be large.
    pub(super) fn bytes(&mut self, id: u16) -> Option<Vec<u8>> {
        match self.0.remove(&id)? {
            Value::Bytes(bytes) => Some(bytes),
            Value::Text(text) => Some(text.into_bytes()),
            Value::Number(_) => None,
        }
    }

    /// Returns the Windows code page of the texts, or 0 if the file does not state it.
    pub(super) fn codepage(&self) -> u64 {
        let own = self.number(id::MESSAGE_CODEPAGE);
        own.or_else(|| self.number(id::CODEPAGE)).unwrap_or(0)
    }
}

/// Builds a message from its properties. The caller adds recipients and attachments.
pub(super) fn message(mut properties: Properties) -> Message {
    let codepage = properties.codepage();
    let text = |id| properties.text(id, codepage);
    let headers = text(id::HEADERS);
    let (head, _) = Head::split(headers.as_bytes());
    let first = |ids: &[u16]| {
        ids.iter()
            .map(|id| text(*id))
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    };
    let mut message = Message {
        subject: first(&[id::SUBJECT, id::NORMAL_SUBJECT]),
        to: text(id::TO),
        cc: text(id::CC),
        bcc: text(id::BCC),
        ..Message::default()
    };
    let name = first(&[id::SENDER_NAME, id::REPRESENTING_NAME]);
    let address = first(&[id::SENDER_SMTP, id::SENDER_ADDRESS]);
    message.from = named(&name, &address);
    // The header fields as they were sent are more reliable than Outlook's version of them.
    for (field, name) in [
        (&mut message.from, "from"),
        (&mut message.to, "to"),
        (&mut message.cc, "cc"),
        (&mut message.date, "date"),
    ] {
        let sent = head.text(name);
        if !sent.is_empty() {
            *field = sent;
        }
    }
    message.moment = date::rfc3339(&message.date);
    if message.moment.is_none() {
        // Without a readable `Date` field, the time stamps of Outlook are used: the time of submission, or else that
        // of delivery.
        let ticks = properties
            .number(id::SUBMITTED)
            .or_else(|| properties.number(id::DELIVERED));
        message.moment = ticks.and_then(date::of_filetime);
        if message.date.is_empty() {
            message.date = message.moment.clone().unwrap_or_default();
        }
    }
    message.text = Some(text(id::BODY)).filter(|text| !text.is_empty());
    let page = properties.number(id::CODEPAGE).unwrap_or(codepage);
    if let Some(html) = properties.bytes(id::HTML).filter(|html| !html.is_empty()) {
        message.html = Some(in_codepage(page, html));
    // Outlook stores HTML mails as HTML or within compressed RTF.
    } else if let Some(packed) = properties.bytes(id::RTF)
        && let Some(plain) = rtf::unpack(&packed)
    {
        match rtf::content(&plain) {
            rtf::Content::Html(html) => message.html = Some(html),
            rtf::Content::Text(text) if message.text.is_none() => message.text = Some(text),
            rtf::Content::Text(_) => {}
        }
    }
    message
}

/// Returns `Name <address>`. Exchange's internal addresses, which have no `@`, are left out.
pub(super) fn named(name: &str, address: &str) -> String {
    match (name, address.contains('@')) {
        ("", true) => address.to_owned(),
        (name, true) if !name.contains(address) => format!("{name} <{address}>"),
        (name, _) => name.to_owned(),
    }
}

/// Builds an attachment from its properties. `None` if it has no content.
pub(super) fn attachment(mut properties: Properties, codepage: u64) -> Option<Attachment> {
    let text = |id| properties.text(id, codepage);
    let first = |ids: &[u16]| ids.iter().map(|id| text(*id)).find(|text| !text.is_empty());
    let name = first(&[id::LONG_NAME, id::SHORT_NAME, id::NAME]).unwrap_or_else(|| {
        let extension = text(id::EXTENSION);
        format!("attachment{extension}")
    });
    let optional = |id| Some(text(id)).filter(|text| !text.is_empty());
    let (media_type, content_id, location) = (
        text(id::MEDIA_TYPE),
        optional(id::CONTENT_ID),
        optional(id::LOCATION),
    );
    Some(Attachment {
        name: super::message::plain_name(&name),
        media_type: match media_type.as_str() {
            "" => of_name(&name).to_owned(),
            _ => media_type,
        },
        content_id: content_id.map(|id| id.trim_matches(['<', '>']).to_owned()),
        location,
        bytes: properties.bytes(id::DATA)?,
        is_shown: false,
    })
}

/// Guesses the media type from a file name. Only the types of pictures matter, because a page shows them.
fn of_name(name: &str) -> &'static str {
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        Some("bmp") => "image/bmp",
        Some("webp") => "image/webp",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_text_falls_back_to_another_code_page() {
        #[track_caller]
        fn check(internet: Option<u64>, bytes: &[u8], expected: &str) {
            let mut own = Properties::default();
            own.add(id::MESSAGE_CODEPAGE, Value::Number(UTF_8));
            own.add(id::SUBJECT, Value::Bytes(bytes.to_vec()));
            if let Some(page) = internet {
                own.add(id::CODEPAGE, Value::Number(page));
            }
            assert_eq!(own.text(id::SUBJECT, own.codepage()), expected);
        }
        check(None, "äöü".as_bytes(), "äöü");
        check(None, b"\xe4\xf6\xfc", "äöü");
        check(Some(UTF_8), b"\xe4\xf6\xfc", "äöü");
        check(Some(1251), b"\xe4\xf6\xfc", "дць");
    }
}
