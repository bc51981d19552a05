//! Reads the text of a drawing into the tree that resvg draws. Opens no other file and no address.
//!
//! A drawing of a few bytes can ask for any amount of work: elements that are used a thousand times, nested groups that
//! each need a canvas, filters over all of them. This work cannot be stopped once it has begun, so its amount is
//! counted first: nesting in the text itself, because the parser recurses; elements as often as they are used; rules of
//! style sheets; text; closing commands (`z`) that follow one another in a path; pictures; canvases. Costs that depend
//! on the size of the drawing are counted by the caller, which knows that size.

use super::{
    backing, cost, filters, fonts, pictures, styles, text,
    xml::{
        LETTERS, MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS, MAX_EMBEDDED, MAX_MATCHES, embedded, nesting,
        own_len, parse, parsed,
    },
};
use crate::{
    limits,
    source::{failed, lost, unsupported},
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{Input, Job},
};
use convertd_metafile as metafile;
use resvg::usvg::{Group, ImageKind, Node, Options, Tree};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::Ordering::Relaxed,
};

/// Largest file in bytes, as stored and unpacked. It is the limit for metafiles, which may consist mostly of bitmaps;
/// SVG has the lower limits [`MAX_BYTES`] and [`MAX_EMBEDDED`].
const MAX_METAFILE: u64 = 64 << 20;

/// Largest length of the longer side, in pixels, of a drawing that does not state its size.
const MAX_UNSIZED: f32 = 4096.0;

/// Cost of parsing in steps of about a nanosecond: for each byte, and for each element.
const STEPS_PER_BYTE: u64 = 20;
const STEPS_PER_ELEMENT: u64 = 1000;

/// Additional steps for the layout of text that each byte of the file allows.
const LETTERS_PER_BYTE: u64 = 2_000;

/// Largest number of canvases of full size that groups may need at the same time.
const MAX_LAYERS: u64 = 32;

/// A drawing that has been parsed, and is within all limits that do not depend on its size.
pub struct Parsed {
    /// Tree that resvg draws.
    pub tree: Tree,
    /// The title of its root element.
    pub title: Option<String>,
    /// Cost of parsing it, in steps of about a nanosecond.
    pub steps: u64,
    /// Whether the root element has a width or a height that is not a percentage.
    is_sized: bool,
    /// Canvases of full size that groups need at the same time.
    pub(super) layers: u64,
    /// Memory in bytes before anything is drawn.
    pub memory: u64,
    /// Number of pixels of the largest raster picture within it.
    picture: u64,
    /// Number of pictures within it that are not drawn.
    left_out: usize,
    /// Number of pictures within it whose data ends too early.
    cut: usize,
    /// Whether parts of the metafile that it was made from are missing.
    incomplete: bool,
    /// Number of characters that no font contains, by script.
    missing: BTreeMap<&'static str, usize>,
    /// Notes on styles that are lost, in whole sentences.
    lost_styles: Vec<String>,
}

