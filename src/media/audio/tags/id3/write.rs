//! Writes ID3 tags of version 2.4, with all texts in UTF-8. Writes no other version.

use super::frames::{FRAMES, to_synchsafe};
use crate::audio::tags::{Key, Picture, Tags};

/// Makes a tag of version 2.4 with its texts in UTF-8. Empty if there are no tags.
pub(crate) fn write(tags: &Tags) -> Vec<u8> {
    let mut frames = Vec::new();
    for key in Key::ALL {
        let texts: Vec<&str> = tags
            .texts()
            .filter(|(k, _)| *k == key)
            .map(|(_, t)| t)
            .collect();
        if texts.is_empty() {
            continue;
        }
        let mut body = vec![3];
        if key == Key::Comment {
            body.extend(b"und\0");
        }
        body.extend(texts.join("\0").bytes());
        let name = FRAMES
            .iter()
            .find(|(k, ..)| *k == key)
            .map_or("TXXX", |(_, name, _)| name);
        push_frame(&mut frames, name, &body);
    }
    if let Some(Picture { media_type, data }) = tags.picture() {
        let mut body = vec![3];
        body.extend(media_type.bytes());
        body.extend([0, 3, 0]);
        body.extend(data);
        push_frame(&mut frames, "APIC", &body);
    }
    if frames.is_empty() {
        return frames;
    }
    let mut tag = b"ID3\x04\0\0".to_vec();
    tag.extend(to_synchsafe(frames.len()));
    tag.append(&mut frames);
    tag
}

fn push_frame(frames: &mut Vec<u8>, name: &str, body: &[u8]) {
    frames.extend(name.bytes());
    frames.extend(to_synchsafe(body.len()));
    frames.extend([0, 0]);
    frames.extend(body);
}
