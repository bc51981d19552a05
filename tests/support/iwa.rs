//! A document of Apple's Numbers, byte by byte: objects in Protocol Buffers, in Snappy that packs nothing. Reads none.

use crate::zips::Zip;

/// A message of Protocol Buffers that is being written.
#[derive(Clone, Default)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    pub(crate) fn number(mut self, field: u64, value: u64) -> Self {
        self.0.extend(varint(field << 3));
        self.0.extend(varint(value));
        self
    }

    pub(crate) fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.0.extend(varint(field << 3 | 2));
        self.0.extend(varint(bytes.len() as u64));
        self.0.extend(bytes);
        self
    }

    pub(crate) fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    /// A reference to the object with this number.
    pub(crate) fn refers(self, field: u64, object: u64) -> Self {
        self.message(field, &Self::default().number(1, object))
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut all = Vec::new();
    while value > 0x7f {
        all.push(value as u8 | 0x80);
        value >>= 7;
    }
    all.push(value as u8);
    all
}

/// Objects with their numbers and kinds, before they are packed.
pub(crate) fn objects(all: &[(u64, u64, Message)]) -> Vec<u8> {
    let mut file = Vec::new();
    for (number, kind, message) in all {
        let info = Message::default()
            .number(1, *kind)
            .number(3, message.0.len() as u64);
        let head = Message::default().number(1, *number).message(2, &info);
        file.extend(varint(head.0.len() as u64));
        file.extend(&head.0);
        file.extend(&message.0);
    }
    file
}

/// A chunk of Snappy, all of whose bytes stand for themselves.
pub(crate) fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut packed = varint(bytes.len() as u64);
    for piece in bytes.chunks(0x1_0000) {
        // A literal whose length stands in two bytes.
        packed.push(61 << 2);
        packed.extend(((piece.len() - 1) as u16).to_le_bytes());
        packed.extend(piece);
    }
    let mut file = vec![0];
    file.extend(&(packed.len() as u32).to_le_bytes()[..3]);
    file.extend(packed);
    file
}

/// A document whose only file of objects is this.
pub(crate) fn document(file: &[u8]) -> Vec<u8> {
    Zip::default().stored("Index/Document.iwa", file).finish()
}

/// The bytes of a cell of this type, with these flags and values.
pub(crate) fn cell(kind: u8, flags: u32, values: &[u8]) -> Vec<u8> {
    let mut bytes = vec![5, kind, 0, 0, 0, 0, 0, 0];
    bytes.extend(flags.to_le_bytes());
    bytes.extend(values);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// The objects of a document with one table of one sheet. Cells that are empty are not stored.
pub(crate) fn table(strings: &[&str], rows: &[Vec<Vec<u8>>]) -> Vec<(u64, u64, Message)> {
    let mut list = Message::default().number(1, 1).number(2, 1);
    for (key, text) in strings.iter().enumerate() {
        let entry = Message::default()
            .number(1, key as u64)
            .number(2, 1)
            .bytes(3, text.as_bytes());
        list = list.message(3, &entry);
    }
    let mut tile = Message::default().number(1, 0);
    for (row, cells) in rows.iter().enumerate() {
        let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
        for cell in cells {
            let offset = match cell.is_empty() {
                true => u16::MAX,
                false => bytes.len() as u16,
            };
            offsets.extend(offset.to_le_bytes());
            bytes.extend(cell);
        }
        let info = Message::default()
            .number(1, row as u64)
            .number(2, cells.len() as u64)
            .bytes(6, &bytes)
            .bytes(7, &offsets);
        tile = tile.message(5, &info);
    }
    let place = Message::default().number(1, 0).refers(2, 6);
    let tiles = Message::default().message(1, &place).number(2, 256);
    let store = Message::default().message(3, &tiles).refers(4, 5);
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let model = Message::default()
        .message(4, &store)
        .number(6, rows.len() as u64)
        .number(7, columns as u64)
        .bytes(8, b"Table 1");
    vec![
        (1, 1, Message::default().refers(1, 2)),
        (2, 2, Message::default().bytes(1, b"Sheet 1").refers(2, 3)),
        (3, 6000, Message::default().refers(2, 4)),
        (4, 6001, model),
        (5, 6005, list),
        (6, 6002, tile),
    ]
}

/// A document with a table of texts.
pub(crate) fn numbers(rows: &[&[&str]]) -> Vec<u8> {
    let strings = rows.concat();
    let mut key = 0_u32..;
    let text = |_: &&str| cell(3, 8, &key.next().unwrap_or(0).to_le_bytes());
    let mut text = text;
    let rows: Vec<Vec<Vec<u8>>> = rows
        .iter()
        .map(|row| row.iter().map(&mut text).collect())
        .collect();
    document(&chunk(&objects(&table(&strings, &rows))))
}
