//! Writes small PDF files object by object, so that a test can write any content. Supports only the parts of the format
//! that hold objects together.

/// A file under construction.
pub(crate) struct File {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl File {
    pub(crate) fn new() -> Self {
        Self {
            bytes: b"%PDF-1.7\n".to_vec(),
            offsets: Vec::new(),
        }
    }

    /// Adds the next object. The first one has number 1.
    pub(crate) fn object(&mut self, content: impl AsRef<[u8]>) -> &mut Self {
        self.offsets.push(self.bytes.len());
        let number = self.offsets.len();
        self.bytes.extend(format!("{number} 0 obj\n").bytes());
        self.bytes.extend(content.as_ref());
        self.bytes.extend(b"\nendobj\n");
        self
    }

    /// Adds a stream with these further entries of its dictionary.
    pub(crate) fn stream(&mut self, entries: &str, content: impl AsRef<[u8]>) -> &mut Self {
        let content = content.as_ref();
        let mut object =
            format!("<< /Length {} {entries} >>\nstream\n", content.len()).into_bytes();
        object.extend(content);
        object.extend(b"\nendstream");
        self.object(object)
    }

    /// Ends the file with a cross-reference stream. According to it, the object stream that was added last contains the
    /// objects in `compressed`, in this order, and also itself. Object 1 is the catalogue.
    pub(crate) fn finish_nested(&self, compressed: &[usize]) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let (start, holder) = (bytes.len(), self.offsets.len());
        let last = compressed.iter().copied().max().unwrap_or(0).max(holder) + 1;
        let mut rows = vec![0; 6];
        for number in 1..=last {
            let index = compressed.iter().position(|one| *one == number);
            let (kind, place, index) = match (index, self.offsets.get(number - 1)) {
                (Some(index), _) => (2, holder, index),
                (None, _) if number == holder => (2, holder, 0),
                (None, _) if number == last => (1, start, 0),
                (None, Some(offset)) => (1, *offset, 0),
                (None, None) => (0, 0, 0),
            };
            rows.push(kind);
            rows.extend((place as u32).to_be_bytes());
            rows.push(index as u8);
        }
        let size = last + 1;
        bytes.extend(
            format!(
                "{last} 0 obj\n<< /Type /XRef /W [1 4 1] /Size {size} /Root 1 0 R /Length {} >>\nstream\n",
                rows.len()
            )
            .bytes(),
        );
        bytes.extend(rows);
        bytes.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
        bytes
    }

    /// Ends the file. Object 1 is the catalogue.
    pub(crate) fn finish(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let start = bytes.len();
        let count = self.offsets.len() + 1;
        bytes.extend(format!("xref\n0 {count}\n0000000000 65535 f \n").bytes());
        for offset in &self.offsets {
            bytes.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        let trailer =
            format!("trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
        bytes.extend(trailer.bytes());
        bytes
    }
}

/// The first objects of a file with one page: the catalogue, the page tree, and the page (object 3) with these further
/// entries. The caller adds the content as object 4. The fonts are `/F`, Helvetica, and `/B`, Helvetica bold.
pub(crate) fn page(entries: &str) -> File {
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    let boxes = if entries.contains("/MediaBox") {
        ""
    } else {
        "/MediaBox [0 0 612 792]"
    };
    let fonts = "/F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
                 /B << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>";
    let resources = if entries.contains("/Resources") {
        String::new()
    } else {
        format!("/Resources << /Font << {fonts} >> >>")
    };
    file.object(format!(
        "<< /Type /Page /Parent 2 0 R {boxes} {resources} /Contents 4 0 R {entries} >>"
    ));
    file
}

/// A file of one page with this content.
pub(crate) fn with_content(entries: &str, content: &str) -> Vec<u8> {
    page(entries).stream("", content).finish()
}
