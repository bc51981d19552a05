//! Binary PowerPoint presentations (PPT), as PowerPoint 97 to 2003 wrote them (MS-PPT). Runs no macros, plays no
//! animations, and never follows links to other files.
//!
//! A presentation is a compound file with a stream of records and a stream of pictures. A program may append its
//! changes to the stream, so that the order of records in it means nothing: directories, of which the latest counts,
//! state the position of each object. Drawings are OfficeArt records. Their texts are in these, or in an outline of
//! the whole presentation that they refer to.

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
    pub(super) const DOCUMENT_ATOM: u16 = 1001;
    pub(super) const SLIDE_ATOM: u16 = 1007;
    pub(super) const ENVIRONMENT: u16 = 1010;
    pub(super) const PERSIST: u16 = 1011;
    pub(super) const SHOW_INFO: u16 = 1017;
    pub(super) const EXTERNALS: u16 = 1033;
    pub(super) const DRAWING_GROUP: u16 = 1035;
    pub(super) const DRAWING: u16 = 1036;
    pub(super) const FONTS: u16 = 2005;
    pub(super) const COLOURS: u16 = 2032;
    pub(super) const PLACEHOLDER: u16 = 3011;
    pub(super) const OUTLINE_REFERENCE: u16 = 3998;
    pub(super) const TEXT_HEADER: u16 = 3999;
    pub(super) const TEXT_CHARACTERS: u16 = 4000;
    pub(super) const TEXT_STYLES: u16 = 4001;
    pub(super) const MASTER_STYLE: u16 = 4003;
    pub(super) const TEXT_BYTES: u16 = 4008;
    pub(super) const FONT: u16 = 4023;
    pub(super) const STRING: u16 = 4026;
    pub(super) const LINK_ATOM: u16 = 4051;
    pub(super) const LINK: u16 = 4055;
    pub(super) const NUMBER_FIELD: u16 = 4056;
    pub(super) const SLIDES: u16 = 4080;
    pub(super) const ACTION: u16 = 4082;
    pub(super) const ACTION_ATOM: u16 = 4083;
    pub(super) const USER_EDIT: u16 = 4085;
    pub(super) const DATE_FIELD: u16 = 4087;
    pub(super) const OTHER_DATE_FIELD: u16 = 4117;
    pub(super) const HEADER_FIELD: u16 = 4089;
    pub(super) const HEADERS_FOOTERS: u16 = 4057;
    pub(super) const HEADERS_FOOTERS_ATOM: u16 = 4058;
    pub(super) const TEXT_ACTION: u16 = 4063;
    pub(super) const GENERIC_DATE_FIELD: u16 = 4088;
    pub(super) const FOOTER_FIELD: u16 = 4090;
    pub(super) const DIRECTORY: u16 = 6002;
    pub(super) const ART_GROUP: u16 = 0xf000;
    pub(super) const STORE: u16 = 0xf001;
    pub(super) const SHEET: u16 = 0xf002;
    pub(super) const GROUP: u16 = 0xf003;
    pub(super) const SHAPE: u16 = 0xf004;
    pub(super) const GROUP_SPACE: u16 = 0xf009;
    pub(super) const SHAPE_ATOM: u16 = 0xf00a;
    pub(super) const TEXT_BOX: u16 = 0xf00d;
    pub(super) const CHILD_ANCHOR: u16 = 0xf00f;
    pub(super) const ANCHOR: u16 = 0xf010;
    pub(super) const CLIENT: u16 = 0xf011;
}
