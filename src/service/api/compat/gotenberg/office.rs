//! `POST /forms/libreoffice/convert`: converts documents, sheets, slides and pictures to PDF.

use super::{
    answer::Reply,
    engines::conforming,
    fields::Fields,
    merge,
    names::OFFICE,
    post_process::{self, PostProcess, RequiredFields, Split},
    refusal::Refusal,
    stages::Stages,
};
use crate::{
    api::compat::{
        form::Sent,
        item::Item,
        work::{Load, Order, Work},
    },
    error::{Error, Kind, Reason},
    format, registry,
};

/// Boolean fields without an effect, because this service does not offer the features that they switch.
const IDLE_FLAGS: [&str; 18] = [
    "updateIndexes",
    "exportFormFields",
    "allowDuplicateFieldNames",
    "exportBookmarksToPdfDestination",
    "exportPlaceholders",
    "convertOooTargetToPdfTarget",
    "exportLinksRelativeFsys",
    "skipEmptyPages",
    "firstPageOnLeft",
    "resizeWindowToInitialPage",
    "centerWindow",
    "openInFullScreenMode",
    "displayPDFDocumentTitle",
    "hideViewerMenubar",
    "hideViewerToolbar",
    "hideViewerWindowControls",
    "useTransitionEffects",
    "nativePdfFormats",
];

