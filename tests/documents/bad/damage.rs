//! Files that are cut or have wrong bytes, also in compressed parts of archives. They are converted in memory, many per
//! second.

use crate::{
    harness::{convert, data, documents},
    zips::{self, Zip},
};
use convertd::error::Kind;

#[test]
fn damaged_files_are_refused_or_read() {
    let mut random = 0x5eed_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for name in documents() {
        let whole = data(&name);
        let mut damaged: Vec<Vec<u8>> = (1..20)
            .map(|part| whole[..whole.len() * part / 20].to_vec())
            .collect();
        damaged.extend((0..30).map(|_| {
            let mut bytes = whole.clone();
            for _ in 0..=next(4) {
                let at = next(bytes.len());
                bytes[at] = next(256) as u8;
            }
            bytes
        }));
        damaged.extend(rebuilt(&whole, &mut next));
        for (nth, bytes) in damaged.into_iter().enumerate() {
            // Both targets use the same reader. Pages take longer, but also test the layout.
            let to = if nth % 4 == 0 { "pdf" } else { "html" };
            if let Err(err) = convert(&name, &bytes, to) {
                assert_eq!(err.kind(), Kind::BadInput, "{name} to {to}: {err}");
            }
        }
    }
}

/// The same archive with damage inside its parts; it is packed again, so that no checksum detects the damage first.
fn rebuilt(whole: &[u8], next: &mut dyn FnMut(usize) -> usize) -> Vec<Vec<u8>> {
    if !whole.starts_with(b"PK") {
        return Vec::new();
    }
    (0..30)
        .map(|_| {
            let mut zip = Zip::default();
            for (entry, mut content) in zips::entries(whole) {
                let is_text = entry.ends_with("xml")
                    || entry.ends_with("html")
                    || entry.ends_with("opf")
                    || entry.ends_with("rels");
                if is_text && content.len() > 40 && next(3) == 0 {
                    for _ in 0..=next(3) {
                        let (from, to) = (next(content.len() - 20), next(content.len() - 20));
                        let len = 1 + next(20);
                        match next(3) {
                            0 => content.copy_within(from..from + len, to),
                            1 => drop(content.drain(to..to + len)),
                            _ => content[to] = next(256) as u8,
                        }
                        if content.len() <= 40 {
                            break;
                        }
                    }
                }
                zip = match entry.as_str() {
                    "mimetype" => zip.stored(&entry, &content),
                    _ => zip.packed(&entry, &content),
                };
            }
            zip.finish()
        })
        .collect()
}
