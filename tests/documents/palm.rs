//! Writes Kindle books of any shape, valid and invalid, record by record. Reads none.

/// A database of these records.
pub(crate) fn database(kind: &[u8; 8], name: &str, records: &[Vec<u8>]) -> Vec<u8> {
    let mut file = name.as_bytes().to_vec();
    file.resize(60, 0);
    file.extend(kind);
    file.resize(76, 0);
    file.extend((records.len() as u16).to_be_bytes());
    let mut start = file.len() + 8 * records.len() + 2;
    for record in records {
        file.extend((start as u32).to_be_bytes());
        file.extend([0; 4]);
        start += record.len();
    }
    file.extend([0; 2]);
    file.extend(records.concat());
    file
}

/// The fields of record 0 that differ between books.
#[derive(Clone)]
pub(crate) struct Header {
    pub(crate) compression: u16,
    pub(crate) texts: u16,
    pub(crate) encryption: u16,
    pub(crate) code_page: u32,
    pub(crate) version: u32,
    pub(crate) title: &'static str,
    pub(crate) metadata: Vec<(u32, Vec<u8>)>,
    /// Further fields, by their offsets.
    pub(crate) fields: Vec<(usize, u32)>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            compression: 1,
            texts: 1,
            encryption: 0,
            code_page: 65001,
            version: 6,
            title: "Title",
            metadata: Vec::new(),
            fields: Vec::new(),
        }
    }
}

impl Header {
    /// The header as the first record of a book.
    pub(crate) fn record(&self) -> Vec<u8> {
        const LEN: u32 = 264;
        let mut record = vec![0; 16 + LEN as usize];
        let mut put = |at: usize, bytes: &[u8]| record[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &self.compression.to_be_bytes());
        put(8, &self.texts.to_be_bytes());
        put(10, &4096_u16.to_be_bytes());
        put(12, &self.encryption.to_be_bytes());
        put(16, b"MOBI");
        put(20, &LEN.to_be_bytes());
        put(28, &self.code_page.to_be_bytes());
        put(36, &self.version.to_be_bytes());
        put(92, &0x409_u32.to_be_bytes());
        for unused in [108, 244, 248, 252] {
            put(unused, &u32::MAX.to_be_bytes());
        }
        put(128, &0x40_u32.to_be_bytes());
        for (at, field) in &self.fields {
            put(*at, &field.to_be_bytes());
        }
        let mut entries = Vec::new();
        for (kind, value) in &self.metadata {
            entries.extend(kind.to_be_bytes());
            entries.extend((value.len() as u32 + 8).to_be_bytes());
            entries.extend(value);
        }
        record.extend(b"EXTH");
        record.extend((entries.len() as u32 + 12).to_be_bytes());
        record.extend((self.metadata.len() as u32).to_be_bytes());
        record.extend(entries);
        let title = record.len() as u32;
        record[84..88].copy_from_slice(&title.to_be_bytes());
        record[88..92].copy_from_slice(&(self.title.len() as u32).to_be_bytes());
        record.extend(self.title.as_bytes());
        record
    }
}

/// A book whose text is one record, without compression.
pub(crate) fn book(text: &str) -> Vec<u8> {
    database(
        b"BOOKMOBI",
        "book",
        &[Header::default().record(), text.into()],
    )
}

/// Compresses a text as PalmDOC does: repeated text becomes pairs of a distance and a length, and other letters stay.
pub(crate) fn lz77(text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let same = |distance: usize| {
            let rest = text[at..].iter().zip(&text[at - distance..]);
            rest.take(10)
                .take_while(|(one, other)| one == other)
                .count()
        };
        let best = (1..=at.min(2047)).max_by_key(|distance| same(*distance));
        let best = best.map(|distance| (same(distance), distance));
        match (best, text[at]) {
            (Some((len @ 3.., distance)), _) => {
                let pair = 0x8000 | (distance << 3 | (len - 3)) as u16;
                packed.extend(pair.to_be_bytes());
                at += len;
            }
            (_, b' ')
                if text
                    .get(at + 1)
                    .is_some_and(|next| (0x40..0x80).contains(next)) =>
            {
                packed.push(text[at + 1] | 0x80);
                at += 2;
            }
            (_, letter @ (0 | 9..=0x7f)) => {
                packed.push(letter);
                at += 1;
            }
            (_, letter) => {
                packed.extend([1, letter]);
                at += 1;
            }
        }
    }
    packed
}

