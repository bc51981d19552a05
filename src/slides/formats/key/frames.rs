//! Reads the objects on a slide as frames. Decodes no picture.

use super::looks::{self, Looks};
use crate::{
    containers::iwa::Message,
    deck::{Body, Cell, Content, Frame, Paragraph, Picture, Role, Row, Shape, Table},
    error::Result,
};
use convertd_office::{
    drawing::{Crop, Place},
    iwork::{self, Drawn, Media, Region, Spans, Value, geometry, members},
    wordprocessing::losses,
};
use convertd_tree::{POINT, losses::Losses};

/// Memory of a frame without its texts and outlines, in bytes. The factor 2 is for the spare capacity of a growing
/// list; a shape is the largest content of a frame.
const FRAME: u64 = (2 * size_of::<Frame>() + size_of::<Shape>()) as u64;

/// Memory of a row of a table without its cells, in bytes.
const ROW: u64 = size_of::<Row>() as u64;
/// Memory of a cell of a table without its text, in bytes.
const CELL: u64 = size_of::<Cell>() as u64;

/// Memory for an object number in a growing list, in bytes: twice the 8 bytes of a number.
const REFERENCE: u64 = 16;

/// Limit on the nesting of groups.
const MAX_GROUPS: usize = 16;

/// Limit on the rows of a table.
const MAX_ROWS: u32 = 2000;
/// Limit on the columns of a table.
const MAX_COLUMNS: u64 = 256;

/// Reader of the objects on a slide.
pub(super) struct Frames<'f, 'm, 'o> {
    pub(super) media: &'o Media<'m>,
    pub(super) looks: Looks<'o>,
    pub(super) losses: &'f mut Losses,
}

