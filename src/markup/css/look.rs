//! Parses the CSS declarations in `style` attributes, as far as a document can express them. Reads no style sheets.

use super::{
    colour::{self, Paint},
    keywords::{UnicodeBidi, Word as _},
    rgba::Rgba,
    style::ListStyle,
    text,
    tokens::tokens,
    value::Cursor,
};
use convertd_tree::{
    Alignment, Colour, Direction, EmphasisShape, Length, Stroke, Underline, Width,
};

/// Colour of paper.
pub(crate) const PAPER: Colour = Colour(255, 255, 255);

/// The look of an element.
#[derive(Clone, Debug, Default)]
pub struct Look {
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub underline: bool,
    /// Shape and colour of the underline, unless it is a single solid line in the colour of the text.
    pub(crate) line: Option<Underline>,
    pub(crate) strikethrough: bool,
    pub superscript: bool,
    pub subscript: bool,
    pub small_caps: bool,
    pub capitals: bool,
    /// Colour of the text, which may be translucent.
    pub colour: Option<Rgba>,
    /// Background, which may be translucent.
    pub background: Option<Rgba>,
    /// Shape of the marks at the letters.
    pub(crate) emphasis: Option<EmphasisShape>,
    /// Whether these marks are below the letters.
    pub(crate) emphasis_below: bool,
    /// Whether words are divided at the ends of lines.
    pub(crate) hyphenated: Option<bool>,
    /// Effect of the element on the order of its letters.
    pub(crate) bidi: Option<UnicodeBidi>,
    pub font: Option<Box<str>>,
    pub size: Option<Length>,
    pub alignment: Option<Alignment>,
    pub direction: Option<Direction>,
    pub vertical: Option<&'static str>,
    pub width: Option<Width>,
    pub height: Option<Length>,
    pub hidden: bool,
    /// Style of the markers of a list or item.
    pub(crate) list_style: Option<ListStyle>,
    /// Text that style sheets put at the beginning of the element (`::before`).
    pub(crate) before: Option<Box<str>>,
    /// Text that style sheets put at the end of the element (`::after`).
    pub(crate) after: Option<Box<str>>,
    /// Break around an inline element that is displayed as a box.
    pub parted: EdgeBreaks,
    /// Whether a page break precedes the element.
    pub(crate) breaks_before: bool,
    /// Whether a page break follows the element.
    pub(crate) breaks_after: bool,
}

/// Break at both edges of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeBreaks {
    #[default]
    Not,
    /// Separates words.
    Word,
    /// Separates lines.
    Line,
}

impl Look {
    /// Adds the properties from style sheets that the element's own attributes do not state.
    pub(crate) fn or(self, sheets: &Self) -> Self {
        let other = sheets.clone();
        Self {
            bold: self.bold.or(other.bold),
            italic: self.italic.or(other.italic),
            underline: self.underline || other.underline,
            line: self.line.or(other.line),
            strikethrough: self.strikethrough || other.strikethrough,
            superscript: self.superscript || other.superscript,
            subscript: self.subscript || other.subscript,
            small_caps: self.small_caps || other.small_caps,
            capitals: self.capitals || other.capitals,
            colour: self.colour.or(other.colour),
            background: self.background.or(other.background),
            emphasis: self.emphasis.or(other.emphasis),
            emphasis_below: self.emphasis_below || other.emphasis_below,
            hyphenated: self.hyphenated.or(other.hyphenated),
            bidi: self.bidi.or(other.bidi),
            direction: self.direction.or(other.direction),
            alignment: self.alignment.or(other.alignment),
            vertical: self.vertical.or(other.vertical),
            hidden: self.hidden || other.hidden,
            list_style: self.list_style.or(other.list_style),
            before: self.before.or(other.before),
            after: self.after.or(other.after),
            parted: self.parted.max(other.parted),
            breaks_before: self.breaks_before || other.breaks_before,
            breaks_after: self.breaks_after || other.breaks_after,
            ..self
        }
    }
}

/// Parses the value of a `style` attribute.
pub(crate) fn look(style: &str) -> Look {
    let mut look = Look::default();
    for declaration in declarations(style) {
        if let Some((name, value)) = declaration.split_once(':') {
            let value = value.trim().trim_end_matches("!important").trim_end();
            set(&mut look, &name.trim().to_ascii_lowercase(), value);
        }
    }
    look
}

