//! The optional fields of requests about sound, and their effect on description, tags and length. Changes no samples.

use super::{
    sound::{
        channels::Channels,
        pcm::{Block, Spec},
    },
    tags::{Key, Tags},
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{DAMAGED, MAX_SIZE, OptionKind, OptionSpec, Options},
};

/// Bit rate of a lossy result.
static BITRATE: OptionSpec = OptionSpec {
    name: "bitrate",
    kind: OptionKind::Integer(8..=512),
    default: None,
    help: "average bit rate of the result in kbit/s, instead of quality; rounded to the nearest rate of the format",
};

static SAMPLE_RATE: OptionSpec = OptionSpec {
    name: "sample_rate",
    kind: OptionKind::Integer(8_000..=192_000),
    default: None,
    help: "sample rate of the result in Hz, such as 44100; rounded up to the next rate of the format",
};

static CHANNELS: OptionSpec = OptionSpec {
    name: "channels",
    kind: OptionKind::Integer(1..=2),
    default: None,
    help: "number of channels in the result: 1 (mono) or 2 (stereo)",
};

static START: OptionSpec = OptionSpec {
    name: "start",
    kind: OptionKind::Time,
    default: Some("0"),
    help: "start of the part to keep",
};

static DURATION: OptionSpec = OptionSpec {
    name: "duration",
    kind: OptionKind::Time,
    default: None,
    help: "length of the part to keep; by default it lasts until the end",
};

const fn text(name: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec {
        name,
        kind: OptionKind::Text(500),
        default: None,
        help,
    }
}

/// Texts that replace tags of the file.
static TEXTS: [(Key, OptionSpec); 6] = [
    (
        Key::Title,
        text("title", "title in the tags, instead of the file's own"),
    ),
    (
        Key::Artist,
        text("artist", "artist in the tags, instead of the file's own"),
    ),
    (
        Key::Album,
        text("album", "album in the tags, instead of the file's own"),
    ),
    (
        Key::Track,
        text(
            "track",
            "track number in the tags, such as 3 or 3/12, instead of the file's own",
        ),
    ),
    (
        Key::Date,
        text(
            "date",
            "year or date in the tags, such as 2024 or 2024-05-31, instead of the file's own",
        ),
    ),
    (
        Key::Genre,
        text("genre", "genre in the tags, instead of the file's own"),
    ),
];

/// All optional fields: first the field for formats with a bit rate, then the fields for all lossy formats, then those
/// for all formats.
static ALL: [&OptionSpec; 13] = [
    &BITRATE,
    &MAX_SIZE,
    &SAMPLE_RATE,
    &CHANNELS,
    &START,
    &DURATION,
    &TEXTS[0].1,
    &TEXTS[1].1,
    &TEXTS[2].1,
    &TEXTS[3].1,
    &TEXTS[4].1,
    &TEXTS[5].1,
    &DAMAGED,
];

/// Returns the optional fields that a target format has.
pub(super) fn of_target(is_lossy: bool, has_bit_rate: bool) -> &'static [&'static OptionSpec] {
    match (is_lossy, has_bit_rate) {
        (true, true) => &ALL,
        (true, false) => &ALL[1..],
        (false, _) => &ALL[2..],
    }
}

/// Returns the requested bit rate in kbit/s.
pub(super) fn bit_rate(options: &Options) -> Option<u32> {
    options.integer(BITRATE.name)
}

/// Returns the description of a source with the requested sample rate and number of channels.
///
/// Errors: the same as for [`Channels::of`].
pub(super) fn wanted(options: &Options, source: Spec) -> Result<Spec> {
    Ok(Spec {
        rate: options.integer(SAMPLE_RATE.name).unwrap_or(source.rate),
        channels: match options.integer(CHANNELS.name) {
            Some(count) => Channels::of(count)?,
            None => source.channels,
        },
        ..source
    })
}

/// Replaces tags by the requested texts.
pub(super) fn retag(options: &Options, tags: &mut Tags) {
    for (key, spec) in &TEXTS {
        if let Some(text) = options.word(spec.name) {
            tags.set(*key, text);
        }
    }
}

/// The requested part of a sound, and the progress of trimming.
pub(super) struct Excerpt {
    /// Beginning of the part, in frames at `rate`.
    start: u64,
    /// End of the part, in frames at `rate`; `u64::MAX` if the part lasts until the end of the sound.
    end: u64,
    /// Number of frames in the blocks so far.
    position: u64,
    /// Sample rate of the last block.
    rate: u32,
}

