//! Writes a Hangul document (HWPX) part by part, in the form in which the program Hangul saves documents. Reads no
//! document.

use crate::zips::Zip;

/// The head of the document: properties that paragraphs refer to by number.
pub(crate) const HEAD: &str = r##"<?xml version="1.0" encoding="UTF-8"?><hh:head xmlns:hh="http://www.hancom.co.kr/hwpml/2011/head" xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph" xmlns:hc="http://www.hancom.co.kr/hwpml/2011/core" version="1.4"><hh:refList>
<hh:fontfaces><hh:fontface lang="HANGUL"><hh:font id="0" face="함초롬바탕"/></hh:fontface><hh:fontface lang="LATIN"><hh:font id="0" face="Arial"/></hh:fontface></hh:fontfaces>
<hh:borderFills><hh:borderFill id="1"><hh:leftBorder type="NONE" width="0.1 mm" color="#000000"/></hh:borderFill>
<hh:borderFill id="2"><hh:leftBorder type="SOLID" width="0.4 mm" color="#ff0000"/><hh:topBorder type="DOUBLE_SLIM" width="0.9 mm" color="#000000"/><hc:fillBrush><hc:winBrush faceColor="#ffff00" hatchColor="#000000" alpha="0"/></hc:fillBrush></hh:borderFill></hh:borderFills>
<hh:charProperties>
<hh:charPr id="0" height="1000" textColor="#000000" shadeColor="none"><hh:fontRef hangul="0" latin="0"/><hh:strikeout shape="3D"/></hh:charPr>
<hh:charPr id="1" height="1600" textColor="#ff0000" shadeColor="none"><hh:fontRef hangul="0" latin="0"/><hh:bold/><hh:underline type="BOTTOM" shape="SOLID"/></hh:charPr>
<hh:charPr id="2" height="1000" textColor="#000000" shadeColor="none"><hh:fontRef hangul="0" latin="0"/><hh:italic/><hh:supscript/></hh:charPr>
</hh:charProperties>
<hh:tabProperties><hh:tabPr id="0"/></hh:tabProperties>
<hh:numberings><hh:numbering id="1"><hh:paraHead level="1" numFormat="DIGIT" start="1">^1.</hh:paraHead><hh:paraHead level="2" numFormat="HANGUL_SYLLABLE" start="1">^2)</hh:paraHead></hh:numbering></hh:numberings>
<hh:bullets><hh:bullet id="1" char="○"><hh:paraHead level="0"/></hh:bullet></hh:bullets>
<hh:paraProperties>
<hh:paraPr id="0" tabPrIDRef="0"><hh:align horizontal="JUSTIFY"/><hh:heading type="NONE" idRef="0" level="0"/><hh:lineSpacing type="PERCENT" value="160"/></hh:paraPr>
<hh:paraPr id="1" tabPrIDRef="0"><hh:align horizontal="CENTER"/><hh:heading type="OUTLINE" idRef="0" level="0"/><hh:lineSpacing type="PERCENT" value="160"/></hh:paraPr>
<hh:paraPr id="2" tabPrIDRef="0"><hh:align horizontal="LEFT"/><hh:heading type="NUMBER" idRef="1" level="0"/><hh:lineSpacing type="PERCENT" value="160"/></hh:paraPr>
<hh:paraPr id="3" tabPrIDRef="0"><hh:align horizontal="LEFT"/><hh:heading type="NUMBER" idRef="1" level="1"/><hh:lineSpacing type="PERCENT" value="160"/></hh:paraPr>
<hh:paraPr id="4" tabPrIDRef="0"><hh:align horizontal="LEFT"/><hh:heading type="BULLET" idRef="1" level="0"/><hh:lineSpacing type="PERCENT" value="160"/></hh:paraPr>
<hh:paraPr id="5" tabPrIDRef="0"><hh:align horizontal="RIGHT"/><hh:heading type="NONE" idRef="0" level="0"/><hp:switch><hp:case hp:required-namespace="http://www.hancom.co.kr/hwpml/2016/HwpUnitChar"><hh:margin><hc:intent value="-1000" unit="HWPUNIT"/><hc:left value="2000" unit="HWPUNIT"/><hc:prev value="500" unit="HWPUNIT"/></hh:margin><hh:lineSpacing type="FIXED" value="2000"/></hp:case><hp:default><hh:margin><hc:left value="4000" unit="HWPUNIT"/></hh:margin></hp:default></hp:switch></hh:paraPr>
</hh:paraProperties>
<hh:styles><hh:style id="0" type="PARA" name="바탕글" engName="Normal" paraPrIDRef="0" charPrIDRef="0"/><hh:style id="1" type="PARA" name="개요 1" engName="Outline 1" paraPrIDRef="1" charPrIDRef="1"/></hh:styles>
</hh:refList></hh:head>"##;

