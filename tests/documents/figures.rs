//! Documents with frames, shapes, charts, metafiles and other things on pages, each built here from the smallest parts
//! that show it. The positions of their words, and the darkness of the parts of their pages, are stored in
//! `tests/documents/figures`, so that every change is noticed. `UPDATE_FIGURES=1 cargo test --test documents figures`
//! writes these files again; look at the pages before you commit them.

use crate::{
    harness::{convert, data, directory, has, output_of},
    zips,
};
use std::{env, fmt::Write as _, fs, path::Path};

/// Tolerances: the distance by which a word may move, in points, and the change of the darkness of a part of a page, in
/// percent.
const MOVED: f64 = 1.0;
const DARKER: f64 = 3.0;

/// Number of parts of a page in each direction.
const PARTS: usize = 8;

const DRAWING: &str = "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"";
const FOX: &str = "The quick brown fox jumps over the lazy dog and runs away from it. ";

/// Compares the pages of a document with the stored figures in the file of this name.
#[track_caller]
fn check(name: &str, kind: &str, document: &[u8]) {
    if !has("pdftotext") || !has("pdftoppm") {
        return;
    }
    let pdf = convert(&format!("{name}.{kind}"), document, "pdf").unwrap();
    let found = figures(name, &pdf);
    let kept =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/documents/figures/{name}.txt"));
    if env::var_os("UPDATE_FIGURES").is_some() {
        fs::write(kept, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&kept).unwrap_or_else(|err| panic!("{name}: {err}"));
    let (expected_lines, found_lines) = (expected.lines(), found.lines());
    assert_eq!(
        expected_lines.clone().count(),
        found_lines.clone().count(),
        "{name}: not as many words or pages\n{found}"
    );
    for (expected, found) in expected_lines.zip(found_lines) {
        assert!(
            is_same(expected, found),
            "{name}: {expected} became {found}"
        );
    }
}

/// A line for each word, with its page, its left and its lower edge; and a line for each row of parts of a page, with
/// their darkness.
fn figures(name: &str, pdf: &[u8]) -> String {
    let at = directory(&format!("figures-{name}"));
    let file = at.join("page.pdf");
    fs::write(&file, pdf).unwrap();
    let file = file.display().to_string();
    let mut found = String::new();
    let mut page = 0;
    for line in output_of("pdftotext", &["-bbox", &file, "-"]).lines() {
        page += u32::from(line.contains("<page "));
        let value = |name: &str| {
            let (_, rest) = line.split_once(&format!("{name}=\""))?;
            rest.split_once('"')?.0.parse::<f64>().ok()
        };
        if let (Some(x), Some(y)) = (value("xMin"), value("yMax"))
            && let Some((_, word)) = line.split_once("\">")
        {
            let word = word.trim_end_matches("</word>");
            writeln!(found, "word {page} {x:.1} {y:.1} {word}").unwrap();
        }
    }
    let pictures = at.join("page");
    let pictures = pictures.display().to_string();
    output_of("pdftoppm", &["-r", "24", "-gray", &file, &pictures]);
    let mut files: Vec<_> = fs::read_dir(&at)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "pgm"))
        .collect();
    files.sort();
    for (page, file) in files.iter().enumerate() {
        let (width, height, picture) = grey(&fs::read(file).unwrap());
        for row in 0..PARTS {
            write!(found, "ink {}", page + 1).unwrap();
            for column in 0..PARTS {
                let (mut dark, mut all) = (0.0, 0.0);
                for y in row * height / PARTS..(row + 1) * height / PARTS {
                    for x in column * width / PARTS..(column + 1) * width / PARTS {
                        dark += 255.0 - f64::from(picture[y * width + x]);
                        all += 255.0;
                    }
                }
                write!(found, " {:.1}", 100.0 * dark / all).unwrap();
            }
            found.push('\n');
        }
    }
    let _ = fs::remove_dir_all(at);
    found
}

/// The width, the height and the pixels of a picture in shades of grey (PGM).
fn grey(file: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut parts = file.splitn(4, |byte| byte.is_ascii_whitespace());
    let mut number = || {
        let text = String::from_utf8(parts.next().unwrap().to_vec()).unwrap();
        text.parse().unwrap_or(0)
    };
    let (_, width, height) = (number(), number(), number());
    let pixels = file[file.len() - width * height..].to_vec();
    (width, height, pixels)
}

