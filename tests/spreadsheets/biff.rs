//! Workbooks of Excel 97 to 2003, built record by record. Contains only the records that every workbook has.

/// A compound file (MS-CFB) with one stream named `Workbook`.
pub(crate) fn compound(stream: Vec<u8>) -> Vec<u8> {
    compound_of("Workbook", stream)
}

/// A compound file with one stream of this name, which has at most 31 characters. The stream is padded with zeros to
/// the minimum length.
pub(crate) fn compound_of(stream_name: &str, mut stream: Vec<u8>) -> Vec<u8> {
    const SECTOR: usize = 512;
    const END: u32 = 0xffff_fffe;
    const FREE: u32 = 0xffff_ffff;
    // Shorter streams would be in the mini stream.
    let len = stream.len().max(4096);
    stream.resize(len.next_multiple_of(SECTOR), 0);
    let sectors = stream.len() / SECTOR;
    let tables = (sectors + 1).div_ceil(127);
    let mut file = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    file.extend([0; 16]);
    for field in [0x3e_u16, 3, 0xfffe, 9, 6, 0, 0, 0] {
        file.extend(field.to_le_bytes());
    }
    let fields = [0, tables as u32, tables as u32, 0, 4096, END, 0, END, 0];
    file.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
    let places = (0..109).map(|at| if at < tables { at as u32 } else { FREE });
    file.extend(places.flat_map(u32::to_le_bytes));
    let mut next = vec![0xffff_fffd; tables];
    next.push(END);
    next.extend((1..sectors).map(|at| (tables + 1 + at) as u32));
    next.push(END);
    next.resize(tables * SECTOR / 4, FREE);
    file.extend(next.into_iter().flat_map(u32::to_le_bytes));
    for (name, kind, child, start, size) in [
        ("Root Entry", 5_u8, 1, END, 0),
        (stream_name, 2, FREE, tables as u32 + 1, len as u32),
        ("", 0, FREE, 0, 0),
        ("", 0, FREE, 0, 0),
    ] {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let len = if name.is_empty() { 0 } else { entry.len() + 2 };
        entry.resize(64, 0);
        entry.extend((len as u16).to_le_bytes());
        entry.extend([kind, 1]);
        entry.extend([FREE, FREE, child].iter().flat_map(|one| one.to_le_bytes()));
        entry.resize(116, 0);
        entry.extend([start, size, 0].iter().flat_map(|one| one.to_le_bytes()));
        file.extend(entry);
    }
    file.extend(stream);
    file
}

/// Numbers of two bytes each.
pub(crate) fn shorts(all: &[u16]) -> Vec<u8> {
    all.iter().flat_map(|one| one.to_le_bytes()).collect()
}

/// Numbers of four bytes each.
pub(crate) fn longs(all: &[u32]) -> Vec<u8> {
    all.iter().flat_map(|one| one.to_le_bytes()).collect()
}

/// A record of an xls file.
pub(crate) fn short(kind: u16, content: &[u8]) -> Vec<u8> {
    [&shorts(&[kind, content.len() as u16])[..], content].concat()
}

/// The BOF record of the globals or of a sheet.
pub(crate) fn begin(kind: u16) -> Vec<u8> {
    short(0x809, &[&shorts(&[0x600, kind])[..], &[0; 12]].concat())
}

/// An xls file with these records in its globals and its sheet.
pub(crate) fn book(globals: &[u8], sheet: &[u8]) -> Vec<u8> {
    // The sheet begins after this record and the end of the globals.
    let place = begin(5).len() + globals.len() + 4 + 9 + 4;
    let named = [&longs(&[place as u32])[..], &[0, 0, 1, 0, b'A']].concat();
    let end = short(0x0a, &[]);
    let parts = [
        &begin(5)[..],
        globals,
        &short(0x85, &named),
        &end,
        &begin(0x10),
        sheet,
        &end,
    ];
    compound(parts.concat())
}
