//! Binary PowerPoint presentations (PPT), as PowerPoint 97 to 2003 wrote them (MS-PPT). Runs no macros, plays no
//! animations, and never follows links to other files.
//!
//! A presentation is a compound file with a stream of records and a stream of pictures. A program may append its
//! changes to the stream of records, so the order of the records has no meaning. Directories state the position of
//! each object; the latest directory takes precedence. Drawings are OfficeArt records. The text of a shape is in its
//! record, or in an outline of the whole presentation, to which the shape refers.

mod colours;
mod objects;
mod read;
mod recognise;
mod shapes;
mod styles;
mod tables;
mod text;

use crate::{
    format::{Category, Format},
    row::Row,
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ppt",
        aliases: &["pps", "pot"],
        category: Category::Presentation,
        description: "PowerPoint presentation (2003 and older)",
        media_type: "application/vnd.ms-powerpoint",
        magic: &[],
    },
    recognise: recognise::is_presentation,
    open: read::open,
    write: None,
};

/// Types of records (MS-PPT 2.13.24, MS-ODRAW 2.2).
mod kind {
    /// Size of the slides (`RT_DocumentAtom`).
    pub(super) const DOCUMENT_ATOM: u16 = 1001;
    /// Master, notes and flags of a slide (`RT_SlideAtom`).
    pub(super) const SLIDE_ATOM: u16 = 1007;
    /// Fonts and default styles (`RT_Environment`).
    pub(super) const ENVIRONMENT: u16 = 1010;
    /// Entry in the list of slides (`RT_SlidePersistAtom`).
    pub(super) const PERSIST: u16 = 1011;
    /// Transition of a slide, and whether it is hidden (`RT_SlideShowSlideInfoAtom`).
    pub(super) const SHOW_INFO: u16 = 1017;
    /// Links and embedded objects (`RT_ExternalObjectList`).
    pub(super) const EXTERNALS: u16 = 1033;
    /// Data that all drawings share, with the pictures (`RT_DrawingGroup`).
    pub(super) const DRAWING_GROUP: u16 = 1035;
    /// Drawing of a slide (`RT_Drawing`).
    pub(super) const DRAWING: u16 = 1036;
    /// List of fonts (`RT_FontCollection`).
    pub(super) const FONTS: u16 = 2005;
    /// Colour scheme (`RT_ColorSchemeAtom`).
    pub(super) const COLOURS: u16 = 2032;
    /// Type of a placeholder (`RT_PlaceholderAtom`).
    pub(super) const PLACEHOLDER: u16 = 3011;
    /// Number of a text in the outline (`RT_OutlineTextRefAtom`).
    pub(super) const OUTLINE_REFERENCE: u16 = 3998;
    /// Beginning and type of a text (`RT_TextHeaderAtom`).
    pub(super) const TEXT_HEADER: u16 = 3999;
    /// Text in UTF-16 (`RT_TextCharsAtom`).
    pub(super) const TEXT_CHARACTERS: u16 = 4000;
    /// Styles of a text (`RT_StyleTextPropAtom`).
    pub(super) const TEXT_STYLES: u16 = 4001;
    /// Styles of a type of text (`RT_TextMasterStyleAtom`).
    pub(super) const MASTER_STYLE: u16 = 4003;
    /// Text in the low bytes of UTF-16 (`RT_TextBytesAtom`).
    pub(super) const TEXT_BYTES: u16 = 4008;
    /// A font (`RT_FontEntityAtom`).
    pub(super) const FONT: u16 = 4023;
    /// A string (`RT_CString`).
    pub(super) const STRING: u16 = 4026;
    /// Number of a link (`RT_ExternalHyperlinkAtom`).
    pub(super) const LINK_ATOM: u16 = 4051;
    /// A link (`RT_ExternalHyperlink`).
    pub(super) const LINK: u16 = 4055;
    /// Field with the number of the slide (`RT_SlideNumberMetaCharAtom`).
    pub(super) const NUMBER_FIELD: u16 = 4056;
    /// List of slides, masters or notes (`RT_SlideListWithText`).
    pub(super) const SLIDES: u16 = 4080;
    /// Action of a click (`RT_InteractiveInfo`).
    pub(super) const ACTION: u16 = 4082;
    /// Type of the action, and its link (`RT_InteractiveInfoAtom`).
    pub(super) const ACTION_ATOM: u16 = 4083;
    /// A save of the file (`RT_UserEditAtom`).
    pub(super) const USER_EDIT: u16 = 4085;
    /// Field with the current date (`RT_DateTimeMetaCharAtom`).
    pub(super) const DATE_FIELD: u16 = 4087;
    /// Field with the date in a format of its own (`RT_RtfDateTimeMetaCharAtom`).
    pub(super) const OTHER_DATE_FIELD: u16 = 4117;
    /// Field with the header (`RT_HeaderMetaCharAtom`).
    pub(super) const HEADER_FIELD: u16 = 4089;
    /// Headers and footers of a slide (`RT_HeadersFooters`).
    pub(super) const HEADERS_FOOTERS: u16 = 4057;
    /// Visibility of headers and footers (`RT_HeadersFootersAtom`).
    pub(super) const HEADERS_FOOTERS_ATOM: u16 = 4058;
    /// Range of text to which an action belongs (`RT_TextInteractiveInfoAtom`).
    pub(super) const TEXT_ACTION: u16 = 4063;
    /// Field with the date of the footer (`RT_GenericDateMetaCharAtom`).
    pub(super) const GENERIC_DATE_FIELD: u16 = 4088;
    /// Field with the footer (`RT_FooterMetaCharAtom`).
    pub(super) const FOOTER_FIELD: u16 = 4090;
    /// Offsets of objects in the stream (`RT_PersistDirectoryAtom`).
    pub(super) const DIRECTORY: u16 = 6002;
    /// Data that all drawings share (`OfficeArtDggContainer`).
    pub(super) const ART_GROUP: u16 = 0xf000;
    /// Store of the pictures (`OfficeArtBStoreContainer`).
    pub(super) const STORE: u16 = 0xf001;
    /// Drawing of a slide (`OfficeArtDgContainer`).
    pub(super) const SHEET: u16 = 0xf002;
    /// A group of shapes (`OfficeArtSpgrContainer`).
    pub(super) const GROUP: u16 = 0xf003;
    /// A shape (`OfficeArtSpContainer`).
    pub(super) const SHAPE: u16 = 0xf004;
    /// Coordinate system of a group (`OfficeArtFSPGR`).
    pub(super) const GROUP_SPACE: u16 = 0xf009;
    /// Number and flags of a shape (`OfficeArtFSP`).
    pub(super) const SHAPE_ATOM: u16 = 0xf00a;
    /// Text of a shape (`OfficeArtClientTextbox`).
    pub(super) const TEXT_BOX: u16 = 0xf00d;
    /// Position of a shape in its group (`OfficeArtChildAnchor`).
    pub(super) const CHILD_ANCHOR: u16 = 0xf00f;
    /// Position of a shape on the slide (`OfficeArtClientAnchor`).
    pub(super) const ANCHOR: u16 = 0xf010;
    /// PowerPoint's own data about a shape (`OfficeArtClientData`).
    pub(super) const CLIENT: u16 = 0xf011;
}