/// Returns whether two lines of figures are the same within the tolerances.
fn is_same(expected: &str, found: &str) -> bool {
    let most = if expected.starts_with("ink") {
        DARKER
    } else {
        MOVED
    };
    let (expected, found) = (expected.split(' '), found.split(' '));
    expected.clone().count() == found.clone().count()
        && expected.zip(found).all(|(expected, found)| {
            match (expected.parse::<f64>(), found.parse::<f64>()) {
                (Ok(expected), Ok(found)) => (expected - found).abs() <= most,
                _ => expected == found,
            }
        })
}

fn paragraph(properties: &str, run: &str, text: &str) -> String {
    format!(
        "<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>"
    )
}

/// A Word document with this body and further parts: name, kind of relationship, content.
fn word(body: &str, parts: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let document = format!(
        "<?xml version=\"1.0\"?><w:document {} {DRAWING}><w:body>{body}</w:body></w:document>",
        zips::W
    );
    let ids: Vec<String> = (0..parts.len()).map(|at| format!("p{at}")).collect();
    let relations: Vec<_> = ids
        .iter()
        .zip(parts)
        .map(|(id, (name, kind, _))| (&id[..], *kind, *name, false))
        .collect();
    let mut file = zips::word()
        .packed("word/document.xml", document.as_bytes())
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&relations).as_bytes(),
        );
    for (name, _, content) in parts {
        file = file.packed(&format!("word/{name}"), content);
    }
    file.finish()
}

/// An anchored drawing, with its offset in points from the column and the paragraph.
fn anchored((x, y): (u32, u32), (width, height): (u32, u32), wrap: &str, graphic: &str) -> String {
    let emu = |points: u32| points * 12_700;
    format!(
        "<w:r><w:drawing><wp:anchor distT=\"0\" distB=\"0\" distL=\"114300\" distR=\"114300\" relativeHeight=\"2\" behindDoc=\"0\"><wp:positionH relativeFrom=\"column\"><wp:posOffset>{}</wp:posOffset></wp:positionH><wp:positionV relativeFrom=\"paragraph\"><wp:posOffset>{}</wp:posOffset></wp:positionV><wp:extent cx=\"{}\" cy=\"{}\"/>{wrap}<wp:docPr id=\"1\" name=\"x\"/><a:graphic>{graphic}</a:graphic></wp:anchor></w:drawing></w:r>",
        emu(x),
        emu(y),
        emu(width),
        emu(height)
    )
}

/// A shape of DrawingML.
fn shape((width, height): (u32, u32), turn: u32, looks: &str, text: &str) -> String {
    let text = match text {
        "" => String::new(),
        text => format!(
            "<wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx>",
            paragraph("", "", text)
        ),
    };
    format!(
        "<a:graphicData uri=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\"><wps:wsp><wps:spPr><a:xfrm rot=\"{}\"><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{}\" cy=\"{}\"/></a:xfrm>{looks}</wps:spPr>{text}<wps:bodyPr anchor=\"ctr\"/></wps:wsp></a:graphicData>",
        turn * 60_000,
        width * 12_700,
        height * 12_700
    )
}

fn preset(name: &str) -> String {
    format!("<a:prstGeom prst=\"{name}\"><a:avLst/></a:prstGeom>")
}

fn solid(colour: &str) -> String {
    format!("<a:solidFill><a:srgbClr val=\"{colour}\"/></a:solidFill>")
}

#[test]
fn text_flows_around_frames() {
    let looks = preset("rect") + &solid("DDEEFF");
    let graphic = shape((120, 60), 0, &looks, "In a box");
    let square = "<wp:wrapSquare wrapText=\"bothSides\"/>";
    let body = format!(
        "<w:p>{}<w:r><w:t>{}</w:t></w:r></w:p>",
        anchored((160, 20), (120, 60), square, &graphic),
        FOX.repeat(9)
    );
    check("frame", "docx", &word(&body, &[]));
}

