//! A model of a language or a script, from a file of Tesseract (`LANG.traineddata`). It reads lines. [`built_in`]: the
//! models that are compiled in.

mod built_in;

use crate::{
    beam::{
        self, Found, Search,
        dictionary::{Dictionary, Positions},
        most_likely,
    },
    line::{self, LineImage, scale},
    network::{Border, Network, Steps},
    reading::{Reading, Symbol},
    traineddata::{
        container::{Component, Parts},
        dawg::Dawg,
        recoder::Recoder,
        unicharset::{SPACE, Unicharset},
        unusable,
    },
};
use convertd_core::{
    error::{Error, Result},
    job::{Input, Job, Lease},
};
use std::{borrow::Cow, io::Cursor, sync::Mutex};

/// Limit on the size of a network in bytes. The networks that distributions ship have 0.3 to 1.6 MB.
const MAX_NETWORK: u64 = 32 << 20;
/// Limit on the size of a model's set of characters, and on that of its recoder, in bytes.
const MAX_TEXT: u64 = 4 << 20;
/// Limit on the size of a list of words in bytes. A longer list is left out: English has a list of 3.7 MB, but the list
/// for all languages in the Latin script has 89 MB.
const MAX_WORDS: u64 = 8 << 20;
/// Limit on the steps of a line. The rest of a longer line is not read, because it is a rule or noise, not text.
const MAX_STEPS: usize = 4000;
/// Minimum height and width of a picture, in pixels. Text in a smaller picture is not legible.
const LEAST: usize = 5;
/// Mean probability below which a line is read again with light and dark exchanged, in case its letters are lighter
/// than the background.
const DOUBTFUL: f32 = 0.7;

/// A loaded model file, ready to read lines of its language or script.
pub struct Model<'a> {
    pub(crate) network: Network,
    unicharset: Unicharset,
    recoder: Recoder,
    dictionary: Dictionary,
    /// The job's lease of the model's memory. `None` for a compiled-in model.
    lease: Option<Box<dyn Held + 'a>>,
}

/// Holds the lease of a model until the model is dropped. As a trait object it hides the lease's own lifetime, so that
/// compiled-in models, which live as long as the process, can be used together with those of a job.
trait Held: Send + Sync {}

/// The lock makes the lease `Sync`, so that threads can share the model.
impl Held for Mutex<Lease<'_>> {}

/// Buffers for reading lines, reused from one line to the next. Each thread has its own.
pub struct Scratch<'a> {
    steps: Steps,
    lease: Lease<'a>,
}

impl<'a> Scratch<'a> {
    /// Memory for reading within a job.
    pub fn new(job: &Job<'a>) -> Self {
        Self {
            steps: Steps::default(),
            lease: job.empty_lease(),
        }
    }
}

impl<'a> Model<'a> {
    /// Loads a model from the bytes of its file.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if it is damaged or of another kind, and any
    /// error of the job's memory.
    pub fn load(job: &Job<'a>, bytes: &[u8]) -> Result<Self> {
        Self::open(job, &mut Cursor::new(bytes))
    }

    /// Loads a model from its file. Reads only the parts that are needed, because some files have word lists of 89 MB.
    ///
    /// Errors: the same as for [`load`](Self::load).
    pub fn open(job: &Job<'a>, input: &mut dyn Input) -> Result<Self> {
        let lease = job.empty_lease();
        let mut model = Self::assemble(input, &|bytes| {
            job.check()?;
            lease.grow_exactly(bytes)
        })?;
        model.lease = Some(Box::new(Mutex::new(lease)));
        Ok(model)
    }

    /// Loads a model. `hold` leases the memory for each part.
    fn assemble(input: &mut dyn Input, hold: &dyn Fn(u64) -> Result<()>) -> Result<Self> {
        let parts = Parts::table(input)?;
        if !parts.has(Component::Network) {
            return Err(unusable(
                "it has no network: it is for Tesseract's old recogniser, or for detecting scripts",
            ));
        }
        // The bytes themselves take their own size. Each weight, which has one byte in the file, takes two more bytes.
        hold(3 * parts.len(Component::Network))?;
        let network =
            crate::network::parse(&parts.read(input, Component::Network, MAX_NETWORK)?)?;
        hold(Unicharset::memory(parts.len(Component::Unicharset)))?;
        let unicharset = Unicharset::parse(&parts.read(input, Component::Unicharset, MAX_TEXT)?)?;
        hold(Recoder::memory(parts.len(Component::Recoder)))?;
        let bytes = parts.read(input, Component::Recoder, MAX_TEXT)?;
        let recoder = Recoder::parse(&bytes, unicharset.len(), network.outputs())?;
        let mut list = |part| {
            if !parts.has(part) || parts.len(part) > MAX_WORDS {
                return Ok(None);
            }
            hold(Dawg::memory(parts.len(part)))?;
            let bytes = parts.read(input, part, MAX_WORDS)?;
            Dawg::parse(&bytes, unicharset.len()).map(Some)
        };
        let dictionary = Dictionary {
            punctuation: list(Component::Punctuation)?,
            words: list(Component::Words)?,
            numbers: list(Component::Numbers)?,
        };
        Ok(Self {
            network,
            unicharset,
            recoder,
            dictionary,
            lease: None,
        })
    }

