//! Metadata of a sound: sampling, duration and tags. Decodes no sound.

use super::{
    convert::{MEMORY, row},
    sound::pcm::Depth,
    stream::Stream,
    tags::Key,
};
use convertd_core::{
    error::{Error, Result},
    job::{Input, Job},
};
use serde_json::{Map, Value};

/// Returns the metadata under ExifTool's names.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the file is not what it claims to be.
pub fn about(job: &Job<'_>, input: &mut dyn Input) -> Result<Map<String, Value>> {
    let mut stream = Stream::new(input, job.gate)
        .map_err(|err| Error::storage("the upload could not be read", err))?;
    let reader =
        row(job.from).ok_or_else(|| Error::internal("no such conversion", job.from.name))?;
    let extra = match reader.extra_memory {
        Some(extra_memory) => extra_memory(&mut stream)?,
        None => 0,
    };
    job.reserve(MEMORY + extra)?;
    let opened = (reader.open)(stream)?;
    let spec = opened.source.spec();
    let mut about = Map::new();
    about.insert("SampleRate".into(), spec.rate.into());
    about.insert("Channels".into(), spec.channels.count().into());
    if let (Depth::Int(bits), false) = (spec.depth, opened.source.lossy()) {
        about.insert("BitsPerSample".into(), bits.into());
    }
    if let Some(frames) = opened.source.frames() {
        let seconds = frames as f64 / f64::from(spec.rate);
        about.insert("Duration".into(), seconds.into());
    }
    for key in Key::ALL {
        if let Some(text) = opened.tags.joined(key) {
            about.insert(name(key).into(), text.into());
        }
    }
    Ok(about)
}

fn name(key: Key) -> &'static str {
    match key {
        Key::Title => "Title",
        Key::Artist => "Artist",
        Key::Album => "Album",
        Key::AlbumArtist => "AlbumArtist",
        Key::Composer => "Composer",
        Key::Track => "TrackNumber",
        Key::Disc => "DiscNumber",
        Key::Date => "Date",
        Key::Genre => "Genre",
        Key::Comment => "Comment",
    }
}
