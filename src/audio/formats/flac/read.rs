//! Reads FLAC files: the metadata blocks (RFC 9639, section 8), and then the frames. Always reports if there are fewer
//! samples than STREAMINFO states.

use super::frames::Frames;
use crate::{
    codecs::flac::decoder::{Flac, Info, STREAM_INFO},
    damage::{bad, header_error},
    source::Opened,
    stream::Stream,
    tags::{CUE_SHEET_OMITTED, MAX_PICTURE, Tags, comments, id3},
};
use convertd_core::error::Result;
use std::io::{Seek, SeekFrom};

/// Largest number of metadata blocks that are read.
const MAX_BLOCKS: usize = 1000;

/// Opens the sound of a FLAC file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let around = id3::strip(&mut stream).map_err(header_error)?;
    let mut tags = Tags::default();
    let flac = Flac::new(read_metadata(&mut stream, &mut tags)?);
    // Tags of the format itself take precedence over ID3 tags around it.
    tags.merge(around);
    Ok(Opened::new(Frames::new(stream, flac), tags))
}

/// Reads the metadata blocks and leaves the stream at the first frame.
fn read_metadata(stream: &mut Stream<'_>, tags: &mut Tags) -> Result<Info> {
    let (mut info, mut speakers) = (None, 0);
    if stream.array::<4>().map_err(header_error)? != *b"fLaC" {
        return Err(bad(
            "the file is not FLAC: it does not begin with the signature fLaC",
        ));
    }
    for _ in 0..MAX_BLOCKS {
        let head = stream.array::<4>().map_err(header_error)?;
        let size = u64::from(u32::from_be_bytes([0, head[1], head[2], head[3]]));
        let next = stream.position() + size;
        match head[0] & 0x7f {
            0 if size >= STREAM_INFO as u64 => {
                info = Some(stream.array::<STREAM_INFO>().map_err(header_error)?);
            }
            4 if size <= 2 * MAX_PICTURE as u64 => {
                let block = stream.up_to(size).map_err(header_error)?;
                comments::read(&block, tags, stream.gate())?;
                speakers = comments::read_speakers(&block);
            }
            6 if size <= MAX_PICTURE as u64 + 1024 => {
                comments::read_picture(&stream.up_to(size).map_err(header_error)?, tags);
            }
            6 => tags.drop_picture(),
            5 => tags.leave_out(CUE_SHEET_OMITTED),
            _ => {}
        }
        stream.seek(SeekFrom::Start(next)).map_err(header_error)?;
        if head[0] & 0x80 != 0 {
            let info = info.ok_or_else(|| bad("the FLAC file has no STREAMINFO block"))?;
            return Info::read(&info, speakers);
        }
    }
    Err(bad(format!(
        "the FLAC file has more than {MAX_BLOCKS} metadata blocks"
    )))
}
