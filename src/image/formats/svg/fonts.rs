//! The fonts for text in a drawing: compiled-in fonts, and those of the operator. Loads no font before text needs it.
//!
//! Font names are tried in the order in which the drawing lists them: for each name, a font of the operator with this
//! name, or else its substitute among the compiled-in fonts. Compiled-in fonts have the widths of the fonts that they
//! replace, so that a text is as long as its author intended. fontdb, which chooses the face of a family, compares
//! names case-sensitively, so all names are in lower case here.

use super::groups::each_group;
use convertd_core::fonts::{
    Embedded, Family, SIGNS, TEXT, families,
    more::{
        self,
        choice::{self, Region, Wish},
    },
    scripts,
};
use resvg::usvg::{
    FontFamily, FontResolver, FontStretch, FontStyle, Group, Node, Text,
    fontdb::{self, Database, FaceInfo, ID, Query, Source, Stretch, Style, Weight},
};
use skrifa::{FontRef, MetadataProvider as _};
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

/// Memory of all compiled-in fonts, decompressed, in bytes. They stay in memory.
pub(crate) const MEMORY: u64 = 3 << 20;

/// Largest number of fonts that are tried for a piece of text. The piece is shaped again with each font.
const MAX_TRIED: usize = 12;

/// Smallest CSS weight that is set in a bold face.
const BOLD: u16 = 600;

static FONTS: LazyLock<Fonts> = LazyLock::new(Fonts::new);

/// The database of all fonts, and the identifiers of some of them.
struct Fonts {
    database: Arc<Database>,
    /// Identifiers of the operator's fonts, in their order.
    own: Vec<ID>,
}

/// The database of fonts for a drawing with text.
pub(crate) fn database() -> Arc<Database> {
    FONTS.database.clone()
}

/// The database of fonts, as a reference.
#[cfg(feature = "document")]
pub fn faces() -> &'static Database {
    &FONTS.database
}

/// Chooses fonts from the [`database`]. The last resort for names is the compiled-in serif font.
pub(crate) fn resolver() -> FontResolver<'static> {
    FontResolver {
        select_font: Box::new(|font, database| {
            let bold = font.weight() >= BOLD;
            let is_plain = !bold && font.style() == FontStyle::Normal;
            let mut names: Vec<String> = font
                .families()
                .iter()
                .filter_map(|family| name_of(family, is_plain))
                .collect();
            names.push(ours(Family::Serif).into());
            let names: Vec<_> = names
                .iter()
                .map(|name| fontdb::Family::Name(name))
                .collect();
            database.query(&Query {
                families: &names,
                weight: Weight(font.weight()),
                stretch: stretch(font.stretch()),
                style: style(font.style()),
            })
        }),
        // If the chosen font lacks a character, the compiled-in fonts are tried first, then those of the operator.
        select_fallback: Box::new(|character, tried, database| {
            let like = database.face(*tried.first()?)?;
            if tried.len() >= MAX_TRIED {
                return None;
            }
            let embedded = [Family::Sans, Family::Serif, Family::Signs].map(|family| {
                let query = Query {
                    families: &[fontdb::Family::Name(ours(family))],
                    weight: like.weight,
                    stretch: like.stretch,
                    style: like.style,
                };
                database.query(&query)
            });
            let mut embedded = embedded.into_iter().flatten();
            let shows = |id: &ID| !tried.contains(id) && has(database, *id, character);
            embedded.find(shows).or_else(|| {
                let wish = Wish {
                    bold: like.weight.0 >= BOLD,
                    italic: like.style != Style::Normal,
                    family: Family::Sans,
                    region: scripts::is_east_asian(character)
                        .then(|| Region::of_character(character).unwrap_or(Region::China)),
                };
                let own = choice::with_character(character, wish).into_iter();
                let mut own = own.filter_map(|at| FONTS.own.get(at));
                own.find(|id| !tried.contains(id)).copied()
            })
        }),
    }
}

/// Number of characters that no font contains, by the name of their script.
pub(crate) fn missing(root: &Group) -> BTreeMap<&'static str, usize> {
    let mut missing = BTreeMap::new();
    each_group(root, &mut |group, _| {
        for child in group.children() {
            if let Node::Text(text) = child {
                count_missing(text, &mut missing);
            }
        }
        true
    });
    missing
}

/// Counts the glyphs of a text that are missing. Glyph 0 stands for a missing character.
fn count_missing(text: &Text, missing: &mut BTreeMap<&'static str, usize>) {
    let glyphs = text
        .layouted()
        .iter()
        .flat_map(|span| &span.positioned_glyphs);
    for glyph in glyphs.filter(|glyph| glyph.id.0 == 0) {
        let shown = |character: &char| !character.is_whitespace() && !character.is_control();
        if let Some(character) = glyph.text.chars().find(shown) {
            *missing.entry(scripts::name(character)).or_default() += 1;
        }
    }
}

