//! Presentations of PowerPoint 97 to 2003 (MS-PPT 2.3.7). Each object is encrypted with its own key, which depends on
//! the number of the object. The directory of objects is not encrypted. In the stream of pictures, each field is
//! encrypted separately with the same key.

use super::{EncryptedFormat, Passwords, binary::Keys, overwrite, stream, unsupported};
use crate::{
    containers::{cfb, fields::Fields},
    error::Result,
    job::Job,
};
use std::{collections::BTreeMap, io::Cursor};

pub(super) const KIND: EncryptedFormat = EncryptedFormat {
    formats: &["ppt"],
    signature: cfb::SIGNATURE,
    is_locked: |job, input| {
        let user = stream(job, input, USER, 64)?;
        Ok(Fields(&user).u32(TOKEN) == ENCRYPTED)
    },
    unlock,
};

/// Stream that points to the latest edit.
const USER: &[&str] = &["Current User"];
/// Stream of objects.
const OBJECTS: &[&str] = &["PowerPoint Document"];
/// Stream of pictures.
const PICTURES: &[&str] = &["Pictures"];

/// Offset of `headerToken` in CurrentUserAtom, which states whether the file is encrypted (2.3.2).
const TOKEN: usize = 12;
/// Offset of the latest edit's position in CurrentUserAtom.
const LATEST: usize = 16;
/// Value of `headerToken` in encrypted files.
const ENCRYPTED: u32 = 0xf3d1_c4df;
/// Value of `headerToken` in other files.
const PLAIN: u32 = 0xe391_c05f;

/// Type of the records that describe an edit: UserEditAtom (2.13.24).
const USER_EDIT: u16 = 0x0ff5;
/// Type of the records that list offsets of objects: PersistDirectoryAtom.
const DIRECTORY: u16 = 0x1772;
/// Type of the record that describes the encryption: CryptSession10Container.
const CRYPT_SESSION: u16 = 0x2f14;

/// Max. number of edits.
const MAX_EDITS: usize = 4096;
/// Max. number of objects.
const MAX_OBJECTS: usize = 1 << 20;

/// Offset of `encryptSessionPersistIdRef` in UserEditAtom (2.3.3).
const SESSION: usize = 8 + 28;

/// Objects and edits of a presentation, from the chain of UserEditAtoms.
#[derive(Default)]
struct Edits {
    /// Offsets of objects by their numbers.
    objects: BTreeMap<u32, usize>,
    /// Offsets of edits, the latest first.
    places: Vec<usize>,
    /// Number of the object that describes the encryption.
    session: u32,
}

impl Edits {
    /// Follows the chain from the latest to the first edit.
    fn read(objects: Fields<'_>, latest: u32) -> Self {
        let mut edits = Self::default();
        let mut next = latest as usize;
        while edits.places.len() < MAX_EDITS {
            let edit = objects.from(next);
            if edit.u16(2) != USER_EDIT {
                break;
            }
            edits.places.push(next);
            if edits.session == 0 {
                edits.session = edit.u32(SESSION);
            }
            edits.add(objects.from(edit.u32(8 + 12) as usize));
            // Each edit is stored after the previous edit. The check prevents endless loops in damaged files.
            match edit.u32(8 + 8) as usize {
                0 => break,
                before if before >= next => break,
                before => next = before,
            }
        }
        edits
    }

    /// Adds the objects of a directory (2.3.4). Objects of later edits are added first, and take precedence.
    fn add(&mut self, directory: Fields<'_>) {
        if directory.u16(2) != DIRECTORY {
            return;
        }
        let mut rest = directory.part(8, directory.u32(4) as usize);
        while rest.len() >= 4 {
            // A run of consecutive numbers.
            let (first, count) = (rest.u32(0) & 0xf_ffff, rest.u32(0) >> 20);
            rest = rest.from(4);
            for number in first..first + count {
                if rest.len() < 4 || self.objects.len() >= MAX_OBJECTS {
                    return;
                }
                self.objects.entry(number).or_insert(rest.u32(0) as usize);
                rest = rest.from(4);
            }
        }
    }
}

/// Decrypts a presentation (MS-PPT 2.3.7). Edits, and the object that describes the encryption, are not encrypted.
fn unlock(job: &Job<'_>, file: Vec<u8>, passwords: &Passwords<'_>) -> Result<Vec<u8>> {
    let mut file = Cursor::new(file);
    let mut user = stream(job, &mut file, USER, u64::MAX)?;
    let mut objects = stream(job, &mut file, OBJECTS, u64::MAX)?;
    let edits = Edits::read(Fields(&objects), Fields(&user).u32(LATEST));
    let session = edits.objects.get(&edits.session);
    let session = session.map(|place| Fields(&objects).from(*place));
    let Some(session) = session.filter(|session| session.u16(2) == CRYPT_SESSION) else {
        return Err(unsupported("the method of PowerPoint 95"));
    };
    let keys = Keys::find(session.from(8), passwords)?;
    for (number, place) in &edits.objects {
        job.check()?;
        if *number != edits.session {
            object(&keys, *number, &mut objects, *place);
        }
    }
    // Readers must not take the presentation for an encrypted presentation.
    for place in &edits.places {
        write(&mut objects, place + SESSION, 0);
    }
    write(&mut user, TOKEN, PLAIN);
    let mut pictures = stream(job, &mut file, PICTURES, u64::MAX)?;
    decrypt_pictures(&keys, &mut pictures);
    for (name, bytes) in [(USER, user), (OBJECTS, objects), (PICTURES, pictures)] {
        overwrite(job, &mut file, name, &bytes)?;
    }
    Ok(file.into_inner())
}

