//! The converter for pictures of text: reads each page by OCR, and writes its words as a document, or as a list with
//! positions. If a page already contains text, that text is used instead. Decodes and recognises nothing itself.

use crate::{
    document,
    error::Result,
    format::Format,
    image::{grey, plate},
    job::{Converter, Input, Job, Notes, OptionSpec, Output, Pair, Progress, Unit},
};
use convertd_ocr::page::Text;
use convertd_pdf::read::documents::{self, Affine};
use convertd_scan::{
    models::Models,
    options::LANGUAGE,
    own,
    page_info::PageInfo,
    report::Report,
    written::{FORMATS, QUALITY, Written, is_of_words},
};
use std::sync::LazyLock;

/// The converter that reads the text of pictures by OCR.
pub static CONVERTER: Converter = Converter {
    name: "scan",
    formats: || FORMATS.to_vec(),
    pairs,
    recognise: |_, _, _| None,
    convert,
};

/// Document formats that pictures can become.
const DOCUMENTS: [&str; 4] = ["md", "html", "docx", "txt"];

/// Default resolution of a picture in pixels per inch: that of scans.
const DOTS: f64 = 300.0;

/// Points per inch.
const POINTS: f64 = 72.0;

/// Options that concern the picture.
static PICTURE_OPTIONS: [&OptionSpec; 5] = {
    let [_, _, _, crop, rotate, _, page, damaged] = plate::OPTIONS;
    [page, crop, rotate, damaged, &LANGUAGE]
};

/// A target with the meaning of its quality, and its options.
type Row = (&'static Format, &'static str, Vec<&'static OptionSpec>);

fn targets() -> &'static [Row] {
    static ALL: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let documents = document::targets().filter(|(to, ..)| DOCUMENTS.contains(&to.name));
        let documents = documents.map(|(to, quality, options)| {
            // Plain text has no use for the options of documents.
            let own = if to.name == "txt" { &[] } else { options };
            (to, quality, [own, &PICTURE_OPTIONS].concat())
        });
        let words = FORMATS.map(|to| (to, QUALITY, PICTURE_OPTIONS.to_vec()));
        documents.chain(words).collect()
    });
    &ALL
}

fn pairs() -> Vec<Pair> {
    let pairs = plate::sources().flat_map(|from| {
        targets().iter().map(move |(to, quality, options)| Pair {
            from,
            to,
            quality,
            options,
        })
    });
    pairs.collect()
}

/// Reads each page of a picture by OCR, and writes the words with positions, or the text as a document.
fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let mut notes = Notes::default();
    let mut pages = Pages {
        job,
        input,
        models: None,
        report: Report::default(),
    };
    if is_of_words(job.to) {
        let mut written = Written::begin(job, output)?;
        pages.each(&mut notes, &mut |number, sheet, text| {
            let page = PageInfo {
                number,
                width: sheet.width,
                height: sheet.height,
                dpi: sheet
                    .density
                    .map(|(across, down)| (across / sheet.scale.0, down / sheet.scale.1)),
            };
            written.page(&page, text)
        })?;
        written.end()?;
    } else {
        let mut remarks = Notes::default();
        let outline = plate::outline(job, pages.input)?;
        let document = documents::of_pictures(job, output, &mut notes, &outline, |put| {
            pages.each(&mut remarks, &mut |_, sheet, text| {
                let (across, down) = sheet.density.unwrap_or((DOTS, DOTS));
                let points = |pixels: u32, dots: f64| (f64::from(pixels) * POINTS / dots) as f32;
                let to_page = Affine::scale_non_uniform(
                    sheet.scale.0 * POINTS / across,
                    sheet.scale.1 * POINTS / down,
                );
                let size = (points(sheet.size.0, across), points(sheet.size.1, down));
                put(text, to_page, size)
            })
        })?;
        if let Some(document) = document {
            document::write(job, document, output, &mut notes)?;
        }
        remarks.move_into(&mut notes);
    }
    pages.report.add_notes(&mut notes);
    Ok(notes)
}

/// Facts about a page that was read. Positions of words are in pixels of the picture that was given to OCR, which may
/// be smaller than the upright picture.
struct Sheet {
    /// Width of the picture that was given to OCR, in pixels.
    width: usize,
    /// Height of the picture that was given to OCR, in pixels.
    height: usize,
    /// Pixels of the upright picture per pixel of the picture that was given to OCR, horizontally and vertically.
    scale: (f64, f64),
    /// Width and height of the upright picture in pixels.
    size: (u32, u32),
    /// The density of the upright picture in pixels per inch, horizontally and vertically.
    density: Option<(f64, f64)>,
}

/// The pages of a file, each a picture.
struct Pages<'p, 'j> {
    job: &'p Job<'j>,
    input: &'p mut dyn Input,
    /// The models, loaded for the first page that is read by OCR.
    models: Option<Models<'j>>,
    report: Report,
}

impl Pages<'_, '_> {
    /// Reads each page, and passes it on with its number from 1. If the job selects a page, reads only this page, as
    /// number 1.
    fn each(
        &mut self,
        notes: &mut Notes,
        take: &mut dyn FnMut(usize, &Sheet, &Text) -> Result<()>,
    ) -> Result<()> {
        let chosen = self.job.options().integer("page");
        let count = match chosen {
            None => grey::pages(self.job, self.input, notes)?,
            Some(_) => 1,
        };
        for number in 1..=count {
            self.job.check()?;
            self.job.progress(Progress {
                done: u64::from(number) - 1,
                total: count.into(),
                unit: Unit::Pages,
            });
            let page = chosen.or((count > 1).then_some(number));
            if let Some(own) = own::read(self.job, self.input, page)? {
                let sheet = Sheet {
                    width: own.size.0 as usize,
                    height: own.size.1 as usize,
                    scale: (1.0, 1.0),
                    size: own.size,
                    density: plate::density(self.job.from, self.input, page)?,
                };
                take(number as usize, &sheet, &own.text)?;
                continue;
            }
            let models = match &mut self.models {
                Some(models) => models,
                models => models.insert(Models::of(self.job)?),
            };
            let mut remarks = Notes::default();
            let grey = grey::read(self.job, self.input, page, &mut remarks)?;
            remarks.move_into(notes);
            let text = models.read(self.job, (grey.width, grey.height), &grey.samples)?;
            self.report.add(number as usize, &text);
            let sheet = Sheet {
                width: grey.width,
                height: grey.height,
                scale: grey.scale,
                size: grey.size,
                density: grey.density,
            };
            take(number as usize, &sheet, &text)?;
        }
        Ok(())
    }
}
