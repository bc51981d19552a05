//! Recognises TGA files, which have no signature at their beginning.

use convertd_core::job::Input;
use std::io::SeekFrom;

const FOOTER: &[u8; 18] = b"TRUEVISION-XFILE.\0";

/// Returns whether the header is plausible and either the name of the file ends like that of a TGA (`has_extension`),
/// or the file ends with the signature of version 2.
pub(crate) fn is_tga(head: &[u8], input: &mut dyn Input, has_extension: bool) -> bool {
    plausible(head) && (has_extension || has_footer(input))
}

fn has_footer(input: &mut dyn Input) -> bool {
    let mut footer = [0; 18];
    let read = input
        .seek(SeekFrom::End(-18))
        .and_then(|_| input.read_exact(&mut footer));
    read.is_ok() && footer == *FOOTER
}

/// Returns whether the fields of a header, 18 bytes, are consistent.
fn plausible(head: &[u8]) -> bool {
    let Some(
        &[
            _,
            has_map,
            kind,
            _,
            _,
            map_len,
            map_len_high,
            map_depth,
            _,
            _,
            _,
            _,
            w0,
            w1,
            h0,
            h1,
            depth,
            flags,
        ],
    ) = head.first_chunk::<18>()
    else {
        return false;
    };
    let sized = (w0, w1) != (0, 0) && (h0, h1) != (0, 0);
    let map_empty = map_len == 0 && map_len_high == 0;
    let kind_fits = match kind {
        1 | 9 => {
            has_map == 1
                && !map_empty
                && matches!(map_depth, 15 | 16 | 24 | 32)
                && matches!(depth, 8 | 15 | 16)
        }
        2 | 10 => matches!(depth, 15 | 16 | 24 | 32),
        3 | 11 => matches!(depth, 8 | 16),
        _ => false,
    };
    sized && kind_fits && has_map <= 1 && flags & 0xc0 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[track_caller]
    fn check(content: &[u8], has_extension: bool, expected: bool) {
        let found = is_tga(content, &mut Cursor::new(content), has_extension);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_header_and_a_name_or_a_footer_are_required() {
        let header = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
        let mut footed = header.to_vec();
        footed.extend([0; 11]);
        footed.extend(FOOTER);
        check(&header, true, true);
        check(&header, false, false);
        check(&footed, false, true);
        check(b"", true, false);
        check(&[0; 64], true, false);
        check(
            b"Some text that somebody has called a picture.",
            true,
            false,
        );
    }
}
