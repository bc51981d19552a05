//! The converter for pictures of text: reads each page by OCR, and writes its words as a document, or as a list with
//! positions. Decodes and recognises nothing itself.

use crate::{
    document,
    error::Result,
    format::Format,
    image::{
        grey::{self, Grey},
        plate,
    },
    job::{Converter, Input, Job, Notes, OptionSpec, Output, Pair, Progress, Unit},
    pdf::read::documents,
    scan::{
        models::Models,
        options::LANGUAGE,
        report::Report,
        written::{FORMATS, PageInfo, QUALITY, Written, is_of_words},
    },
};
use convertd_ocr::page::Text;
use hayro::kurbo::Affine;
use std::sync::LazyLock;

/// The converter.
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

/// Fields that concern the picture.
static OF_PICTURES: [&OptionSpec; 5] = {
    let [_, _, _, crop, rotate, _, page, damaged] = plate::OPTIONS;
    [page, crop, rotate, damaged, &LANGUAGE]
};

/// A target with the meaning of its quality, and its options.
type Row = (&'static Format, &'static str, Vec<&'static OptionSpec>);

fn targets() -> &'static [Row] {
    static ALL: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let documents = document::targets().filter(|(to, ..)| DOCUMENTS.contains(&to.name));
        let documents = documents.map(|(to, quality, options)| {
            // Plain text needs no tree.
            let own = if to.name == "txt" { &[] } else { options };
            (to, quality, [own, &OF_PICTURES].concat())
        });
        let words = FORMATS.map(|to| (to, QUALITY, OF_PICTURES.to_vec()));
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
        models: Models::of(job)?,
        report: Report::default(),
    };
    if is_of_words(job.to) {
        let mut written = Written::begin(job, output)?;
        pages.each(&mut notes, &mut |number, grey, text| {
            let page = PageInfo {
                number,
                width: grey.width,
                height: grey.height,
                dpi: grey
                    .density
                    .map(|(across, down)| (across / grey.scale.0, down / grey.scale.1)),
            };
            written.page(&page, text)
        })?;
        written.end()?;
    } else {
        let mut remarks = Notes::default();
        documents::of_pictures(job, output, &mut notes, |put| {
            pages.each(&mut remarks, &mut |_, grey, text| {
                let (across, down) = grey.density.unwrap_or((DOTS, DOTS));
                let points = |pixels: u32, dots: f64| (f64::from(pixels) * POINTS / dots) as f32;
                let to_page = Affine::scale_non_uniform(
                    grey.scale.0 * POINTS / across,
                    grey.scale.1 * POINTS / down,
                );
                let size = (points(grey.size.0, across), points(grey.size.1, down));
                put(text, to_page, size)
            })
        })?;
        remarks.tell_once(&mut notes);
    }
    pages.report.tell(&mut notes);
    Ok(notes)
}

/// The pages of a file, each a picture.
struct Pages<'p, 'j> {
    job: &'p Job<'j>,
    input: &'p mut dyn Input,
    models: Models<'j>,
    report: Report,
}

impl Pages<'_, '_> {
    /// Reads each page, or the one that the job selects, and passes it on with its number from 1.
    fn each(
        &mut self,
        notes: &mut Notes,
        take: &mut dyn FnMut(usize, &Grey<'_>, &Text) -> Result<()>,
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
            let mut remarks = Notes::default();
            let grey = grey::read(self.job, self.input, page, &mut remarks)?;
            remarks.tell_once(notes);
            let text = self
                .models
                .read(self.job, (grey.width, grey.height), &grey.samples)?;
            self.report.add(number as usize, &text);
            take(number as usize, &grey, &text)?;
        }
        Ok(())
    }
}