const PACKAGE: &str = r#"<opf:package xmlns:opf="http://www.idpf.org/2007/opf/"><opf:metadata><opf:title>Title of it</opf:title><opf:language>ko</opf:language><opf:meta name="creator" content="text">Kim</opf:meta></opf:metadata><opf:manifest><opf:item id="header" href="Contents/header.xml"/><opf:item id="image1" href="BinData/image1.png"/><opf:item id="section0" href="Contents/section0.xml"/></opf:manifest><opf:spine><opf:itemref idref="header"/><opf:itemref idref="section0"/></opf:spine></opf:package>"#;

/// An A5 page with a header and page numbers.
const PAGE: &str = r#"<hp:secPr outlineShapeIDRef="0" spaceColumns="1134"><hp:pagePr landscape="WIDELY" width="41953" height="59528" gutterType="LEFT_ONLY"><hp:margin header="1000" footer="1000" gutter="0" left="4000" right="4000" top="2000" bottom="2000"/></hp:pagePr></hp:secPr><hp:ctrl><hp:colPr colCount="1" sameSz="1" sameGap="0"/></hp:ctrl><hp:ctrl><hp:header applyPageType="BOTH"><hp:subList><hp:p paraPrIDRef="0" styleIDRef="0"><hp:run charPrIDRef="0"><hp:t>Above</hp:t></hp:run></hp:p></hp:subList></hp:header></hp:ctrl><hp:ctrl><hp:pageNum pos="BOTTOM_CENTER" formatType="DIGIT" sideChar="-"/></hp:ctrl>"#;

/// A section of these paragraphs. A first paragraph with the page settings precedes them.
pub(crate) fn section(paragraphs: &str) -> String {
    format!(
        r#"<hs:sec xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section" xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph" xmlns:hc="http://www.hancom.co.kr/hwpml/2011/core"><hp:p paraPrIDRef="0" styleIDRef="0"><hp:run charPrIDRef="0">{PAGE}<hp:t>Begin</hp:t></hp:run></hp:p>{paragraphs}</hs:sec>"#
    )
}

/// The parts of a document with one section and one picture.
pub(crate) fn archive(section: &str, picture: &[u8]) -> Zip {
    Zip::default()
        .stored("mimetype", b"application/hwp+zip")
        .packed("Contents/header.xml", HEAD.as_bytes())
        .packed("Contents/section0.xml", section.as_bytes())
        .packed("Contents/content.hpf", PACKAGE.as_bytes())
        .stored("BinData/image1.png", picture)
}

/// A paragraph with the paragraph properties number `properties`, and with `run` as the content of its only run.
pub(crate) fn paragraph(properties: u8, run: &str) -> String {
    format!(
        r#"<hp:p paraPrIDRef="{properties}" styleIDRef="0"><hp:run charPrIDRef="0">{run}</hp:run></hp:p>"#
    )
}

/// A text within a run.
pub(crate) fn text(words: &str) -> String {
    format!("<hp:t>{words}</hp:t>")
}

fn cell(row: u8, column: u8, spans: (u8, u8), words: &str) -> String {
    let (rows, columns) = spans;
    let content = paragraph(0, &text(words));
    format!(
        r#"<hp:tc borderFillIDRef="2" hasMargin="0"><hp:subList vertAlign="CENTER">{content}</hp:subList><hp:cellAddr colAddr="{column}" rowAddr="{row}"/><hp:cellSpan colSpan="{columns}" rowSpan="{rows}"/><hp:cellSz width="{}" height="1000"/></hp:tc>"#,
        5000 * u32::from(columns)
    )
}

