//! Opens a workbook: reads the globals substream, which comes before the sheets (MS-XLS 2.1.7.20.3), with the
//! position of each sheet, shared strings and number formats. Reads no cells.

use super::{
    early,
    records::Records,
    sheet::{self, BEGIN, Context, END},
    strings::{self, CONTINUE, Texts},
    xml,
};
use crate::{
    containers::cfb,
    error::{Error, Kind, Reason, Result},
    job::{Input, Job, Lease, Notes, read_head},
    ooxml::{Strings, Styles},
    sheet::{Rows, Sheet, View, Workbook},
    stored::Tables,
    time::Epoch,
};
#[cfg(feature = "document")]
use crate::{
    containers::property_set::{SUMMARY, Summary},
    sheet::Looks,
};
use encoding_rs::WINDOWS_1252;
use std::{collections::HashSet, io::ErrorKind};

// Types of records.
/// Epoch of dates (`Date1904`).
const DATE_MODE: u16 = 0x22;
/// Beginning of an encrypted file (`FilePass`).
const PASSWORD: u16 = 0x2f;
/// Code page of the texts (`CodePage`).
const CODE_PAGE: u16 = 0x42;
/// Name and position of a sheet (`BoundSheet8`).
const SHEET: u16 = 0x85;
/// Cell style (`XF`).
const STYLE: u16 = 0xe0;
/// Shared strings (`SST`).
const STRINGS: u16 = 0xfc;
/// Number format (`Format`).
const FORMAT: u16 = 0x41e;

/// Type of a chart sheet (2.4.28).
const CHART: u8 = 2;

/// Version number in the BOF record since Excel 97 (2.4.21).
const EXCEL_97: u16 = 0x600;

/// An open workbook.
struct Book<'a> {
    /// Records of the workbook stream.
    records: Records<'a>,
    /// Sheets with cells, in file order.
    sheets: Vec<Sheet>,
    /// Position of each sheet in the stream.
    places: Vec<u64>,
    /// Index of each sheet among all sheets, including those without cells. Names and references use these indices.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    numbers: Vec<usize>,
    /// Data that the cells of all sheets need.
    context: Context,
    /// Sheets with drawings, among those that were read.
    drawn: HashSet<usize>,
    _lease: Lease<'a>,
}

