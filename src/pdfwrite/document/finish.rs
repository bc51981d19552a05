//! Writes the end of the file, which needs to know all pages: links, outline, fonts, structure, metadata and catalog.

use super::{
    canvas,
    file::{self, File, OutlineEntry},
    metadata::{self, PRODUCER},
    paint::{self, Painter, Spot},
    pictures::Pictures,
    tags::{self, Annotated},
};
use crate::{
    coding::percent,
    error::{Error, Result},
    image::profile_bytes,
    job::{Job, Notes},
};
use convertd_layout::{
    faces::Faces,
    item::Area,
    links::{LinkTo, Links},
    outline::Outline,
    sections::PageLabel,
    structure::Structure,
};
use convertd_tree::{
    Document, Numeral,
    losses::{Loss, Losses},
};
use moxcms::ColorProfile;
use pdf_writer::{
    Finish as _, Name, Rect, Ref, Str, TextStr,
    types::{
        ActionType, AnnotationFlags, AnnotationType, NumberingStyle, OutputIntentSubtype, PageMode,
    },
    writers::{
        Annotation, Catalog, DocumentInfo, ExtGraphicsState, PageLabel as LabelEntry, Resources,
    },
};
use std::cell::RefCell;

static NOWHERE: Loss = Loss {
    one: "A link became plain text: its target is not in the document.",
    many: "{} links became plain text: their targets are not in the document.",
};

/// Everything that the end of the file needs.
pub(super) struct Finish<'a, 'o> {
    // Job and source.
    pub(super) job: &'a Job<'a>,
    pub(super) document: &'a Document,
    // Results of painting.
    pub(super) painter: Painter<'o>,
    pub(super) faces: &'a Faces<'a>,
    pub(super) pictures: &'a Pictures<'o>,
    // Results of layout.
    pub(super) links: &'a Links,
    pub(super) outline: &'a Outline,
    /// Labels of all pages, in order.
    pub(super) labels: &'a [PageLabel],
}

impl Finish<'_, '_> {
    /// Writes links, resources, the page tree, outline, structure, metadata and the catalog. The order matters: links
    /// add annotations to the structure, so they come before it.
    pub(super) fn write(
        mut self,
        file: &RefCell<File<'_>>,
        structure: &Structure,
        losses: &mut Losses,
        notes: &mut Notes,
    ) -> Result<()> {
        let mut out = file.borrow_mut();
        let (annotated, on_pages) = self.annotations(&mut out, losses);
        let resources = self.resources(&mut out)?;
        #[cfg(feature = "svg")]
        self.pictures.drawings.borrow_mut().write(&mut out, notes)?;
        let pages = paint::write_pages(&mut out, &self.painter.pages, resources, &on_pages);
        let outline = self.outline(&mut out);
        // The painter borrows the structure until here.
        let painted = self.painter.pages;
        let nodes = structure.take();
        let tags = tags::write(&mut out, &nodes, &self.painter.drawn, &painted, &annotated);
        let metadata = &self.document.metadata;
        // PDF/UA requires a title (ISO 14289-1, 7.1), so a document without one gets its first heading as title, or
        // else "Document".
        let first = self
            .outline
            .entries()
            .first()
            .map(|entry| entry.text.as_str());
        let title = metadata
            .title
            .as_deref()
            .or(first)
            .unwrap_or("Document")
            .to_owned();
        let language = metadata.language.as_deref().unwrap_or("en").to_owned();
        let archive = metadata::archive(self.job.options());
        let xmp = metadata::xmp(metadata, &title, &language, archive);
        let described = out.next();
        let mut chunk = file::compact();
        let mut stream = chunk.stream(described, xmp.as_bytes());
        stream
            .pair(Name(b"Type"), Name(b"Metadata"))
            .pair(Name(b"Subtype"), Name(b"XML"));
        stream.finish();
        out.object(described, &chunk);
        let info = self_info(&mut out, metadata, &title);
        let profile = archive.map(|_| profile(&mut out)).transpose()?;
        let labels = page_labels(&mut out, self.labels);
        let catalog = out.next();
        file::small(&mut out, catalog, |object| {
            let mut catalog: Catalog<'_> = object.start();
            catalog.pages(pages);
            // The file is tagged, has a language, and shows its title in the window: required for PDF/UA.
            catalog.pair(Name(b"StructTreeRoot"), tags);
            catalog.mark_info().marked(true).finish();
            catalog.lang(TextStr(&language));
            catalog.metadata(described);
            catalog
                .viewer_preferences()
                .display_doc_title(true)
                .finish();
            if let Some(labels) = labels {
                catalog.pair(Name(b"PageLabels"), labels);
            }
            if let Some(outline) = outline {
                catalog.outlines(outline);
                catalog.page_mode(PageMode::UseOutlines);
            }
            if let Some(profile) = profile {
                let mut intents = catalog.output_intents();
                let mut intent = intents.push();
                intent.subtype(OutputIntentSubtype::PDFA);
                intent.output_condition_identifier(TextStr("sRGB"));
                intent.info(TextStr("sRGB IEC61966-2.1"));
                intent.dest_output_profile(profile);
            }
        });
        missing(self.faces, notes);
        out.end(catalog, info)
    }