impl Parsed {
    /// Reads a file, and reserves the memory for it.
    ///
    /// Errors: [`Kind::BadInput`] if it is not a drawing, or beyond a limit.
    pub fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Self> {
        let Text { text, incomplete } = read(job, input)?;
        // Memory for the text, for the parsed document, and for the tree that is drawn.
        let mut memory = parsed(&text);
        job.reserve(limits::BASE + memory)?;
        if nesting(&text) > MAX_DEPTH {
            return Err(unsupported(job, "elements nested more than 200 deep"));
        }
        let written = parse(&text).map_err(|err| failed(job, err))?;
        let elements = cost::elements(&written, MAX_DEPTH);
        if elements > MAX_ELEMENTS {
            return Err(unsupported(job, "too many elements"));
        }
        let matches = elements.saturating_mul(cost::selectors(&written));
        if matches > MAX_MATCHES {
            return Err(unsupported(
                job,
                "too many CSS rules for its number of elements",
            ));
        }
        drop(written);
        job.reserve(limits::BASE + memory + styles::MEMORY * own_len(&text))?;
        let resolved = styles::resolved(&text);
        let (text, lost_styles) = match resolved {
            Some(resolved) => {
                memory = parsed(&resolved.text);
                (resolved.text, resolved.notes)
            }
            None => (text, Vec::new()),
        };
        job.reserve(limits::BASE + memory)?;
        let plain = parse(&text).map_err(|err| failed(job, err))?;
        let backed = backing::backed(&text, &plain);
        let document = match &backed {
            Some(backed) => {
                drop(plain);
                parse(backed).map_err(|err| failed(job, err))?
            }
            None => plain,
        };
        // `text` is the text after style sheets have been resolved and the background has been added.
        let text = backed.as_deref().unwrap_or(&text);
        let letters = cost::letters(&document, MAX_DEPTH);
        if letters > LETTERS + LETTERS_PER_BYTE * text.len() as u64 {
            return Err(unsupported(
                job,
                "too much text in one piece, in too many spans, or along too long a path",
            ));
        }
        if pictures::any(&document) {
            memory += pictures::MEMORY;
            job.reserve(limits::BASE + memory)?;
        }
        let mut all = document.descendants();
        let may_have_text = |name: &str| ["text", "image", "feImage"].contains(&name);
        let has_text = all.any(|element| may_have_text(element.tag_name().name()));
        if has_text {
            memory += fonts::MEMORY;
            job.reserve(limits::BASE + memory)?;
        }
        if cost::closes_too_often(&document) {
            return Err(unsupported(job, "a path with too many closed parts"));
        }
        let pictures = pictures::Resolved::default();
        let options = options_of_ours(has_text, &pictures);
        let tree = match catch_unwind(AssertUnwindSafe(|| Tree::from_xmltree(&document, &options)))
        {
            Ok(tree) => tree.map_err(|err| failed(job, err))?,
            Err(stopped) if stopped.is::<pictures::TooMuch>() => {
                return Err(unsupported(
                    job,
                    "pictures that are too large, too complicated, or used too often",
                ));
            }
            Err(panic) => resume_unwind(panic),
        };
        let picture = pictures::largest(tree.root());
        if picture > pictures::MAX_PIXELS {
            return Err(unsupported(job, "a picture of more than 67 MP"));
        }
        let layers = layers(tree.root());
        if layers > MAX_LAYERS {
            return Err(unsupported(job, "too many nested transparent groups"));
        }
        let title = document.root_element().children();
        let title = title
            .filter(|child| child.tag_name().name() == "title")
            .find_map(|child| child.text())
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|text| !text.is_empty());
        let bytes = text.len() as u64;
        let root = document.root_element();
        let has_length = |name| {
            root.attribute(name)
                .is_some_and(|length| !length.contains('%'))
        };
        Ok(Self {
            is_sized: has_length("width") || has_length("height"),
            incomplete,
            title,
            steps: STEPS_PER_BYTE * bytes + STEPS_PER_ELEMENT * elements + 35 * matches + letters,
            layers,
            memory,
            picture,
            left_out: pictures.left_out.load(Relaxed),
            cut: pictures.cut.load(Relaxed),
            missing: fonts::missing(tree.root()),
            lost_styles,
            tree,
        })
    }

    /// The default width and height in pixels. If the file states only a `viewBox`, its unit is unknown (it may be
    /// millimetres of a building). Then the longer side is at most [`MAX_UNSIZED`] pixels.
    pub(super) fn natural_size(&self) -> (u32, u32) {
        let size = self.tree.size();
        let longest = size.width().max(size.height());
        let scale = match self.is_sized {
            false if longest > MAX_UNSIZED => MAX_UNSIZED / longest,
            _ => 1.0,
        };
        let side = |length: f32| (length * scale).round().max(1.0) as u32;
        match scale < 1.0 {
            true => (side(size.width()), side(size.height())),
            false => {
                let size = size.to_int_size();
                (size.width(), size.height())
            }
        }
    }

    /// Number of canvases of full size that are needed at the same time.
    #[cfg(feature = "document")]
    pub(crate) fn layers(&self) -> u64 {
        self.layers
    }

    /// Memory in bytes while it is drawn at this width and height in pixels.
    pub fn memory_at(&self, (width, height): (u32, u32)) -> u64 {
        let pixels = u64::from(width) * u64::from(height);
        let scale = f64::from(width) / f64::from(self.tree.size().width());
        let regions = filters::outside(self.tree.root(), pixels as f64, scale);
        self.memory + (2 + self.layers) * 4 * pixels + regions + self.decoded()
    }

    /// Memory in bytes for decoding the largest raster picture within it.
    pub(crate) fn decoded(&self) -> u64 {
        12 * self.picture
    }

    /// Notes on losses that occur in every target format.
    pub fn notes(&self) -> Vec<String> {
        let note = |count: usize, what: &str| {
            let what = match count {
                0 => return None,
                1 => format!("A picture within the drawing is {what}."),
                count => format!("{count} pictures within the drawing are {what}."),
            };
            Some(what)
        };
        let left_out = "left out: only embedded pictures in png, jpg, gif, webp and svg are drawn";
        let cut = "incomplete, and drawn only in part or not at all";
        let missing = self.missing.iter().map(|(script, count)| match count {
            1 => format!("1 character ({script}) is missing from all fonts here, and is drawn as a box."),
            _ => {
                format!(
                    "{count} characters ({script}) are missing from all fonts here, and are drawn as boxes."
                )
            }
        });
        let incomplete = self
            .incomplete
            .then(|| "Parts of the metafile that cannot be drawn here were left out.".to_owned());
        let notes = [
            note(self.left_out, left_out),
            note(self.cut, cut),
            incomplete,
        ];
        let styles = self.lost_styles.iter().cloned();
        notes
            .into_iter()
            .flatten()
            .chain(missing)
            .chain(styles)
            .collect()
    }
}

