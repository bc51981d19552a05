//! Determines the reading order of a slide: the title, subtitles, frames without a place, and the other frames from
//! top to bottom, or from left to right if they are side by side.

use super::deck::{Content, Frame, Paragraph, Role};

/// Returns the title of a slide, and its frames in reading order: subtitles, frames without a place, and the others
/// by their places. The frame of the title is among them, but without its text.
pub(super) fn of_reading(mut frames: Vec<Frame>) -> (Option<Vec<Paragraph>>, Vec<Frame>) {
    let title = frames.iter_mut().find_map(title_of);
    let mut key: Vec<Frame> = Vec::with_capacity(frames.len());
    // Subtitles follow the title wherever they are. Frames without a place keep their order.
    let (first, rest): (Vec<_>, Vec<_>) = frames
        .into_iter()
        .partition(|frame| frame.role == Role::Subtitle);
    key.extend(first);
    let (placed, mut unplaced): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|frame| frame.place.is_some());
    key.append(&mut unplaced);
    key.append(&mut by_rows(placed));
    (title, key)
}

/// Takes the text out of a frame if the frame is a title with text.
fn title_of(frame: &mut Frame) -> Option<Vec<Paragraph>> {
    let Content::Shape(shape) = &mut frame.content else {
        return None;
    };
    let text = shape.text.as_mut()?;
    if frame.role != Role::Title || text.is_blank() {
        return None;
    }
    Some(std::mem::take(&mut text.paragraphs))
}

/// Sorts frames by their upper edges, and successive frames that form a row by their left edges. The next frame
/// belongs to the row if it overlaps vertically with the first frame of the row by at least half the height of one of
/// the two frames.
fn by_rows(mut frames: Vec<Frame>) -> Vec<Frame> {
    let edges = |frame: &Frame| {
        let place = frame.place.unwrap_or_default();
        (place.y, place.y + place.height, place.x)
    };
    frames.sort_by(|one, other| edges(one).0.total_cmp(&edges(other).0));
    let mut rest = frames.as_mut_slice();
    while let Some(first) = rest.first() {
        let (top, bottom, _) = edges(first);
        let beside = |frame: &&Frame| {
            let (own_top, own_bottom, _) = edges(frame);
            let shared = bottom.min(own_bottom) - own_top;
            shared >= 0.5 * (bottom - top).min(own_bottom - own_top).max(1.0)
        };
        let count = rest.iter().skip(1).take_while(beside).count() + 1;
        let (row, below) = rest.split_at_mut(count);
        row.sort_by(|one, other| edges(one).2.total_cmp(&edges(other).2));
        rest = below;
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::{Body, Run, Shape, Words};
    use convertd_office::drawing::Place;

    fn frame(name: &str, role: Role, [x, y, width, height]: [f64; 4]) -> Frame {
        let run = Run {
            text: Words::Text(name.to_owned()),
            look: Default::default(),
        };
        let paragraph = Paragraph {
            runs: vec![run],
            ..Paragraph::default()
        };
        Frame {
            place: Some(Place {
                x,
                y,
                width,
                height,
                ..Place::default()
            }),
            role,
            alternative: name.into(),
            link: None,
            content: Content::Shape(Box::new(Shape {
                text: Some(Body {
                    paragraphs: vec![paragraph],
                    ..Body::default()
                }),
                ..Shape::default()
            })),
        }
    }

    #[test]
    fn the_title_is_found_and_frames_are_ordered_by_rows() {
        let frames = vec![
            frame("right", Role::Body, [50.0, 20.0, 40.0, 30.0]),
            frame("left", Role::Body, [5.0, 21.0, 40.0, 30.0]),
            frame("below", Role::Other, [5.0, 60.0, 80.0, 10.0]),
            frame("title", Role::Title, [5.0, 80.0, 80.0, 10.0]),
            frame("above", Role::Other, [5.0, 0.0, 80.0, 5.0]),
        ];
        let (title, rest) = of_reading(frames);
        assert_eq!(
            title.map(|title| title[0].plain()).as_deref(),
            Some("title")
        );
        let names: Vec<_> = rest.iter().map(|frame| &*frame.alternative).collect();
        assert_eq!(names, ["above", "left", "right", "below", "title"]);
    }
}
