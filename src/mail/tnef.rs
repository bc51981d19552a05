//! TNEF (MS-OXTNEF), the container that Outlook sends and other programs show as `winmail.dat`: a sequence of
//! attributes, some of which hold MAPI properties. Lengths in the file are not trusted.

use super::{
    mapi::{self, Properties, Value},
    message::{Attachment, Message},
};
use crate::{error::Result, job::Job};

/// Signature at the beginning of the file, 0x223e9f78 in little-endian (MS-OXTNEF 2.1.3.1).
pub(super) const SIGNATURE: [u8; 4] = [0x78, 0x9f, 0x3e, 0x22];

/// Attribute identifiers; the upper half is the data type (MS-OXTNEF 2.1.3.2).
mod attribute {
    /// Subject of the mail.
    pub(super) const SUBJECT: u32 = 0x0001_8004;
    /// Plain text of the mail.
    pub(super) const BODY: u32 = 0x0002_800c;
    /// MAPI properties of the mail.
    pub(super) const PROPERTIES: u32 = 0x0006_9003;
    /// Beginning of an attachment.
    pub(super) const NEW_ATTACHMENT: u32 = 0x0006_9002;
    /// File name of an attachment.
    pub(super) const TITLE: u32 = 0x0001_8010;
    /// Data of an attachment.
    pub(super) const DATA: u32 = 0x0006_800f;
    /// MAPI properties of an attachment.
    pub(super) const ATTACHMENT: u32 = 0x0006_9005;
    /// Code page of texts.
    pub(super) const CODEPAGE: u32 = 0x0006_9007;
}

/// Maximum number of attachments that are read.
const MAX_ATTACHMENTS: usize = 2000;
/// Maximum number of properties that are read of one set, and of values of one property.
const MAX_PROPERTIES: u32 = 10_000;

/// Reads a TNEF file. `None` if the signature does not match. A damaged file yields the attributes before the damage.
pub(super) fn read(job: &Job<'_>, bytes: &[u8]) -> Result<Option<Message>> {
    let Some(rest) = bytes.strip_prefix(&SIGNATURE) else {
        return Ok(None);
    };
    // A key of two bytes follows the signature. This reader does not need it.
    let mut rest = rest.get(2..).unwrap_or_default();
    let (mut own, mut codepage) = (Properties::default(), 1252);
    let mut files: Vec<(Properties, Option<Vec<u8>>)> = Vec::new();
    while let Some((id, data, after)) = next(rest) {
        job.check()?;
        rest = after;
        match id {
            attribute::CODEPAGE => codepage = u64::from(number(data, 0).unwrap_or(1252)),
            attribute::SUBJECT => own.add(mapi::id::SUBJECT, Value::Bytes(data.to_vec())),
            attribute::BODY => own.add(mapi::id::BODY, Value::Bytes(data.to_vec())),
            attribute::PROPERTIES => properties(data, &mut own),
            attribute::NEW_ATTACHMENT if files.len() < MAX_ATTACHMENTS => {
                files.push(Default::default())
            }
            // Some files lack [`attribute::NEW_ATTACHMENT`] before the data of an attachment.
            attribute::TITLE | attribute::DATA | attribute::ATTACHMENT => {
                if files.is_empty() {
                    files.push(Default::default());
                }
                if let Some((about, content)) = files.last_mut() {
                    match id {
                        attribute::DATA => *content = Some(data.to_vec()),
                        attribute::TITLE => {
                            about.add(mapi::id::SHORT_NAME, Value::Bytes(data.to_vec()))
                        }
                        _ => properties(data, about),
                    }
                }
            }
            _ => {}
        }
    }
    own.add(mapi::id::MESSAGE_CODEPAGE, Value::Number(codepage));
    let mut message = mapi::message(own);
    for (mut about, content) in files {
        if let Some(content) = content {
            about.add(mapi::id::DATA, Value::Bytes(content));
        }
        let file: Option<Attachment> = mapi::attachment(about, codepage);
        message
            .attachments
            .extend(file.filter(|file| !file.bytes.is_empty()));
    }
    Ok(Some(message))
}

/// Reads the next attribute: a level (1 byte), an identifier, a length, data and a checksum (2 bytes). Returns the
/// identifier, the data and the bytes after the attribute.
fn next(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let id = number(bytes, 1)?;
    let len = number(bytes, 5)? as usize;
    let rest = bytes.get(9..)?;
    // In a truncated file, the last attribute has less data than it declares.
    let data = &rest[..len.min(rest.len())];
    Some((
        id,
        data,
        rest.get(len.saturating_add(2)..).unwrap_or_default(),
    ))
}

