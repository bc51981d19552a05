//! Prepares embedded pictures for formats that embed picture files: rotates those that programs would not show upright,
//! and reduces the resolution according to the quality. Leaves alone those that it could not write back faithfully,
//! such as animations.

use crate::{
    error::Result,
    image::inlay::{self, Seen},
    job::Job,
};
use convertd_tree::{Document, Inline, PictureSource, Resource, each_inline};
use image::metadata::Orientation;

/// The largest picture, in pixels, that is decoded. Larger pictures stay unchanged.
const MAX_PIXELS: u64 = 50_000_000;
/// The displayed width, in inches, of a large picture for which the document states no size: the width of the text area
/// on common paper sizes.
const TEXT_WIDTH: f64 = 6.7;
/// The resolution, in dots per inch, at which a picture is displayed if the document states no size.
const SCREEN: f64 = 96.0;
/// The factor by which a picture has to exceed the needed width. Below it, resampling saves too little.
const MIN_EXCESS: f64 = 1.4;

/// Rotates those pictures of a document that programs for the target format would not show upright. If `by_metadata` is
/// set, these programs apply the orientation in the metadata of a picture. Reduces the resolution, where it is more
/// than [`MIN_EXCESS`] times as high, to 110 dots per inch for low quality and 200 for medium; high quality does not
/// change it.
///
/// Errors: those of [`Job::reserve`] and [`Job::check`]. A picture that cannot be decoded stays unchanged.
pub(crate) fn run(job: &Job<'_>, document: &mut Document, by_metadata: bool) -> Result<()> {
    let dots = job.quality().pick(Some(110.0), Some(200.0), None);
    let seen: Vec<_> = document
        .resources()
        .iter()
        .map(|resource| Picture::of(job, resource))
        .collect();
    for (number, inches) in widths(document, &seen).into_iter().enumerate() {
        job.check()?;
        let (Some(picture), Some(inches)) = (&seen[number], inches) else {
            continue;
        };
        let turn = picture.turn(by_metadata);
        let width = dots.map(|dots| (inches * dots).ceil().max(1.0));
        let width = width.filter(|width| f64::from(picture.shown().0) > MIN_EXCESS * width);
        if turn == Turn::Never || turn == Turn::None && width.is_none() {
            continue;
        }
        let mut options = Vec::new();
        if let Turn::By(degrees) = turn {
            options.push(("rotate", degrees.to_owned()));
        }
        if let Some(width) = width {
            options.push(("width", (width as u32).to_string()));
        }
        let bytes = &document.resources()[number].bytes;
        let Some(format) = inlay::format(bytes) else {
            continue;
        };
        let converted = inlay::convert(job, bytes, format, &options);
        let len = bytes.len();
        if let Ok(converted) = converted
            && (turn != Turn::None || converted.len() < len)
        {
            document.replace_resource(number, converted);
        }
    }
    document.hold(job)
}

/// Rotation that makes a picture upright.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    /// No change.
    None,
    /// The rotation in the metadata of the picture, which the encoder applies by itself.
    AsStated,
    /// Rotation clockwise by this number of degrees.
    By(&'static str),
    /// The picture is left alone, because the needed rotation is not possible.
    Never,
}

/// A picture that can be written in its own format again.
struct Picture {
    seen: Seen,
    /// Orientation in which the document shows the picture; it may differ from that in the picture's metadata.
    displayed: Orientation,
}

impl Picture {
    /// Reads the header of a picture. `None` for formats other than JPEG and PNG, and for unreadable, animated or too
    /// large pictures.
    fn of(job: &Job<'_>, resource: &Resource) -> Option<Self> {
        inlay::format(&resource.bytes).filter(|format| ["jpg", "png"].contains(&format.name))?;
        let seen = inlay::header(job, &resource.bytes).ok()?;
        let pixels = u64::from(seen.width) * u64::from(seen.height);
        let fits = !seen.animated && pixels <= MAX_PIXELS;
        fits.then(|| Self {
            displayed: resource.orientation.unwrap_or(seen.orientation),
            seen,
        })
    }

    /// Width and height of the displayed picture in pixels.
    fn shown(&self) -> (u32, u32) {
        self.seen.shown(self.displayed)
    }

    /// Rotation after which programs for the target show the picture as the document does. `by_metadata` is whether
    /// these programs apply the orientation in the picture's metadata.
    fn turn(&self, by_metadata: bool) -> Turn {
        let stated = self.seen.orientation;
        // Orientation in which these programs would show the unchanged picture.
        let untouched = match by_metadata {
            true => stated,
            false => Orientation::NoTransforms,
        };
        match self.displayed {
            displayed if displayed == stated && displayed != untouched => Turn::AsStated,
            // Encoding would rotate the picture as its metadata states, but the document shows it differently.
            displayed if displayed == untouched && displayed != stated => Turn::Never,
            displayed if displayed == untouched => Turn::None,
            _ if stated != Orientation::NoTransforms => Turn::Never,
            Orientation::Rotate90 => Turn::By("90"),
            Orientation::Rotate180 => Turn::By("180"),
            Orientation::Rotate270 => Turn::By("270"),
            _ => Turn::Never,
        }
    }
}

/// The largest displayed width of each resource, in inches, or `None` if the text does not show it or `seen` has no
/// picture for it.
fn widths(document: &Document, seen: &[Option<Picture>]) -> Vec<Option<f64>> {
    let mut widths: Vec<Option<f64>> = vec![None; seen.len()];
    let mut visit = |inline: &Inline| {
        let Inline::Picture(picture) = inline else {
            return;
        };
        let PictureSource::Resource(id) = picture.source else {
            return;
        };
        let Some((width, height)) = seen[id.index()].as_ref().map(Picture::shown) else {
            return;
        };
        let (width, height) = (f64::from(width), f64::from(height));
        let inches = match (picture.width, picture.height) {
            (Some(shown), _) => shown.to_points() / 72.0,
            (None, Some(shown)) => shown.to_points() / 72.0 * width / height,
            // A picture without a size is shown pixel by pixel where it fits, so fewer pixels would make it smaller on
            // the page: an infinite width prevents its reduction.
            (None, None) if width / SCREEN > TEXT_WIDTH => TEXT_WIDTH,
            (None, None) => f64::INFINITY,
        };
        let widest = &mut widths[id.index()];
        *widest = Some(widest.map_or(inches, |before| before.max(inches)));
    };
    for blocks in document.sections().iter().map(|section| &section.blocks) {
        each_inline(blocks, &mut visit);
    }
    for note in document.notes() {
        each_inline(&note.blocks, &mut visit);
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_turned_if_programs_would_display_them_differently() {
        use Orientation::{NoTransforms as No, Rotate90 as Quarter, Rotate180 as Half};
        #[track_caller]
        fn check(stated: Orientation, displayed: Orientation, by_metadata: bool, expected: Turn) {
            let seen = Seen {
                width: 40,
                height: 30,
                orientation: stated,
                density: None,
                animated: false,
            };
            assert_eq!(Picture { seen, displayed }.turn(by_metadata), expected);
        }
        check(No, No, true, Turn::None);
        check(No, No, false, Turn::None);
        // A photograph with an orientation in its metadata, in a format whose programs apply it, and in one whose
        // programs do not.
        check(Quarter, Quarter, true, Turn::None);
        check(Quarter, Quarter, false, Turn::AsStated);
        // A picture that the document rotates, with and without such programs.
        check(No, Quarter, true, Turn::By("90"));
        check(No, Half, false, Turn::By("180"));
        check(Quarter, No, false, Turn::Never);
        check(Quarter, Half, true, Turn::Never);
    }
}
