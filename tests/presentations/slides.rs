//! Packages of slides written by hand, so that each test shows all that matters to it.

use crate::zips::Zip;

const SPACES: &str = "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\" \
    xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
    xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" \
    xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" \
    xmlns:dsp=\"http://schemas.microsoft.com/office/drawing/2008/diagram\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";

/// A part whose root element declares all namespaces.
pub(crate) fn part(root: &str, attributes: &str, content: &str) -> String {
    format!("<?xml version=\"1.0\"?><{root} {SPACES} {attributes}>{content}</{root}>")
}

/// A part with shapes: a slide, a layout, a master, notes.
pub(crate) fn shapes(root: &str, attributes: &str, tree: &str, after: &str) -> String {
    let tree = format!("<p:cSld><p:spTree><p:grpSpPr/>{tree}</p:spTree></p:cSld>{after}");
    part(root, attributes, &tree)
}

/// A shape with paragraphs. It is in a placeholder, unless `placeholder` is empty.
pub(crate) fn shape(placeholder: &str, properties: &str, paragraphs: &str) -> String {
    let placeholder = match placeholder {
        "" => String::new(),
        attributes => format!("<p:ph {attributes}/>"),
    };
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"x\"/><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>\
         <p:spPr>{properties}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"
    )
}

/// Position and size of a shape.
pub(crate) fn at(x: i64, y: i64, width: i64, height: i64) -> String {
    format!("<a:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm>")
}

/// A paragraph of one run.
pub(crate) fn paragraph(properties: &str, text: &str) -> String {
    format!("<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>")
}

/// Relationships: identifiers, kinds, and targets.
pub(crate) fn relationships(all: &[(&str, &str, &str)]) -> String {
    let all = all.iter().map(|(id, kind, target)| {
        let outside = if target.contains("://") {
            " TargetMode=\"External\""
        } else {
            ""
        };
        format!("<Relationship Id=\"{id}\" Type=\"http://x/{kind}\" Target=\"{target}\"{outside}/>")
    });
    let all: String = all.collect();
    format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{all}</Relationships>"
    )
}

/// A presentation with slides, each with its relationships. More parts may be added.
pub(crate) fn deck(slides: &[(&str, &str)]) -> Zip {
    let mut list = String::new();
    let mut all = Vec::new();
    let names: Vec<(String, String)> = (0..slides.len())
        .map(|nth| (format!("rId{nth}"), format!("slides/slide{nth}.xml")))
        .collect();
    for (id, target) in &names {
        list.push_str(&format!("<p:sldId id=\"1\" r:id=\"{id}\"/>"));
        all.push((&**id, "slide", &**target));
    }
    let content =
        format!("<p:sldIdLst>{list}</p:sldIdLst><p:sldSz cx=\"9144000\" cy=\"6858000\"/>");
    let root = relationships(&[("rId1", "officeDocument", "ppt/presentation.xml")]);
    let mut zip = Zip::default()
        .packed("[Content_Types].xml", b"<Types/>")
        .packed("_rels/.rels", root.as_bytes())
        .packed(
            "ppt/presentation.xml",
            part("p:presentation", "", &content).as_bytes(),
        )
        .packed(
            "ppt/_rels/presentation.xml.rels",
            relationships(&all).as_bytes(),
        );
    for (nth, (slide, own)) in slides.iter().enumerate() {
        zip = zip
            .packed(&format!("ppt/slides/slide{nth}.xml"), slide.as_bytes())
            .packed(
                &format!("ppt/slides/_rels/slide{nth}.xml.rels"),
                own.as_bytes(),
            );
    }
    zip
}

/// A presentation with one slide that has these shapes.
pub(crate) fn slide(tree: &str, own: &[(&str, &str, &str)]) -> Zip {
    deck(&[(&shapes("p:sld", "", tree, ""), &relationships(own))])
}
