//! Reads the text of a drawing into the tree that resvg draws. Opens no other file and no address.
//!
//! A drawing of some bytes can ask for any amount of work: elements used a thousand times, groups within groups that each need a
//! canvas, filters over all of them. None of it can be stopped once it has begun, so everything is counted before: nesting on the
//! text itself, because the parser recurses; elements as often as they are used; rules of style sheets; canvases. Costs that
//! depend on the size of the drawing are counted by its caller, who knows that size.

use super::{
    backing, cost, filters, fonts, pictures, styles, text,
    xml::{
        LETTERS, MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS, MAX_EMBEDDED, MAX_MATCHES, embedded, nesting,
        own_len, parse, parsed,
    },
};
use crate::{
    limits, metafile,
    source::{failed, lost, unsupported},
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{Input, Job},
};
use resvg::usvg::{Group, ImageKind, Node, Options, Tree};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::Ordering::Relaxed,
};

/// Largest metafile, unpacked, most of which may be bitmaps.
const MAX_METAFILE: u64 = 64 << 20;

/// The longer side in pixels of a drawing that does not tell its size, at most.
const MAX_UNSIZED: f32 = 4096.0;

/// Most times that a path is closed without a line between. The parser recurses.
pub(crate) const MAX_CLOSINGS: usize = 200;

/// Cost of parsing in steps of about a nanosecond, for each byte.
const STEPS_PER_BYTE: u64 = 20;
const STEPS_PER_ELEMENT: u64 = 1000;

/// Additional steps for text that are allowed for each byte of the file.
const LETTERS_PER_BYTE: u64 = 2_000;

/// Most pictures of full size that groups may need at a time.
const MAX_LAYERS: u64 = 32;

/// A drawing that has been read, and is within all limits that do not depend on its size when drawn.
pub struct Parsed {
    /// Tree that is drawn.
    pub tree: Tree,
    /// The title that its root element has.
    pub title: Option<String>,
    /// Cost of reading it, in steps of about a nanosecond.
    pub steps: u64,
    /// Whether the drawing tells its own size, and not only the area that it shows.
    is_sized: bool,
    /// Canvases of full size that groups need at a time.
    pub(super) layers: u64,
    /// Bytes that it takes before anything is drawn.
    pub memory: u64,
    /// Pixels of the largest picture within it.
    picture: u64,
    /// Pictures within it that are not drawn.
    left_out: usize,
    /// Pictures within it that are cut off.
    cut: usize,
    /// Whether the metafile that it was made of says more.
    incomplete: bool,
    /// Characters that no font shows, by their script.
    missing: BTreeMap<&'static str, usize>,
    /// Losses of its styles, in whole sentences.
    lost_styles: Vec<String>,
}

impl Parsed {
    /// Reads a file, and reserves what that takes.
    ///
    /// Errors: [`Kind::BadInput`] if it is no drawing, or beyond a limit.
    pub fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Self> {
        let Text { text, incomplete } = read(job, input)?;
        // The text, what it is parsed into, and what is drawn of that.
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
                "too many rules of CSS for so many elements",
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
        let text = backed.as_deref().unwrap_or(&text);
        let letters = cost::letters(&document, MAX_DEPTH);
        if letters > LETTERS + LETTERS_PER_BYTE * text.len() as u64 {
            return Err(unsupported(
                job,
                "so much text in one piece, in so many spans, or along so long a path",
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
        let paths = document.descendants();
        let paths = paths.filter_map(|path| path.attribute("d"));
        if paths.map(cost::closings).max() > Some(MAX_CLOSINGS) {
            return Err(unsupported(job, "a path that is closed again and again"));
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
        let tells = |name| {
            root.attribute(name)
                .is_some_and(|length| !length.contains('%'))
        };
        Ok(Self {
            is_sized: tells("width") || tells("height"),
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

    /// The default width and height in pixels. If the file states only a `viewBox`, its unit is unknown (millimetres of a
    /// building, for example). Then the longer side has [`MAX_UNSIZED`] pixels at most.
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

    /// Canvases of full size that are needed at a time.
    #[cfg(feature = "document")]
    pub(crate) fn layers(&self) -> u64 {
        self.layers
    }

    /// Bytes that it takes while it is drawn at this width and height in pixels.
    pub fn memory_at(&self, (width, height): (u32, u32)) -> u64 {
        let pixels = u64::from(width) * u64::from(height);
        let scale = f64::from(width) / f64::from(self.tree.size().width());
        let regions = filters::outside(self.tree.root(), pixels as f64, scale);
        self.memory + (2 + self.layers) * 4 * pixels + regions + self.decoded()
    }

    /// Bytes that decoding the largest picture within it takes.
    pub(crate) fn decoded(&self) -> u64 {
        12 * self.picture
    }

    /// Losses of the drawing in every target.
    pub fn notes(&self) -> Vec<String> {
        let note = |count: usize, what: &str| {
            let what = match count {
                0 => return None,
                1 => format!("A picture within the drawing is {what}."),
                count => format!("{count} pictures within the drawing are {what}."),
            };
            Some(what)
        };
        let left_out = "left out: only embedded ones in png, jpg, gif, webp and svg are drawn";
        let cut = "cut off, and drawn at most in part";
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
    /// Whether it lacks some of the metafile that it was made of.
    incomplete: bool,
}

/// Reads all of the file, unpacked and decoded. A metafile becomes the text of a drawing.
fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Text> {
    let check = |len: u64| match len {
        len if len > MAX_METAFILE => Err(Error::new(
            Kind::BadInput,
            format!("the drawing has {len} bytes; the limit is {MAX_METAFILE}"),
        )),
        // UTF-8 may take three times as many bytes, and both texts are in memory for a moment.
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
        let drawn = drawn.ok_or_else(|| job.unreadable("nothing is drawn in it"))?;
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
            "the SVG file has {} bytes besides its pictures; the limit is {MAX_BYTES}",
            len - pictures
        ));
    }
    if pictures > MAX_EMBEDDED {
        return refuse(format!(
            "the pictures in the SVG file take {pictures} bytes; the limit is {MAX_EMBEDDED}"
        ));
    }
    let text = text::decode(file);
    let text = text.ok_or_else(|| job.unreadable("it is neither UTF-8 nor what it declares"))?;
    Ok(Text {
        text,
        incomplete: false,
    })
}

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

/// Pictures of full size that are needed at a time, for groups that are drawn apart.
fn layers(group: &Group) -> u64 {
    let within = group
        .children()
        .iter()
        .map(|child| match child {
            Node::Group(group) => layers(group),
            Node::Image(image) => match image.kind() {
                // It is drawn on a canvas of its own.
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
