//! Writes documents of Apple's Numbers, Pages and Keynote byte by byte. An IWA file contains a sequence of Protocol
//! Buffers objects in Snappy chunks. The chunks that this module writes consist of literals, which are not compressed.
//! Reads no document.

use crate::zips::Zip;

/// A Protocol Buffers message to which fields are added.
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

    /// Adds a floating-point number of four bytes.
    pub(crate) fn single(mut self, field: u64, value: f32) -> Self {
        self.0.extend(varint(field << 3 | 5));
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds a reference to the object with this number.
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

/// An object: its number, the number of its type, and its message.
pub(crate) type Object = (u64, u64, Message);

/// The bytes of these objects, before they are put into Snappy chunks.
pub(crate) fn objects(all: &[Object]) -> Vec<u8> {
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

/// A Snappy chunk that consists of literals.
pub(crate) fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut packed = varint(bytes.len() as u64);
    for piece in bytes.chunks(0x1_0000) {
        // This tag begins a literal whose length follows in two bytes.
        packed.push(61 << 2);
        packed.extend(((piece.len() - 1) as u16).to_le_bytes());
        packed.extend(piece);
    }
    let mut file = vec![0];
    file.extend(&(packed.len() as u32).to_le_bytes()[..3]);
    file.extend(packed);
    file
}

/// A document whose only IWA file has these bytes.
pub(crate) fn document(file: &[u8]) -> Vec<u8> {
    Zip::default().stored("Index/Document.iwa", file).finish()
}

/// The bytes of a cell. `flags` tell which of the optional values are in `values`.
pub(crate) fn cell(kind: u8, flags: u32, values: &[u8]) -> Vec<u8> {
    let mut bytes = vec![5, kind, 0, 0, 0, 0, 0, 0];
    bytes.extend(flags.to_le_bytes());
    bytes.extend(values);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// The objects of a document with one sheet, which has one table. Empty cells are not stored.
pub(crate) fn table(strings: &[&str], rows: &[Vec<Vec<u8>>]) -> Vec<Object> {
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

/// The objects of a document with a table of texts on one sheet.
pub(crate) fn texts(rows: &[&[&str]]) -> Vec<Object> {
    let strings = rows.concat();
    let mut key = 0_u32..;
    let mut text = |_: &&str| cell(3, 8, &key.next().unwrap_or(0).to_le_bytes());
    let rows: Vec<Vec<Vec<u8>>> = rows
        .iter()
        .map(|row| row.iter().map(&mut text).collect())
        .collect();
    table(&strings, &rows)
}

/// A document with a table of texts.
pub(crate) fn numbers(rows: &[&[&str]]) -> Vec<u8> {
    document(&chunk(&objects(&texts(rows))))
}

/// The objects of a table of texts, without document and sheet. The table has the object number 4.
fn table_in_text(rows: &[&[&str]]) -> Vec<Object> {
    texts(rows).split_off(3)
}

/// Position of these words in a text, in UTF-16 code units.
pub(crate) fn place(text: &str, words: &str) -> u64 {
    let at = text.find(words).unwrap_or_else(|| panic!("{words}"));
    text[..at].encode_utf16().count() as u64
}

/// A table of attributes. Each entry is a position in the text, and the number of the object (such as a style) that
/// applies from this position on. `None` means that no object applies.
pub(crate) fn marks(entries: &[(u64, Option<u64>)]) -> Message {
    let mut table = Message::default();
    for (at, object) in entries {
        let entry = Message::default().number(1, *at);
        let entry = match object {
            Some(object) => entry.refers(2, *object),
            None => entry,
        };
        table = table.message(1, &entry);
    }
    table
}

/// A text without attributes.
pub(crate) fn words(text: &str) -> Message {
    Message::default().bytes(3, text.as_bytes())
}

/// The fields that all styles have: name and identifier.
pub(crate) fn style(name: &str, identifier: &str) -> Message {
    Message::default()
        .bytes(1, name.as_bytes())
        .bytes(2, identifier.as_bytes())
}

/// A list style, by the type of its labels: no label (0), bullets (2), or numbers (3).
pub(crate) fn list_style(label: u64) -> Message {
    let mut list = Message::default().message(1, &style("List", "list"));
    for _ in 0..9 {
        list = list.number(11, label).number(15, 0);
        list = list.bytes(16, "\u{2022}".as_bytes());
    }
    list
}

/// The fields that all drawable objects have: position and size in points, and alternative text.
pub(crate) fn drawable([x, y, width, height]: [f32; 4], alternative: &str) -> Message {
    let pair = |one, other| Message::default().single(1, one).single(2, other);
    let geometry = Message::default()
        .message(1, &pair(x, y))
        .message(2, &pair(width, height));
    Message::default()
        .message(1, &geometry)
        .bytes(8, alternative.as_bytes())
}

/// A shape whose text is the object with the number `text`.
pub(crate) fn shape(place: [f32; 4], text: u64) -> Message {
    let shape = Message::default().message(1, &drawable(place, ""));
    Message::default().message(1, &shape).refers(4, text)
}

/// A picture with the object number `number`, whose data is file number 7, and the list of files.
pub(crate) fn picture(number: u64, place: [f32; 4]) -> [Object; 2] {
    let image = Message::default()
        .message(1, &drawable(place, "A picture"))
        .refers(11, 7);
    let file = Message::default()
        .number(1, 7)
        .bytes(3, b"picture.png")
        .bytes(4, b"picture-7.png");
    [
        (number, 3005, image),
        (2, 11_006, Message::default().message(4, &file)),
    ]
}

/// A document with these objects and a picture.
pub(crate) fn illustrated(all: &[Object], picture: &[u8]) -> Vec<u8> {
    Zip::default()
        .stored("Index/Document.iwa", &chunk(&objects(all)))
        .stored("Data/picture-7.png", picture)
        .finish()
}

/// The table of [`pages`] and [`key`] with a range of merged cells, given by the row and column of its first cell and
/// its numbers of rows and columns.
pub(crate) fn merged([row, column, rows, columns]: [u64; 4]) -> Vec<Object> {
    let mut all = table_in_text(&[&["name", "count"], &["apples", "pears"]]);
    let pair = |low: u64, high: u64| Message::default().number(1, high << 16 | low);
    let range = Message::default()
        .message(1, &pair(row, column))
        .message(2, &pair(rows, columns));
    all.push((89, 6144, Message::default().message(1, &range)));
    let place = Message::default().number(1, 0).refers(2, 6);
    let tiles = Message::default().message(1, &place).number(2, 256);
    let store = Message::default()
        .message(3, &tiles)
        .refers(4, 5)
        .refers(13, 89);
    all[0].2 = all[0].2.clone().message(4, &store);
    all
}

/// The main text of [`pages`].
pub(crate) const TEXT: &str = "Plans\nSome bold words and a link.\nfirst\nsecond\ninner\nto the right\n\u{fffc}\n\u{fffc}\nThe end\u{e}.\n";

/// The objects of a Pages document with a heading, character styles, a list, a table, a picture, a note, a link, a text
/// box, and a header and footer.
pub(crate) fn pages_objects() -> Vec<Object> {
    let at = |words| place(TEXT, words);
    let objects_at = at("\u{fffc}");
    let text = words(TEXT)
        .message(
            5,
            &marks(&[
                (0, Some(10)),
                (at("Some"), Some(11)),
                (at("to the"), Some(12)),
                (objects_at, Some(11)),
            ]),
        )
        .message(
            6,
            &Message::default()
                .message(
                    1,
                    &Message::default().number(1, 0).number(2, 0).number(3, 0),
                )
                .message(
                    1,
                    &Message::default()
                        .number(1, at("inner"))
                        .number(2, 1)
                        .number(3, 0),
                ),
        )
        .message(
            7,
            &marks(&[
                (at("first"), Some(22)),
                (at("inner"), Some(21)),
                (at("to the"), Some(23)),
            ]),
        )
        .message(8, &marks(&[(at("bold"), Some(20)), (at(" words"), None)]))
        .message(
            9,
            &marks(&[(objects_at, Some(40)), (objects_at + 2, Some(42))]),
        )
        .message(
            11,
            &marks(&[(at("link"), Some(70)), (at(".\nfirst"), None)]),
        )
        .message(16, &marks(&[(at("\u{e}"), Some(60))]))
        .message(17, &marks(&[(0, Some(80))]));
    let on_page = Message::default()
        .number(1, 0)
        .message(4, &Message::default().refers(1, 31));
    let red = Message::default()
        .number(1, 1)
        .single(3, 1.0)
        .single(4, 0.0)
        .single(5, 0.0);
    let bold = Message::default().number(1, 1).message(7, &red);
    let right = Message::default().number(1, 1);
    let mut all = vec![
        (
            1,
            10_000,
            Message::default()
                .refers(3, 30)
                .refers(4, 3)
                .single(30, 500.0)
                .single(31, 700.0),
        ),
        (3, 2001, text),
        (
            10,
            2022,
            Message::default().message(
                1,
                &style("\u{dc}berschrift", "text-11-paragraphstyle-Heading 1"),
            ),
        ),
        (
            11,
            2022,
            Message::default()
                .message(1, &style("Text", "text-20-paragraphstyle-Body 1"))
                .message(
                    11,
                    &Message::default()
                        .bytes(5, b"HelveticaNeue")
                        .single(3, 11.0),
                ),
        ),
        (
            12,
            2022,
            Message::default()
                .message(1, &Message::default().refers(3, 11))
                .message(12, &right),
        ),
        (20, 2021, Message::default().message(11, &bold)),
        (21, 2023, list_style(2)),
        (22, 2023, list_style(3)),
        (23, 2023, list_style(0)),
        (30, 10_010, Message::default().message(1, &on_page)),
        (31, 2011, shape([300.0, 20.0, 150.0, 40.0], 32)),
        (32, 2001, words("In a box")),
        (40, 2003, Message::default().refers(1, 41)),
        (
            41,
            6000,
            Message::default()
                .message(1, &drawable([0.0, 0.0, 200.0, 40.0], ""))
                .refers(2, 4),
        ),
        (42, 2003, Message::default().refers(1, 43)),
        (60, 2008, Message::default().refers(2, 61)),
        (61, 2001, words("A note")),
        (
            70,
            2032,
            Message::default().bytes(2, b"https://example.org/"),
        ),
        (80, 10_011, Message::default().refers(25, 81)),
        (
            81,
            10_143,
            Message::default()
                .refers(1, 82)
                .refers(1, 83)
                .refers(1, 83)
                .refers(2, 83)
                .refers(2, 84),
        ),
        (82, 2001, words("At the head")),
        (83, 2001, words("")),
        (
            84,
            2001,
            words("Page \u{fffc}").message(9, &marks(&[(5, Some(85))])),
        ),
        (
            85,
            2043,
            Message::default().message(1, &Message::default().number(2, 0)),
        ),
    ];
    all.extend(table_in_text(&[&["name", "count"], &["apples", "pears"]]));
    all.extend(picture(43, [0.0, 0.0, 90.0, 70.0]));
    all
}

/// A Pages document with [`pages_objects`] and a picture.
pub(crate) fn pages(picture: &[u8]) -> Vec<u8> {
    illustrated(&pages_objects(), picture)
}

/// The objects of a Keynote presentation: a slide with a title, a list, a table, a picture and notes, and a skipped
/// slide.
pub(crate) fn key_objects() -> Vec<Object> {
    let size = Message::default().single(1, 1024.0).single(2, 768.0);
    let tree = Message::default().refers(2, 10).refers(2, 11);
    let holder = |place, text, kind| {
        Message::default()
            .message(1, &shape(place, text))
            .number(2, kind)
    };
    let mut all = vec![
        (1, 1, Message::default().refers(2, 9)),
        (9, 2, Message::default().message(3, &tree).message(4, &size)),
        (10, 4, Message::default().refers(2, 20).number(4, 0)),
        (11, 4, Message::default().refers(2, 21).number(4, 1)),
        (
            20,
            5,
            Message::default()
                .refers(5, 30)
                .refers(6, 31)
                .refers(7, 41)
                .refers(7, 43)
                .refers(17, 22)
                .refers(27, 50),
        ),
        (21, 5, Message::default().refers(5, 35)),
        (22, 5, Message::default().refers(5, 30).refers(7, 37)),
        (30, 7, holder([100.0, 40.0, 800.0, 100.0], 33, 2)),
        (31, 7, holder([100.0, 200.0, 800.0, 100.0], 34, 3)),
        (33, 2001, words("The title")),
        (
            34,
            2001,
            words("one\ntwo").message(7, &marks(&[(0, Some(38))])),
        ),
        (35, 7, holder([100.0, 40.0, 800.0, 100.0], 36, 2)),
        (36, 2001, words("Skipped")),
        (37, 2011, shape([10.0, 700.0, 500.0, 40.0], 39)),
        (38, 2023, list_style(2)),
        (39, 2001, words("On each slide")),
        (
            41,
            6000,
            Message::default()
                .message(1, &drawable([100.0, 350.0, 400.0, 80.0], ""))
                .refers(2, 4),
        ),
        (50, 15, Message::default().refers(1, 51)),
        (51, 2001, words("Say this")),
    ];
    all.extend(table_in_text(&[&["name", "count"], &["apples", "pears"]]));
    all.extend(picture(43, [100.0, 500.0, 90.0, 70.0]));
    all
}

/// A Keynote presentation with [`key_objects`] and a picture.
pub(crate) fn key(picture: &[u8]) -> Vec<u8> {
    illustrated(&key_objects(), picture)
}
