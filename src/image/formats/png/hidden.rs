//! Hides ancillary chunks that the decoder would refuse, so that a fault in a chunk that the picture does not need
//! cannot make the file unreadable. Changes no other byte, and no length.
//!
//! The crate `png` (0.18) ignores most ancillary chunks that are not valid, but treats three faults as errors of the
//! whole file: unknown values in `cICP`, a background colour before the palette, and a chunk that takes more memory
//! than its limit, which only `eXIf` and `iCCP` can. Each of these chunks gets a name here that no decoder knows, so
//! that it is skipped. The user is told about a profile, a colour space and EXIF that the result lacks for this reason.
//!
//! `bKGD`, `mDCV` and `cLLI` are hidden whatever they contain, without a note. This program uses neither the background
//! nor the two chunks about the brightness of HDR, so no fault in them can matter.

use super::{chunks::Walk, lines::ANCILLARY};
use crate::{
    edited_input::{Edit, EditedInput},
    metadata::MAX,
    source::{lost, rewind},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use png::Info;

/// The name that hides a chunk: ancillary, private, and safe to copy (W3C PNG, third edition, 5.4).
const NAME: [u8; 4] = *b"noNe";
/// Largest number of chunks that are hidden.
const MOST: usize = 64;
/// Number of chunks after which the job is checked.
const CHUNKS_BETWEEN_CHECKS: usize = 4096;

/// Note on a colour profile that was not read.
const PROFILE: &str = "The colour profile was left out, because it is damaged or too large.";
/// Note on code points in `cICP` that were not read.
const CODE_POINTS: &str =
    "The colour space that the chunk cICP states was left out, because it is invalid.";
/// Note on EXIF that was not read.
const EXIF: &str = "EXIF was left out, with its orientation, because it has more than 1 MiB.";

/// Chunks before the picture that need a note if the decoder does not read them.
#[derive(Clone, Copy, Default)]
pub(super) struct Stated {
    has_profile: bool,
    has_code_points: bool,
    has_large_exif: bool,
}

impl Stated {
    /// Notes on those chunks that are missing from `info`, the result of the decoder. The profile and the code points
    /// need no note if the decoder has code points, which take precedence.
    pub(super) fn losses(self, info: &Info<'_>) -> Vec<&'static str> {
        let has_code_points = info.coding_independent_code_points.is_some();
        let has_profile = has_code_points || info.icc_profile.is_some();
        let losses = [
            (self.has_profile && !has_profile, PROFILE),
            (self.has_code_points && !has_code_points, CODE_POINTS),
            (self.has_large_exif && info.exif_metadata.is_none(), EXIF),
        ];
        let losses = losses.into_iter().filter(|(is_lost, _)| *is_lost);
        losses.map(|(_, note)| note).collect()
    }
}

/// Returns the file from its beginning. Up to 64 chunks before the picture are hidden: those that the decoder would
/// refuse, and those that are hidden whatever they contain.
///
/// Errors: a failure to read the file, or that of [`Job::check`] if the job is to stop.
pub(super) fn hide<'a>(
    job: &Job<'_>,
    input: &'a mut dyn Input,
) -> Result<(Box<dyn Input + 'a>, Stated)> {
    let (mut edits, mut stated) = (Vec::new(), Stated::default());
    let mut walk = Walk::new(&mut *input).map_err(lost)?;
    let mut count: usize = 0;
    while let Some(head) = walk.next().map_err(lost)? {
        count += 1;
        if count.is_multiple_of(CHUNKS_BETWEEN_CHECKS) {
            job.check()?;
        }
        let start = walk.position() - NAME.len() as u64;
        let is_refused = match &head.name {
            b"IDAT" | b"IEND" => break,
            b"cICP" => {
                stated.has_code_points = true;
                // The decoder itself passes over a `cICP` of another length, so such a chunk stays.
                head.len == 4 && {
                    let code = walk.data(4).unwrap_or_default();
                    !matches!(code[..], [_, _, 0, 0 | 1])
                }
            }
            b"bKGD" | b"mDCV" | b"cLLI" => true,
            b"eXIf" => {
                let is_large = head.len as usize > MAX;
                stated.has_large_exif |= is_large;
                is_large
            }
            b"iCCP" => {
                stated.has_profile = true;
                head.len as usize > ANCILLARY / 2
            }
            _ => false,
        };
        if is_refused && edits.len() < MOST {
            let bytes = NAME.to_vec();
            edits.push(Edit { start, bytes });
        }
    }
    rewind(input)?;
    let input: Box<dyn Input + 'a> = match edits.is_empty() {
        true => Box::new(input),
        false => Box::new(EditedInput::edited(input, edits)),
    };
    Ok((input, stated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::job::testing::with_job;
    use std::io::{Cursor, Read};

    #[test]
    fn only_the_names_of_refused_chunks_change() {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut expected = file.clone();
        for (name, data, shown) in [
            (b"cICP", &[9, 16, 0, 1][..], b"cICP"),
            (b"cICP", &[9, 16, 9, 1], b"noNe"),
            (b"bKGD", &[0; 6], b"noNe"),
            (b"gAMA", &[0; 4], b"gAMA"),
            (b"IDAT", &[1; 9], b"IDAT"),
            (b"bKGD", &[0; 6], b"bKGD"),
        ] {
            for (bytes, name) in [(&mut file, name), (&mut expected, shown)] {
                bytes.extend((data.len() as u32).to_be_bytes());
                bytes.extend(name);
                bytes.extend(data);
                bytes.extend([7; 4]);
            }
        }
        let mut input = Cursor::new(file);
        let mut shown = Vec::new();
        with_job(|job| {
            let (mut hiding, _) = hide(job, &mut input).unwrap();
            hiding.read_to_end(&mut shown).unwrap();
        });
        assert!(shown == expected);
    }
}
