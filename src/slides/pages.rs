//! Writes a deck as PDF: a page for each slide, followed on request by pages with the notes of the slide.

use super::{
    deck::{Columns, Deck},
    losses::HIDDEN,
    options,
    plan::{Layer, Page, Plan, Rectangle},
    setting::anchor,
};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Notes, Output, Progress, Unit},
};
use convertd_layout::{
    context::{BlockContext, Layout},
    frame,
    item::{self, Area, Item, Owner, Slice},
    medium::Medium,
    memory::Part,
    sections::PageLabel,
    structure::{NodeId, Role},
};
use convertd_pages::document;
use convertd_tree::{Alignment, Builder, Numeral, Picture, PictureSource, ResourceId};

/// Size of a notes page, in points: 7.5 by 10 inches, as in PowerPoint.
const NOTES: (f32, f32) = (540.0, 720.0);

/// Margin of a notes page, in points.
const MARGIN: f32 = 54.0;

/// Width for unwrapped lines, in points.
const UNBROKEN: f64 = 14_000.0;

/// Writes the slides of a deck. First, all slides are planned, which adds their pictures to a document. Then the pages
/// are drawn one by one.
///
/// Errors: those of [`Deck::slide`]; [`Kind::BadInput`] if there are no slides, or if all are hidden and left out.
pub(super) fn write(
    job: &Job<'_>,
    mut deck: Box<dyn Deck + '_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut build = Builder::new(job);
    build.metadata = deck.facts().metadata.clone();
    let with_notes = options::notes_pages(job.options());
    let keeps_hidden = options::keeps_hidden(job.options());
    let (width, height) = deck.facts().size;
    let size = (width.to_points() as f32, height.to_points() as f32);
    let slides = deck.facts().slides;
    let mut plan = Plan::new(job, &mut *deck);
    let mut pages = Vec::new();
    for number in 0..slides {
        job.check()?;
        job.progress(Progress {
            done: number as u64,
            total: slides as u64,
            unit: Unit::Pages,
        });
        let slide = plan.deck.slide(number)?;
        if slide.hidden && !keeps_hidden {
            plan.losses.add(&HIDDEN);
            continue;
        }
        pages.push(plan.page(&mut build, slide, number + 1, with_notes)?);
    }
    if pages.is_empty() {
        return Err(Error::new(
            Kind::BadInput,
            match slides {
                0 => "the presentation has no slides",
                _ => "all slides of the presentation are hidden; `hidden=keep` keeps them",
            },
        ));
    }
    plan.losses.add_notes(notes);
    plan.deck.add_notes(notes);
    // The pictures and the deck are dropped, so that their memory is free for the layout.
    drop(plan.pictures);
    drop(deck);
    let mut document = build.finish(notes)?;
    if let Some(title) = job.options().word("title") {
        document.metadata.title = Some(title.to_owned());
    }
    convertd_tree::contents::ensure_title(job, &mut document);
    document::pdf_pages(
        job,
        &document,
        output,
        &mut |layout, medium| {
            let mut labels = Vec::new();
            let label = |number: usize| PageLabel {
                number: u32::try_from(number).unwrap_or(u32::MAX),
                numeral: Numeral::Decimal,
            };
            for page in &pages {
                job.check()?;
                layout.memory.set(Part::Pages, medium.memory())?;
                let items = set(layout, page, size)?;
                medium.begin_page(size.0, size.1)?;
                items.iter().for_each(|item| medium.draw(item, 0.0, 0.0));
                labels.push(label(page.number));
                if !page.notes.is_empty() {
                    let pages = self::notes(layout, medium, page, items, size)?;
                    labels.extend((0..pages).map(|_| label(page.number)));
                }
                medium.end_page();
            }
            Ok(labels)
        },
        notes,
    )
}

