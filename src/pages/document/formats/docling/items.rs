//! Collects the items of a DoclingDocument, and writes them as JSON. Does not read the blocks of the document tree.

use crate::{
    error::{Error, Result},
    job::{Job, Lease, Output},
};
use base64::{display::Base64Display, engine::general_purpose::STANDARD};
use convertd_tree::{Document, Region, ResourceId, media};
use serde_json::Value;
use std::fmt::{self, Write as _};

/// Version of the schema: the earliest that has all members used here, because clients refuse versions later than their
/// own.
const VERSION: &str = "1.5.0";

/// Memory of an item without its members, in bytes.
const ITEM: u64 = 256;

/// The label of code.
pub(super) const CODE: &str = "code";

/// Resolution in pixels per inch at which a pixel is one point wide.
const DPI: u32 = 72;

/// A list of items in the JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum List {
    Groups,
    Texts,
    Pictures,
    Tables,
}

/// A reference to the body or to an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum ItemRef {
    Body,
    Item(List, usize),
}

impl fmt::Display for ItemRef {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body => to.write_str("#/body"),
            Self::Item(list, at) => write!(to, "#/{}/{at}", list.name()),
        }
    }
}

impl List {
    /// All lists in the order of the JSON.
    const ALL: [Self; 4] = [Self::Groups, Self::Texts, Self::Pictures, Self::Tables];

    fn name(self) -> &'static str {
        match self {
            Self::Groups => "groups",
            Self::Texts => "texts",
            Self::Pictures => "pictures",
            Self::Tables => "tables",
        }
    }
}

/// Part of the document that an item belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layer {
    Body,
    /// Headers and footers.
    Furniture,
    /// Notes of a speaker.
    Notes,
}

impl Layer {
    fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Furniture => "furniture",
            Self::Notes => "notes",
        }
    }
}

/// Members of a JSON object, each with a comma before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Members(String);

impl Members {
    /// Adds a string, which is escaped.
    pub(super) fn text(self, name: &str, text: &str) -> Self {
        let text = Value::from(text);
        self.json(name, &text)
    }

    /// Adds a value that is JSON.
    pub(super) fn json(mut self, name: &str, json: &dyn fmt::Display) -> Self {
        // Without a copy of the value, which may be a large table. Writing to memory cannot fail.
        write!(self.0, ",\"{name}\":{json}").unwrap_or_default();
        self
    }

    /// Adds a list of values that are JSON.
    pub(super) fn list<V: fmt::Display>(
        mut self,
        name: &str,
        values: impl Iterator<Item = V>,
    ) -> Self {
        write!(self.0, ",\"{name}\":[").unwrap_or_default();
        for (at, value) in values.enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(self.0, "{comma}{value}").unwrap_or_default();
        }
        self.0.push(']');
        self
    }

    /// Returns the object with these members.
    pub(super) fn object(mut self) -> String {
        match self.0.is_empty() {
            true => self.0.push('{'),
            // In place of the comma before the first member.
            false => self.0.replace_range(..1, "{"),
        }
        self.0.push('}');
        self.0
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// An item of one of the lists, such as a paragraph or a table.
struct Item {
    label: &'static str,
    parent: ItemRef,
    layer: Layer,
    members: Members,
    children: Vec<ItemRef>,
    /// Captions of a table, a picture or code. No other item may have any.
    captions: Option<Vec<ItemRef>>,
    picture: Option<ResourceId>,
    /// Positions on pages, in JSON.
    places: String,
}

/// All items of a document.
pub(super) struct Items<'j> {
    job: &'j Job<'j>,
    /// Widths and heights of the pages, in points.
    pages: &'j [(f32, f32)],
    lease: Lease<'j>,
    lists: [Vec<Item>; 4],
    body: Vec<ItemRef>,
    /// Part of the document that new items belong to.
    pub(super) layer: Layer,
}

impl<'j> Items<'j> {
    pub(super) fn new(job: &'j Job<'j>, pages: &'j [(f32, f32)]) -> Self {
        Self {
            job,
            pages,
            lease: job.empty_lease(),
            lists: Default::default(),
            body: Vec::new(),
            layer: Layer::Body,
        }
    }

    /// Adds an item after the other children of its parent.
    pub(super) fn add(
        &mut self,
        list: List,
        parent: ItemRef,
        label: &'static str,
        members: Members,
    ) -> Result<ItemRef> {
        self.job.check()?;
        self.lease.grow(ITEM + 2 * members.len() as u64)?;
        let is_floating = matches!(list, List::Pictures | List::Tables) || label == CODE;
        let all = &mut self.lists[list as usize];
        let place = ItemRef::Item(list, all.len());
        all.push(Item {
            label,
            parent,
            layer: self.layer,
            members,
            children: Vec::new(),
            captions: is_floating.then(Vec::new),
            picture: None,
            places: String::new(),
        });
        match self.item(parent) {
            Some(item) => item.children.push(place),
            None => self.body.push(place),
        }
        Ok(place)
    }

    /// Makes an item the caption of another one.
    pub(super) fn set_caption(&mut self, of: ItemRef, caption: ItemRef) {
        if let Some(item) = self.item(of) {
            item.captions.get_or_insert_default().push(caption);
        }
    }

