//! Copies a presentation part by part. Masters, animations, charts and comments stay as they are. Macros are left out,
//! the kind of the package (template, show) becomes that of a presentation, and pictures and the title follow the
//! options.

use crate::{
    containers::{
        opc::Package,
        xml::{Element, Namespaces, Reader, Writer},
        zip::{self, Packing},
    },
    deck_material::Material,
    error::{Kind, Result},
    job::{Input, Job, Notes, Output},
};
use convertd_office::wordprocessing::write::core_properties;
use convertd_tree::{
    losses::{Loss, Losses},
    media,
};
use std::collections::HashSet;

/// Part with the content types of all other parts (ECMA-376 part 2, 7.2.3.4).
const TYPES: &str = "[Content_Types].xml";

/// Namespaces of content types and relationships.
const PACKAGE: Namespaces = &[
    (
        "http://schemas.openxmlformats.org/package/2006/content-types",
        "ct",
    ),
    (
        "http://schemas.openxmlformats.org/package/2006/relationships",
        "rel",
    ),
];

/// Content type of the main part of a presentation.
const MAIN: &str =
    "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml";

static MACROS: Loss = Loss {
    one: "The macros were left out.",
    many: "The macros were left out.",
};

static DAMAGED: Loss = Loss {
    one: "A damaged part of the file was left out.",
    many: "{} damaged parts of the file were left out.",
};

/// Copies a package. `material` contains the pictures in the form in which they are written.
///
/// Errors: [`Kind::BadInput`] if the package, its content types or its main part cannot be read. Other damaged parts
/// are left out.
pub(super) fn copy(
    job: &Job<'_>,
    input: &mut dyn Input,
    material: &Material,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut package = Package::open(job, input)?;
    let main = package.main_part("ppt/presentation.xml")?;
    let core = package
        .relationships("")?
        .part("core-properties")
        .map(Box::<str>::from);
    let macros = package
        .relationships(&main)?
        .part("vbaProject")
        .map(Box::<str>::from);
    let folder = macros.as_deref().and_then(|macros| macros.rsplit_once('/'));
    let folder = folder.map_or("", |(folder, _)| folder);
    let main_relationships = relationships_of(&main);
    let mut losses = Losses::default();
    let mut archive = zip::Writer::new(job, output);
    let types = text(&mut package, job, TYPES)?;
    let types = content_types(job, &types, &format!("/{main}"))?;
    archive.add(TYPES, types.as_bytes(), Packing::Deflated)?;
    let mut names = package.names();
    let mut known = HashSet::new();
    // An archive may contain a name twice. The first entry counts.
    names.retain(|name| !name.ends_with('/') && known.insert(name.to_ascii_lowercase()));
    for name in &names {
        job.check()?;
        let is_called = |other: &str| name.eq_ignore_ascii_case(other);
        let is_macro = macros.as_deref().is_some_and(|macros| {
            is_called(macros) || is_called(&relationships_of(macros)) || is_signature(name, folder)
        });
        if is_called(TYPES) || is_macro {
            continue;
        }
        let _lease = job.lease(package.size(name).unwrap_or(0).saturating_mul(3))?;
        let mut bytes = match package.bytes(name) {
            Err(error) if error.kind() == Kind::BadInput && !is_called(&main) => {
                losses.add(&DAMAGED);
                continue;
            }
            bytes => bytes?,
        };
        if macros.is_some() && is_called(&main_relationships) {
            losses.add(&MACROS);
            bytes = without_macros(job, &String::from_utf8_lossy(&bytes))?.into_bytes();
        } else if core.as_deref().is_some_and(is_called) && material.renamed {
            bytes = core_properties(&material.document.metadata).into_bytes();
        } else if let Some(id) = material.picture(name) {
            let picture = material.document.resource(id);
            if media::sniff(&picture.bytes) == media::sniff(&bytes) {
                bytes.clone_from(&picture.bytes);
            }
        }
        let kind = media::sniff(&bytes).unwrap_or_default();
        archive.add(name, &bytes, Packing::of_picture(kind))?;
    }
    archive.finish()?;
    losses.add_notes(notes);
    Ok(())
}

