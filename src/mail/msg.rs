//! Outlook messages (MS-OXMSG): a compound file whose storages hold the properties of the message, of its recipients
//! and of its attachments. Messages within the message are written as mails of their own, to a limited depth.

use super::{
    eml,
    mapi::{self, Properties, Value, id},
    message::{Attachment, Message},
    tnef::utf16,
};
use crate::{
    containers::cfb::{Compound, EntryId},
    error::{Error, Kind, Result},
    job::{Input, Job},
};

/// Name of the stream with the properties of fixed length (MS-OXMSG 2.4).
const PROPERTIES: &str = "__properties_version1.0";
/// Prefix of the streams with the properties of variable length; the property tag follows in hexadecimal (MS-OXMSG
/// 2.4).
const STREAM: &str = "__substg1.0_";
/// Maximum number of recipients and attachments that are read, over all levels.
const MAX: usize = 2000;
/// Maximum nesting depth of messages. Each level makes its content larger by a third, since it is written in Base64.
const MAX_DEPTH: usize = 5;

/// Attach method of a message within the message (`afEmbeddedMessage`, MS-OXCMSG 2.2.2.9).
const EMBEDDED: u64 = 5;
/// Property identifier of the attach method (`PidTagAttachMethod`).
const METHOD: u16 = 0x3705;

/// Reads a message.
///
/// Errors: [`Kind::BadInput`] if the file is not a compound file, or holds no message.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Message> {
    let compound = Compound::open(input).map_err(|err| job.unreadable(err))?;
    let root = compound.root();
    let mut left = MAX;
    let storage = Storage {
        job,
        compound: &compound,
        depth: 0,
    };
    // The header of the stream has 32 bytes in the top message, 24 in an embedded message, and 8 in a recipient or an
    // attachment (MS-OXMSG 2.4.1).
    let message = storage.message(input, root, 32, &mut left)?;
    let is_empty = message.from.is_empty()
        && message.html.is_none()
        && message.text.is_none()
        && message.subject.is_empty();
    match is_empty && message.attachments.is_empty() && !compound.has(PROPERTIES) {
        true => Err(Error::new(
            Kind::BadInput,
            "the file is not a readable msg: it holds no message",
        )),
        false => Ok(message),
    }
}

/// Storage of a message in the file, and its depth.
#[derive(Clone, Copy)]
struct Storage<'s, 'j> {
    job: &'s Job<'j>,
    compound: &'s Compound,
    /// Number of messages around this one.
    depth: usize,
}

impl Storage<'_, '_> {
    /// Reads the message in a storage, whose properties begin after a header of `skip` bytes. `left` counts down the
    /// recipients and attachments that may still be read.
    fn message(
        self,
        input: &mut dyn Input,
        storage: EntryId,
        skip: usize,
        left: &mut usize,
    ) -> Result<Message> {
        let compound = self.compound;
        let own = properties(compound, input, storage, skip);
        let codepage = own.codepage();
        let mut message = mapi::message(own);
        // Recipients of `To`, `Cc` and `Bcc`: types 1 to 3 (`PidTagRecipientType`). The upper bits of the type are
        // flags.
        let mut lists: [Vec<String>; 3] = Default::default();
        for storage in compound.children(storage) {
            self.job.check()?;
            let name = compound.name(storage).to_ascii_lowercase();
            let is_recipient = name.starts_with("__recip_version1.0_");
            if !is_recipient && !name.starts_with("__attach_version1.0_") {
                continue;
            }
            if *left == 0 {
                message.remark(
                    "The mail has too many recipients or attachments; the rest is missing.",
                );
                break;
            }
            *left -= 1;
            let about = properties(compound, input, storage, 8);
            if is_recipient {
                let text = |id| about.text(id, codepage);
                let address = [id::SMTP, id::ADDRESS]
                    .map(text)
                    .into_iter()
                    .find(|text| text.contains('@'));
                let named = mapi::named(&text(id::NAME), &address.unwrap_or_default());
                let kind = about.number(id::RECIPIENT_TYPE).unwrap_or(1);
                if let Some(list) = lists.get_mut((kind as usize & 0xf).wrapping_sub(1)) {
                    list.push(named);
                }
                continue;
            }
            match about.number(METHOD) {
                Some(EMBEDDED) => {
                    let file = self.embedded(input, storage, &about, codepage, left)?;
                    message.attachments.push(file);
                }
                _ => message
                    .attachments
                    .extend(mapi::attachment(about, codepage)),
            }
        }
        let [to, cc, bcc] = lists.map(|list| list.join("; "));
        for (field, list) in [
            (&mut message.to, to),
            (&mut message.cc, cc),
            (&mut message.bcc, bcc),
        ] {
            // The display fields of a message often have names only, and the recipients have addresses, too. So the
            // recipients replace a field without an address.
            if !list.is_empty() && !field.contains('@') {
                *field = list;
            }
        }
        Ok(message)
    }