impl Fonts {
    /// Lists the compiled-in fonts and those of the operator.
    fn new() -> Self {
        let mut database = Database::new();
        for font in TEXT.iter().chain([&SIGNS]) {
            let weight = if font.bold { 700 } else { 400 };
            let names = vec![ours(font.family).to_owned()];
            let source = Source::Binary(Arc::new(Compiled(font)));
            database.push_face_info(face(source, names, weight, 5, font.italic));
        }
        let own = more::all().iter().map(|font| {
            let facts = font.facts();
            let source = Source::Binary(Arc::new(Own(font)));
            let names = facts.names.clone();
            let face = face(source, names, facts.weight, facts.width, facts.italic);
            database.push_face_info(face)
        });
        Self {
            own: own.collect(),
            database: Arc::new(database),
        }
    }
}

/// A compiled-in font, which is decompressed when its bytes are needed.
struct Compiled(&'static Embedded);

impl AsRef<[u8]> for Compiled {
    fn as_ref(&self) -> &[u8] {
        self.0.data()
    }
}

/// A font of the operator, which is read when its bytes are needed. An unreadable font is empty, and therefore skipped.
struct Own(&'static more::Font);

impl AsRef<[u8]> for Own {
    fn as_ref(&self) -> &[u8] {
        self.0.data().unwrap_or_default()
    }
}

/// Entry of a font in the database: as much as is needed to choose it. `width` is the width class of OpenType.
fn face(source: Source, names: Vec<String>, weight: u16, width: u16, italic: bool) -> FaceInfo {
    let english = fontdb::Language::English_UnitedStates;
    FaceInfo {
        id: ID::dummy(),
        source,
        index: 0,
        families: names.into_iter().map(|name| (name, english)).collect(),
        post_script_name: String::new(),
        style: if italic { Style::Italic } else { Style::Normal },
        weight: Weight(weight),
        stretch: WIDTHS[usize::from(width.clamp(1, 9)) - 1],
        monospaced: false,
    }
}

/// Returns the name in the database of the requested family, or of its substitute. `None` if the requested name is
/// unknown.
fn name_of(family: &FontFamily, is_plain: bool) -> Option<String> {
    let family = match family {
        FontFamily::Serif => Family::Serif,
        FontFamily::SansSerif | FontFamily::Cursive | FontFamily::Fantasy => Family::Sans,
        FontFamily::Monospace => Family::Mono,
        FontFamily::Named(name) => {
            let name = name.trim().to_lowercase();
            if more::named(&name).is_some() {
                return Some(name);
            }
            match &name[..] {
                // This family is compiled in by itself, but only with a regular face.
                "dejavu sans" | "bitstream vera sans" if is_plain => Family::Signs,
                name => families::family(name)?,
            }
        }
    };
    Some(ours(family).into())
}

/// Name of a compiled-in family in the database. The asterisk keeps it apart from fonts of the operator.
fn ours(family: Family) -> &'static str {
    match family {
        Family::Sans => "*sans",
        Family::Serif => "*serif",
        Family::Mono => "*mono",
        Family::Calibri => "*calibri",
        Family::Cambria => "*cambria",
        Family::Signs => "*signs",
        // The operator's fonts are found by their own names.
        Family::More(_) | Family::Brought(_) => "",
        // Never requested, because drawings use the substitute for such a name.
        Family::Named(_) => "",
    }
}

/// Returns whether a font has a glyph for a character.
fn has(database: &Database, id: ID, character: char) -> bool {
    let glyph = database.with_face_data(id, |data, index| {
        let font = FontRef::from_index(data, index).ok()?;
        font.charmap().map(character)
    });
    glyph.flatten().is_some()
}

/// The style as fontdb names it.
fn style(style: FontStyle) -> Style {
    match style {
        FontStyle::Normal => Style::Normal,
        FontStyle::Italic => Style::Italic,
        FontStyle::Oblique => Style::Oblique,
    }
}

/// The widths of fontdb by the width class of OpenType, which counts from 1.
const WIDTHS: [Stretch; 9] = [
    Stretch::UltraCondensed,
    Stretch::ExtraCondensed,
    Stretch::Condensed,
    Stretch::SemiCondensed,
    Stretch::Normal,
    Stretch::SemiExpanded,
    Stretch::Expanded,
    Stretch::ExtraExpanded,
    Stretch::UltraExpanded,
];

/// The width as fontdb names it.
fn stretch(stretch: FontStretch) -> Stretch {
    match stretch {
        FontStretch::UltraCondensed => Stretch::UltraCondensed,
        FontStretch::ExtraCondensed => Stretch::ExtraCondensed,
        FontStretch::Condensed => Stretch::Condensed,
        FontStretch::SemiCondensed => Stretch::SemiCondensed,
        FontStretch::Normal => Stretch::Normal,
        FontStretch::SemiExpanded => Stretch::SemiExpanded,
        FontStretch::Expanded => Stretch::Expanded,
        FontStretch::ExtraExpanded => Stretch::ExtraExpanded,
        FontStretch::UltraExpanded => Stretch::UltraExpanded,
    }
}
