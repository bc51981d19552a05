//! Replaced elements (images, drawings, embedded objects), and the content that is shown if a picture is missing.
//! Decodes no picture.

use super::{
    generate::{Flow, Generator, whole},
    tree::{BoxContent, BoxId, Piece, Replaced},
};
use crate::error::Result;
use convertd_markup::{
    css::{
        colour::Paint,
        rgba::Rgba,
        style::{
            Border, BoxSizing, Display, LineStyle, Overflow, Size, Style, VerticalAlign, Writing,
            made,
        },
        value::Length,
        writing::Turn,
    },
    dom::{Data, Dom, Drawing, NodeId, Quirks},
};
use std::rc::Rc;

impl<'d> Generator<'d, '_> {
    /// Adds the alternative of a missing picture as browsers show it: an icon and the `alt` text.
    #[inline(never)]
    pub(crate) fn missing(
        &mut self,
        dom: NodeId,
        style: &Rc<Style>,
        words: String,
        flow: &mut Flow,
    ) -> Result<()> {
        // In quirks mode, a picture with width and height keeps its box, which contains the text.
        let sized = |size: &Size| *size != Size::Auto;
        if self.dom.quirks == Quirks::Full && sized(&style.width) && sized(&style.height) {
            let grey = Paint::Rgba(Rgba::opaque(0xc0, 0xc0, 0xc0));
            let mut own = (**style).clone();
            own.display = if own.display == Display::Inline {
                Display::InlineBlock
            } else {
                own.display
            };
            own.border = [Border {
                thickness: 1.0,
                style: LineStyle::Solid,
                colour: grey,
            }; 4];
            own.padding = std::array::from_fn(|_| Length::px(1.0));
            own.sizing = BoxSizing::Border;
            own.overflow = Overflow::Hidden;
            let own = Rc::new(own);
            let mut inner = Flow::new(own.clone());
            self.missing_sign(&own, &mut inner);
            inner.text(words);
            let id = self.finish(inner, Some(dom));
            if own.is_inline_level() {
                let span = flow.current();
                flow.pieces.push(Piece::Atomic(id, span));
            } else {
                self.wrap_lines(flow, true);
                flow.blocks.push(id);
            }
            return Ok(());
        }
        self.missing_sign(style, flow);
        flow.open(made(|| style.inherited(Display::Inline)), Some(dom), true);
        flow.text(words);
        flow.close();
        Ok(())
    }

    /// Adds the icon of a missing picture, 16 px square as in Chromium.
    pub(super) fn missing_sign(&mut self, style: &Style, flow: &mut Flow) {
        let replaced = Replaced {
            picture: None,
            words: "".into(),
            natural: (Some(16.0), Some(16.0)),
            missing: true,
        };
        let own = made(|| Style {
            // The icon must not raise the line of the text.
            vertical_align: VerticalAlign::TextTop,
            ..style.inherited(Display::InlineBlock)
        });
        self.add_replaced(replaced, own, flow);
    }

    /// Adds replaced content without an element of its own as an atomic inline.
    pub(super) fn add_replaced(&mut self, replaced: Replaced, style: Rc<Style>, flow: &mut Flow) {
        let id = self.boxes.add(style, BoxContent::Replaced(replaced), None);
        let span = flow.current();
        flow.pieces.push(Piece::Atomic(id, span));
    }

    /// The `alt` text of an `img` whose picture is missing. `None` if the picture is not missing, or if it has no text.
    pub(super) fn missing_picture(&mut self, dom: NodeId) -> Option<String> {
        if self.dom.tag(dom) != "img" {
            return None;
        }
        let words = self
            .dom
            .attribute(dom, "alt")
            .filter(|words| !words.is_empty())?
            .to_owned();
        // Loading shows whether the picture is missing. The gallery stores the result.
        let address = self
            .dom
            .attribute(dom, "src")
            .unwrap_or_default()
            .trim()
            .to_owned();
        let here = self.gallery.picture(&address).ok().flatten();
        here.is_none().then_some(words)
    }

    /// Box of a replaced element. It stays upright in vertical writing modes.
    pub(super) fn replaced_box(
        &mut self,
        dom: NodeId,
        style: &Rc<Style>,
        replaced: Replaced,
    ) -> BoxId {
        let kind = BoxContent::Replaced(replaced);
        if self.writing == Writing::Horizontal {
            return self.boxes.add(style.clone(), kind, Some(dom));
        }
        // The rotation of the surrounding writing mode is undone for the picture.
        let turn = Turn::of(Writing::Horizontal).within(Turn::of(self.writing));
        let (inside, around) = whole(style, turn);
        let inner = self.boxes.add(inside, kind, None);
        let kind = BoxContent::Turned(inner, turn);
        self.boxes.add(around, kind, Some(dom))
    }

    /// Returns whether an element is a drawing, or has a tag of embedded content. An element with `alt` text does not
    /// count, because its picture may turn out to be missing.
    pub(crate) fn is_replaced(&self, dom: NodeId) -> bool {
        matches!(self.dom.node(dom).data, Data::Drawing(..))
            || matches!(
                self.dom.tag(dom),
                "img" | "video" | "canvas" | "iframe" | "embed" | "object"
            ) && self.dom.attribute(dom, "alt").is_none_or(str::is_empty)
    }

    /// URL of the picture embedded in an element (for a video, its poster) if it is a data URL.
    fn embedded(&self, dom: NodeId) -> Option<&'d str> {
        let name = match self.dom.tag(dom) {
            "embed" => "src",
            "video" => "poster",
            "object" => "data",
            _ => return None,
        };
        let page: &'d Dom = self.dom;
        let address = page.attribute(dom, name)?.trim();
        address.starts_with("data:image/").then_some(address)
    }

    /// Replaced content of an element; `None` if the element is not replaced.
    pub(crate) fn replaced(&mut self, dom: NodeId, style: &Rc<Style>) -> Result<Option<Replaced>> {
        if let Data::Drawing(_, drawing) = &self.dom.node(dom).data {
            return Ok(Some(self.drawing(dom, style, drawing)?));
        }
        // The tag decides about all other elements.
        match self.dom.tag(dom) {
            "input" | "progress" | "meter" => self.control(dom, style),
            "img" => Ok(Some(self.image(dom)?)),
            "video" | "canvas" | "iframe" | "embed" | "object" => {
                if let Some(address) = self.embedded(dom) {
                    return Ok(Some(Replaced {
                        picture: self.gallery.picture(address)?,
                        words: "".into(),
                        natural: (None, None),
                        missing: false,
                    }));
                }
                let tag = self.dom.tag(dom);
                // An `object` without picture shows its fallback content, if it has any.
                if tag == "object" && self.dom.node(dom).first.is_some() {
                    return Ok(None);
                }
                self.blank += usize::from(tag != "canvas");
                Ok(Some(Replaced {
                    picture: None,
                    words: "".into(),
                    // The default size (CSS 2.2, 10.3.2).
                    natural: (Some(300.0), Some(150.0)),
                    missing: false,
                }))
            }
            _ => Ok(None),
        }
    }

    /// Replaced content of a drawing (`svg`): its size, and its file in this size.
    fn drawing(&mut self, dom: NodeId, style: &Style, drawing: &Drawing) -> Result<Replaced> {
        // Attributes with a width or height, which may end with `px`.
        let attribute = |name: &str| {
            let value = self.dom.attribute(dom, name)?.trim();
            value
                .trim_end_matches("px")
                .parse::<f32>()
                .ok()
                .filter(|px| *px >= 0.0)
        };
        let file = drawing.file.as_deref();
        let (mut width, mut height) = (attribute("width"), attribute("height"));
        // The attribute `viewBox` is in lower case, because the HTML parser changes all names of attributes.
        let ratio = self.dom.attribute(dom, "viewbox").and_then(ratio);
        match (width, height, ratio) {
            (Some(own), None, Some(ratio)) => height = Some(own / ratio),
            (None, Some(own), Some(ratio)) => width = Some(own * ratio),
            _ => {}
        }
        let fixed = |size: &Size| match size {
            Size::Length(length) if !length.has_percentage() => Some(length.of(0.0)),
            _ => None,
        };
        let content = style.sizing == BoxSizing::Content;
        let asked = (fixed(&style.width), fixed(&style.height));
        if let (true, None) = (content, ratio) {
            // A drawing without `viewBox` cannot be scaled, so the style's size is a window onto the drawing.
            width = asked.0.or(width).or(Some(300.0));
            height = asked.1.or(height).or(Some(150.0));
        }
        // A drawing that has a ratio but no size fills the available width (CSS 2.2, 10.3.2).
        let natural = match (width, height, ratio) {
            (None, None, Some(_)) if file.is_some() => (None, None),
            _ => (width.or(Some(300.0)), height.or(Some(150.0))),
        };
        let size = match (ratio, asked) {
            (None, _) => natural.0.zip(natural.1),
            // The drawing keeps its ratio, whatever the ratio of the box is.
            (Some(_), (Some(width), Some(height))) if content => Some((width, height)),
            _ => None,
        };
        let file = file.map(|file| match size {
            Some(size) => sized(file, size),
            None => file.to_owned(),
        });
        let picture = file.map(|file| self.gallery.drawing(&file)).transpose()?;
        Ok(Replaced {
            picture,
            words: drawing.words.as_str().into(),
            natural,
            missing: false,
        })
    }

    /// Replaced content of an `img` element. A missing picture leaves its alternative text.
    fn image(&mut self, dom: NodeId) -> Result<Replaced> {
        let address = self
            .dom
            .attribute(dom, "src")
            .unwrap_or_default()
            .trim()
            .to_owned();
        let picture = self.gallery.picture(&address)?;
        let words = self.dom.attribute(dom, "alt");
        let (has_words, gone) = (words.is_some(), picture.is_none());
        // A missing picture with an `alt` attribute has no size of its own. A missing picture without it is an
        // icon of 16 px.
        let natural = match (gone, has_words) {
            (false, _) => (None, None),
            (true, true) => (Some(0.0), Some(0.0)),
            (true, false) => (Some(16.0), Some(16.0)),
        };
        Ok(Replaced {
            picture,
            words: words.unwrap_or_default().into(),
            natural,
            missing: gone && !has_words,
        })
    }
}