    /// Sets the positions of an item on the pages. `characters` is the length of its text.
    pub(super) fn set_places(
        &mut self,
        place: ItemRef,
        regions: &[Region],
        characters: usize,
    ) -> Result<()> {
        let mut places = String::new();
        let mut start = 0;
        for (at, region) in regions.iter().enumerate() {
            // The length of a region does not count its line ends and the hyphens that were removed there, so only the
            // end of the last region is exact.
            let end = match at + 1 == regions.len() {
                true => characters,
                false => characters.min(start + region.characters as usize),
            };
            // The characters of a region that is left out belong to no other region.
            let start = std::mem::replace(&mut start, end);
            let page = (region.page as usize).checked_sub(1);
            let Some((_, height)) = page.and_then(|at| self.pages.get(at)) else {
                continue;
            };
            let comma = if places.is_empty() { "" } else { "," };
            let Region {
                page,
                left,
                top,
                right,
                bottom,
                ..
            } = *region;
            let (top, bottom) = (height - top, height - bottom);
            // JSON cannot express infinity or NaN, so a region with such an edge is left out.
            if ![left, top, right, bottom]
                .iter()
                .all(|edge| edge.is_finite())
            {
                continue;
            }
            places.push_str(&format!(
                r#"{comma}{{"page_no":{page},"bbox":{{"l":{left:?},"t":{top:?},"r":{right:?},"b":{bottom:?},"coord_origin":"BOTTOMLEFT"}},"charspan":[{start},{end}]}}"#
            ));
        }
        self.lease.grow(places.len() as u64)?;
        if let Some(item) = self.item(place) {
            item.places = places;
        }
        Ok(())
    }

    /// Sets the resource that contains the bytes of a picture.
    pub(super) fn set_picture(&mut self, place: ItemRef, picture: ResourceId) {
        if let Some(item) = self.item(place) {
            item.picture = Some(picture);
        }
    }

    fn item(&mut self, place: ItemRef) -> Option<&mut Item> {
        match place {
            ItemRef::Body => None,
            ItemRef::Item(list, at) => self.lists[list as usize].get_mut(at),
        }
    }

    /// Leases memory for texts that the caller holds.
    pub(super) fn hold(&self, bytes: usize) -> Result<()> {
        self.job.check()?;
        self.lease.grow(bytes as u64)
    }

    /// Writes the document.
    pub(super) fn write(
        self,
        document: &Document,
        name: &str,
        with_pictures: bool,
        output: &mut dyn Output,
    ) -> Result<()> {
        let name = Value::from(name);
        put(
            output,
            format_args!(
                r#"{{"schema_name":"DoclingDocument","version":"{VERSION}","name":{name}"#
            ),
        )?;
        for (root, children) in [("furniture", &[][..]), ("body", &self.body[..])] {
            put(
                output,
                format_args!(
                    r##","{root}":{{"self_ref":"#/{root}","content_layer":"{root}","name":"_root_","label":"unspecified","children":["##
                ),
            )?;
            references(children, output)?;
            put(output, format_args!("]}}"))?;
        }
        for list in List::ALL {
            put(output, format_args!(r#","{}":["#, list.name()))?;
            for (at, item) in self.lists[list as usize].iter().enumerate() {
                self.job.check()?;
                let comma = if at > 0 { "," } else { "" };
                let place = ItemRef::Item(list, at);
                let (parent, label, layer) = (item.parent, item.label, item.layer.name());
                put(
                    output,
                    format_args!(
                        r#"{comma}{{"self_ref":"{place}","parent":{{"$ref":"{parent}"}},"content_layer":"{layer}","label":"{label}"{}"#,
                        item.members.0
                    ),
                )?;
                if list != List::Groups {
                    put(output, format_args!(r#","prov":[{}]"#, item.places))?;
                }
                if let Some(captions) = &item.captions {
                    put(
                        output,
                        format_args!(r#","references":[],"footnotes":[],"captions":["#),
                    )?;
                    references(captions, output)?;
                    put(output, format_args!("]"))?;
                }
                put(output, format_args!(r#","children":["#))?;
                references(&item.children, output)?;
                put(output, format_args!("]"))?;
                if let Some(id) = item.picture.filter(|_| with_pictures) {
                    image(document, id, output)?;
                }
                put(output, format_args!("}}"))?;
            }
            put(output, format_args!("]"))?;
        }
        put(
            output,
            format_args!(r#","key_value_items":[],"form_items":[],"pages":{{"#),
        )?;
        for (number, (width, height)) in (1..).zip(self.pages) {
            let comma = if number > 1 { "," } else { "" };
            let finite = |side: &f32| if side.is_finite() { *side } else { 0.0 };
            let (width, height) = (finite(width), finite(height));
            put(
                output,
                format_args!(
                    r#"{comma}"{number}":{{"page_no":{number},"size":{{"width":{width:?},"height":{height:?}}}}}"#
                ),
            )?;
        }
        put(output, format_args!("}}}}"))
    }
}

fn references(places: &[ItemRef], output: &mut dyn Output) -> Result<()> {
    for (at, place) in places.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        put(output, format_args!(r#"{comma}{{"$ref":"{place}"}}"#))?;
    }
    Ok(())
}

/// Writes the member with the bytes of a picture. A picture of unknown size, or in a format that is not among
/// [`PICTURES`](super::PICTURES) and without a PNG version, gets no such member.
fn image(document: &Document, id: ResourceId, output: &mut dyn Output) -> Result<()> {
    let resource = document.resource(id);
    let Some((bytes, media_type)) = resource.as_one_of(&super::PICTURES) else {
        return Ok(());
    };
    let Some(size) = media::size(bytes) else {
        return Ok(());
    };
    let bytes = Base64Display::new(bytes, &STANDARD);
    put(
        output,
        format_args!(
            r#","image":{{"mimetype":"{media_type}","dpi":{DPI},"size":{{"width":{}.0,"height":{}.0}},"uri":"data:{media_type};base64,{bytes}"}}"#,
            size.width, size.height
        ),
    )
}

fn put(output: &mut dyn Output, text: fmt::Arguments<'_>) -> Result<()> {
    output.write_fmt(text).map_err(Error::unwritten)
}