#[test]
fn frames_and_floating_tables_are_placed_beside_text() {
    let frame = "<w:framePr w:w=\"2400\" w:hSpace=\"180\" w:wrap=\"around\" w:vAnchor=\"text\" w:hAnchor=\"margin\" w:xAlign=\"right\" w:y=\"300\"/>";
    let cell = |text| {
        format!(
            "<w:tc><w:tcPr><w:tcW w:w=\"1500\" w:type=\"dxa\"/></w:tcPr>{}</w:tc>",
            paragraph("", "", text)
        )
    };
    let table = format!(
        "<w:tbl><w:tblPr><w:tblpPr w:leftFromText=\"180\" w:rightFromText=\"180\" w:vertAnchor=\"text\" w:horzAnchor=\"margin\" w:tblpX=\"1000\" w:tblpY=\"400\"/><w:tblBorders><w:top w:val=\"single\" w:sz=\"8\"/><w:bottom w:val=\"single\" w:sz=\"8\"/></w:tblBorders></w:tblPr><w:tblGrid><w:gridCol w:w=\"1500\"/><w:gridCol w:w=\"1500\"/></w:tblGrid><w:tr>{}{}</w:tr></w:tbl>",
        cell("one"),
        cell("two")
    );
    let body = paragraph(frame, "", "Stands aside")
        + &paragraph("", "", &FOX.repeat(6))
        + &table
        + &paragraph("", "", &FOX.repeat(6));
    check("aside", "docx", &word(&body, &[]));
}

#[test]
fn rtf_frames_are_placed_as_stated() {
    let rtf = format!(
        "{{\\rtf1\\ansi\\paperw11906\\paperh16838\\margl1440\\margr1440\\margt1440\\margb1440 \\pard\\phmrg\\posxr\\pvpara\\posy200\\absw2400\\dxfrtext180 Aside\\par\\pard {fox}\\par{{\\shp{{\\*\\shpinst\\shpleft2000\\shptop300\\shpright4400\\shpbottom1300\\shpbxcolumn\\shpbypara\\shpwr2\\shpwrk0{{\\sp{{\\sn shapeType}}{{\\sv 202}}}}{{\\shptxt Boxed\\par}}}}}}{fox}\\par\\pard\\dropcapli3\\dropcapt1 T\\par\\pard he {fox}\\par}}",
        fox = FOX.repeat(6)
    );
    check("rtf", "rtf", rtf.as_bytes());
}

#[test]
fn shapes_have_outlines_fills_and_arrows() {
    let line = "<a:ln w=\"38100\"><a:solidFill><a:srgbClr val=\"203040\"/></a:solidFill><a:prstDash val=\"dash\"/><a:tailEnd type=\"triangle\"/></a:ln>";
    let gradient = "<a:gradFill><a:gsLst><a:gs pos=\"0\"><a:srgbClr val=\"FF0000\"/></a:gs><a:gs pos=\"100000\"><a:srgbClr val=\"0000FF\"/></a:gs></a:gsLst><a:lin ang=\"0\"/></a:gradFill>";
    let custom = "<a:custGeom><a:pathLst><a:path w=\"100\" h=\"100\"><a:moveTo><a:pt x=\"0\" y=\"100\"/></a:moveTo><a:lnTo><a:pt x=\"50\" y=\"0\"/></a:lnTo><a:lnTo><a:pt x=\"100\" y=\"100\"/></a:lnTo><a:close/></a:path></a:pathLst></a:custGeom>";
    let none = "<wp:wrapNone/>";
    let mut body = String::from("<w:p>");
    for (at, (looks, turn)) in [
        (preset("star5") + &solid("FFCC00"), 0),
        (preset("rightArrow") + gradient, 45),
        (preset("ellipse") + &solid("00AA44") + line, 0),
        (preset("straightConnector1") + line, 0),
        (custom.to_owned() + &solid("8800AA"), 180),
    ]
    .into_iter()
    .enumerate()
    {
        let at = at as u32;
        let text = if at == 2 { "Words" } else { "" };
        let graphic = shape((90, 80), turn, &looks, text);
        body += &anchored(
            (10 + at % 3 * 140, 10 + at / 3 * 120),
            (90, 80),
            none,
            &graphic,
        );
    }
    body += "</w:p>";
    check("shapes", "docx", &word(&body, &[]));
}