/// Opens a workbook. Files named .xls may also be bare BIFF streams of Excel 2 to 4, or the XML of Excel 2003, which
/// have readers of their own.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    view: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let head = read_head(input, cfb::SIGNATURE.len()).map_err(|err| job.unreadable(err))?;
    if super::is_bare(&head) {
        return early::open(job, input, view);
    }
    if xml::is_workbook(&head, input) {
        return xml::open(job, input, view);
    }
    if head != cfb::SIGNATURE {
        return Err(job.unreadable("it is not a compound file (OLE2)"));
    }
    let lease = job.lease(cfb::memory(job.input_len))?;
    #[cfg(feature = "document")]
    let saved = saved(job, input)?;
    let stream =
        cfb::Stream::open(input, &["Workbook", "Book"]).map_err(|err| match err.kind() {
            ErrorKind::NotFound => job.unreadable("the compound file has no workbook in it"),
            ErrorKind::UnexpectedEof => job.unreadable("it is cut off"),
            _ => job.unreadable(err),
        })?;
    let mut records = Records::new(job, stream);
    let mut context = Context {
        tables: Tables::new(Strings::default(), Styles::new(view), Epoch::default()),
        texts: Texts::Encoded(WINDOWS_1252),
        #[cfg(feature = "document")]
        saved,
    };
    let (mut sheets, mut places, mut begun) = (Vec::new(), Vec::new(), false);
    let (mut numbers, mut count) = (Vec::new(), 0);
    while let Some(record) = records.next()? {
        match record.kind {
            BEGIN if !begun => {
                begun = true;
                if record.u16(0) == EXCEL_97 {
                    context.texts = Texts::Unicode;
                }
            }
            _ if !begun => {
                return Err(job.unreadable("its workbook stream does not begin with a BOF record"));
            }
            PASSWORD => {
                return Err(Error::new(
                    Kind::BadInput,
                    "the file is encrypted: remove the password and send it again",
                )
                .because(Reason::Encrypted));
            }
            CODE_PAGE => {
                if let Texts::Encoded(encoding) = &mut context.texts {
                    *encoding = Texts::of_code_page(record.u16(0));
                }
            }
            DATE_MODE if record.u16(0) == 1 => context.tables.epoch = Epoch::From1904,
            FORMAT => {
                let mut code = String::new();
                let short = matches!(context.texts, Texts::Encoded(_));
                let text = record.data.get(2..).unwrap_or_default();
                context.texts.read(text, short, &mut code);
                context.tables.styles.add_code(record.u16(0).into(), &code);
            }
            STYLE => context.tables.styles.add_cell(record.u16(2).into()),
            // Sheets of other types are skipped: macros, Visual Basic modules, and charts of Excel 95 and before.
            SHEET => {
                count += 1;
                let is_chart = record.u8(5) == CHART && matches!(context.texts, Texts::Unicode);
                if record.u8(5) != 0 && !is_chart {
                    continue;
                }
                let mut name = String::new();
                let text = record.data.get(6..).unwrap_or_default();
                if context.texts.read(text, true, &mut name).is_some() {
                    places.push(record.u32(0).into());
                    numbers.push(count - 1);
                    sheets.push(Sheet {
                        title: Some(name),
                        hidden: record.u8(4) & 3 != 0,
                        chart: is_chart,
                    });
                }
            }
            STRINGS => {
                let data = record.data.to_vec();
                let len = data.len() as u64 + continued(&mut records)?;
                // In UTF-8, a one-byte character takes at most two bytes, and a two-byte one at most three, so twice
                // the length is enough.
                lease.set_exactly(cfb::memory(job.input_len) + Strings::memory(2 * len))?;
                let mut strings = Strings::with_capacity(2 * len);
                strings::read_table(&mut records, &data, &mut |text, _| {
                    strings.open(text);
                    strings.push()
                })?;
                context.tables.strings = strings;
            }
            END => break,
            _ => {}
        }
    }
    if sheets.is_empty() {
        return Err(job.unreadable("it has no sheet with cells"));
    }
    Ok(Box::new(Book {
        records,
        sheets,
        places,
        numbers,
        context,
        drawn: HashSet::new(),
        _lease: lease,
    }))
}

/// Time of the last save from the summary stream, for headers and footers. `None` if the target has no pages, and if
/// the stream is missing or damaged.
#[cfg(feature = "document")]
fn saved(job: &Job<'_>, input: &mut dyn Input) -> Result<Option<String>> {
    if !crate::pages::is_page(job.to) {
        return Ok(None);
    }
    // A stream is at most as long as the file.
    let _lease = job.lease(job.input_len)?;
    let summary = cfb::Compound::open(input).and_then(|all| all.read(input, SUMMARY));
    let summary = summary.ok().flatten();
    Ok(summary.and_then(|stream| Summary::read(&stream).saved))
}

/// Total length of the `Continue` records that follow. Leaves the position unchanged.
fn continued(records: &mut Records<'_>) -> Result<u64> {
    let start = records.position();
    let mut len = 0;
    while records.peek()? == CONTINUE {
        len += records.next()?.map_or(0, |record| record.data.len() as u64);
    }
    records.seek(start);
    Ok(len)
}

impl Workbook for Book<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let place = self.places.get(sheet).copied().unwrap_or(u64::MAX);
        self.records.seek(place);
        if sheet::read(&mut self.records, &mut self.context, rows)? {
            self.drawn.insert(sheet);
        }
        Ok(())
    }

    #[cfg(feature = "document")]
    fn shown(
        &mut self,
        sheets: &[usize],
        build: &mut convertd_tree::Builder<'_>,
        notes: &mut Notes,
    ) -> Result<Looks> {
        let wanted = sheets.iter().filter_map(|at| {
            let sheet = self.sheets.get(*at)?.clone();
            Some((*self.numbers.get(*at)?, sheet, *self.places.get(*at)?))
        });
        let wanted: Vec<_> = wanted.collect();
        let book = super::shown::read(&mut self.records, &self.context, &wanted, build, notes)?;
        Ok(book.map_or(Looks::TooMany, |book| Looks::Read(Box::new(book))))
    }

    fn has_drawings(&mut self, sheet: usize) -> Result<bool> {
        Ok(self.drawn.contains(&sheet))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        self.context.tables.losses.tell(notes);
    }
}