    /// Height in pixels to which lines are scaled: 36 or 48 in all known models.
    pub fn height(&self) -> usize {
        self.network.height
    }

    /// Reads a line. If the picture is too small to contain text, the result has no symbols.
    ///
    /// Errors: any error of the job.
    pub fn read<'j>(
        &self,
        job: &Job<'j>,
        line: &LineImage<'_>,
        scratch: &mut Scratch<'j>,
    ) -> Result<Reading<'_>> {
        self.read_with(job, line, scratch, || Border::Zero)
    }

    /// Reads a line: scales it, runs the network, and searches for the most likely characters.
    pub(crate) fn read_with<'j>(
        &self,
        job: &Job<'j>,
        line: &LineImage<'_>,
        scratch: &mut Scratch<'j>,
        border: impl Fn() -> Border,
    ) -> Result<Reading<'_>> {
        let enough = line.width.checked_mul(line.height);
        if line.width.min(line.height) < LEAST || enough != Some(line.grey.len()) {
            return Ok(Reading::default());
        }
        // The part beyond the limit on steps is cut off before scaling.
        let most = MAX_STEPS * self.network.step;
        let widest = (most * line.height / self.height()).max(1);
        let cut: Cow<'_, [u8]> = if line.width > widest {
            let rows = line.grey.chunks_exact(line.width);
            rows.flat_map(|row| &row[..widest]).copied().collect()
        } else {
            line.grey.into()
        };
        let width = line.width.min(widest);
        let scaled_width = scale::scaled_width(width, line.height, self.height());
        let planes = self.network.memory(scaled_width + 1);
        let pictures = 3 * (scaled_width * self.height()) as u64;
        let needed = planes + pictures + cut.len() as u64;
        if needed > scratch.lease.bytes() {
            scratch.lease.set(needed)?;
        }
        let mut picture = scale::to_height(width, line.height, &cut, self.height());
        if picture.width < 2 * self.network.step || picture.height != self.height() {
            return Ok(Reading::default());
        }
        let factor = width as f32 / picture.width as f32;
        let steps = &mut scratch.steps;
        let run = |picture: &scale::Picture, steps: &mut Steps| {
            self.network
                .run(job, line::activations(picture), &mut border(), steps)?;
            Ok::<_, Error>(self.mean(steps))
        };
        let mut mean = run(&picture, steps)?;
        let mut inverted = false;
        if mean < DOUBTFUL {
            invert(&mut picture);
            match run(&picture, steps)? {
                better if better > mean => (mean, inverted) = (better, true),
                _ => {
                    invert(&mut picture);
                    run(&picture, steps)?;
                }
            }
        }
        let found = if self.dictionary.is_useful() {
            let search = Search {
                recoder: &self.recoder,
                unicharset: &self.unicharset,
                positions: Positions::new(&self.dictionary, &self.unicharset),
                null: self.network.null,
                outputs: self.network.outputs(),
                lease: job.empty_lease(),
            };
            search.run(job, steps)?
        } else {
            beam::greedy(steps, self.network.null, &self.recoder)
        };
        Ok(Reading {
            symbols: self.symbols(&found, steps.len(), self.network.step as f32 * factor),
            mean,
            inverted,
        })
    }

    /// Mean probability of the most likely output, over the steps whose most likely output is a character. Each
    /// probability is rounded down to a multiple of 1/127.
    fn mean(&self, steps: &Steps) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for probabilities in steps.iter() {
            let (output, probability) = most_likely(probabilities);
            if output != self.network.null {
                sum += (probability * 127.0).floor();
                count += 1.0;
            }
        }
        if count > 0.0 {
            sum / count / 127.0
        } else {
            0.0
        }
    }

    /// The recognised symbols, with positions in pixels; a step is `scale` pixels wide. The border between two symbols
    /// is the middle between the last step of one and the first step of the other.
    fn symbols(&self, found: &[Found], steps: usize, scale: f32) -> Vec<Symbol<'_>> {
        let mut symbols = Vec::new();
        let mut space: Option<f32> = None;
        for (index, one) in found.iter().enumerate() {
            let text = self.unicharset.text(one.id);
            if one.id == SPACE {
                space = Some(space.unwrap_or(0.0).min(one.certainty));
            }
            if one.id == SPACE || text.is_empty() {
                continue;
            }
            let from = match index {
                0 => 0.0,
                _ => (found[index - 1].to + one.from) as f32 / 2.0,
            };
            let to = found
                .get(index + 1)
                .map_or(steps as f32, |next| (one.to + next.from) as f32 / 2.0);
            symbols.push(Symbol {
                text,
                from: from * scale,
                to: to * scale,
                certainty: one.certainty,
                space: space.take(),
                direction: self.unicharset.direction(one.id),
            });
        }
        symbols
    }
}

fn invert(picture: &mut scale::Picture) {
    for level in &mut picture.grey {
        *level = 255 - *level;
    }
}