impl Frames<'_, '_, '_> {
    /// Reads the objects on a slide, from back to front. The placeholders of a template are left out.
    pub(super) fn slide(&mut self, slide: Message<'_>, is_template: bool) -> Result<Vec<Frame>> {
        let placeholders = placeholders(slide);
        let [title, body, object, number] = placeholders;
        let mut all = Vec::new();
        for drawn in self.object_numbers(slide)? {
            let is_placeholder = placeholders.contains(&Some(drawn));
            if is_template && is_placeholder {
                continue;
            }
            let role = match Some(drawn) {
                own if own == title => Role::Title,
                own if own == body || own == object => Role::Body,
                own if own == number => Role::Furniture,
                _ => Role::Other,
            };
            all.extend(self.read(drawn, role, (0.0, 0.0), 0)?);
        }
        // Placeholders without text are not shown.
        all.retain(|frame| match &frame.content {
            Content::Shape(shape) => {
                matches!(frame.role, Role::Other)
                    || shape.text.as_ref().is_some_and(|text| !text.is_blank())
            }
            _ => true,
        });
        Ok(all)
    }

    /// Numbers of the objects on a slide, from back to front.
    fn object_numbers(&self, slide: Message<'_>) -> Result<Vec<u64>> {
        let mut drawn = Vec::new();
        // Field 42 has the drawing order. Files without it have the objects in field 7.
        for field in [42, 7] {
            for object in slide.references(field) {
                self.looks.hold(REFERENCE)?;
                drawn.push(object);
            }
            if !drawn.is_empty() {
                break;
            }
        }
        // Older files do not repeat the placeholders in the list. Title, body text and object are then put behind the
        // other objects.
        for placeholder in placeholders(slide).into_iter().take(3).flatten() {
            if !drawn.contains(&placeholder) {
                drawn.insert(0, placeholder);
            }
        }
        Ok(drawn)
    }

    /// Reads an object. `from` is the upper left corner of the group that contains the object, in points.
    fn read(
        &mut self,
        number: u64,
        role: Role,
        from: (f64, f64),
        depth: usize,
    ) -> Result<Option<Frame>> {
        self.looks.job.check()?;
        let Some((drawn, head)) = Drawn::read(self.looks.objects, self.media, number) else {
            self.losses.add(&losses::DRAWINGS);
            return Ok(None);
        };
        let place = geometry(head).map(|place| Place {
            x: place.x + from.0,
            y: place.y + from.1,
            ..place
        });
        let content = match drawn {
            Drawn::Image(image) => match image.file {
                Some(file) => {
                    // The mask that crops a picture is placed relative to the picture.
                    let place = match (place, image.mask) {
                        (Some(place), Some(mask)) => Some(Place {
                            x: place.x + mask.x,
                            y: place.y + mask.y,
                            width: mask.width,
                            height: mask.height,
                            ..place
                        }),
                        (place, _) => place,
                    };
                    let content = picture(file, image.crop);
                    return self.frame(place, role, head, content).map(Some);
                }
                None => {
                    self.losses.add(&losses::MISSING);
                    return Ok(None);
                }
            },
            Drawn::Movie(poster) => {
                self.losses.add(&losses::FILMS);
                let Some(poster) = poster else {
                    return Ok(None);
                };
                picture(poster, Crop::default())
            }
            Drawn::Shape(shape) => {
                let look = self.looks.shape(self.media, shape.style)?;
                let paragraphs = match shape.text {
                    Some(text) => self.looks.paragraphs(text)?,
                    None => Vec::new(),
                };
                let text = Body {
                    paragraphs,
                    insets: look.insets,
                    anchor: Some(look.anchor),
                    wraps: true,
                    ..Body::default()
                };
                Content::Shape(Box::new(Shape {
                    geometry: self.looks.geometry(shape.path)?,
                    fill: look.fill,
                    line: look.line,
                    text: (!text.is_blank()).then_some(text),
                }))
            }
            Drawn::Table(table) => match self.table(table, place.unwrap_or_default().width)? {
                Some(table) => Content::Table(Box::new(table)),
                None => return Ok(None),
            },
            Drawn::Group(group) if depth < MAX_GROUPS => {
                let from = place.map_or(from, |place| (place.x, place.y));
                let mut frames = Vec::new();
                for member in members(group) {
                    frames.extend(self.read(member, Role::Other, from, depth + 1)?);
                }
                let alternative = head.text(8).unwrap_or_default();
                self.looks.hold(FRAME + alternative.len() as u64)?;
                let mut group = Frame::group(frames);
                group.alternative = alternative.into();
                return Ok(Some(group));
            }
            Drawn::Group(_) | Drawn::Chart => {
                self.losses.add(&losses::DRAWINGS);
                return Ok(None);
            }
            Drawn::Comment => {
                self.losses.add(&losses::COMMENTS);
                return Ok(None);
            }
            Drawn::Contents => return Ok(None),
        };
        self.frame(place, role, head, content).map(Some)
    }

    /// Reads a table. If no column states a width, all columns share `frame_width`, in points.
    fn table(&mut self, number: u64, frame_width: f64) -> Result<Option<Table>> {
        let (job, objects) = (self.looks.job, self.looks.objects);
        let Some(table) = iwork::Table::open(job, objects, number, MAX_ROWS)? else {
            return Ok(None);
        };
        let width = table.width().min(MAX_COLUMNS) as u32;
        let height = table.height().min(MAX_ROWS.into()) as u32;
        let mut fills = Vec::new();
        for region in Region::ALL {
            let style = table.cell_style(region);
            let fill = self.looks.stated(self.media, style, looks::CELL_STYLES)?;
            fills.push(fill.unwrap_or_default());
        }
        let fill_size = fills.iter().map(looks::memory).max().unwrap_or(0);
        let row_size = ROW + u64::from(width) * (CELL + fill_size);
        self.looks.hold(u64::from(height) * row_size)?;
        let mut widths = table.widths(width as usize);
        if widths.iter().sum::<f64>() <= 0.0 {
            widths.fill(frame_width / f64::from(width.max(1)));
        }
        let spans = Spans::read(&table, width, height)?;
        let mut rows = Vec::with_capacity(height as usize);
        for row in 0..height {
            job.check()?;
            let cells = (0..width).map(|column| Cell {
                spans: spans.at(row, column).unwrap_or((0, 0)),
                fill: fills[table.region(row, column) as usize].clone(),
                text: Body {
                    insets: [4.0 * POINT; 4],
                    wraps: true,
                    ..Body::default()
                },
                ..Cell::default()
            });
            rows.push(Row {
                height: table.row_height() * POINT,
                cells: cells.collect(),
            });
        }
        for (row, info) in table.rows() {
            for (column, value) in table.cells(info, width) {
                job.check()?;
                let cell = rows.get_mut(row as usize);
                let cell = cell.and_then(|row: &mut Row| row.cells.get_mut(column as usize));
                if let Some(cell) = cell {
                    let style = table.text_style(table.region(row, column));
                    cell.text.paragraphs = self.value(value, style)?;
                }
            }
        }
        Ok(Some(Table {
            columns: widths.into_iter().map(|points| points * POINT).collect(),
            rows,
            headed: table.header_rows() > 0,
        }))
    }

    /// Paragraphs of a cell.
    fn value(&mut self, value: Value<'_>, style: Option<u64>) -> Result<Vec<Paragraph>> {
        if let Value::Rich(number) = value {
            return self.looks.paragraphs(number);
        }
        let mut buffer = String::new();
        let text = value.text(&mut buffer);
        let lines = text.split(['\n', '\r', '\u{2028}', '\u{2029}']);
        lines.map(|line| self.looks.plain(line, style)).collect()
    }

    /// Creates a frame. `place` is in points, and `head` is the message with the alternative text and the link.
    fn frame(
        &self,
        place: Option<Place>,
        role: Role,
        head: Message<'_>,
        content: Content,
    ) -> Result<Frame> {
        let alternative = head.text(8).unwrap_or_default();
        let link = head.text(4).filter(|target| target.contains(':'));
        let names = alternative.len() + link.map_or(0, str::len);
        self.looks.hold(FRAME + names as u64)?;
        Ok(Frame {
            place: place.map(|place| Place {
                x: place.x * POINT,
                y: place.y * POINT,
                width: place.width * POINT,
                height: place.height * POINT,
                ..place
            }),
            role,
            alternative: alternative.into(),
            link: link.map(Into::into),
            content,
        })
    }
}

/// Object numbers of the placeholders of a slide: title, body text, object, and slide number.
fn placeholders(slide: Message<'_>) -> [Option<u64>; 4] {
    [5, 6, 30, 20].map(|field| slide.reference(field))
}

fn picture(file: u64, crop: Crop) -> Content {
    Content::Picture(Box::new(Picture {
        name: file.to_string().into(),
        crop,
        line: None,
    }))
}