/// Converts the plan of a page to items, in points from the upper left corner.
fn set(layout: &mut Layout<'_>, page: &Page, size: (f32, f32)) -> Result<Vec<Item>> {
    let mut items = vec![Item::Anchor {
        name: anchor(page.number).into(),
        y: 0.0,
    }];
    if !page.titled {
        let entry = layout.outline.add(1, format!("Slide {}", page.number));
        items.push(Item::Outline { entry, y: 0.0 });
    }
    for layer in &page.layers {
        match layer {
            Layer::Art(id) => {
                let area = Area {
                    x: 0.0,
                    y: 0.0,
                    width: size.0,
                    height: size.1,
                };
                items.extend(picture(layout, *id, area, Owner::Layout));
            }
            Layer::Picture {
                id,
                place,
                alternative,
            } => {
                let area = area(place);
                let node = layout.structure.add_with(
                    NodeId::DOCUMENT,
                    Role::Figure,
                    Some(alternative.clone()).filter(|words| !words.is_empty()),
                    None,
                );
                items.extend(picture(layout, *id, area, Owner::To(node)));
            }
            Layer::Text(text) => self::text(layout, text, &mut items)?,
            Layer::Link { place, target } => {
                let node = layout.structure.add(NodeId::DOCUMENT, Role::Link);
                let link = layout.links.add(target, "", node);
                let area = area(place);
                items.push(Item::Link { area, link });
            }
        }
    }
    Ok(items)
}

/// Converts a place to points, within the largest page size of PDF.
fn area(place: &convertd_office::drawing::Place) -> Area {
    let [x, y, width, height] = [place.x, place.y, place.width, place.height]
        .map(|emu| (emu / convertd_tree::POINT).clamp(-14_400.0, 14_400.0) as f32);
    Area {
        x,
        y,
        width,
        height,
    }
}

/// Returns a picture in its area. `None` if it cannot be shown.
fn picture(layout: &mut Layout<'_>, id: ResourceId, area: Area, belongs: Owner) -> Option<Item> {
    let number = id.index();
    let length = |points: f32| Some(convertd_tree::Length::points(f64::from(points)));
    let picture = Picture {
        source: PictureSource::Resource(id),
        alternative: Box::default(),
        title: Box::default(),
        width: length(area.width),
        height: length(area.height),
        frame: None,
    };
    let target_size = (area.width.max(1.0), area.height.max(1.0));
    let Layout {
        pictures, losses, ..
    } = layout;
    pictures.size(number, &picture, target_size, losses)?;
    Some(Item::Picture {
        area,
        number,
        belongs,
    })
}

/// Lays out the text of a shape. Unwrapped text gets a very wide box, positioned by its alignment.
fn text(layout: &mut Layout<'_>, text: &Rectangle, items: &mut Vec<Item>) -> Result<()> {
    let (x, width) = match text.unbroken {
        None => (text.x, text.width),
        Some(Alignment::Centre) => (text.x + (text.width - UNBROKEN) / 2.0, UNBROKEN),
        Some(Alignment::End) => (text.x + text.width - UNBROKEN, UNBROKEN),
        Some(Alignment::Start | Alignment::Justify) => (text.x, UNBROKEN),
    };
    let columns = match text.unbroken {
        None => text.columns,
        Some(_) => Columns::default(),
    };
    let count = f64::from(columns.count);
    let width = (width - columns.gap * (count - 1.0)) / count;
    // The rectangle of a shape may be narrower than its text. Lines get at least 8 points.
    let width = width.max(8.0) as f32;
    let look = layout.base();
    let place = BlockContext {
        after: 0.0,
        overlap: false,
        ..BlockContext::new(layout.document, look, width)
    };
    let slices = layout.frame(&text.blocks, &place)?;
    let columns = divided(slices, columns.count, text.height as f32);
    let height = columns
        .iter()
        .map(|slices| item::height(slices))
        .fold(0.0, f32::max);
    let y = text.y + (text.height - f64::from(height)) * f64::from(text.lowered);
    let mut set = Vec::new();
    let mut left = x as f32;
    for slices in columns {
        for placed in frame::stacked(slices, left, y as f32) {
            for mut item in placed.items {
                item.shift(placed.x, placed.y);
                set.push(item);
            }
        }
        left += width + text.columns.gap as f32;
    }
    if text.turn == 0.0 {
        items.append(&mut set);
    } else {
        // Rotation about the centre of the rectangle.
        let centre = (text.x + text.width / 2.0, text.y + text.height / 2.0);
        let (sin, cos) = text.turn.to_radians().sin_cos();
        let matrix = [
            cos,
            sin,
            -sin,
            cos,
            centre.0 - cos * centre.0 + sin * centre.1,
            centre.1 - sin * centre.0 - cos * centre.1,
        ];
        items.push(Item::Moved {
            matrix: matrix.map(|number| number as f32),
            items: set,
        });
    }
    Ok(())
}