    /// Writes the annotations of all links. Returns them, and their objects for each page.
    fn annotations(
        &mut self,
        file: &mut File<'_>,
        losses: &mut Losses,
    ) -> (Vec<Annotated>, Vec<Vec<Ref>>) {
        let mut annotated = Vec::new();
        let mut on_pages = Vec::with_capacity(self.painter.pages.len());
        // The parent tree has the keys of the pages first, and then those of the annotations.
        let first_key = self.painter.pages.len() as i32;
        for page in 0..self.painter.pages.len() {
            let mut refs = Vec::new();
            let links = std::mem::take(&mut self.painter.pages[page].links);
            for (area, number) in links {
                let link = self.links.get(number);
                let Some(target) = self.target(link) else {
                    losses.add(&NOWHERE);
                    continue;
                };
                let own = Annotated {
                    object: file.next(),
                    key: first_key + annotated.len() as i32,
                    node: link.node,
                };
                self.annotation(file, &own, (page, area), link, &target);
                self.painter.annotation(page, link.node);
                refs.push(own.object);
                annotated.push(own);
            }
            on_pages.push(refs);
        }
        (annotated, on_pages)
    }

    /// Resolves the target of a link. `None` if the fragment is not in the document, or the URI is empty or not
    /// allowed.
    fn target(&self, link: &LinkTo) -> Option<Target> {
        if let Some(name) = link.target.strip_prefix('#') {
            let spot = self.painter.anchors.get(name).or_else(|| {
                let decoded = percent::decoded(name);
                self.painter.anchors.get(decoded.as_str())
            })?;
            return Some(Target::Here(*spot));
        }
        uri(&link.target).map(Target::There)
    }

    /// Writes a link annotation (ISO 32000-1, 12.5.6.5), with its key in the structure's parent tree.
    fn annotation(
        &self,
        file: &mut File<'_>,
        own: &Annotated,
        (page, area): (usize, Area),
        link: &LinkTo,
        target: &Target,
    ) {
        let height = self.painter.pages[page].height;
        let pages = &self.painter.pages;
        file::small(file, own.object, |object| {
            let mut annotation: Annotation<'_> = object.start();
            annotation.subtype(AnnotationType::Link);
            let (top, bottom) = (height - area.y, height - area.y - area.height);
            annotation.rect(Rect::new(area.x, bottom, area.x + area.width, top));
            annotation.border(0.0, 0.0, 0.0, None);
            annotation.flags(AnnotationFlags::PRINT);
            // PDF/UA requires a description of each link (ISO 14289-1, 7.18.5).
            let words = match (&*link.title, target) {
                ("", Target::There(uri)) => uri,
                ("", Target::Here(_)) => "Link within the document",
                (title, _) => title,
            };
            annotation.contents(TextStr(words));
            match target {
                Target::There(uri) => {
                    annotation
                        .action()
                        .action_type(ActionType::Uri)
                        .uri(Str(uri.as_bytes()));
                }
                Target::Here(spot) => {
                    // The position is the left edge of the page, and the vertical position of the target; `null` keeps
                    // the zoom.
                    let mut array = annotation.insert(Name(b"Dest")).array();
                    array.item(pages[spot.page].object).item(Name(b"XYZ"));
                    array.item(0.0).item(spot.y.round()).item(pdf_writer::Null);
                }
            }
            annotation.struct_parent(own.key);
        });
    }

    /// Writes the resource dictionary that all pages share: fonts, opacities and pictures.
    fn resources(&self, file: &mut File<'_>) -> Result<Ref> {
        let mut fonts = Vec::new();
        for (id, face) in self.faces.all() {
            // Only fonts with glyphs in use are embedded.
            if !face.font.used().is_empty() {
                let object = file.next();
                file::embed(&face.font, file, object, id.0)?;
                fonts.push((canvas::font_name(id), object));
            }
        }
        let id = file.next();
        file::small(file, id, |object| {
            let mut resources: Resources<'_> = object.start();
            let mut dictionary = resources.fonts();
            for (name, font) in &fonts {
                dictionary.pair(Name(name), *font);
            }
            dictionary.finish();
            if !self.painter.fades.is_empty() {
                let mut states = resources.ext_g_states();
                for hundredths in &self.painter.fades {
                    let opacity = f32::from(*hundredths) / 100.0;
                    let mut state = states
                        .insert(Name(&canvas::fade_name(*hundredths)))
                        .start::<ExtGraphicsState<'_>>();
                    state.non_stroking_alpha(opacity).stroking_alpha(opacity);
                }
            }
            let mut dictionary = resources.x_objects();
            for (number, object) in self.pictures.objects() {
                dictionary.pair(Name(format!("P{number}").as_bytes()), object);
            }
        });
        Ok(id)
    }

