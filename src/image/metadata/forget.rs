//! Removes from XMP the properties that are wrong for the result: properties of a gain map, properties of a motion
//! photo's video, the list of gain map and video, and the position in a panorama if the size of the picture has
//! changed. They are overwritten with blanks, so that nothing else in the packet moves.

use memchr::memmem;

/// Prefixes of the names of properties about gain maps and videos.
const OUTDATED: [&[u8]; 7] = [
    b"hdrgm:",
    b"HDRGainMap:",
    b"Container:",
    b"Item:",
    b"GCamera:MotionPhoto",
    b"GCamera:MicroVideo",
    b"GContainer:",
];
/// Prefixes of the properties about the position in a panorama. They are right as long as the picture has the width
/// stated in [`PANORAMA_WIDTH`].
const PANORAMA: [&[u8]; 2] = [b"GPano:CroppedArea", b"GPano:FullPano"];
/// The property with the width of the picture within the panorama, in pixels.
const PANORAMA_WIDTH: &[u8] = b"GPano:CroppedAreaImageWidthPixels";

/// Overwrites the properties that are wrong for a picture of this width.
pub(super) fn outdated_properties(xmp: &mut [u8], width: u32) {
    OUTDATED.iter().for_each(|name| blank(xmp, name));
    let is_same = memmem::find(xmp, PANORAMA_WIDTH).is_some_and(|at| {
        let rest = &xmp[at + PANORAMA_WIDTH.len()..];
        let digits = rest
            .iter()
            .skip_while(|byte| matches!(byte, b'=' | b'"' | b'\'' | b'>'));
        let digits: String = digits
            .take_while(|byte| byte.is_ascii_digit())
            .map(|byte| char::from(*byte))
            .collect();
        digits.parse() == Ok(width)
    });
    if !is_same {
        PANORAMA.iter().for_each(|name| blank(xmp, name));
    }
}

/// Overwrites all attributes and elements whose names begin with `name`. The names also occur in text, where they stay.
fn blank(xmp: &mut [u8], name: &[u8]) {
    let mut from = 0;
    while let Some(at) = memmem::find(&xmp[from..], name).map(|at| from + at) {
        let before = at.checked_sub(1).map(|at| xmp[at]);
        let end = match before {
            Some(b'<') => element(xmp, at),
            Some(before) if before.is_ascii_whitespace() => attribute(xmp, at),
            _ => None,
        };
        let start = if before == Some(b'<') { at - 1 } else { at };
        from = match end {
            Some(end) => {
                xmp[start..end].fill(b' ');
                end
            }
            None => at + name.len(),
        };
    }
}

/// Finds the end of the attribute that begins at `at`.
fn attribute(xmp: &[u8], at: usize) -> Option<usize> {
    let equals = at + xmp[at..].iter().position(|byte| *byte == b'=')?;
    let quote = equals
        + 1
        + xmp[equals + 1..]
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\''))?;
    let end = xmp[quote + 1..]
        .iter()
        .position(|byte| *byte == xmp[quote])?;
    Some(quote + 1 + end + 1)
}

/// Finds the end of the element whose name begins at `at`.
fn element(xmp: &[u8], at: usize) -> Option<usize> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let name = &xmp[at..at + xmp[at..].iter().position(is_end)?];
    let close = at + xmp[at..].iter().position(|byte| *byte == b'>')?;
    if xmp[close - 1] == b'/' {
        return Some(close + 1);
    }
    let tag = [b"</", name, b">"].concat();
    memmem::find(&xmp[close..], &tag).map(|end| close + end + tag.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_outdated_properties_are_overwritten() {
        #[track_caller]
        fn check(before: &str, after: &str) {
            let mut xmp = before.as_bytes().to_vec();
            outdated_properties(&mut xmp, 100);
            let text = String::from_utf8(xmp).unwrap();
            assert_eq!(text.len(), before.len());
            assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), after);
        }
        check("<a hdrgm:Version=\"1.0\" b:c='d'/>", "<a b:c='d'/>");
        check(
            "<a><Container:Directory><x Item:Mime='y'/></Container:Directory><b/></a>",
            "<a> <b/></a>",
        );
        check("<a><hdrgm:Gamma/><hdrgm:Max> 1</hdrgm:Max></a>", "<a> </a>");
        check(
            "<a GPano:CroppedAreaImageWidthPixels='100'/>",
            "<a GPano:CroppedAreaImageWidthPixels='100'/>",
        );
        check("<a GPano:CroppedAreaImageWidthPixels='99'/>", "<a />");
        check("<a hdrgm:Version", "<a hdrgm:Version");
        check("hdrgm:", "hdrgm:");
    }
}
