//! Writes the `moov` box of an M4A file (ISO 14496-12, 14496-14, and Apple's boxes for tags). Always writes one track.

use super::{packets::Packets, tags::TEXTS};
use crate::{
    out::Out,
    sound::pcm::Spec,
    tags::{Key, Tags, fields},
};
use convertd_core::error::Result;

/// Number of packets in a chunk, which last about half a second.
const CHUNK: usize = 22;

/// Largest number of chapters. A byte holds the number.
const MAX_CHAPTERS: usize = 255;

/// Content of the `moov` box.
pub(crate) struct Movie<'a> {
    pub(crate) rate: u32,
    pub(crate) channels: u16,
    /// Configuration of the codec, an `AudioSpecificConfig`.
    pub(crate) setup: &'a [u8],
    /// Delay of the encoder before the sound, in sample frames.
    pub(crate) delay: u64,
    /// Length of the sound in sample frames.
    pub(crate) frames: u64,
    /// Number of sample frames in a packet.
    pub(crate) packet_frames: u64,
    pub(crate) packets: &'a Packets,
    /// Offset of the first packet in the file.
    pub(crate) data: u64,
    pub(crate) tags: &'a Tags,
}

impl Movie<'_> {
    /// Appends the `moov` box.
    pub(crate) fn write(&self, out: &mut Out<'_>) -> Result<()> {
        let count = self.packets.len();
        let sizes = 20 + 4 * count as u64;
        let chunks = 16 + 8 * count.div_ceil(CHUNK) as u64;
        // All boxes are small enough to be built in memory, except for the tables `stsz` and `co64`.
        let before = self.sample_tables();
        let media = boxed(b"mdhd", &self.media_header());
        let handler = boxed(b"hdlr", b"\0\0\0\0\0\0\0\0soun\0\0\0\0\0\0\0\0\0\0\0\0\0");
        let sound = boxed(b"smhd", &[0; 8]);
        let data_information = boxed(
            b"dinf",
            &boxed(b"dref", b"\0\0\0\0\0\0\0\x01\0\0\0\x0curl \0\0\0\x01"),
        );
        let track = boxed(b"tkhd", &self.track_header());
        let edits = boxed(b"edts", &boxed(b"elst", &self.edit_list()));
        let movie = boxed(b"mvhd", &self.movie_header());
        let user = self.user_data();

        // Each box begins with its length, so the lengths are computed from the inside to the outside.
        let stbl = 8 + before.len() as u64 + sizes + chunks;
        let minf = 8 + (sound.len() + data_information.len()) as u64 + stbl;
        let mdia = 8 + (media.len() + handler.len()) as u64 + minf;
        let trak = 8 + (track.len() + edits.len()) as u64 + mdia;
        let moov = 8 + (movie.len() + user.len()) as u64 + trak;

        head(out, b"moov", moov)?;
        out.put(&movie)?;
        head(out, b"trak", trak)?;
        out.put(&track)?;
        out.put(&edits)?;
        head(out, b"mdia", mdia)?;
        out.put(&media)?;
        out.put(&handler)?;
        head(out, b"minf", minf)?;
        out.put(&sound)?;
        out.put(&data_information)?;
        head(out, b"stbl", stbl)?;
        out.put(&before)?;
        head(out, b"stsz", sizes)?;
        out.put(&[0; 8])?;
        out.put(&(count as u32).to_be_bytes())?;
        for size in self.packets.iter() {
            out.put(&(size as u32).to_be_bytes())?;
        }
        head(out, b"co64", chunks)?;
        out.put(&[0; 4])?;
        out.put(&(count.div_ceil(CHUNK) as u32).to_be_bytes())?;
        let mut position = self.data;
        for (i, size) in self.packets.iter().enumerate() {
            if i % CHUNK == 0 {
                out.put(&position.to_be_bytes())?;
            }
            position += size;
        }
        out.put(&user)
    }

    /// Builds the content of `mvhd` (8.2.2).
    fn movie_header(&self) -> Vec<u8> {
        let mut body = vec![1, 0, 0, 0];
        body.extend([0; 16]);
        body.extend(self.rate.to_be_bytes());
        body.extend(self.frames.to_be_bytes());
        body.extend(b"\0\x01\0\0\x01\0\0\0\0\0\0\0\0\0\0\0");
        body.extend(matrix());
        body.extend([0; 24]);
        body.extend(2u32.to_be_bytes());
        body
    }

    /// Builds the content of `tkhd` (8.3.2).
    fn track_header(&self) -> Vec<u8> {
        // Flags: the track is enabled, used in the movie, and used in the preview.
        let mut body = vec![1, 0, 0, 7];
        body.extend([0; 16]);
        body.extend(1u32.to_be_bytes());
        body.extend([0; 4]);
        body.extend(self.frames.to_be_bytes());
        body.extend([0; 12]);
        body.extend(b"\x01\0\0\0");
        body.extend(matrix());
        body.extend([0; 8]);
        body
    }

    /// Builds the content of `elst` (8.6.6), which skips the delay of the encoder.
    fn edit_list(&self) -> Vec<u8> {
        let mut body = vec![1, 0, 0, 0];
        body.extend(1u32.to_be_bytes());
        body.extend(self.frames.to_be_bytes());
        body.extend(self.delay.to_be_bytes());
        body.extend(b"\0\x01\0\0");
        body
    }

    /// Builds the content of `mdhd` (8.4.2).
    fn media_header(&self) -> Vec<u8> {
        let mut body = vec![1, 0, 0, 0];
        body.extend([0; 16]);
        body.extend(self.rate.to_be_bytes());
        body.extend((self.delay + self.frames).to_be_bytes());
        // The language is undetermined ("und").
        body.extend(b"\x55\xc4\0\0");
        body
    }

    /// Builds the boxes `stsd`, `stts` and `stsc`.
    fn sample_tables(&self) -> Vec<u8> {
        let count = self.packets.len() as u32;
        let bytes: u64 = self.packets.iter().sum();
        let total = self.delay + self.frames;
        // The descriptors of `esds` (ISO 14496-1, 7.2.6), from the inside: decoder configuration with the average bit
        // rate, then the elementary stream.
        let rate = (bytes * 8 * u64::from(self.rate))
            .checked_div(total)
            .unwrap_or(0) as u32;

        let mut decoder = vec![0x40, 0x15, 0, 0x18, 0];
        decoder.extend(rate.to_be_bytes());
        decoder.extend(rate.to_be_bytes());
        decoder.extend(descriptor(5, self.setup));
        let mut stream = vec![0, 1, 0];
        stream.extend(descriptor(4, &decoder));
        stream.extend(descriptor(6, &[2]));
        let mut es = vec![0; 4];
        es.extend(descriptor(3, &stream));

        let mut entry = vec![0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        entry.extend(self.channels.to_be_bytes());
        entry.extend([0, 16, 0, 0, 0, 0]);
        entry.extend(u16::try_from(self.rate).unwrap_or(0).to_be_bytes());
        entry.extend([0, 0]);
        entry.extend(boxed(b"esds", &es));
        let mut description = b"\0\0\0\0\0\0\0\x01".to_vec();
        description.extend(boxed(b"mp4a", &entry));
        let mut tables = boxed(b"stsd", &description);

        // The last packet lasts as long as the rest of the sound.
        let last = total - self.packet_frames * u64::from(count.saturating_sub(1));
        let mut times = b"\0\0\0\0\0\0\0\x02".to_vec();
        for (packets, frames) in [(count.saturating_sub(1), self.packet_frames), (1, last)] {
            times.extend(packets.to_be_bytes());
            times.extend((frames as u32).to_be_bytes());
        }
        if count == 1 {
            times.drain(8..16);
            times[7] = 1;
        }
        tables.extend(boxed(b"stts", &times));

        let (whole, rest) = (count / CHUNK as u32, count % CHUNK as u32);
        let mut runs = Vec::new();
        if whole > 0 {
            runs.push((1, CHUNK as u32));
        }
        if rest > 0 {
            runs.push((whole + 1, rest));
        }
        let mut chunks = vec![0; 4];
        chunks.extend((runs.len() as u32).to_be_bytes());
        for (first, packets) in runs {
            for word in [first, packets, 1] {
                chunks.extend(word.to_be_bytes());
            }
        }
        tables.extend(boxed(b"stsc", &chunks));
        tables
    }

    /// Builds the box `udta` with Apple's item list, pictures, and chapters.
    fn user_data(&self) -> Vec<u8> {
        let mut list = Vec::new();
        for (key, name) in TEXTS {
            if let Some(text) = self.tags.joined(key) {
                list.extend(boxed(name, &data(1, text.as_bytes())));
            }
        }
        for (key, name) in [(Key::Track, b"trkn"), (Key::Disc, b"disk")] {
            if let Some((number, total)) = self.tags.get(key).and_then(numbers) {
                let [a, b] = number.to_be_bytes();
                let [c, d] = total.to_be_bytes();
                let body: &[u8] = &[0, 0, a, b, c, d, 0, 0];
                let length = if key == Key::Track { 8 } else { 6 };
                list.extend(boxed(name, &data(0, &body[..length])));
            }
        }
        self.own_texts(&mut list);
        let pictures = self.tags.pictures().iter().map(|picture| {
            // The type of the picture (QuickTime File Format, "Well-known types"). With 0, readers recognise the format
            // by the bytes.
            let kind = match picture.media_type.as_str() {
                "image/jpeg" => 13,
                "image/png" => 14,
                "image/bmp" => 27,
                _ => 0,
            };
            data(kind, &picture.data)
        });
        let pictures: Vec<_> = pictures.collect();
        if !pictures.is_empty() {
            list.extend(boxed(b"covr", &pictures.concat()));
        }
        list.extend(self.gapless());
        let mut meta = vec![0; 4];
        meta.extend(boxed(
            b"hdlr",
            b"\0\0\0\0\0\0\0\0mdirappl\0\0\0\0\0\0\0\0\0",
        ));
        meta.extend(boxed(b"ilst", &list));
        let mut user = boxed(b"meta", &meta);
        user.extend(self.chapters());
        boxed(b"udta", &user)
    }

    /// Adds texts that have a name instead of a [`Key`]. If the name belongs to a known field with a box type in MP4,
    /// the box has that type. Otherwise the box states the name, as it does for beats and compilations that are not
    /// a number.
    fn own_texts(&self, list: &mut Vec<u8>) {
        /// The type of a signed integer (QuickTime File Format, "Well-known types").
        const INTEGER: u32 = 21;
        for (name, texts) in self.tags.own_by_name() {
            let first = texts[0];
            let kind = fields::of(name).and_then(|field| field.mp4);
            let whole = first.split('.').next().unwrap_or(first).trim();
            match (kind, whole.parse::<u16>()) {
                (Some(kind), Ok(number)) if name == fields::BEATS => {
                    list.extend(boxed(kind, &data(INTEGER, &number.to_be_bytes())));
                }
                (Some(kind), Ok(number)) if name == fields::COMPILATION => {
                    list.extend(boxed(kind, &data(INTEGER, &[u8::from(number > 0)])));
                }
                (Some(kind), _) if !matches!(name, fields::BEATS | fields::COMPILATION) => {
                    list.extend(boxed(kind, &data(1, texts.join("; ").as_bytes())));
                }
                _ => {
                    let values: Vec<_> = texts.iter().map(|t| data(1, t.as_bytes())).collect();
                    list.extend(named(name, &values.concat()));
                }
            }
        }
    }

    /// Builds the chapter list that Nero's programs introduced, and most players read: times in units of 100 ns, and
    /// titles.
    fn chapters(&self) -> Vec<u8> {
        /// Length of the longest title in bytes. A byte holds it.
        const MAX_TITLE: usize = 255;
        let chapters = self.tags.chapters();
        let chapters = &chapters[..chapters.len().min(MAX_CHAPTERS)];
        if chapters.is_empty() {
            return Vec::new();
        }
        let mut body = vec![1, 0, 0, 0, 0, 0, 0, 0, chapters.len() as u8];
        for chapter in chapters {
            let end = chapter.title.floor_char_boundary(MAX_TITLE);
            body.extend((chapter.start.saturating_mul(10_000)).to_be_bytes());
            body.push(end as u8);
            body.extend(chapter.title[..end].bytes());
        }
        boxed(b"chpl", &body)
    }

    /// Builds the tag `iTunSMPB`, which Apple's players use instead of the edit list.
    fn gapless(&self) -> Vec<u8> {
        let total = self.packet_frames * self.packets.len() as u64;
        let padding = total.saturating_sub(self.delay + self.frames);
        let text = format!(
            " 00000000 {:08X} {padding:08X} {:016X} 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000",
            self.delay, self.frames
        );
        named("iTunSMPB", &data(1, text.as_bytes()))
    }
}