#[test]
fn shapes_of_vml_are_drawn() {
    let body = "<w:p><w:r><w:pict><v:oval style=\"position:absolute;margin-left:60pt;margin-top:20pt;width:120pt;height:70pt\" fillcolor=\"#ff8800\" strokeweight=\"3pt\"/></w:pict></w:r><w:r><w:pict><v:rect style=\"position:absolute;margin-left:220pt;margin-top:20pt;width:120pt;height:70pt\" fillcolor=\"#88ff88\"><v:textbox><w:txbxContent><w:p><w:r><w:t>Old box</w:t></w:r></w:p></w:txbxContent></v:textbox></v:rect></w:pict></w:r></w:p>";
    check("vml", "docx", &word(body, &[]));
}

/// A chart of one or two types, with three points per series.
#[cfg(feature = "presentation")]
fn chart(plots: &str, axes: bool) -> Vec<u8> {
    let axes = if axes {
        "<c:catAx><c:axId val=\"1\"/><c:axPos val=\"b\"/><c:crossAx val=\"2\"/></c:catAx><c:valAx><c:axId val=\"2\"/><c:axPos val=\"l\"/><c:majorGridlines/><c:crossAx val=\"1\"/></c:valAx>"
    } else {
        ""
    };
    let chart = format!(
        "<?xml version=\"1.0\"?><c:chartSpace xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Turnover</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>{plots}{axes}</c:plotArea><c:legend><c:legendPos val=\"r\"/></c:legend></c:chart></c:chartSpace>"
    );
    chart.into_bytes()
}

#[cfg(feature = "presentation")]
fn series(number: u32, name: &str, values: [u32; 3]) -> String {
    let points = |texts: [String; 3]| -> String {
        let points = texts.iter().enumerate();
        points
            .map(|(at, text)| format!("<c:pt idx=\"{at}\"><c:v>{text}</c:v></c:pt>"))
            .collect()
    };
    let names = ["North", "South", "West"].map(str::to_owned);
    format!(
        "<c:ser><c:idx val=\"{number}\"/><c:order val=\"{number}\"/><c:tx><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>{name}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:ptCount val=\"3\"/>{}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:ptCount val=\"3\"/>{}</c:numCache></c:numRef></c:val></c:ser>",
        points(names),
        points(values.map(|value| value.to_string()))
    )
}

#[cfg(feature = "presentation")]
#[track_caller]
fn check_chart(name: &str, chart: &[u8]) {
    let graphic = "<a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"><c:chart r:id=\"p0\"/></a:graphicData>";
    let body = format!(
        "<w:p>{}</w:p>",
        anchored((20, 20), (360, 216), "<wp:wrapTopAndBottom/>", graphic)
    );
    check(
        name,
        "docx",
        &word(&body, &[("charts/chart1.xml", "chart", chart)]),
    );
}

#[cfg(feature = "presentation")]
#[test]
fn column_and_line_charts_are_drawn() {
    let plots = format!(
        "<c:barChart><c:barDir val=\"col\"/><c:grouping val=\"clustered\"/>{}<c:axId val=\"1\"/><c:axId val=\"2\"/></c:barChart><c:lineChart><c:grouping val=\"standard\"/>{}<c:axId val=\"1\"/><c:axId val=\"2\"/></c:lineChart>",
        series(0, "Plan", [10, 24, 31]),
        series(1, "Fact", [12, 20, 35])
    );
    check_chart("columns", &chart(&plots, true));
}

#[cfg(feature = "presentation")]
#[test]
fn pie_charts_are_drawn() {
    let plots = format!(
        "<c:pieChart><c:varyColors val=\"1\"/>{}</c:pieChart>",
        series(0, "Share", [50, 30, 20])
    );
    check_chart("pie", &chart(&plots, false));
}

