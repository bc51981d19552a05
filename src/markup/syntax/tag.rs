//! The elements that matter to a document, and their categories in the HTML standard. A reader of documents ignores the
//! tags of all other elements; style sheets may select these by their names.

use super::kinds;

macro_rules! tags {
    ($($variant:ident $name:literal)*) => {
        /// An element that matters to a document.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Tag {
            $(
                #[doc = concat!("`", $name, "`")]
                $variant
            ),*
        }

        /// All tags, sorted by name.
        static TAGS: &[(&str, Tag)] = &[$(($name, Tag::$variant)),*];
    };
}

tags! {
    A "a" Abbr "abbr" Address "address" Annotation "annotation" AnnotationXml "annotation-xml" Article "article"
    Aside "aside" Audio "audio" B "b" Base "base" Bdi "bdi" Bdo "bdo" Big "big" Blockquote "blockquote" Body "body"
    Br "br" Button "button" Canvas "canvas" Caption "caption" Center "center" Cite "cite" Code "code" Col "col"
    Colgroup "colgroup" Datalist "datalist" Dd "dd" Del "del" Details "details" Dfn "dfn" Dialog "dialog"
    Dir "dir" Div "div" Dl "dl" Dt "dt" Em "em" Embed "embed" EpubCase "epub:case" EpubDefault "epub:default"
    EpubSwitch "epub:switch" Fieldset "fieldset" Figcaption "figcaption"
    Figure "figure" Font "font" Footer "footer" Form "form" Frameset "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4"
    H5 "h5" H6 "h6" Head "head" Header "header" Hgroup "hgroup" Hr "hr" Html "html" I "i" Iframe "iframe"
    Image "image" Img "img" Input "input" Ins "ins" Kbd "kbd" Label "label" Legend "legend" Li "li" Link "link"
    Listing "listing" Main "main" Mark "mark" Marquee "marquee" Math "math" Menu "menu" Meta "meta"
    Mfenced "mfenced" Mfrac "mfrac" Mi "mi" Mn "mn" Mo "mo" Mover "mover" Mpadded "mpadded" Mphantom "mphantom"
    Mroot "mroot" Mrow "mrow" Ms "ms" Mspace "mspace" Msqrt "msqrt" Mstyle "mstyle" Msub "msub"
    Msubsup "msubsup" Msup "msup" Mtable "mtable" Mtd "mtd" Mtext "mtext" Mtr "mtr" Munder "munder"
    Munderover "munderover" Nav "nav" Noembed "noembed" Noframes "noframes" NoneScript "none"
    Noscript "noscript" Object "object" Ol "ol" Option "option" Output "output" P "p" Param "param" Plaintext "plaintext"
    Pre "pre" Q "q" Rb "rb" Rp "rp" Rt "rt" Rtc "rtc" Ruby "ruby" S "s" Samp "samp" Script "script" Search "search" Section "section" Select "select"
    Semantics "semantics" Small "small" Source "source" Span "span" Strike "strike" Strong "strong"
    Style "style" Sub "sub" Summary "summary" Sup "sup" Svg "svg" Table "table" Tbody "tbody" Td "td"
    Template "template" Textarea "textarea" Tfoot "tfoot" Th "th" Thead "thead" Time "time" Title "title"
    Tr "tr" Track "track" Tt "tt" U "u" Ul "ul" Var "var" Video "video" Wbr "wbr" Xmp "xmp"
}

/// Returns whether an element of this name, in lower case, begins and ends a line.
pub fn is_block(name: &str) -> bool {
    Tag::of(name.as_bytes()).is_some_and(Tag::is_block)
}

impl Tag {
    /// The element with this name, which has to be in lower case. `None` for an element that is not in the list.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        // Common prefixes for the elements of MathML and SVG in the XHTML of books are removed.
        let prefixes: [&[u8]; 4] = [b"m:", b"mml:", b"math:", b"svg:"];
        let bare = prefixes
            .iter()
            .find_map(|prefix| name.strip_prefix(*prefix));
        let name = bare.unwrap_or(name);
        let found = TAGS.binary_search_by(|(other, _)| other.as_bytes().cmp(name));
        found.ok().map(|index| TAGS[index].1)
    }

    /// The names of all elements of the list.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        TAGS.iter().map(|(name, _)| *name)
    }

    /// The element at an index of the list.
    pub(crate) fn at(index: usize) -> Option<Self> {
        TAGS.get(index).map(|(_, tag)| *tag)
    }

    /// The name of the element.
    pub(crate) fn name(self) -> &'static str {
        TAGS[self as usize].0
    }

    /// Returns whether it is a void element, without content and end tag.
    pub(crate) fn is_void(self) -> bool {
        kinds::is_void(self.name())
    }

    /// Returns whether it is "special" (13.2.4.2): an end tag in its content does not close elements around it.
    pub(crate) fn is_special(self) -> bool {
        use Tag::*;
        self.is_block()
            || matches!(
                self,
                Body | Button
                    | Frameset
                    | Head
                    | Html
                    | Iframe
                    | Marquee
                    | Noembed
                    | Noframes
                    | Noscript
                    | Object
                    | Script
                    | Select
                    | Style
                    | Template
                    | Textarea
                    | Title
            )
    }

    /// Returns whether the element begins and ends a line.
    pub(crate) fn is_block(self) -> bool {
        matches!(self, Self::Table | Self::Legend)
            || kinds::is_block(self.name())
            || kinds::is_table_part(self.name())
    }

    /// Returns whether its start tag ends an open drawing or formula (13.2.6.5).
    pub(crate) fn ends_foreign_content(self) -> bool {
        use Tag::*;
        let listed = matches!(
            self,
            B | Big
                | Blockquote
                | Body
                | Br
                | Center
                | Code
                | Dd
                | Div
                | Dl
                | Dt
                | Em
                | Embed
                | Head
                | Hr
                | I
                | Img
                | Li
                | Listing
                | Menu
                | Meta
                | Ol
                | P
                | Pre
                | S
                | Small
                | Span
                | Strike
                | Strong
                | Sub
                | Sup
                | Table
                | Tt
                | U
                | Ul
                | Var
        );
        listed || self.level().is_some()
    }

    /// The level, if it is a heading.
    pub(crate) fn level(self) -> Option<u8> {
        use Tag::*;
        Some(match self {
            H1 => 1,
            H2 => 2,
            H3 => 3,
            H4 => 4,
            H5 => 5,
            H6 => 6,
            _ => return None,
        })
    }

    /// Returns whether it is a part of a table.
    pub(crate) fn is_table_part(self) -> bool {
        kinds::is_table_part(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_by_name() {
        assert!(TAGS.is_sorted_by(|one, other| one.0 < other.0));
        assert_eq!(Tag::of(b"a"), Some(Tag::A));
        assert_eq!(Tag::of(b"xmp"), Some(Tag::Xmp));
        assert_eq!(Tag::of(b"m:math"), Some(Tag::Math));
        assert_eq!(Tag::of(b"x-y"), None);
        assert_eq!(Tag::of(b""), None);
    }
}