/// SVG document with its `width` and `height` replaced, in px. The size in the file decides how
/// large it is rasterised and which part is seen.
pub(crate) fn sized(file: &str, (width, height): (f32, f32)) -> String {
    let Some(root) = file.find("<svg") else {
        return file.to_owned();
    };
    let (before, mut rest) = file.split_at(root + 4);
    let mut out = format!("{before} width=\"{width}\" height=\"{height}\"");
    // Copy the other attributes; the serializer quotes values with `"`.
    while let Some(equals) = rest.find(['=', '>'])
        && rest[equals..].starts_with("=\"")
        && let Some(length) = rest[equals + 2..].find('"')
    {
        let (attribute, others) = rest.split_at(equals + 2 + length + 1);
        if !matches!(attribute[..equals].trim(), "width" | "height") {
            out.push_str(attribute);
        }
        rest = others;
    }
    out + rest
}

/// Aspect ratio (width ÷ height) from a `viewBox`.
pub(crate) fn ratio(text: &str) -> Option<f32> {
    let numbers: Vec<f32> = text
        .split([' ', ',', '\t', '\n'])
        .filter(|part| !part.is_empty())
        .map_while(|number| number.parse().ok())
        .collect();
    let [_, _, width, height] = numbers.as_slice() else {
        return None;
    };
    let ratio = width / height;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}