/// A Windows metafile (MS-WMF) with a placeable header: a filled rectangle and a line of text.
fn metafile() -> Vec<u8> {
    let words = |words: &[i32]| -> Vec<u8> {
        words
            .iter()
            .flat_map(|word| (*word as u16).to_le_bytes())
            .collect()
    };
    let mut records: Vec<Vec<u8>> = vec![
        words(&[0x020b, 0, 0]),
        words(&[0x020c, 1000, 2000]),
        // A solid green brush.
        words(&[0x02fc, 0, 0xaa00, 0x0000, 0]),
        words(&[0x012d, 0]),
        words(&[0x041b, 700, 1200, 100, 100]),
        words(&[0x0521, 4]),
    ];
    if let Some(text) = records.last_mut() {
        text.extend(b"Draw");
        text.extend(words(&[800, 1300]));
    }
    records.push(words(&[0]));
    let mut body = Vec::new();
    let mut largest = 0;
    for record in &records {
        let size = record.len() / 2 + 2;
        largest = largest.max(size);
        body.extend((size as u32).to_le_bytes());
        body.extend(record);
    }
    let mut head = 0x9ac6_cdd7_u32.to_le_bytes().to_vec();
    head.extend(words(&[0, 0, 0, 2000, 1000, 500, 0, 0]));
    let sum = head
        .chunks_exact(2)
        .fold(0, |sum, pair| sum ^ u16::from_le_bytes([pair[0], pair[1]]));
    head.extend(sum.to_le_bytes());
    head.extend(words(&[1, 9, 0x0300]));
    head.extend(((body.len() / 2 + 9) as u32).to_le_bytes());
    head.extend(words(&[1]));
    head.extend((largest as u32).to_le_bytes());
    head.extend(words(&[0]));
    head.extend(body);
    head
}

#[test]
fn metafiles_are_drawn() {
    let graphic = "<a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"><pic:pic><pic:blipFill><a:blip r:embed=\"p0\"/><a:stretch/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData>";
    let body = format!(
        "<w:p>{}</w:p>",
        anchored((20, 20), (288, 144), "<wp:wrapTopAndBottom/>", graphic)
    );
    check(
        "metafile",
        "docx",
        &word(&body, &[("media/image1.wmf", "image", &metafile())]),
    );
}

#[test]
fn unequal_columns_and_line_numbers_are_drawn() {
    let body = paragraph("", "", &FOX.repeat(20))
        + "<w:p><w:r><w:br w:type=\"column\"/></w:r></w:p>"
        + &paragraph("<w:suppressLineNumbers/>", "", "Not counted")
        + &paragraph("", "", &FOX.repeat(30))
        + "<w:sectPr><w:lnNumType w:countBy=\"5\"/><w:cols w:num=\"2\" w:sep=\"1\" w:equalWidth=\"0\"><w:col w:w=\"2600\" w:space=\"900\"/><w:col w:w=\"5500\"/></w:cols></w:sectPr>";
    check("columns-of-text", "docx", &word(&body, &[]));
}

#[test]
fn drop_caps_vertical_cells_and_borders_are_drawn() {
    let cap = "<w:framePr w:dropCap=\"drop\" w:lines=\"3\" w:wrap=\"around\" w:vAnchor=\"text\" w:hAnchor=\"text\"/>";
    let cell = |direction: &str, text| {
        format!(
            "<w:tc><w:tcPr><w:tcW w:w=\"900\" w:type=\"dxa\"/><w:textDirection w:val=\"{direction}\"/></w:tcPr>{}</w:tc>",
            paragraph("", "", text)
        )
    };
    let bordered = "<w:pBdr><w:top w:val=\"single\" w:sz=\"8\"/><w:bottom w:val=\"single\" w:sz=\"8\"/></w:pBdr>";
    let decimal = "<w:tabs><w:tab w:val=\"decimal\" w:pos=\"4000\"/></w:tabs>";
    let body = paragraph(cap, "<w:sz w:val=\"96\"/>", "T")
        + &paragraph("", "", &format!("he {}", FOX.repeat(5)))
        + &paragraph(bordered, "", "Joined above")
        + &paragraph(bordered, "", "and below")
        + &paragraph("", "<w:outline/><w:sz w:val=\"48\"/>", "Outlined")
        + &format!(
            "<w:tbl><w:tblGrid><w:gridCol w:w=\"900\"/><w:gridCol w:w=\"900\"/><w:gridCol w:w=\"900\"/></w:tblGrid><w:tr>{}{}{}</w:tr></w:tbl>",
            cell("btLr", "Upwards words"),
            cell("tbRl", "Downwards"),
            cell("lrTb", "upright")
        )
        + &format!(
            "<w:p><w:pPr>{decimal}</w:pPr><w:r><w:tab/><w:t>12.5</w:t></w:r></w:p><w:p><w:pPr>{decimal}</w:pPr><w:r><w:tab/><w:t>1234.75</w:t></w:r></w:p>"
        );
    check("letters", "docx", &word(&body, &[]));
}

#[test]
fn odt_frames_are_placed_by_their_styles() {
    check("odt", "fodt", &data("frames.fodt"));
}