/// The text of a drawing.
struct Text {
    text: String,
    /// Whether parts of the metafile that it was made from are missing.
    incomplete: bool,
}

/// Reads the whole file, unpacks it, and decodes its text. A metafile is converted to the text of a drawing.
fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Text> {
    let check = |len: u64| match len {
        len if len > MAX_METAFILE => Err(Error::new(
            Kind::BadInput,
            format!("the drawing has {len} bytes; the limit is {MAX_METAFILE}"),
        )),
        // UTF-8 may take three times as many bytes as the original encoding, and both texts are in memory for a moment.
        len => job.reserve(limits::BASE + job.input_len + 4 * len),
    };
    check(job.input_len)?;
    let mut file = Vec::with_capacity(job.input_len as usize + 1);
    input.read_to_end(&mut file).map_err(lost)?;
    if text::is_packed(&file) {
        check(text::unpacked_len(&file))?;
        file = text::unpack(&file, MAX_METAFILE)
            .ok_or_else(|| job.unreadable("it cannot be unpacked"))?;
    }
    if metafile::kind(&file).is_some() {
        job.reserve(limits::BASE + 2 * file.len() as u64 + metafile::MEMORY)?;
        let drawn = metafile::draw(job, &file)?;
        let drawn = drawn.ok_or_else(|| job.unreadable("the drawing is empty"))?;
        let text = String::from_utf8(drawn.svg);
        return Ok(Text {
            text: text.map_err(|err| failed(job, err))?,
            incomplete: drawn.cut,
        });
    }
    let (len, pictures) = (file.len() as u64, embedded(&file));
    let refuse = |why: String| Err(Error::new(Kind::BadInput, why));
    if len - pictures > MAX_BYTES {
        return refuse(format!(
            "the SVG file has {} bytes without its pictures; the limit is {MAX_BYTES}",
            len - pictures
        ));
    }
    if pictures > MAX_EMBEDDED {
        return refuse(format!(
            "the pictures in the SVG file take {pictures} bytes; the limit is {MAX_EMBEDDED}"
        ));
    }
    let text = text::decode(file);
    let text = text.ok_or_else(|| {
        job.unreadable("its text is neither UTF-8 nor in the encoding that it declares")
    })?;
    Ok(Text {
        text,
        incomplete: false,
    })
}

/// Options of usvg. The font database is loaded only if the drawing may have text, because that takes time and memory.
fn options_of_ours(has_text: bool, pictures: &pictures::Resolved) -> Options<'_> {
    let mut options = Options {
        image_href_resolver: pictures.resolver(),
        ..Options::default()
    };
    if has_text {
        options.fontdb = fonts::database();
        options.font_resolver = fonts::resolver();
    }
    options
}

/// Number of canvases of full size that a group needs at the same time, including those of its children.
fn layers(group: &Group) -> u64 {
    let within = group
        .children()
        .iter()
        .map(|child| match child {
            Node::Group(group) => layers(group),
            Node::Image(image) => match image.kind() {
                // A nested drawing gets a canvas of its own.
                ImageKind::SVG(tree) => 1 + layers(tree.root()),
                _ => 0,
            },
            Node::Path(_) | Node::Text(_) => 0,
        })
        .max()
        .unwrap_or(0);
    let own = if group.should_isolate() { 1 } else { 0 };
    let masked = if group.mask().is_some() || group.clip_path().is_some() {
        2
    } else {
        0
    };
    within + own + masked + 3 * group.filters().len() as u64
}