/// Overwrites a number, if the offset is valid.
fn write(bytes: &mut [u8], place: usize, number: u32) {
    if let Some(there) = bytes.get_mut(place..).and_then(<[u8]>::first_chunk_mut) {
        *there = number.to_le_bytes();
    }
}

/// Decrypts an object, whose length is in its header.
fn object(keys: &Keys, number: u32, stream: &mut [u8], place: usize) {
    let Some((header, rest)) = stream
        .get_mut(place..)
        .and_then(|rest| rest.split_at_mut_checked(8))
    else {
        return;
    };
    let mut cipher = keys.cipher(number);
    cipher.apply(header);
    let len = (Fields(header).u32(4) as usize).min(rest.len());
    cipher.apply(&mut rest[..len]);
}

/// Record types of pictures that are vector drawings (MS-ODRAW 2.2.23). The header of their data has 34 bytes, that of
/// other pictures one byte.
const DRAWINGS: std::ops::RangeInclusive<u16> = 0xf01a..=0xf01c;

/// Values of `recInstance` in the headers of picture records with two hashes.
const TWO_HASHES: &[u16] = &[0x3d5, 0x217, 0x543, 0x46b, 0x6e1, 0x6e3, 0x6e5, 0x7a9];

/// Decrypts the pictures. The record header, the hashes, the header of the data and the data are encrypted separately.
fn decrypt_pictures(keys: &Keys, stream: &mut [u8]) {
    let mut rest = stream;
    while let Some((header, after)) = std::mem::take(&mut rest).split_at_mut_checked(8) {
        keys.cipher(0).apply(header);
        let header = Fields(header);
        let len = (header.u32(4) as usize).min(after.len());
        let (mut picture, after) = after.split_at_mut(len);
        let hashes = match TWO_HASHES.contains(&(header.u16(0) >> 4)) {
            true => [16, 16],
            false => [16, 0],
        };
        let before = match DRAWINGS.contains(&header.u16(2)) {
            true => 34,
            false => 1,
        };
        for len in hashes.into_iter().chain([before, usize::MAX]) {
            let len = len.min(picture.len());
            let (field, after) = std::mem::take(&mut picture).split_at_mut(len);
            keys.cipher(0).apply(field);
            picture = after;
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        Keys::Sha1(vec![7; 20], 16)
    }

    /// Record of a picture or an object, with this instance, type and content.
    fn record(instance: u16, kind: u16, data: &[u8]) -> Vec<u8> {
        let mut record = (instance << 4).to_le_bytes().to_vec();
        record.extend(kind.to_le_bytes());
        record.extend((data.len() as u32).to_le_bytes());
        record.extend(data);
        record
    }

    /// An object is encrypted together with its header. The key depends on the number of the object.
    #[test]
    fn an_object_is_decrypted_to_its_stated_length() {
        let plain = record(0, 0x03e8, &[1; 20]);
        let mut stream = plain.clone();
        keys().cipher(3).apply(&mut stream);
        stream.extend([9; 4]);
        object(&keys(), 3, &mut stream, 0);
        assert_eq!(stream, [plain, vec![9; 4]].concat());
        // A header that is cut short, and a header with a length beyond the end.
        object(&keys(), 3, &mut stream[..6], 0);
        object(&keys(), 3, &mut [0; 9], 0);
    }

    /// Each field of a picture is encrypted from the beginning of the key stream.
    #[test]
    fn pictures_are_decrypted_field_by_field() {
        #[track_caller]
        fn check(instance: u16, kind: u16, fields: &[usize]) {
            let data: Vec<u8> = (0..fields.iter().sum::<usize>())
                .map(|at| at as u8)
                .collect();
            let plain = record(instance, kind, &data);
            let mut stream = plain.clone();
            let mut rest = &mut stream[..];
            for len in [8].iter().chain(fields) {
                let (field, after) = std::mem::take(&mut rest).split_at_mut(*len);
                keys().cipher(0).apply(field);
                rest = after;
            }
            let (mut two, plain) = (stream.repeat(2), plain.repeat(2));
            decrypt_pictures(&keys(), &mut two);
            assert_eq!(two, plain);
        }
        check(0x6e0, 0xf01e, &[16, 1, 100]);
        check(0x6e1, 0xf01e, &[16, 16, 1, 100]);
        check(0x3d4, 0xf01a, &[16, 34, 100]);
    }
}