#[test]
fn doc_shapes_are_placed_at_their_anchors() {
    check("doc", "doc", &data("frames.doc"));
}

#[test]
fn frames_are_written_to_docx_rtf_and_odt() {
    let rtf = data("frames.rtf");
    let docx = convert("frames.rtf", &rtf, "docx").unwrap();
    let parts = zips::entries(&docx);
    let (_, main) = parts
        .iter()
        .find(|(name, _)| name == "word/document.xml")
        .unwrap();
    let main = String::from_utf8_lossy(main);
    assert_eq!(main.matches("<w:framePr ").count(), 2, "{main}");
    assert!(main.contains("w:xAlign=\"right\""), "{main}");
    let again = convert("frames.docx", &docx, "rtf").unwrap();
    let again = String::from_utf8(again).unwrap();
    assert!(again.contains("\\phmrg\\posxr"), "{again}");
    let odt = convert("frames.docx", &docx, "odt").unwrap();
    let parts = zips::entries(&odt);
    let (_, content) = parts
        .iter()
        .find(|(name, _)| name == "content.xml")
        .unwrap();
    let content = String::from_utf8_lossy(content);
    assert_eq!(content.matches("<draw:text-box").count(), 2, "{content}");
    assert!(
        content.contains("style:horizontal-pos=\"right\""),
        "{content}"
    );
    // A picture with a position of its own keeps it.
    let graphic = "<a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"><pic:pic><pic:blipFill><a:blip r:embed=\"p0\"/><a:stretch/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData>";
    let square = "<wp:wrapSquare wrapText=\"left\"/>";
    let body = format!(
        "<w:p>{}</w:p>",
        anchored((20, 30), (72, 36), square, graphic)
    );
    let document = word(&body, &[("media/image1.wmf", "image", &metafile())]);
    let written = convert("a.docx", &document, "docx").unwrap();
    let parts = zips::entries(&written);
    let (_, main) = parts
        .iter()
        .find(|(name, _)| name == "word/document.xml")
        .unwrap();
    let main = String::from_utf8_lossy(main);
    assert!(
        main.contains("<wp:posOffset>254000</wp:posOffset>") && main.contains("wrapText=\"left\""),
        "{main}"
    );
}

/// Extreme values of columns, letters and frames still give pages in a short time.
#[test]
fn extreme_columns_letters_and_frames_are_bounded() {
    let columns = "<w:sectPr><w:lnNumType w:countBy=\"1\" w:start=\"4294967290\" w:distance=\"99999999\"/><w:cols w:num=\"3\" w:equalWidth=\"0\"><w:col w:w=\"1\" w:space=\"99999999\"/><w:col w:w=\"-5\"/><w:col w:w=\"40000\"/></w:cols></w:sectPr>";
    let cap = "<w:framePr w:dropCap=\"drop\" w:lines=\"250\" w:hSpace=\"99999\"/>";
    let far = "<w:framePr w:w=\"1\" w:x=\"-9999999\" w:y=\"9999999\" w:vAnchor=\"page\" w:hAnchor=\"page\"/>";
    let upwards = format!(
        "<w:tbl><w:tr><w:tc><w:tcPr><w:textDirection w:val=\"btLr\"/></w:tcPr>{}</w:tc></w:tr></w:tbl>",
        paragraph("", "", &FOX.repeat(300))
    );
    for body in [
        paragraph("", "", &FOX.repeat(30)) + columns,
        (paragraph(cap, "", "T") + &paragraph("", "", FOX)).repeat(100),
        (paragraph(far, "", "x") + &paragraph("", "", "y")).repeat(500),
        upwards,
    ] {
        let pdf = convert("a.docx", &word(&body, &[]), "pdf").unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
    }
    let shape = "{\\shp{\\*\\shpinst\\shpright900\\shpbottom99999999\\shpwr2{\\shptxt a\\par}}}b\\par\\pard\\posx-99999999\\absw2147483647 c\\par\\pard ";
    let columns = "\\colno1\\colw-5\\colsr9".repeat(100);
    let rtf = format!(
        "{{\\rtf1 {columns}\\linemod1\\linestarts2147483647 {}}}",
        shape.repeat(300)
    );
    let pdf = convert("a.rtf", rtf.as_bytes(), "pdf").unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
}