    /// Writes a message within the message as a mail, and returns it as an attachment. Beyond [`MAX_DEPTH`], the
    /// attachment is empty.
    fn embedded(
        self,
        input: &mut dyn Input,
        storage: EntryId,
        about: &Properties,
        codepage: u64,
        left: &mut usize,
    ) -> Result<Attachment> {
        let compound = self.compound;
        let is_message = |child: &EntryId| {
            // The storage of an embedded message: property 0x3701 (data) of type 0x000d (object).
            let name = compound.name(*child).to_ascii_lowercase();
            name.starts_with("__substg1.0_3701000d")
        };
        let storage = compound.children(storage).into_iter().find(is_message);
        let inner = Self {
            depth: self.depth + 1,
            ..self
        };
        let found = match storage.filter(|_| inner.depth <= MAX_DEPTH) {
            Some(storage) => Some(inner.message(input, storage, 24, left)?),
            None => None,
        };
        let subject = found.as_ref().map(|found| found.subject.clone());
        let name = subject
            .filter(|subject| !subject.is_empty())
            .unwrap_or_else(|| about.text(id::NAME, codepage));
        Ok(Attachment {
            name: super::message::plain_name(&format!("{name}.eml")),
            media_type: "message/rfc822".to_owned(),
            bytes: found.as_ref().map(eml::write).unwrap_or_default(),
            ..Attachment::default()
        })
    }
}

/// Reads all properties of a storage. Properties of fixed length are in one stream after a header of `skip` bytes; each
/// property of variable length has a stream of its own.
fn properties(
    compound: &Compound,
    input: &mut dyn Input,
    storage: EntryId,
    skip: usize,
) -> Properties {
    let mut found = Properties::default();
    for child in compound.children(storage) {
        let name = compound.name(child);
        if name.eq_ignore_ascii_case(PROPERTIES) {
            let bytes = compound.bytes(input, child).unwrap_or_default();
            fixed(bytes.get(skip..).unwrap_or_default(), &mut found);
            continue;
        }
        let tag = name
            .get(..STREAM.len())
            .filter(|start| start.eq_ignore_ascii_case(STREAM));
        let tag = tag.and_then(|_| u32::from_str_radix(name.get(STREAM.len()..)?, 16).ok());
        let Some(tag) = tag else {
            continue;
        };
        let Some(bytes) = compound.bytes(input, child) else {
            continue;
        };
        let value = match tag as u16 {
            // Property types: 0x1f is UTF-16, 0x1e is text in the code page, and 0x102 is binary (MS-OXCDATA 2.11.1).
            0x1f => Value::Text(utf16(&bytes)),
            0x1e | 0x102 => Value::Bytes(bytes),
            _ => continue,
        };
        found.add((tag >> 16) as u16, value);
    }
    found
}

/// Reads properties of fixed length: entries of 16 bytes with a tag, flags and a value (MS-OXMSG 2.4.2.1).
fn fixed(bytes: &[u8], found: &mut Properties) {
    for entry in bytes.chunks_exact(16) {
        let tag = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
        let low = u32::from_le_bytes([entry[8], entry[9], entry[10], entry[11]]);
        let high = u32::from_le_bytes([entry[12], entry[13], entry[14], entry[15]]);
        let value = match tag as u16 {
            // Property types: 2 is a 16-bit integer, 11 a boolean, 3 a 32-bit integer, 0x14 a 64-bit integer and 0x40 a
            // time.
            2 | 11 => u64::from(low as u16),
            3 => u64::from(low),
            0x14 | 0x40 => u64::from(high) << 32 | u64::from(low),
            _ => continue,
        };
        found.add((tag >> 16) as u16, Value::Number(value));
    }
}
