//! `max_size`: finds by bisection the best quality at which a lossy picture has at most a given number of bytes. Stops
//! earlier at a picture with nearly that many bytes. The picture is decoded once and encoded several times. Its number
//! of pixels stays the same, because reducing it is the caller's decision.

use convertd_core::{
    error::{Error, Kind, Result},
    job::{Job, NEAR, Notes, Output, Quality, Task},
};
use std::io::Cursor;

/// The highest quality that is tried. Higher qualities cost many bytes for an invisible difference.
const BEST: u8 = 95;

/// A function that encodes a picture at the quality of the job that is passed to it.
pub(crate) type Encode<'e> = dyn FnMut(&Job<'_>, &mut dyn Output, &mut Notes) -> Result<()> + 'e;

/// Encodes a picture into at most `most` bytes.
///
/// Errors: [`Kind::BadInput`] with the smallest possible size, if that is more than `most`; any error of `encode`.
pub(crate) fn write(
    job: &Job<'_>,
    most: u32,
    encode: &mut Encode<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut encoded = |number: u8| {
        let task = Task {
            quality: Quality::Number(number),
            ..job.task.clone()
        };
        let job = Job {
            task: &task,
            ..*job
        };
        let (mut file, mut notes) = (Cursor::new(Vec::new()), Notes::default());
        encode(&job, &mut file, &mut notes)?;
        Ok((file.into_inner(), notes))
    };
    let fits = |file: &[u8]| file.len() as u64 <= u64::from(most);

    let (file, encoder_notes) = encoded(BEST)?;
    let mut best = fits(&file).then_some((BEST, file, encoder_notes));
    // The bisection runs between `low`, which counts as fitting until it is tried, and `high`, which does not fit.
    let (mut low, mut high) = (1, BEST);
    while best.is_none() || high - low > 1 {
        if best.as_ref().is_some_and(|(number, file, _)| {
            *number == BEST || file.len() as f64 >= NEAR * f64::from(most)
        }) {
            break;
        }
        job.check()?;
        let number = u8::midpoint(low, high);
        let (file, encoder_notes) = encoded(number)?;
        if fits(&file) {
            low = number;
            best = Some((number, file, encoder_notes));
        } else if number == low {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "max_size is {most}; at the lowest quality this picture takes {} bytes as {}. Reduce the number of pixels with width or height",
                    file.len(),
                    job.to.name
                ),
            ));
        } else {
            high = number;
        }
    }
    if let Some((number, file, encoder_notes)) = best {
        notes.extend(encoder_notes.0);
        notes.add(format!(
            "Quality {number} is the best that fits into {most} bytes."
        ));
        output.write_all(&file).map_err(Error::unwritten)?;
    }
    Ok(())
}