/// A table with cells that span others, and a caption.
pub(crate) fn table(position: &str) -> String {
    let rows = [
        [cell(0, 0, (1, 2), "wide"), cell(0, 2, (2, 1), "high")].concat(),
        [cell(1, 0, (1, 1), "a"), cell(1, 1, (1, 1), "b")].concat(),
    ];
    let rows = rows.map(|row| format!("<hp:tr>{row}</hp:tr>")).concat();
    format!(
        r#"<hp:tbl textWrap="TOP_AND_BOTTOM" repeatHeader="1" rowCnt="2" colCnt="3" borderFillIDRef="2"><hp:sz width="15000" height="2000"/><hp:pos {position}/><hp:caption side="TOP"><hp:subList>{}</hp:subList></hp:caption><hp:inMargin left="141" right="141" top="141" bottom="141"/>{rows}</hp:tbl>"#,
        paragraph(0, &text("Caption of it"))
    )
}

/// Size and position of an object that is anchored to the paper, and not to a line.
pub(crate) const PLACE: &str = r#"<hp:sz width="5000" height="3000"/><hp:pos treatAsChar="0" vertRelTo="PAPER" horzRelTo="PAPER" vertAlign="TOP" horzAlign="LEFT" vertOffset="1000" horzOffset="1000"/>"#;

/// A document with paragraphs, a list, a table, a picture, a shape, a formula, a note and a link.
#[allow(dead_code)]
pub(crate) fn sample(picture: &[u8]) -> Vec<u8> {
    archive(&varied(), picture).finish()
}

/// Like [`sample`], without compression.
#[allow(dead_code)]
pub(crate) fn stored(picture: &[u8]) -> Vec<u8> {
    let section = varied();
    let parts = [
        ("mimetype", &b"application/hwp+zip"[..]),
        ("Contents/header.xml", HEAD.as_bytes()),
        ("Contents/section0.xml", section.as_bytes()),
        ("Contents/content.hpf", PACKAGE.as_bytes()),
        ("BinData/image1.png", picture),
    ];
    let zip = parts
        .iter()
        .fold(Zip::default(), |zip, (name, part)| zip.stored(name, part));
    zip.finish()
}

#[allow(dead_code)]
fn varied() -> String {
    let shown = format!(
        r#"<hp:pic textWrap="SQUARE"><hp:orgSz width="5000" height="3000"/><hp:imgClip left="250" right="1000" top="0" bottom="1000"/><hp:imgDim dimwidth="1000" dimheight="1000"/><hc:img binaryItemIDRef="image1"/>{PLACE}</hp:pic>"#
    );
    let shape = format!(
        r##"<hp:polygon textWrap="SQUARE"><hp:orgSz width="5000" height="3000"/><hp:lineShape color="#0000ff" width="33" style="DASH"/><hc:pt x="0" y="0"/><hc:pt x="900" y="50"/><hp:drawText><hp:subList>{}</hp:subList></hp:drawText>{PLACE}</hp:polygon>"##,
        paragraph(0, &text("in the box"))
    );
    let note = format!(
        r#"<hp:ctrl><hp:footNote number="1"><hp:subList>{}</hp:subList></hp:footNote></hp:ctrl>"#,
        paragraph(0, &text("about it"))
    );
    let link = r#"<hp:ctrl><hp:fieldBegin id="7" type="HYPERLINK"><hp:parameters><hp:stringParam name="Command">http\://example.org/;1;0;0;</hp:stringParam></hp:parameters></hp:fieldBegin></hp:ctrl><hp:t>there</hp:t><hp:ctrl><hp:fieldEnd beginIDRef="7"/></hp:ctrl>"#;
    let paragraphs = [
        paragraph(1, &text("Heading")),
        paragraph(2, &text("first")),
        paragraph(3, &text("inner")),
        paragraph(4, &(text("point") + &note)),
        paragraph(5, &table(r#"treatAsChar="1""#)),
        paragraph(0, &(shown + &shape)),
        paragraph(
            0,
            "<hp:equation><hp:script>sqrt {a} over {b}</hp:script></hp:equation>",
        ),
        paragraph(0, link),
    ];
    section(&paragraphs.concat())
}
