//! Stages of Gotenberg 9: PDFs are processed by a list of stages in the given order, each with the results of the stage
//! before it. A single stage has a route of its own, whose form fields are the members of the stage.

use super::{
    answer::Reply,
    engines::{about_each, conforming},
    fields::Fields,
    merge,
    post_process::{Lock, PostProcess, Split},
    refusal::Refusal,
};
use crate::api::compat::{
    form::Sent,
    item::Item,
    work::{Load, Work},
};
use crate::coding::date::Date;
use crate::http::Response;
use serde_json::{Map, Value};

/// Limit on the stages of a request.
const MAX: usize = 100;
/// Number of conversions above which pages are counted before the work starts.
const FEW_STEPS: u64 = 50;

/// A stage. Its page numbers refer to the results of the stage before it.
enum Stage {
    Merge,
    /// Steps for each file.
    Each(Box<PostProcess>),
    /// Keeps these pages, in this order.
    Select(String),
    /// Divides each file into parts, one for each list of pages.
    Parts(Vec<String>),
}

/// All stages of a request.
pub(super) struct Stages(Vec<Stage>);

impl Stages {
    /// Reads the field `stages`. Without this field, the list of stages is empty.
    pub(super) fn read(fields: &mut Fields<'_>) -> Self {
        let mut stages = Vec::new();
        let Some(text) = fields.text("stages") else {
            return Self(stages);
        };
        match serde_json::from_str::<Vec<Map<String, Value>>>(text) {
            Ok(list) if list.len() <= MAX => {
                for own in &list {
                    let op = own.get("op").and_then(Value::as_str).unwrap_or_default();
                    match Stage::of(op, own) {
                        Ok(stage) => stages.push(stage),
                        Err(why) => fields.invalid("stages", op, &why),
                    }
                }
            }
            Ok(_) => fields.invalid("stages", "", "too many stages"),
            Err(err) => fields.invalid("stages", text, &format!("unmarshal stages: {err}")),
        }
        Self(stages)
    }

    /// Returns the first stage that asks for PDF/A or PDF/UA. The conversion to PDF must already take account of it.
    pub(super) fn finish(&self) -> Option<&PostProcess> {
        self.0.iter().find_map(|stage| match stage {
            Stage::Each(finish) if finish.claims() => Some(&**finish),
            _ => None,
        })
    }

    /// Returns whether a stage merges all files.
    fn merges(&self) -> bool {
        self.0.iter().any(|stage| matches!(stage, Stage::Merge))
    }

    /// Returns a lower limit of the load of all stages, for this number of files.
    pub(super) fn load(&self, files: u64) -> Load {
        let files = Weight {
            files,
            ..Weight::default()
        };
        files.through(&self.0)
    }

    /// Runs all stages on these files. Before each stage, the load of the remaining ones is estimated again, because
    /// the number and the size of the files are known better then.
    pub(super) fn run(&self, work: &Work<'_, '_>, files: Vec<Item>) -> Result<Vec<Item>, Refusal> {
        let mut files = files;
        for (nth, stage) in self.0.iter().enumerate() {
            let left = &self.0[nth..];
            let mut weight = Weight {
                files: files.len() as u64,
                bytes: files.iter().map(Item::len).sum(),
                pages: 0,
            };
            let load = weight.through(left);
            work.refuse_beyond(load)?;
            // Counting pages is a conversion for each file, so it is done only if many conversions depend on it.
            if nth == 0 && load.steps > FEW_STEPS {
                for file in &files {
                    let about = work.about(file)?;
                    let pages = about.get("PageCount").and_then(Value::as_u64);
                    weight.pages += pages.unwrap_or(0);
                }
                work.refuse_beyond(weight.through(left))?;
            }
            work.begin_round();
            files = stage.run(work, files)?;
        }
        Ok(files)
    }
}

/// Files between two stages: their number, and their total of bytes and pages.
#[derive(Clone, Copy, Default)]
struct Weight {
    files: u64,
    bytes: u64,
    pages: u64,
}

impl Weight {
    /// Estimates the load of these stages. The parts of a file that is split at intervals count as one file, because
    /// their number is not known yet.
    fn through(mut self, stages: &[Stage]) -> Load {
        let mut load = Load::default();
        for stage in stages {
            let rounds = match stage {
                Stage::Merge => u64::from(self.files > 1),
                Stage::Each(finish) => finish.steps(),
                Stage::Select(_) => 1,
                Stage::Parts(ranges) => ranges.len() as u64,
            };
            let steps = match stage {
                Stage::Merge => rounds,
                _ => rounds * self.files,
            };
            load.steps += steps;
            load.bytes = load.bytes.saturating_add(self.bytes.saturating_mul(rounds));
            load.pages = load.pages.saturating_add(self.pages.saturating_mul(rounds));
            match stage {
                Stage::Merge => self.files = self.files.min(1),
                Stage::Parts(_) => {
                    self.files = steps;
                    // A part may have few pages, or all of them. The estimate is that each part is an equal share of
                    // the file.
                    self.bytes /= rounds.max(1);
                    self.pages /= rounds.max(1);
                }
                Stage::Each(_) | Stage::Select(_) => {}
            }
        }
        load
    }
}

