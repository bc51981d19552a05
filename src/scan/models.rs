//! Loads models for OCR, according to the languages of a job, and reads pages with these models.

use super::options::LANGUAGE;
use crate::{error::Result, job::Job};
use convertd_ocr::{
    Choice, Model, Page, Settings, Text,
    languages::{self, BUILT_IN, Chosen},
};
use std::io::BufReader;

/// Languages with Latin letters that need no model of their own: the common Latin model reads them as well.
#[rustfmt::skip]
const LATIN: [&str; 64] = [
    "afr", "aze", "bos", "bre", "cat", "ceb", "ces", "cos", "cym", "dan", "deu", "eng", "enm", "epo", "est", "eus",
    "fao", "fil", "fin", "fra", "frm", "fry", "gla", "gle", "glg", "hat", "hrv", "hun", "ind", "isl", "ita", "ita_old",
    "jav", "kmr", "lat", "lav", "lit", "ltz", "mlt", "mri", "msa", "nld", "nor", "oci", "pol", "por", "que", "ron",
    "slk", "slv", "spa", "spa_old", "sqi", "srp_latn", "sun", "swa", "swe", "tgl", "ton", "tur", "uzb", "yor", "nob",
    "nno",
];

/// The models of a job.
pub struct Models<'j> {
    models: Vec<Loaded<'j>>,
    settings: Settings,
}

impl<'j> Models<'j> {
    /// Models of the languages that the job names, or else of the operator's default languages, or else all models
    /// built into the program.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for an unavailable language; there is not enough
    /// memory.
    pub fn of(job: &Job<'j>) -> Result<Self> {
        let chosen = chosen(job.options().word(LANGUAGE.name))?;
        let choice = match chosen.is_empty() {
            true => Choice::WholePage,
            false => Choice::EachLine,
        };
        let chosen = match chosen.is_empty() {
            true => (0..BUILT_IN.len()).map(Chosen::BuiltIn).collect(),
            false => chosen,
        };
        let models: Result<Vec<_>> = chosen.into_iter().map(|one| Loaded::of(job, one)).collect();
        Ok(Self {
            models: models?,
            settings: Settings {
                choice,
                turns: true,
            },
        })
    }

    /// Reads a page of the given width and height.
    ///
    /// Errors: there is not enough memory, or the job has to stop.
    pub fn read(
        &self,
        job: &Job<'j>,
        (width, height): (usize, usize),
        grey: &[u8],
    ) -> Result<Text> {
        let page = Page {
            width,
            height,
            grey,
        };
        let models: Vec<&Model<'j>> = self.models.iter().map(Loaded::model).collect();
        convertd_ocr::read(job, &page, &models, &self.settings)
    }
}

/// Models for the languages that a client names, without duplicates of built-in models. If the client names none,
/// models for the operator's default languages; empty without a default.
fn chosen(wanted: Option<&str>) -> Result<Vec<Chosen>> {
    let Some(wanted) = wanted else {
        return languages::chosen(None);
    };
    let mut all: Vec<Chosen> = Vec::new();
    for name in languages::parse(wanted)? {
        let found = match languages::chosen(Some(&name)) {
            Err(_) if LATIN.contains(&&*name) => vec![Chosen::BuiltIn(1)],
            found => found?,
        };
        for one in found {
            let is_known = |other: &Chosen| match (other, &one) {
                (Chosen::BuiltIn(other), Chosen::BuiltIn(one)) => other == one,
                _ => false,
            };
            if !all.iter().any(is_known) {
                all.push(one);
            }
        }
    }
    Ok(all)
}

/// A loaded model.
enum Loaded<'j> {
    BuiltIn(&'static Model<'static>),
    Own(Box<Model<'j>>),
}

impl<'j> Loaded<'j> {
    fn of(job: &Job<'j>, chosen: Chosen) -> Result<Self> {
        match chosen {
            Chosen::BuiltIn(nth) => Model::built_in(nth).map(Self::BuiltIn),
            Chosen::File(_, file) => {
                let model = Model::open(job, &mut BufReader::new(file))?;
                Ok(Self::Own(Box::new(model)))
            }
        }
    }

    fn model(&self) -> &Model<'j> {
        match self {
            Self::BuiltIn(model) => model,
            Self::Own(model) => model,
        }
    }
}