/// Returns the name of the part with the relationships of a part.
fn relationships_of(part: &str) -> String {
    match part.rsplit_once('/') {
        Some((folder, file)) => format!("{folder}/_rels/{file}.rels"),
        None => format!("_rels/{part}.rels"),
    }
}

/// Returns whether a part is a signature of the macros, which are in this folder (MS-OFFMACRO2, 2.2.1.3).
fn is_signature(name: &str, folder: &str) -> bool {
    let within = name.strip_prefix(folder).unwrap_or_default();
    within
        .trim_start_matches('/')
        .to_ascii_lowercase()
        .starts_with("vbaprojectsignature")
}

/// Reads a part as text.
fn text(package: &mut Package<'_>, job: &Job<'_>, name: &str) -> Result<String> {
    let size = package.size(name).unwrap_or(0);
    let _lease = job.lease(size.saturating_mul(3))?;
    package.text(name)
}

/// Copies content types. The main part gets the type of a presentation, and the types of macros are left out.
fn content_types(job: &Job<'_>, text: &str, main: &str) -> Result<String> {
    const SPACE: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
    let mut main_is_stated = false;
    let mut copied = filtered(job, text, "Types", SPACE, &mut |element, attributes| {
        let value = |name: &str| element.attribute(name).unwrap_or_default();
        let is_macro = value("ContentType").starts_with("application/vnd.ms-office.vbaProject");
        if is_macro {
            return false;
        }
        if element.name == "Override" && value("PartName").eq_ignore_ascii_case(main) {
            main_is_stated = true;
            for (name, value) in attributes {
                if *name == "ContentType" {
                    MAIN.clone_into(value);
                }
            }
        }
        true
    })?;
    if !main_is_stated {
        copied
            .start("Override")
            .attribute("PartName", main)
            .attribute("ContentType", MAIN)
            .end();
    }
    Ok(copied.finish())
}

/// Copies the relationships, except the relationship to the macros.
fn without_macros(job: &Job<'_>, text: &str) -> Result<String> {
    const SPACE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let copied = filtered(job, text, "Relationships", SPACE, &mut |element, _| {
        let kind = element.attribute("Type").unwrap_or_default();
        !kind.ends_with("/vbaProject")
    })?;
    Ok(copied.finish())
}

/// Function that decides whether an element is copied, and may change its attributes.
type Filter<'f> = &'f mut dyn FnMut(&Element<'_>, &mut [(&'static str, String)]) -> bool;

/// Copies the elements of a list without their content, in the namespace `space`. The list stays open.
fn filtered(
    job: &Job<'_>,
    text: &str,
    root: &'static str,
    space: &'static str,
    filter: Filter<'_>,
) -> Result<Writer> {
    /// Attributes of the elements of both lists.
    const ATTRIBUTES: [&str; 7] = [
        "Extension",
        "PartName",
        "ContentType",
        "Id",
        "Type",
        "Target",
        "TargetMode",
    ];
    let mut xml = Reader::new(job, text, PACKAGE);
    xml.root()?;
    let mut copied = Writer::new();
    copied.start(root).attribute("xmlns", space);
    while let Some(element) = xml.next_element(1)? {
        let element_name = match element.name {
            "Default" => "Default",
            "Override" => "Override",
            "Relationship" => "Relationship",
            _ => continue,
        };
        let attributes = ATTRIBUTES.into_iter();
        let attributes = attributes.filter_map(|name| {
            let value = element.attribute(name)?;
            Some((name, value.into_owned()))
        });
        let mut attributes: Vec<(&str, String)> = attributes.collect();
        if !filter(&element, &mut attributes) {
            continue;
        }
        copied.start(element_name);
        for (name, value) in &attributes {
            copied.attribute(name, value);
        }
        copied.end();
    }
    Ok(copied)
}