/// Declarations in the value of a `style` attribute. A semicolon in a string or in brackets, such as that of a data URL,
/// separates none (CSS Syntax, 5.4.5).
fn declarations(style: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_usize, None);
    let bytes = style.as_bytes();
    let mut next = 0;
    while let Some(&byte) = bytes.get(next) {
        let at = next;
        next += 1;
        match byte {
            b'\\' => next += 1,
            _ if quote == Some(byte) => quote = None,
            // A string ends with its line.
            b'\n' => quote = None,
            _ if quote.is_some() => {}
            b'/' if bytes[next..].starts_with(b"*") => {
                let inner = next + 1;
                next = style[inner..]
                    .find("*/")
                    .map_or(bytes.len(), |len| inner + len + 2);
                if style[start..at].trim().is_empty() {
                    start = next;
                }
            }
            b'"' | b'\'' => quote = Some(byte),
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b';' if depth == 0 => {
                all.push(&style[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&style[start..]);
    all
}

/// Applies a style or a colour of a text decoration.
fn set_line(line: &mut Underline, word: &str) {
    match word {
        "double" => line.double = true,
        "dotted" => line.stroke = Stroke::Dotted,
        "dashed" => line.stroke = Stroke::Dashed,
        "wavy" => line.stroke = Stroke::Wavy,
        word => line.colour = colour(word).or(line.colour),
    }
}

fn set(look: &mut Look, name: &str, value: &str) {
    let lower = value.to_ascii_lowercase();
    let word = lower.as_str();
    match name {
        "font-weight" => {
            look.bold = match word {
                "bold" | "bolder" => Some(true),
                "normal" | "lighter" => Some(false),
                _ => word.parse::<f32>().ok().map(|weight| weight >= 600.0),
            }
        }
        "font-style" => {
            look.italic = match word {
                "normal" => Some(false),
                _ => Some(word.starts_with("italic") || word.starts_with("oblique")),
            }
        }
        "text-decoration" | "text-decoration-line" => {
            let mut line = Underline::default();
            for word in word.split_ascii_whitespace() {
                look.underline |= word == "underline";
                look.strikethrough |= word == "line-through";
                set_line(&mut line, word);
            }
            look.line = Some(line).filter(|line| *line != Underline::default());
        }
        "text-decoration-style" | "text-decoration-color" => {
            let line = look.line.get_or_insert_default();
            word.split_ascii_whitespace()
                .for_each(|word| set_line(line, word));
        }
        "vertical-align" => match word {
            "super" => look.superscript = true,
            "sub" => look.subscript = true,
            "top" => look.vertical = Some("top"),
            "middle" => look.vertical = Some("middle"),
            "bottom" => look.vertical = Some("bottom"),
            _ => {}
        },
        "font-variant" | "font-variant-caps" => look.small_caps = word.contains("small-caps"),
        "text-transform" => look.capitals = word == "uppercase",
        "color" => look.colour = rgba(word),
        "background-color" => look.background = rgba(word),
        "background" => look.background = background(word),
        "font-family" => {
            let families = value
                .split(',')
                .map(|name| name.trim().trim_matches(['"', '\'']));
            let families: Vec<&str> = families.filter(|name| !name.is_empty()).collect();
            look.font = (!families.is_empty()).then(|| families.join(", ").into());
        }
        "font-size" => look.size = Length::parse(word),
        "text-align" => look.alignment = alignment(word),
        "direction" => look.direction = direction(word),
        "unicode-bidi" => look.bidi = UnicodeBidi::of(word),
        "hyphens" | "-webkit-hyphens" | "-moz-hyphens" | "-ms-hyphens" | "-epub-hyphens" => {
            look.hyphenated = Some(word == "auto");
        }
        "text-emphasis"
        | "text-emphasis-style"
        | "-webkit-text-emphasis"
        | "-webkit-text-emphasis-style" => look.emphasis = emphasis(value),
        "text-emphasis-position" | "-webkit-text-emphasis-position" => {
            look.emphasis_below = word.starts_with("under");
        }
        "width" => look.width = width(word),
        "height" => look.height = Length::parse(word),
        "list-style" | "list-style-type" => {
            look.list_style = list_style(value).or(look.list_style.take());
        }
        "display" => look.hidden |= word == "none",
        "visibility" => look.hidden |= word == "hidden",
        "break-before" | "page-break-before" => look.breaks_before = breaks(word),
        "break-after" | "page-break-after" => look.breaks_after = breaks(word),
        // Word marks hidden text with a property of its own.
        "mso-hide" => look.hidden |= word == "all",
        _ => {}
    }
}

/// Parses `list-style-type`, also among the values of `list-style`.
fn list_style(value: &str) -> Option<ListStyle> {
    let value = value.trim();
    if value.starts_with(['"', '\'']) {
        return Some(ListStyle::Text(value.trim_matches(['"', '\'']).into()));
    }
    let mut words = value.split_ascii_whitespace();
    let word = words.find(|word| {
        !matches!(
            *word,
            "inside" | "outside" | "inherit" | "initial" | "unset"
        ) && !word.contains('(')
    })?;
    Some(match word.to_ascii_lowercase().as_str() {
        "none" => ListStyle::None,
        name => ListStyle::Named(name.into()),
    })
}

fn breaks(word: &str) -> bool {
    matches!(
        word,
        "always" | "page" | "left" | "right" | "recto" | "verso"
    )
}

/// Parses the value of `text-align`, or of an `align` attribute.
pub(crate) fn alignment(word: &str) -> Option<Alignment> {
    let matches = |other: &&str| word.eq_ignore_ascii_case(other);
    Some(match () {
        () if ["left", "start"].iter().any(&matches) => Alignment::Start,
        () if ["center", "middle"].iter().any(&matches) => Alignment::Centre,
        () if ["right", "end"].iter().any(&matches) => Alignment::End,
        () if matches(&"justify") => Alignment::Justify,
        () => return None,
    })
}

/// Parses the value of `direction`, or of a `dir` attribute.
pub(crate) fn direction(word: &str) -> Option<Direction> {
    match () {
        () if word.eq_ignore_ascii_case("rtl") => Some(Direction::RightToLeft),
        () if word.eq_ignore_ascii_case("ltr") => Some(Direction::LeftToRight),
        () => None,
    }
}

/// Parses the value of `width`, or of a `width` attribute, in which a number without a unit is in pixels.
pub(crate) fn width(word: &str) -> Option<Width> {
    if let Some(percent) = word.strip_suffix('%') {
        let share: f32 = percent.trim().parse().ok()?;
        return (share > 0.0 && share <= 1000.0).then_some(Width::Share(share / 100.0));
    }
    length(word).map(Width::Fixed)
}

/// Parses a length, in which a number without a unit is in pixels.
pub(crate) fn length(word: &str) -> Option<Length> {
    let plain = || word.trim().parse::<f64>().ok().map(Length::pixels);
    Length::parse(word)
        .or_else(plain)
        .filter(|length| *length > Length::ZERO)
}

/// Parses a CSS colour, and blends it with white paper. `None` for an invalid or fully transparent colour.
pub(crate) fn colour(text: &str) -> Option<Colour> {
    on_paper(rgba(text)?)
}

/// Parses the colour of an attribute, where `#` may be missing (HTML, 2.3.6).
pub(crate) fn legacy_colour(text: &str) -> Option<Rgba> {
    let word = text.trim().to_ascii_lowercase();
    rgba(&word).or_else(|| {
        let Colour(red, green, blue) = Colour::parse(&word)?;
        Some(Rgba::opaque(red, green, blue))
    })
}

fn rgba(text: &str) -> Option<Rgba> {
    let tokens = tokens(text);
    let mut cursor = Cursor::new(&tokens);
    match colour::colour(&mut cursor)? {
        // `currentcolor` is the inherited colour, which applies in any case.
        Paint::Current => None,
        Paint::Rgba(colour) => cursor.is_done().then_some(colour),
    }
}

/// Parses a shape of emphasis marks, also beside their colour.
fn emphasis(text: &str) -> Option<EmphasisShape> {
    let tokens = tokens(text);
    let mut cursor = Cursor::new(&tokens);
    while !cursor.is_done() {
        match text::emphasis(&mut cursor) {
            Some(shape) => return shape,
            None => drop(cursor.next()),
        }
    }
    None
}

/// Blends a colour with white. `None` if it is fully transparent.
pub fn on_paper(colour: Rgba) -> Option<Colour> {
    on_ground(colour, PAPER)
}

/// Blends a colour with the one below it. `None` if it is fully transparent.
pub(crate) fn on_ground(colour: Rgba, ground: Colour) -> Option<Colour> {
    let [red, green, blue] = colour.rgb;
    let blend = |part: u8, below: u8| {
        let part = f32::from(part) * colour.alpha + f32::from(below) * (1.0 - colour.alpha);
        part.round() as u8
    };
    let Colour(red_below, green_below, blue_below) = ground;
    (!colour.is_clear()).then_some(Colour(
        blend(red, red_below),
        blend(green, green_below),
        blend(blue, blue_below),
    ))
}

/// Returns the first colour among the values of `background`, blended with white. `None` without a colour, or if it is
/// transparent or `currentcolor`.
fn background(text: &str) -> Option<Rgba> {
    let tokens = tokens(text);
    let mut cursor = Cursor::new(&tokens);
    while !cursor.is_done() {
        match colour::colour(&mut cursor) {
            Some(Paint::Rgba(colour)) => return Some(colour),
            Some(Paint::Current) => return None,
            // Skip a picture with its arguments.
            None if cursor.function().is_some() => {}
            None => drop(cursor.next()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_spacing_of_declarations_do_not_matter() {
        let look = look(
            "Font-Weight:700; color : #F00 !important;font-family:'Noto Sans', serif;\
             width:50%;text-align:CENTER;nonsense;:;font-size:12pt;text-decoration:underline red",
        );
        assert_eq!(look.bold, Some(true));
        assert_eq!(look.colour, Some(Rgba::opaque(255, 0, 0)));
        assert_eq!(look.font.as_deref(), Some("Noto Sans, serif"));
        assert_eq!(look.width, Some(Width::Share(0.5)));
        assert_eq!(look.alignment, Some(Alignment::Centre));
        assert_eq!(look.size, Some(Length::points(12.0)));
        assert!(look.underline && !look.strikethrough);
    }

    #[test]
    fn colours_are_read() {
        #[track_caller]
        fn check(word: &str, expected: Option<Colour>) {
            assert_eq!(colour(word), expected, "{word}");
        }
        check("navy", Some(Colour(0, 0, 128)));
        check("rgb(1, 2, 300)", Some(Colour(1, 2, 255)));
        check("rgba(0 50% 0 / 1)", Some(Colour(0, 128, 0)));
        check("rgb(1)", None);
        check("#12345", None);
        check("transparent", None);
        check("rgba(0, 0, 0, 0)", None);
        check("rgb(0 0 0 / 0%)", None);
        check("#0000", None);
        check("rgba(255, 0, 0, .5)", Some(Colour(255, 128, 128)));
        check("#00f8", Some(Colour(119, 119, 255)));
        check("tomato", Some(Colour(255, 99, 71)));
        check("rebeccapurple", Some(Colour(102, 51, 153)));
        check("hsl(120, 100%, 25%)", Some(Colour(0, 128, 0)));
        check("#12", None);
    }

    #[test]
    fn emphasis_marks_are_read() {
        #[track_caller]
        fn check(style: &str, expected: Option<EmphasisShape>, below: bool) {
            let look = look(style);
            assert_eq!((look.emphasis, look.emphasis_below), (expected, below));
        }
        check("text-emphasis: dot", Some(EmphasisShape::Dot), false);
        check(
            "text-emphasis: red open circle",
            Some(EmphasisShape::Circle),
            false,
        );
        check("text-emphasis: 'x'", Some(EmphasisShape::Dot), false);
        check("text-emphasis: none", None, false);
        let below = "-webkit-text-emphasis-style: sesame; text-emphasis-position: under right";
        check(below, Some(EmphasisShape::Comma), true);
    }

    #[test]
    fn semicolons_in_strings_and_brackets_separate_nothing() {
        let found = declarations;
        assert_eq!(found("a:b;c:d;"), ["a:b", "c:d", ""]);
        let url = "a:url(data:image/png;base64,x)";
        let both = format!("{url};b:c");
        assert_eq!(found(&both), [url, "b:c"]);
        assert_eq!(found("a:'b;\"\\';';c:d"), ["a:'b;\"\\';'", "c:d"]);
        assert_eq!(found("a:'b\n;c:d"), ["a:'b\n", "c:d"]);
        assert_eq!(found("a:b);c:d"), ["a:b)", "c:d"]);
        let look = look("background:url('data:image/png;base64,color:red') #ff0;color:blue");
        assert_eq!(
            look.background.and_then(on_paper),
            Some(Colour(255, 255, 0))
        );
        assert_eq!(look.colour.and_then(on_paper), Some(Colour(0, 0, 255)));
    }

    #[test]
    fn background_shorthand_gives_the_colour() {
        #[track_caller]
        fn check(value: &str, expected: Option<Colour>) {
            let found = look(&format!("background: {value}")).background;
            assert_eq!(found.and_then(on_paper), expected);
        }
        check("rgb(255, 255, 0)", Some(Colour(255, 255, 0)));
        check("url(a.png) no-repeat #ff0", Some(Colour(255, 255, 0)));
        check(
            "linear-gradient(red, blue), white",
            Some(Colour(255, 255, 255)),
        );
        check("none", None);
        check("transparent", None);
    }
}