    /// Writes the outline, with an entry for each heading that was painted. `None` if there are no such headings.
    fn outline(&self, file: &mut File<'_>) -> Option<Ref> {
        let pages = &self.painter.pages;
        let entries = (0..).zip(self.outline.entries());
        let entries = entries.filter_map(|(number, entry)| {
            let spot = self.painter.outline.get(&number)?;
            Some(OutlineEntry {
                level: entry.level,
                title: &entry.text,
                target: Some((pages[spot.page].object, Some(spot.y.round()))),
            })
        });
        file::outline(file, &entries.collect::<Vec<_>>())
    }
}

/// Target of a link: a position in this document, or a URI.
enum Target {
    Here(Spot),
    There(String),
}

/// Checks and escapes the URI of an action, in ASCII as PDF requires. `None` for an empty target, and for schemes that
/// run code, hold data or name local files.
fn uri(target: &str) -> Option<String> {
    let target = target.trim();
    let scheme = target
        .split([':', '/', '?', '#'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let named = target[scheme.len()..].starts_with(':');
    if target.is_empty()
        || named && matches!(scheme.as_str(), "javascript" | "vbscript" | "data" | "file")
    {
        return None;
    }
    let mut uri = String::with_capacity(target.len());
    // A longer URI is cut. The limit is in bytes before escaping.
    for byte in target.bytes().take(2000) {
        match byte {
            b'!'..=b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(uri)
}

/// Writes the document information dictionary (ISO 32000-1, 14.3.3).
fn self_info(file: &mut File<'_>, metadata: &convertd_tree::Metadata, title: &str) -> Ref {
    let id = file.next();
    file::small(file, id, |object| {
        let mut info: DocumentInfo<'_> = object.start();
        info.title(TextStr(title));
        if !metadata.authors.is_empty() {
            info.author(TextStr(&metadata.authors.join(", ")));
        }
        if let Some(subject) = metadata::about(metadata) {
            info.subject(TextStr(subject));
        }
        if !metadata.keywords.is_empty() {
            info.keywords(TextStr(&metadata.keywords.join(", ")));
        }
        info.producer(TextStr(PRODUCER));
        if let Some(date) = metadata::date(metadata) {
            info.pair(Name(b"CreationDate"), TextStr(&date.pdf()));
        }
    });
    id
}

/// Writes the colour profile of the output intent, which PDF/A requires: sRGB.
fn profile(file: &mut File<'_>) -> Result<Ref> {
    let profile = profile_bytes(ColorProfile::new_srgb())
        .ok_or_else(|| Error::internal("a colour profile could not be made", "sRGB"))?;
    let id = file.next();
    file.stream(id, &profile, |stream| {
        // Number of colour components.
        stream.pair(Name(b"N"), 3);
    });
    Ok(id)
}

/// Writes the page labels (ISO 32000-1, 12.4.2) as ranges of consecutive numbers. `None` if the labels are 1, 2, 3 and
/// so on, the default.
fn page_labels(file: &mut File<'_>, labels: &[PageLabel]) -> Option<Ref> {
    let default =
        |(at, label): (u32, &PageLabel)| label.number == at && label.numeral == Numeral::Decimal;
    if (1..).zip(labels).all(default) {
        return None;
    }
    let mut ranges: Vec<(i32, u32, Numeral)> = Vec::new();
    for (at, PageLabel { number, numeral }) in (0..).zip(labels) {
        let goes_on = ranges.last().is_some_and(|(from, first, known)| {
            known == numeral && u64::from(*first) + (at - from) as u64 == u64::from(*number)
        });
        if !goes_on {
            ranges.push((at, *number, *numeral));
        }
    }
    let id = file.next();
    file::small(file, id, |object| {
        let mut tree = object.dict();
        let mut nums = tree.insert(Name(b"Nums")).array();
        for (at, first, numeral) in ranges {
            nums.item(at);
            let mut label: LabelEntry<'_> = nums.push().start();
            label.style(match numeral {
                Numeral::Decimal => NumberingStyle::Arabic,
                Numeral::LowerAlpha => NumberingStyle::LowerAlpha,
                Numeral::UpperAlpha => NumberingStyle::UpperAlpha,
                Numeral::LowerRoman => NumberingStyle::LowerRoman,
                Numeral::UpperRoman => NumberingStyle::UpperRoman,
            });
            if first > 0 {
                label.offset(first.min(i32::MAX as u32) as i32);
            }
        }
    });
    Some(id)
}

/// Notes the scripts for which a font was replaced, and the scripts with characters that no font has.
fn missing(faces: &Faces<'_>, notes: &mut Notes) {
    for (script, font) in faces.replaced() {
        notes.add(format!(
            "Text in {script} is set in {font}: the fonts that the document names for it are not installed here"
        ));
    }
    for (script, count) in faces.missing() {
        let (signs, are) = if *count == 1 {
            ("character", "is")
        } else {
            ("characters", "are")
        };
        notes.add(format!(
            "{count} {signs} ({script}) {are} missing from all fonts here and {are} shown as \u{fffd}; the text in the file is complete"
        ));
    }
}
