//! Text that a file stores beside its picture, with the positions of its words: the hidden text of DjVu, written by an
//! OCR program or by a person. Recognises nothing itself.

pub use super::words::{Line, OwnText, Word};
use super::{
    open,
    options::Wishes,
    pixels::orient::{then, upright},
    row,
};
use convertd_core::{
    error::{Error, Result},
    job::{Input, Job, Notes},
};
use image::metadata::Orientation;

/// Reads the text that a file contains for one of its pictures, with positions in pixels of the picture after the job
/// has turned and cropped it, but before it is resized. `None` if the file has no text for this picture, if no word is
/// within the crop, or if the job sets both width and height, because then the picture may get another shape, in which
/// the words would no longer be at these positions.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the file is damaged, or has no such page; any
/// error of [`Job::lease`].
pub fn read<'j>(
    job: &Job<'j>,
    input: &mut dyn Input,
    page: Option<u32>,
) -> Result<Option<OwnText<'j>>> {
    let Some(reader) = row(job.from).and_then(|row| row.read.as_ref()) else {
        return Err(Error::internal("no such picture", job.from.name));
    };
    let wishes = Wishes::of(job.options());
    let bounds = wishes.bounds;
    if reader.text.is_none() || bounds.width.is_some() && bounds.height.is_some() {
        return Ok(None);
    }
    let mut file = open::Still::new(reader, input, page, &mut Notes::default())?;
    let Some(mut text) = file.text(job)? else {
        return Ok(None);
    };
    let (layout, orientation) = {
        let mut source = file.open(job)?;
        let header = source.header();
        (header.layout, then(header.orientation, wishes.turn))
    };
    let sides = (layout.width as i32, layout.height as i32);
    for word in text.lines.iter_mut().flat_map(|line| &mut line.words) {
        word.bounds = turned(word.bounds, orientation, sides);
    }
    let seen = upright(layout, orientation);
    text.size = (seen.width, seen.height);
    if let Some([width, height, left, top]) = wishes.crop {
        text.size = (width, height);
        crop(
            &mut text.lines,
            [left, top, width, height].map(|side| side as i32),
        );
    }
    text.lines.retain(|line| !line.words.is_empty());
    Ok((!text.lines.is_empty()).then_some(text))
}

/// Converts a rectangle from coordinates of the stored picture, which has this width and height, to coordinates of the
/// upright picture. Handles rotations only: a mirrored orientation leaves the rectangle unchanged.
fn turned(
    [left, top, right, bottom]: [i32; 4],
    orientation: Orientation,
    (width, height): (i32, i32),
) -> [i32; 4] {
    match orientation {
        Orientation::Rotate90 => [height - bottom, left, height - top, right],
        Orientation::Rotate180 => [width - right, height - bottom, width - left, height - top],
        Orientation::Rotate270 => [top, width - right, bottom, width - left],
        _ => [left, top, right, bottom],
    }
}

/// Removes words whose centre is outside of an area, and makes the positions of the others relative to the area's top
/// left corner.
fn crop(lines: &mut [Line], [left, top, width, height]: [i32; 4]) {
    for line in lines {
        for word in &mut line.words {
            let [x, y, to_x, to_y] = word.bounds;
            word.bounds = [x - left, y - top, to_x - left, to_y - top];
        }
        line.words.retain(|word| {
            let [x, y, to_x, to_y] = word.bounds.map(i64::from);
            let is_in =
                |from: i64, to: i64, side: i32| (0..2 * i64::from(side)).contains(&(from + to));
            is_in(x, to_x, width) && is_in(y, to_y, height)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_rotated_with_their_picture() {
        // The picture has 100 × 50 pixels.
        let word = [10, 5, 30, 15];
        let check = |orientation, expected: [i32; 4]| {
            assert_eq!(turned(word, orientation, (100, 50)), expected);
        };
        check(Orientation::NoTransforms, word);
        check(Orientation::Rotate90, [35, 10, 45, 30]);
        check(Orientation::Rotate180, [70, 35, 90, 45]);
        check(Orientation::Rotate270, [5, 70, 15, 90]);
    }

    #[test]
    fn words_outside_of_the_crop_are_removed() {
        let word = |bounds| Word {
            text: "a".into(),
            bounds,
        };
        let mut lines = [Line {
            words: vec![word([10, 10, 20, 20]), word([50, 10, 60, 20])],
            block: 0,
        }];
        crop(&mut lines, [5, 5, 30, 30]);
        assert_eq!(lines[0].words, [word([5, 5, 15, 15])]);
    }
}
