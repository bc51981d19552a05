//! Reads the objects on a slide as frames. Decodes no picture.

use super::looks::{self, Looks};
use crate::{
    containers::iwa::{Message, Objects},
    deck::{Body, Cell, Content, Frame, Paragraph, Picture, Role, Row, Shape, Table},
    error::Result,
    job::Job,
};
use convertd_office::{
    drawing::{Fill, Place},
    iwork::{self, Drawn, Media, Region, Spans, Value, geometry, members},
    wordprocessing::losses,
};
use convertd_tree::{POINT, losses::Losses};

/// Limit on the nesting of groups.
const MAX_GROUPS: usize = 16;

/// Limits on the rows and columns of a table.
const MAX_ROWS: u32 = 2000;
const MAX_COLUMNS: u64 = 256;

/// Kind of a style of cells.
const CELL_STYLE: u64 = 6004;

/// Reader of objects.
pub(super) struct Frames<'f, 'm, 'o> {
    pub(super) job: &'o Job<'o>,
    pub(super) objects: &'o Objects<'o>,
    pub(super) media: &'f Media<'m>,
    pub(super) looks: Looks<'o>,
    pub(super) losses: &'f mut Losses,
    /// Number of frames and cells so far.
    pub(super) count: u64,
}

impl<'o> Frames<'_, '_, 'o> {
    /// Reads an object. `from` is the corner of the group that it is in.
    pub(super) fn read(
        &mut self,
        number: u64,
        role: Role,
        from: (f64, f64),
        depth: usize,
    ) -> Result<Option<Frame>> {
        self.job.check()?;
        self.count += 1;
        let Some((drawn, head)) = Drawn::read(self.objects, self.media, number) else {
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
                    return Ok(Some(frame(place, role, head, content)));
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
                picture(poster, Default::default())
            }
            Drawn::Shape(shape) => {
                let look = looks::of_shape(self.objects, self.media, shape.style);
                let paragraphs = match shape.text {
                    Some(text) => self.looks.paragraphs(text)?,
                    None => Vec::new(),
                };
                let text = Body {
                    paragraphs,
                    insets: look.insets,
                    anchor: Some(look.anchor),
                    wraps: true,
                    turn: 0.0,
                };
                Content::Shape(Box::new(Shape {
                    geometry: looks::geometry(self.job, shape.path)?,
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
                let mut group = Frame::group(frames);
                group.alternative = head.text(8).unwrap_or_default().into();
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
        Ok(Some(frame(place, role, head, content)))
    }

    /// Reads a table. Columns that state no width share `room`, in points.
    fn table(&mut self, number: u64, room: f64) -> Result<Option<Table>> {
        let Some(table) = iwork::Table::open(self.job, self.objects, number, MAX_ROWS)? else {
            return Ok(None);
        };
        let width = table.width().min(MAX_COLUMNS) as u32;
        let height = table.height().min(MAX_ROWS.into()) as u32;
        self.count += u64::from(width) * u64::from(height);
        let mut widths = table.widths(width as usize);
        if widths.iter().sum::<f64>() <= 0.0 {
            widths.fill(room / f64::from(width.max(1)));
        }
        let mut rows = vec![
            Row {
                height: table.row_height() * POINT,
                cells: vec![Cell::default(); width as usize],
            };
            height as usize
        ];
        for (row, info) in table.rows() {
            self.job.check()?;
            for (column, value) in table.cells(info, width) {
                let style = table.text_style(table.region(row, column));
                let paragraphs = self.value(value, style)?;
                let cell = rows.get_mut(row as usize);
                let cell = cell.and_then(|row| row.cells.get_mut(column as usize));
                if let Some(cell) = cell {
                    cell.text.paragraphs = paragraphs;
                }
            }
        }
        let fills = Region::ALL.map(|region| self.cell_fill(table.cell_style(region)));
        let spans = Spans::read(&table, width, height)?;
        for (nth, row) in (0..).zip(&mut rows) {
            self.job.check()?;
            for (column, cell) in (0..).zip(&mut row.cells) {
                cell.fill = fills[table.region(nth, column) as usize].clone();
                cell.text.insets = [4.0 * POINT; 4];
                cell.text.wraps = true;
                cell.spans = spans.at(nth, column).unwrap_or((0, 0));
            }
        }
        Ok(Some(Table {
            columns: widths.into_iter().map(|points| points * POINT).collect(),
            rows,
            headed: table.header_rows() > 0,
        }))
    }

    fn value(&mut self, value: Value<'o>, style: Option<u64>) -> Result<Vec<Paragraph>> {
        if let Value::Rich(number) = value {
            return self.looks.paragraphs(number);
        }
        let mut room = String::new();
        let text = value.text(&mut room);
        let lines = text.split(['\n', '\r', '\u{2028}', '\u{2029}']);
        lines.map(|line| self.looks.plain(line, style)).collect()
    }

    fn cell_fill(&self, style: Option<u64>) -> Fill {
        let mut next = style;
        for _ in 0..MAX_GROUPS {
            let Some((CELL_STYLE, style)) = next.and_then(|number| self.objects.get(number)) else {
                break;
            };
            if let Some(own) = style.message(11).and_then(|stated| stated.message(1)) {
                return looks::fill(self.media, own);
            }
            next = style
                .message(1)
                .and_then(|style| style.message(3)?.number(1));
        }
        Fill::None
    }
}

fn picture(file: u64, crop: convertd_office::drawing::Crop) -> Content {
    Content::Picture(Box::new(Picture {
        name: file.to_string().into(),
        crop,
        line: None,
    }))
}

/// A frame at a place in points.
fn frame(place: Option<Place>, role: Role, head: Message<'_>, content: Content) -> Frame {
    Frame {
        place: place.map(|place| Place {
            x: place.x * POINT,
            y: place.y * POINT,
            width: place.width * POINT,
            height: place.height * POINT,
            ..place
        }),
        role,
        alternative: head.text(8).unwrap_or_default().into(),
        link: head
            .text(4)
            .filter(|target| target.contains(':'))
            .map(Into::into),
        content,
    }
}