/// The records of a Huffman table whose codes all have eight bits, and of the dictionary of these phrases. The first
/// code is for the last phrase. The flag of a phrase states whether it is plain text; otherwise it consists of codes.
pub(crate) fn huffman(phrases: &[(Vec<u8>, bool)]) -> [Vec<u8>; 2] {
    let mut table = b"HUFF".to_vec();
    for field in [24_u32, 24, 24 + 1024, 0, 0] {
        table.extend(field.to_be_bytes());
    }
    for _ in 0..256 {
        table.extend((255 << 8 | 0x80 | 8_u32).to_be_bytes());
    }
    table.extend([0; 256]);
    let mut dictionary = b"CDIC".to_vec();
    for field in [16, phrases.len() as u32, 8] {
        dictionary.extend(field.to_be_bytes());
    }
    let mut bodies = Vec::new();
    for (phrase, is_plain) in phrases {
        let at = 2 * phrases.len() + bodies.len();
        dictionary.extend((at as u16).to_be_bytes());
        let len = phrase.len() as u16 | if *is_plain { 0x8000 } else { 0 };
        bodies.extend(len.to_be_bytes());
        bodies.extend(phrase);
    }
    dictionary.extend(bodies);
    [table, dictionary]
}

/// The code of the phrase with this number.
pub(crate) fn code(number: usize) -> u8 {
    255 - number as u8
}

/// A number of seven bits per byte, the highest first.
fn number(value: u32, out: &mut Vec<u8>) {
    let digits: Vec<u8> = (0..5)
        .map(|digit| (value >> (7 * digit) & 0x7f) as u8)
        .collect();
    let len = digits.iter().rposition(|digit| *digit > 0).unwrap_or(0) + 1;
    out.extend(digits[1..len].iter().rev());
    out.push(digits[0] | 0x80);
}

/// The two records of an index with these tags: number, values at a time, and bit of the control byte.
fn tagged(tags: &[[u8; 3]], entries: &[(&str, Vec<u32>)]) -> [Vec<u8>; 2] {
    let head = |table: u32, count: u32| {
        let mut record = b"INDX".to_vec();
        record.extend(192_u32.to_be_bytes());
        record.resize(20, 0);
        record.extend(table.to_be_bytes());
        record.extend(count.to_be_bytes());
        record.resize(192, 0);
        record
    };
    let mut first = head(0, 1);
    first.extend(b"TAGX");
    first.extend((4 * tags.len() as u32 + 16).to_be_bytes());
    first.extend(1_u32.to_be_bytes());
    for [number, values, mask] in tags {
        first.extend([*number, *values, *mask, 0]);
    }
    first.extend([0, 0, 0, 1]);
    let control = tags.iter().fold(0, |control, [.., mask]| control | mask);
    let mut body = Vec::new();
    let mut offsets = b"IDXT".to_vec();
    for (name, values) in entries {
        offsets.extend((192 + body.len() as u16).to_be_bytes());
        body.push(name.len() as u8);
        body.extend(name.as_bytes());
        body.push(control);
        for value in values {
            number(*value, &mut body);
        }
    }
    let mut second = head(192 + body.len() as u32, entries.len() as u32);
    second.extend(body);
    second.extend(offsets);
    [first, second]
}

/// The two records of an index. Its entries have one value under tag 1, and two under tag 6.
pub(crate) fn index(entries: &[(&str, u32, [u32; 2])]) -> [Vec<u8>; 2] {
    let entries: Vec<(&str, Vec<u32>)> = entries
        .iter()
        .map(|(name, count, place)| (*name, vec![*count, place[0], place[1]]))
        .collect();
    tagged(&[[1, 1, 1], [6, 2, 2]], &entries)
}

/// The three records of a table of contents: for each entry its offset, its fragment and the offset in that, its level
/// and its label.
pub(crate) fn contents(entries: &[(u32, [u32; 2], u32, &str)]) -> [Vec<u8>; 3] {
    let mut labels = Vec::new();
    let entries: Vec<(&str, Vec<u32>)> = entries
        .iter()
        .map(|(offset, [fragment, inside], level, label)| {
            let place = labels.len() as u32;
            number(label.len() as u32, &mut labels);
            labels.extend(label.as_bytes());
            ("000", vec![*offset, place, *level, *fragment, *inside])
        })
        .collect();
    let tags = [[1, 1, 1], [3, 1, 2], [4, 1, 4], [6, 2, 8]];
    let [first, second] = tagged(&tags, &entries);
    [first, second, labels]
}