/// Returns remarks on the tags that the file cannot hold.
pub(super) fn left_out(_: Spec, tags: &Tags) -> Vec<String> {
    let mut remarks = Vec::new();
    if tags.chapters().len() > MAX_CHAPTERS {
        remarks.push(format!(
            "The chapters after the first {MAX_CHAPTERS} were left out, because m4a has no place for more."
        ));
    }
    for (key, name) in [(Key::Track, "track"), (Key::Disc, "disc")] {
        if let Some(text) = tags.get(key).filter(|text| numbers(text).is_none()) {
            remarks.push(format!(
                "The {name} number \"{text}\" was left out, because m4a holds only whole numbers."
            ));
        }
    }
    remarks
}

/// Builds a tag that has a name instead of its own type.
fn named(name: &str, values: &[u8]) -> Vec<u8> {
    let mut body = boxed(b"mean", b"\0\0\0\0com.apple.iTunes");
    body.extend(boxed(b"name", &[&[0; 4], name.as_bytes()].concat()));
    body.extend(values);
    boxed(b"----", &body)
}

/// Writes the head of a box.
fn head(out: &mut Out<'_>, name: &[u8; 4], size: u64) -> Result<()> {
    out.put(&(size as u32).to_be_bytes())?;
    out.put(name)
}

/// Builds a box in memory.
fn boxed(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(body.len() + 8);
    bytes.extend((body.len() as u32 + 8).to_be_bytes());
    bytes.extend(name);
    bytes.extend(body);
    bytes
}

/// Builds the `data` box of a tag.
fn data(kind: u32, value: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(value.len() + 8);
    body.extend(kind.to_be_bytes());
    body.extend([0; 4]);
    body.extend(value);
    boxed(b"data", &body)
}

/// Builds a descriptor (ISO 14496-1, section 7.2.2). Its body must be shorter than 128 bytes.
fn descriptor(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag, body.len() as u8];
    bytes.extend(body);
    bytes
}

/// Returns the unity matrix of `mvhd` and `tkhd`, in fixed point.
fn matrix() -> Vec<u8> {
    [0x1_0000u32, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]
        .iter()
        .flat_map(|word| word.to_be_bytes())
        .collect()
}

/// Splits a text such as `3/12` into two numbers. A missing or invalid second number becomes 0.
fn numbers(text: &str) -> Option<(u16, u16)> {
    let (number, total) = text.split_once('/').unwrap_or((text, "0"));
    Some((
        number.trim().parse().ok()?,
        total.trim().parse().unwrap_or(0),
    ))
}