impl Excerpt {
    /// Returns the requested part of a sound with this sample rate.
    pub(super) fn new(options: &Options, rate: u32) -> Self {
        let frames = |seconds: f64| (seconds * f64::from(rate)).round() as u64;
        let start = options.seconds(START.name).map_or(0, frames);
        let duration = options.seconds(DURATION.name).map(frames);
        Self {
            start,
            end: duration.map_or(u64::MAX, |duration| start.saturating_add(duration)),
            position: 0,
            rate,
        }
    }

    /// Returns whether the part is the whole sound.
    fn is_whole(&self) -> bool {
        (self.start, self.end) == (0, u64::MAX)
    }

    /// Returns how many of the first `frames` frames of a sound are in the part.
    pub(super) fn of(&self, frames: u64) -> u64 {
        frames.min(self.end).saturating_sub(self.start)
    }

    /// Trims the next block to the part. Returns whether a later block may belong to the part.
    pub(super) fn cut(&mut self, block: &mut Block) -> bool {
        if self.is_whole() {
            return true;
        }
        if block.spec.rate != self.rate {
            // A decoder may find another sample rate than the container stated.
            let scaled = |frames: u64| match frames {
                u64::MAX => frames,
                _ => {
                    (u128::from(frames) * u128::from(block.spec.rate) / u128::from(self.rate))
                        as u64
                }
            };
            (self.start, self.end) = (scaled(self.start), scaled(self.end));
            (self.position, self.rate) = (scaled(self.position), block.spec.rate);
        }
        let frames = block.frames() as u64;
        let skip = self.start.saturating_sub(self.position).min(frames);
        let keep = (self.end - self.position.min(self.end)).saturating_sub(skip);
        self.position += frames;
        block.trim(skip as usize, usize::try_from(keep).unwrap_or(usize::MAX));
        self.position < self.end
    }

    /// Trims the chapters to the part, and moves them to its beginning.
    pub(super) fn cut_chapters(&self, tags: &mut Tags) {
        if !self.is_whole() {
            let milliseconds =
                |frames: u64| (u128::from(frames) * 1000 / u128::from(self.rate)) as u64;
            tags.cut_chapters(milliseconds(self.start), milliseconds(self.end));
        }
    }

    /// Checks, at the end of the sound, that the part began before it.
    ///
    /// Errors: [`Kind::BadInput`] if the part begins at the end of the sound or later.
    pub(super) fn judge(&self) -> Result<()> {
        if self.start > 0 && self.position <= self.start {
            let length = self.position as f64 / f64::from(self.rate);
            let text =
                format!("start is after the end of the sound, which lasts {length:.2} seconds");
            return Err(Error::new(Kind::BadInput, text));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::pcm::{Depth, Samples};

    #[test]
    fn a_part_may_begin_and_end_within_blocks() {
        #[track_caller]
        fn check(fields: &[(&str, &str)], expected: std::ops::Range<i32>) {
            let spec = Spec::new(1000, Channels::of(1).unwrap(), Depth::Int(16)).unwrap();
            let mut options = Options::default();
            for (name, value) in fields {
                options.insert(*name, *value);
            }
            let mut part = Excerpt::new(&options, 1000);
            let mut result = Vec::new();
            for from in (0..1000).step_by(300) {
                let mut block = Block::new(spec);
                block.ints(spec).extend(from..(from + 300).min(1000));
                let goes_on = part.cut(&mut block);
                let Samples::Int(samples) = &block.samples else {
                    panic!("these are integers");
                };
                result.extend_from_slice(samples);
                if !goes_on {
                    break;
                }
            }
            assert_eq!(result, expected.clone().collect::<Vec<_>>(), "{fields:?}");
            assert_eq!(part.of(1000), expected.len() as u64, "{fields:?}");
            assert_eq!(part.judge().is_err(), expected.is_empty(), "{fields:?}");
        }
        check(&[], 0..1000);
        check(&[("start", "0.25")], 250..1000);
        check(&[("start", "0.3"), ("duration", "0.3")], 300..600);
        check(&[("duration", "0.301")], 0..301);
        check(&[("start", "0:00.9"), ("duration", "5")], 900..1000);
        check(&[("start", "1")], 0..0);
    }
}