/// Fields of a form that affect the conversion itself.
struct OfficeFields {
    ranges: Option<String>,
    password: Option<String>,
    quality: &'static str,
    options: Vec<(&'static str, String)>,
    merge: bool,
    watermark: Option<String>,
    /// Whether the result keeps its bookmarks.
    bookmarks: bool,
}

/// Handles `/forms/libreoffice/convert`: converts each file to PDF, and then merges, splits and edits as the fields
/// ask.
pub(super) fn answer(work: &Work<'_, '_>, sent: &Sent) -> Result<Reply, Refusal> {
    let mut fields = Fields::new(sent);
    let finish = post_process::read(&mut fields, RequiredFields::default());
    // The value of `merge` is needed first, but a problem with it must be reported among the later ones. So another
    // reader of the fields, whose problems are dropped, reads it here.
    let files = match Fields::new(sent).flag("merge", false) {
        true => fields.all_files(OFFICE, converts),
        false => fields.files_or(OFFICE, converts),
    };
    let mut asked = read(&mut fields);
    let stages = Stages::read(&mut fields);
    let finish = native(&mut asked, finish);
    let idle = fields.end()?;
    finish.check(|name| {
        format!("The PDF format '{name}' is not supported. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.")
    })?;
    let count = files.len() as u64;
    let of_stages = stages.finish().unwrap_or(&finish);
    let each = 1 + u64::from(asked.ranges.is_some()) + u64::from(of_stages.claims());
    let merged = asked.merge && count > 1;
    let load = stages.load(match merged {
        true => count,
        false => 1,
    });
    work.refuse_beyond(Load {
        steps: each * count + finish.steps() * if merged { 1 } else { count } + load.steps,
        bytes: files.iter().map(|part| part.item.len()).sum(),
        pages: 0,
    })?;
    let mut made = Vec::new();
    for file in files {
        made.push(convert(work, &file.item, &asked, of_stages)?);
    }
    work.begin_round();
    let results = match merged {
        true => {
            let merged = merge::together(work, &made, &finish.options())?;
            finish.run(work, conforming(work, &finish, merged)?, None)?
        }
        false => {
            let mut results = Vec::new();
            for item in made {
                results.extend(divided(work, &finish, item)?);
            }
            results
        }
    };
    Ok(Reply::of(stages.run(work, results)?, idle))
}

/// Returns whether the engine converts files with this name to PDF.
fn converts(name: &str) -> bool {
    let named = format::extension(name).and_then(|extension| registry::by_name(&extension));
    let pdf = registry::by_name("pdf");
    let pair = named.zip(pdf);
    pair.is_some_and(|(from, pdf)| from != pdf && registry::find(from, pdf).is_some())
}

/// Adds the steps for two fields of LibreOffice's export filter: its watermark, unless the form states another
/// watermark, and `exportBookmarks`, which removes all bookmarks if it is false.
fn native(asked: &mut OfficeFields, mut finish: PostProcess) -> PostProcess {
    if let Some(text) = asked.watermark.take()
        && finish.watermark.is_none()
    {
        finish.watermark = Some((text, String::new()));
    }
    if !asked.bookmarks {
        finish.bookmarks = Some("[]".to_owned());
    }
    finish
}

/// Runs the steps for one converted file. Names the results after the source: `a.docx` becomes `a.docx.pdf`; if it is
/// split, the parts are `a.docx_0.pdf` and so on.
fn divided(work: &Work<'_, '_>, finish: &PostProcess, item: Item) -> Result<Vec<Item>, Refusal> {
    let is_divided = matches!(
        finish.split,
        Some(Split::Intervals(_) | Split::Pages(_, false))
    );
    let name = item.name.clone();
    let mut results = finish.run(work, item, None)?;
    if !is_divided {
        results
            .iter_mut()
            .for_each(|result| result.name = name.clone());
    }
    Ok(results)
}

/// Reads the fields of LibreOffice's export filter. Some unsupported fields have no effect. For the others, a value
/// that would change the result is a problem.
fn read(fields: &mut Fields<'_>) -> OfficeFields {
    let password = fields.text("password").map(str::to_owned);
    let mut options = Vec::new();
    if fields.flag("landscape", false) {
        options.push(("orientation", "landscape".to_owned()));
    }
    let ranges = fields.text("nativePageRanges").map(str::to_owned);
    IDLE_FLAGS
        .into_iter()
        .for_each(|name| fields.idle_flag(name));
    fields.fixed("exportNotes", false);
    fields.fixed("exportOnlyNotesPages", false);
    fields.fixed("exportNotesInMargin", false);
    fields.fixed("addOriginalDocumentAsStream", false);
    fields.fixed("singlePageSheets", false);
    if fields.flag("exportNotesPages", false) {
        options.push(("notes", "pages".to_owned()));
    }
    if fields.flag("exportHiddenSlides", false) {
        options.push(("hidden", "keep".to_owned()));
    }
    viewer(fields);
    fields.refused(&[
        "nativeTiledWatermarkText",
        "nativeWatermarkColor",
        "nativeWatermarkFontHeight",
        "nativeWatermarkRotateAngle",
        "nativeWatermarkFontName",
    ]);
    OfficeFields {
        ranges,
        password,
        quality: quality(fields),
        options,
        merge: fields.flag("merge", false),
        watermark: fields.text("nativeWatermarkText").map(str::to_owned),
        bookmarks: fields.flag("exportBookmarks", true),
    }
}

/// Reads the fields about the viewer's window. They have no effect, but wrong values are problems.
fn viewer(fields: &mut Fields<'_>) {
    let among =
        |most: i64, why: &'static str| move |number| (!(0..=most).contains(&number)).then_some(why);
    let positive = |number| (number < 1).then_some("value is inferior to 1");
    fields.whole("initialView", among(2, "value is not 0, 1 or 2"));
    fields.whole("initialPage", positive);
    fields.whole("magnification", among(4, "value is not 0, 1, 2, 3 or 4"));
    fields.whole("zoom", positive);
    fields.whole("pageLayout", among(3, "value is not 0, 1, 2 or 3"));
    fields.whole("openBookmarkLevels", |levels| {
        let is_known = levels == -1 || (1..=10).contains(&levels);
        (!is_known).then_some("value is not -1 or between 1 and 10")
    });
    fields.idle(&[
        "initialView",
        "initialPage",
        "magnification",
        "zoom",
        "pageLayout",
        "openBookmarkLevels",
    ]);
}

/// Returns the quality that is closest to the form's settings for pictures: their percentage and, if it is to be
/// reduced, their resolution.
fn quality(fields: &mut Fields<'_>) -> &'static str {
    let is_lossless = fields.flag("losslessImageCompression", false);
    let percent = fields.whole("quality", |number| match number {
        ..1 => Some("value is inferior to 1"),
        101.. => Some("value is superior to 100"),
        _ => None,
    });
    let is_reduced = fields.flag("reduceImageResolution", false);
    let most = fields.whole("maxImageResolution", |dpi| {
        let is_known = [75, 150, 300, 600, 1200].contains(&dpi);
        (!is_known).then_some("value is not 75, 150, 300, 600 or 1200")
    });
    let by_resolution = match most.unwrap_or(300) {
        ..=150 => 0,
        151..=300 => 1,
        _ => 2,
    };
    let by_percent = match percent.unwrap_or(90) {
        _ if is_lossless => 2,
        ..=40 => 0,
        41..=75 => 1,
        _ => 2,
    };
    let level = if is_reduced {
        by_percent.min(by_resolution)
    } else {
        by_percent
    };
    ["low", "medium", "high"][level]
}

/// Converts one file, with Gotenberg's messages for failures.
fn convert(
    work: &Work<'_, '_>,
    item: &Item,
    asked: &OfficeFields,
    finish: &PostProcess,
) -> Result<Item, Refusal> {
    let mut options = asked.options.clone();
    options.extend(finish.options());
    let name = &item.name;
    let made_with = |options: &[(&'static str, String)]| {
        let order = Order {
            target: "pdf",
            quality: Some(asked.quality),
            options,
        };
        work.convert(item, &order)
    };
    let mut made = made_with(&options);
    if let Some(password) = &asked.password {
        made = match made {
            // A password for an unprotected file is an error. A PDF that opens without it may still have an owner
            // password.
            Ok(made) if made.from != "pdf" => {
                return Err(Refusal::bad(format!(
                    "The document '{name}' is not password-protected. Remove the 'password' form field."
                )));
            }
            Err(error) if !error.is_locked() => Err(error),
            _ => {
                options.push(("password", password.clone()));
                made_with(&options)
            }
        };
    }
    let pdf = made.map_err(|error| unread(name, error))?.item;
    let mut pdf = conforming(work, finish, pdf)?;
    pdf.name = format!("{name}.pdf");
    let Some(ranges) = &asked.ranges else {
        return Ok(pdf);
    };
    let name = name.clone();
    let picked = PostProcess::default().run(work, pdf, Some(ranges)).map_err(|refusal| match refusal {
        Refusal::Failed(error) if is_of_pages(&error) => Refusal::bad(format!(
            "LibreOffice could not apply the page ranges '{ranges}' to the document '{name}'. Check the 'nativePageRanges' form field; valid values look like '1-4', '2' or '1,3,5-7'."
        )),
        other => other,
    })?;
    picked
        .into_iter()
        .next()
        .ok_or_else(|| Error::internal("no result", "PDF").into())
}

/// Returns whether an error is about the list of pages.
fn is_of_pages(error: &Error) -> bool {
    matches!(error.reason(), Some(Reason::PageList | Reason::PageMissing))
}

/// Returns Gotenberg's message about a document that could not be read, followed by the more precise message of the
/// engine unless the document needs a password. Other errors stay unchanged.
fn unread(name: &str, error: Error) -> Refusal {
    if error.kind() != Kind::BadInput {
        return error.into();
    }
    let why = error.message();
    if error.is_locked() {
        return Refusal::bad(format!(
            "The document '{name}' is password-protected. Provide its password in the 'password' form field."
        ));
    }
    Refusal::bad(format!(
        "LibreOffice could not read the document '{name}'. Ensure the file is not corrupted and that its extension matches its actual format. ({why})"
    ))
}
