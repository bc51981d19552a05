//! Rules for metadata (6.6). Accepts only schemas that PDF/A defines or the file describes.

use super::File;
use std::collections::BTreeSet;

/// Prefixes of the properties that PDF/A defines (6.6.2.3.1), of RDF, and of extension schemas.
const PREFIXES: [&str; 15] = [
    "dc",
    "xmp",
    "xmpMM",
    "xmpRights",
    "xmpBJ",
    "xmpTPg",
    "xmpDM",
    "pdf",
    "photoshop",
    "tiff",
    "exif",
    "pdfaid",
    "rdf",
    "x",
    "xml",
];

impl File {
    /// Checks the rules for metadata (6.6). Returns the claim.
    pub(super) fn metadata(&mut self) -> String {
        let root = self.root();
        let stream = self.get(&root, "/Metadata").clone();
        let dict = stream["dict"].as_object().cloned().unwrap_or_default();
        let is_xml =
            self.name(&dict, "/Type") == "/Metadata" && self.name(&dict, "/Subtype") == "/XML";
        self.must(is_xml, "6.6.2.1: there are no metadata");
        self.must(
            !dict.contains_key("/Filter"),
            "6.6.2.1: metadata are compressed",
        );
        let xmp = self.decoded(&stream).unwrap_or_default();
        let Ok(xmp) = String::from_utf8(xmp) else {
            self.fault("6.6.2.1: metadata are not UTF-8");
            return String::new();
        };
        let head = &xmp[..xmp.find("?>").unwrap_or(0)];
        self.must(
            head.starts_with("<?xpacket begin="),
            "6.6.2.1: no packet of XMP",
        );
        let has_old = head.contains("bytes=") || head.contains("encoding=");
        self.must(
            !has_old,
            "6.6.2.1: the packet has the attributes bytes or encoding",
        );
        let described: Vec<&str> = (xmp.split("<pdfaSchema:prefix>").skip(1))
            .filter_map(|rest| rest.split('<').next())
            .collect();
        for prefix in prefixes(&xmp) {
            let is_known = PREFIXES.contains(&prefix)
                || described.contains(&prefix)
                || prefix.starts_with("pdfaExtension")
                || prefix.starts_with("pdfaSchema")
                || prefix.starts_with("pdfaProperty");
            self.must(
                is_known,
                &format!("6.6.2.3: the schema of {prefix} is not described"),
            );
        }
        let part = element(&xmp, "pdfaid:part").unwrap_or_default();
        let level = element(&xmp, "pdfaid:conformance").unwrap_or_default();
        let is_claim = matches!(&*part, "2" | "3") && matches!(&*level, "A" | "B" | "U");
        self.must(is_claim, "6.6.4: part or conformance are not claimed");
        self.info(&xmp);
        format!("{part}{level}")
    }

    /// Checks that the information dictionary agrees with the metadata.
    fn info(&mut self, xmp: &str) {
        let info = self.dict(&self.trailer["/Info"]);
        let info = info.cloned().unwrap_or_default();
        let pairs = [
            ("/Title", "dc:title"),
            ("/Author", "dc:creator"),
            ("/Subject", "dc:description"),
            ("/Keywords", "pdf:Keywords"),
            ("/Creator", "xmp:CreatorTool"),
            ("/Producer", "pdf:Producer"),
            ("/CreationDate", "xmp:CreateDate"),
            ("/ModDate", "xmp:ModifyDate"),
        ];
        for (key, name) in pairs {
            let said = self
                .get(&info, key)
                .as_str()
                .and_then(|text| text.strip_prefix("u:"));
            let Some(said) = said else {
                self.must(
                    !info.contains_key(key),
                    &format!("{key} of the information is no text"),
                );
                continue;
            };
            let written = element(xmp, name).unwrap_or_default();
            let is_same = match key.ends_with("Date") {
                true => digits(said) == digits(&written),
                false => said.trim() == written.trim(),
            };
            self.must(
                is_same,
                &format!("6.6.3: {key} is {said:?}, and {name} {written:?}"),
            );
        }
    }
}

/// Prefixes of the elements and attributes of a packet.
fn prefixes(xmp: &str) -> BTreeSet<&str> {
    let tags = xmp.split('<').skip(1);
    let tags = tags.filter_map(|rest| rest.split('>').next());
    tags.filter(|tag| !tag.starts_with(['?', '!']))
        .filter_map(|tag| tag.trim_start_matches('/').split_once(':'))
        .map(|(prefix, _)| prefix)
        .filter(|prefix| !prefix.contains(' '))
        .collect()
}

/// The text of the first element of this name, including that of its children.
fn element(xmp: &str, name: &str) -> Option<String> {
    let start = xmp.find(&format!("<{name}>"))?;
    let end = start + xmp[start..].find(&format!("</{name}>"))?;
    let mut text = String::new();
    let mut is_tag = false;
    for sign in xmp[start..end].chars() {
        match sign {
            '<' => is_tag = true,
            '>' => is_tag = false,
            sign if !is_tag => text.push(sign),
            _ => {}
        }
    }
    let escapes = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    for (escaped, sign) in escapes {
        text = text.replace(escaped, sign);
    }
    Some(text)
}

/// The digits of a date, without a UTC zone.
fn digits(date: &str) -> String {
    let date = date.trim_end_matches(['Z', '\'']);
    let digits: String = date.chars().filter(char::is_ascii_digit).collect();
    let is_utc = digits.len() == 18 && digits.ends_with("0000");
    digits[..if is_utc { 14 } else { digits.len() }].to_owned()
}