impl Stage {
    /// Parses the stage `op`, whose members are `own`.
    ///
    /// Errors: the reason why it is not a valid stage.
    fn of(op: &str, own: &Map<String, Value>) -> Result<Self, String> {
        let text = |name: &str| match own.get(name) {
            Some(Value::String(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let needed = |name: &str| text(name).ok_or_else(|| format!("'{name}' is required"));
        let mut finish = PostProcess::default();
        match op {
            "merge" => return Ok(Self::Merge),
            "select" => return needed("pages").map(Self::Select),
            "split" => match (text("every"), own.get("ranges")) {
                (Some(every), None) => {
                    let pages = every.parse().ok().filter(|pages| *pages > 0);
                    let pages = pages.ok_or("'every' must be a number of pages, at least 1")?;
                    finish.split = Some(Split::Intervals(pages));
                }
                (None, Some(Value::Array(ranges))) if !ranges.is_empty() => {
                    let ranges = ranges.iter().map(|range| range.as_str().map(str::to_owned));
                    let ranges = ranges.collect::<Option<_>>();
                    return ranges
                        .map(Self::Parts)
                        .ok_or("'ranges' must be a list of strings".into());
                }
                _ => return Err("set either 'every' or 'ranges', not both".into()),
            },
            "rotate" => {
                let angle: Option<i64> = needed("angle")?.parse().ok();
                let angle = angle.filter(|angle| angle % 90 == 0);
                let angle = angle
                    .ok_or("'angle' must be a multiple of 90")?
                    .rem_euclid(360);
                if angle != 0 {
                    finish.rotate = Some((angle, text("pages").unwrap_or_default()));
                }
            }
            "flatten-form" => finish.flatten = true,
            // Every run of the engine writes a new file without unreferenced objects, so this stage needs nothing but a
            // run.
            "optimize" => finish.rewrite = true,
            "encrypt" => {
                let (user, owner) = (text("userPassword"), text("ownerPassword"));
                if user.is_none() && owner.is_none() {
                    return Err("a 'userPassword' or 'ownerPassword' is required".into());
                }
                if text("algorithm").is_some_and(|name| name != "aes256") {
                    return Err("'algorithm' must be aes256 on this server".into());
                }
                let allowed = own.get("permissions").and_then(Value::as_object);
                let may = |name: &str| {
                    let value = allowed.and_then(|allowed| allowed.get(name));
                    value.and_then(Value::as_bool).unwrap_or(true)
                };
                finish.lock = Some(Lock::of(user, owner, &|word| {
                    may(match word {
                        "print" => "print",
                        "copy" => "extractText",
                        "edit" => "modifyContent",
                        "comment" => "modifyAnnotations",
                        "fill" => "fillForms",
                        _ => "assemble",
                    })
                }));
            }
            "set-metadata" => {
                let metadata = NAMES.iter().filter_map(|(name, key)| {
                    let value = text(name)?;
                    let value = if key.ends_with("Date") {
                        from_pdf_date(&value)
                    } else {
                        value
                    };
                    Some(((*key).to_owned(), value.into()))
                });
                finish.metadata = Some(Value::Object(metadata.collect()).to_string());
            }
            "remediate" => match needed("profile")?.as_str() {
                profile @ ("PDF/A-2b" | "PDF/A-3b") => finish.pdfa = Some(profile.to_owned()),
                "PDF/A-2u" => finish.pdfa = Some("PDF/A-2b".to_owned()),
                "PDF/UA-1" => finish.pdfua = true,
                other => {
                    return Err(format!(
                        "the profile '{other}' is not supported by this server"
                    ));
                }
            },
            other => {
                return Err(format!(
                    "the stage '{other}' is not supported by this server"
                ));
            }
        }
        Ok(Self::Each(Box::new(finish)))
    }

    fn run(&self, work: &Work<'_, '_>, files: Vec<Item>) -> Result<Vec<Item>, Refusal> {
        let mut results = Vec::new();
        match self {
            Self::Merge if files.len() < 2 => return Ok(files),
            Self::Merge => results.push(merge::together(work, &files, &[])?),
            Self::Each(finish) => {
                for file in files {
                    let file = conforming(work, finish, file)?;
                    let name = file.name.clone();
                    let mut made = finish.run(work, file, None)?;
                    if finish.split.is_none() {
                        made.iter_mut().for_each(|one| one.name.clone_from(&name));
                    }
                    results.extend(made);
                }
            }
            Self::Select(pages) => {
                for file in files {
                    results.extend(picked(work, file, pages, None)?);
                }
            }
            Self::Parts(ranges) => {
                for file in files {
                    for (nth, pages) in ranges.iter().enumerate() {
                        results.extend(picked(work, file.clone(), pages, Some(nth))?);
                    }
                }
            }
        }
        Ok(results)
    }
}

/// Returns the given pages of a file, as a file with the same name or with the name of a part.
fn picked(
    work: &Work<'_, '_>,
    file: Item,
    pages: &str,
    part: Option<usize>,
) -> Result<Vec<Item>, Refusal> {
    let name = match part {
        Some(nth) => format!("{}_{nth}.pdf", super::post_process::stem(&file.name)),
        None => file.name.clone(),
    };
    let mut made = PostProcess::default().run(work, file, Some(pages))?;
    made.iter_mut().for_each(|one| one.name.clone_from(&name));
    Ok(made)
}

/// Names of metadata in Gotenberg 9, and the names in ExifTool, which the engine uses.
const NAMES: [(&str, &str); 8] = [
    ("title", "Title"),
    ("author", "Author"),
    ("subject", "Subject"),
    ("keywords", "Keywords"),
    ("creator", "Creator"),
    ("producer", "Producer"),
    ("creationDate", "CreateDate"),
    ("modDate", "ModDate"),
];

/// Handles `POST /forms/pdf/pipe`, or the route of the single stage `op`.
pub(super) fn answer(
    work: &Work<'_, '_>,
    sent: &Sent,
    op: Option<&'static str>,
) -> Result<Reply, Refusal> {
    let mut fields = Fields::new(sent);
    fields.refused(&["downloadFrom"]);
    let merges = match op {
        None => Stages::read(&mut Fields::new(sent)).merges(),
        Some(op) => op == "merge",
    };
    let files = match merges {
        true => fields.all_files(&[".pdf"], |_| false),
        false => fields.files(&[".pdf"]),
    };
    let stages = match op {
        None => {
            fields.required("stages");
            Stages::read(&mut fields)
        }
        Some(op) => {
            // A form field holds a list or an object as JSON. Other values are texts.
            let own = sent.fields.iter().map(|(name, value)| {
                let value = match value.trim_start().starts_with(['[', '{']) {
                    true => serde_json::from_str(value).unwrap_or_else(|_| value.clone().into()),
                    false => Value::from(value.as_str()),
                };
                (name.clone(), value)
            });
            match Stage::of(op, &own.collect()) {
                Ok(stage) => Stages(vec![stage]),
                Err(why) => return Err(Refusal::form(&why)),
            }
        }
    };
    let idle = fields.end()?;
    let files = files.into_iter().map(|part| part.item.clone()).collect();
    Ok(Reply::of(stages.run(work, files)?, idle))
}

/// Handles `POST /forms/pdf/metadata`: answers with the metadata of each file, under its name.
pub(super) fn metadata(work: &Work<'_, '_>, sent: &Sent) -> Result<Response, Refusal> {
    about_each(sent, &["downloadFrom", "password"], |file| {
        let metadata = work.about(file)?;
        let own = NAMES.iter().filter_map(|(name, key)| {
            let value = match metadata.get(*key)? {
                Value::String(date) if key.ends_with("Date") => to_pdf_date(date).into(),
                Value::Array(words) => {
                    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                    words.join(", ").into()
                }
                value => value.clone(),
            };
            Some(((*name).to_owned(), value))
        });
        Ok(Value::Object(own.collect()))
    })
}

/// Converts a date of ExifTool's form to that of PDF: `D:20060918162750-04'00'`. Other texts stay unchanged.
fn to_pdf_date(text: &str) -> String {
    Date::parse(text).map_or_else(|| text.to_owned(), |date| date.pdf())
}

/// Converts a date of PDF to ExifTool's form. Other texts stay unchanged.
fn from_pdf_date(text: &str) -> String {
    let date = Date::parse(text).filter(|_| text.starts_with("D:"));
    date.map_or_else(|| text.to_owned(), |date| date.exiftool())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_round_trip() {
        #[track_caller]
        fn check(ours: &str, theirs: &str) {
            assert_eq!(to_pdf_date(ours), theirs);
            assert_eq!(from_pdf_date(theirs), ours);
        }
        check("2006:09:18 16:27:50-04:00", "D:20060918162750-04'00'");
        check("2026:01:01 12:00:00Z", "D:20260101120000Z");
        assert_eq!(from_pdf_date("D:2026"), "2026:01:01 00:00:00");
        assert_eq!(from_pdf_date("2026-01-01"), "2026-01-01");
    }

    #[test]
    fn stages_that_cannot_be_run_say_why() {
        #[track_caller]
        fn check(text: &str, why: &str) {
            let own: Map<String, Value> = serde_json::from_str(text).unwrap();
            let op = own["op"].as_str().unwrap();
            let error = Stage::of(op, &own).err().unwrap_or_default();
            assert!(
                error.contains(why) && error.is_empty() == why.is_empty(),
                "{error:?}"
            );
        }
        check(r#"{"op":"merge"}"#, "");
        check(r#"{"op":"split","every":2}"#, "");
        check(r#"{"op":"split","every":0}"#, "at least 1");
        check(r#"{"op":"split"}"#, "'every' or 'ranges'");
        check(r#"{"op":"rotate","angle":-90,"pages":"1"}"#, "");
        check(r#"{"op":"rotate","angle":45}"#, "multiple of 90");
        check(r#"{"op":"encrypt"}"#, "is required");
        check(r#"{"op":"remediate","profile":"PDF/A-4"}"#, "'PDF/A-4'");
        check(r#"{"op":"sign"}"#, "'sign'");
    }
}