/// Divides text into columns of this height in points. The last column takes what is left.
fn divided(slices: Vec<Slice>, count: u8, height: f32) -> Vec<Vec<Slice>> {
    let mut columns = vec![Vec::new()];
    let mut filled = 0.0;
    for slice in slices {
        let is_first = columns.last().is_none_or(Vec::is_empty);
        let before = if is_first { 0.0 } else { slice.before };
        filled += before + slice.height;
        if !is_first && filled > height && columns.len() < usize::from(count) {
            filled = slice.height;
            columns.push(Vec::new());
        }
        if let Some(column) = columns.last_mut() {
            column.push(slice);
        }
    }
    columns
}

/// Draws the notes pages of a slide: a small copy of the slide with the notes below it. Returns the number of pages.
fn notes(
    layout: &mut Layout<'_>,
    medium: &mut dyn Medium,
    page: &Page,
    items: Vec<Item>,
    size: (f32, f32),
) -> Result<usize> {
    medium.begin_page(NOTES.0, NOTES.1)?;
    let mut pages = 1;
    let available = (NOTES.0 - 2.0 * MARGIN, NOTES.1 * 0.4);
    let scale = (available.0 / size.0).min(available.1 / size.1);
    let left = (NOTES.0 - size.0 * scale) / 2.0;
    let mut small = items;
    // Links and text for screen readers are only on the full page.
    remove_navigation(&mut small);
    small.iter_mut().for_each(Item::silence);
    let thumbnail = Item::Moved {
        matrix: [scale, 0.0, 0.0, scale, left, MARGIN],
        items: small,
    };
    medium.draw(&thumbnail, 0.0, 0.0);
    let look = layout.base();
    let place = BlockContext {
        after: 0.0,
        overlap: false,
        ..BlockContext::new(layout.document, look, available.0)
    };
    let slices = layout.frame(&page.notes, &place)?;
    let mut below = MARGIN + size.1 * scale + 24.0;
    for placed in frame::stacked(slices, MARGIN, 0.0) {
        // The remaining notes continue on another page.
        if below + placed.y > NOTES.1 - MARGIN {
            medium.begin_page(NOTES.0, NOTES.1)?;
            pages += 1;
            below = MARGIN - placed.y;
        }
        for item in &placed.items {
            medium.draw(item, placed.x, below + placed.y);
        }
    }
    Ok(pages)
}

/// Removes links, anchors and outline entries, also those within other items.
fn remove_navigation(items: &mut Vec<Item>) {
    let is_navigation = |item: &Item| {
        matches!(
            item,
            Item::Link { .. } | Item::Anchor { .. } | Item::Outline { .. }
        )
    };
    items.retain(|item| !is_navigation(item));
    for item in items {
        if let Item::Moved { items, .. }
        | Item::Cut { items, .. }
        | Item::Clipped { items, .. }
        | Item::Faded { items, .. } = item
        {
            remove_navigation(items);
        }
    }
}