/// Reads a 32-bit little-endian number.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// Reads a set of properties (MS-OXTNEF 2.1.3.4), and stops at the first property that cannot be parsed.
fn properties(data: &[u8], into: &mut Properties) {
    let mut cursor = Cursor { data, at: 0 };
    let count = cursor.long().unwrap_or(0).min(MAX_PROPERTIES);
    for _ in 0..count {
        if cursor.property(into).is_none() {
            return;
        }
    }
}

/// Position in a set of properties.
struct Cursor<'d> {
    data: &'d [u8],
    at: usize,
}

impl<'d> Cursor<'d> {
    /// Takes the next `len` bytes.
    fn take(&mut self, len: usize) -> Option<&'d [u8]> {
        let end = self.at.checked_add(len)?;
        let bytes = self.data.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    /// Reads a 32-bit little-endian number.
    fn long(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Takes `len` bytes, and skips the padding to a multiple of four.
    fn take_padded(&mut self, len: usize) -> Option<&'d [u8]> {
        let bytes = self.take(len)?;
        self.at = self.at.checked_next_multiple_of(4)?;
        Some(bytes)
    }

    /// Reads a MAPI property (MS-OXTNEF 2.1.3.4): its type and identifier, a name if the identifier is in the range
    /// of named properties, and its values, each padded to four bytes.
    fn property(&mut self, into: &mut Properties) -> Option<()> {
        let tag = self.long()?;
        let (kind, id) = (tag as u16, (tag >> 16) as u16);
        if id >= 0x8000 {
            // Named property: a GUID, and then a number or a text.
            self.take(16)?;
            if self.long()? == 0 {
                self.long()?;
            } else {
                let len = self.long()? as usize;
                self.take_padded(len)?;
            }
        }
        // Properties of variable length state the number of their values.
        let is_multi_valued = kind & 0x1000 != 0;
        let count = match (is_multi_valued, kind & 0xfff) {
            (true, _) | (false, 0x0d | 0x1e | 0x1f | 0x102) => self.long()?.min(MAX_PROPERTIES),
            (false, _) => 1,
        };
        for _ in 0..count {
            let value = match kind & 0xfff {
                // Types in this order: integers of 16 bits, values of 32 and of 64 bits, a GUID, and texts or data of
                // variable length.
                2 | 11 => Value::Number(u64::from(self.long()? as u16)),
                3 | 4 | 10 => Value::Number(u64::from(self.long()?)),
                5 | 6 | 7 | 0x14 | 0x40 => {
                    Value::Number(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
                }
                0x48 => Value::Bytes(self.take(16)?.to_vec()),
                kind @ (0x0d | 0x1e | 0x1f | 0x102) => {
                    let len = self.long()? as usize;
                    let bytes = self.take_padded(len)?;
                    match kind {
                        0x1f => Value::Text(utf16(bytes)),
                        // The data of an object begin after the identifier of its interface, 16 bytes.
                        0x0d => Value::Bytes(bytes.get(16..).unwrap_or_default().to_vec()),
                        _ => Value::Bytes(bytes.to_vec()),
                    }
                }
                _ => return None,
            };
            into.add(id, value);
        }
        Some(())
    }
}

/// Decodes UTF-16, little-endian.
pub(super) fn utf16(bytes: &[u8]) -> String {
    let units = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    fn attribute(id: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes = vec![1];
        bytes.extend(id.to_le_bytes());
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(data);
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn attachments_are_extracted() {
        let mut set = 1_u32.to_le_bytes().to_vec();
        set.extend(0x3707_001f_u32.to_le_bytes());
        set.extend(1_u32.to_le_bytes());
        let name: Vec<u8> = "é.txt\0"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        set.extend((name.len() as u32).to_le_bytes());
        set.extend(&name);
        let file = [
            SIGNATURE.to_vec(),
            vec![1, 0],
            attribute(attribute::SUBJECT, b"hello\0"),
            attribute(attribute::NEW_ATTACHMENT, &[0; 14]),
            attribute(attribute::TITLE, b"E.TXT\0"),
            attribute(attribute::DATA, b"content"),
            attribute(attribute::ATTACHMENT, &set),
        ]
        .concat();
        with_job(|job| {
            let message = read(job, &file).unwrap().unwrap();
            assert_eq!(message.subject, "hello");
            assert_eq!(
                (
                    message.attachments[0].name.as_str(),
                    &message.attachments[0].bytes[..]
                ),
                ("é.txt", &b"content"[..])
            );
            for end in 0..file.len() {
                read(job, &file[..end]).unwrap();
            }
            for at in 0..file.len() {
                let mut bad = file.clone();
                bad[at] ^= 0xff;
                read(job, &bad).unwrap();
            }
        });
    }
}
