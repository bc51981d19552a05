//! Opens a workbook: list of sheets, shared strings and number formats. Cells are read in [`sheet`].

#[cfg(feature = "document")]
use super::shown;
use super::{
    rich::Pictures,
    sheet::{self, Context},
};
#[cfg(feature = "document")]
use crate::sheet::Looks;
use crate::{
    containers::xml::Token,
    error::Result,
    job::{Input, Job, Notes},
    ooxml::{Package, Strings, Styles, unescape},
    ordered::Ordered,
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
    time::Epoch,
};
#[cfg(feature = "document")]
use convertd_tree::Builder;

/// An open workbook.
struct Book<'a> {
    package: Package<'a>,
    /// Sheets in the order of the workbook.
    sheets: Vec<Sheet>,
    /// Part of each sheet, in the same order.
    parts: Vec<String>,
    /// Computed values of formulas without a stored value, once there is such a formula.
    #[cfg(feature = "document")]
    computed: Option<shown::Computed>,
    /// Data that the cells of all sheets need.
    context: Context,
    /// Whether the rows of a sheet are out of order and must be sorted.
    sorts: bool,
    /// Values of `sorts` and `context.computes` when the conversion last began.
    needs: (bool, bool),
    /// Name of the workbook part.
    #[cfg(feature = "document")]
    part: String,
}

/// Opens a workbook: lists the sheets with their parts, and reads shared strings and styles. Cells are read later,
/// sheet by sheet.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    view: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let mut package = Package::open(job, input)?;
    let workbook = package.workbook("xl/workbook.xml")?;
    let references = package.references(&workbook)?;
    let mut context = Context::default();
    let (mut sheets, mut parts) = (Vec::new(), Vec::new());
    let mut xml = package.xml(&workbook)?;
    while let Some(token) = xml.next()? {
        let Token::Start(element) = token else {
            continue;
        };
        let attribute = |name: &str| element.attribute(name).unwrap_or_default();
        match (element.space, element.name) {
            ("s", "workbookPr") if matches!(&*attribute("date1904"), "1" | "true") => {
                context.tables.epoch = Epoch::From1904;
            }
            ("s", "sheet") if sheets.len() < MAX_SHEETS => {
                let id = attribute("id");
                let part = references.iter().find(|one| one.id == id);
                // Dialog sheets and macro sheets have no cells to convert.
                let kinds = ["worksheet", "chartsheet"];
                let Some(part) = part.filter(|one| kinds.contains(&&*one.kind)) else {
                    continue;
                };
                parts.push(part.target.clone());
                sheets.push(Sheet {
                    title: Some(unescape(&attribute("name")).chars().take(255).collect()),
                    hidden: matches!(&*attribute("state"), "hidden" | "veryHidden"),
                    chart: part.kind == "chartsheet",
                });
            }
            _ => {}
        }
    }
    drop(xml);
    if sheets.is_empty() {
        return Err(job.unreadable("it has no sheet with cells"));
    }
    if let Some((part, _)) = package.part("styles", &references) {
        context.tables.styles = Styles::read(&mut package.xml(&part)?, view)?;
    }
    if let Some((part, size)) = package.part("sharedStrings", &references) {
        package.grow(Strings::memory(size))?;
        context.tables.strings = strings(&mut package, &part, size)?;
    }
    context.pictures = Pictures::read(&mut package, &references)?;
    Ok(Box::new(Book {
        package,
        sheets,
        parts,
        #[cfg(feature = "document")]
        computed: None,
        context,
        sorts: false,
        needs: (false, false),
        #[cfg(feature = "document")]
        part: workbook,
    }))
}

/// Reads the shared string table (18.4). The runs of a formatted string are joined; phonetic text (18.4.6) is
/// skipped.
fn strings(package: &mut Package<'_>, part: &str, size: u64) -> Result<Strings> {
    let job = package.job;
    let mut strings = Strings::with_capacity(size);
    let (mut in_text, mut spoken) = (false, 0);
    let mut xml = package.xml(part)?;
    while let Some(token) = xml.next()? {
        match token {
            Token::Text(text) if in_text && spoken == 0 => strings.open(text),
            Token::Text(_) => {}
            Token::Start(element) if element.space == "s" => match element.name {
                "t" => in_text = true,
                "rPh" => spoken += 1,
                _ => {}
            },
            Token::End("s", "t") => in_text = false,
            Token::End("s", "rPh") => spoken -= 1,
            Token::End("s", "si") => {
                if let std::borrow::Cow::Owned(text) = unescape(strings.opened()) {
                    strings.replace_open(&text);
                }
                if !strings.push() {
                    return Err(job.unreadable("its shared strings are longer than 4 GiB"));
                }
            }
            Token::Start(_) | Token::End(..) => {}
        }
    }
    Ok(strings)
}

impl Workbook for Book<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        #[cfg(feature = "document")]
        self.compute(sheet)?;
        let part = self.parts.get(sheet).map_or("", String::as_str);
        let job = self.package.job;
        let mut xml = self.package.xml(part)?;
        let mut rows = Ordered::new(job, &mut self.sorts, rows);
        sheet::read(job, &mut xml, &mut self.context, &mut rows)?;
        rows.finish()
    }

    fn starts_over(&mut self) -> bool {
        self.context.start_over();
        let needs = (self.sorts, self.context.computes);
        std::mem::replace(&mut self.needs, needs) != needs
    }

    #[cfg(feature = "document")]
    fn shown(
        &mut self,
        sheets: &[usize],
        build: &mut Builder<'_>,
        notes: &mut Notes,
    ) -> Result<Looks> {
        let wanted = sheets.iter().filter_map(|number| {
            let sheet = self.sheets.get(*number)?.clone();
            Some((sheet, self.parts.get(*number)?.as_str()))
        });
        let parts = shown::Parts {
            workbook: &self.part,
            sheets: wanted.collect(),
            all: &self.all(),
            epoch: self.context.tables.epoch,
            pictures: &self.context.pictures,
        };
        let book = shown::read(&mut self.package, &parts, build, notes)?;
        Ok(book.map_or(Looks::TooMany, |book| Looks::Read(Box::new(book))))
    }

    fn has_drawings(&mut self, sheet: usize) -> Result<bool> {
        self.package.has_drawings(self.parts.get(sheet))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        super::sheet::note_unknown(self.context.unknown, notes);
        self.context.tables.losses.tell(notes);
        super::sheet::note_pictures(self.context.with_picture, notes);
    }
}

#[cfg(feature = "document")]
impl Book<'_> {
    /// All sheets with their parts.
    fn all(&self) -> Vec<(Sheet, String)> {
        self.sheets
            .iter()
            .cloned()
            .zip(self.parts.iter().cloned())
            .collect()
    }

    /// Computes the formulas of the workbook if a formula without a stored value was met, and selects the values of a
    /// sheet.
    fn compute(&mut self, sheet: usize) -> Result<()> {
        if !self.context.computes {
            return Ok(());
        }
        if self.computed.is_none() {
            let (all, epoch) = (self.all(), self.context.tables.epoch);
            self.computed = Some(shown::computed(&mut self.package, &self.part, &all, epoch)?);
        }
        let part = self.parts.get(sheet).map_or("", String::as_str);
        let own = self
            .computed
            .as_mut()
            .and_then(|computed| computed.get(part));
        self.context.computed = own.cloned().unwrap_or_default();
        Ok(())
    }
}
