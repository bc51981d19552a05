//! DjVu files of DjVuLibre and minidjvu, compared with the pictures that `ddjvu` decodes; see
//! `tests/data/djvu/make.py`.

use crate::harness::{check_damage, convert, convert_with_notes, data, pixels, psnr};
use convertd::{error::Kind, job::Quality};

/// A page as png.
#[track_caller]
fn shown(name: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    let file = data(&format!("djvu/{name}"));
    convert(&file, name, "png", Quality::Low, fields).unwrap()
}

#[test]
fn pages_of_shapes_equal_those_of_ddjvu() {
    #[track_caller]
    fn check(name: &str, fields: &[(&str, &str)], reference: &str) {
        let ours = pixels(&shown(name, fields));
        let theirs = pixels(&data(&format!("djvu/{reference}")));
        assert!(ours == theirs, "{name}");
    }
    check("letters.djvu", &[], "letters.png");
    check("turned.djvu", &[], "letters.png");
    check("pages.djvu", &[], "pages-1.png");
    check("pages.djvu", &[("page", "2")], "pages-2.png");
}

#[test]
fn colours_are_near_those_of_ddjvu() {
    #[track_caller]
    fn check(name: &str, reference: &str, least: f64) {
        let theirs = pixels(&data(&format!("djvu/{reference}")));
        let found = psnr(&pixels(&shown(name, &[])), &theirs);
        assert!(found > least, "{name}: {found} dB");
    }
    // At full resolution there is nothing to enlarge.
    check("photo.djvu", "photo.png", 60.0);
    check("colours.djvu", "colours.png", 40.0);
}

#[test]
fn a_page_of_shapes_has_one_bit_a_pixel_and_its_density() {
    let png = shown("letters.djvu", &[]);
    // The depth in IHDR (PNG, 11.2.2).
    assert_eq!(png[24], 1);
    let density = 5906_u32.to_be_bytes();
    let at = png.windows(4).position(|name| name == b"pHYs").unwrap();
    assert_eq!(png[at + 4..at + 8], density);
}

#[test]
fn a_note_reports_other_pages() {
    let file = data("djvu/pages.djvu");
    let (_, notes) = convert_with_notes(&file, "a.djvu", "png", Quality::Low, &[]).unwrap();
    assert_eq!(
        notes.0,
        ["Only the first of 2 pages was kept; the field page chooses another."]
    );
    let err = convert(&file, "a.djvu", "png", Quality::Low, &[("page", "3")]).unwrap_err();
    assert_eq!(err.message(), "page is 3; the file has 2 pages");
}

#[test]
fn damaged_files_are_refused_or_read() {
    for name in ["letters.djvu", "photo.djvu", "colours.djvu"] {
        let file = data(&format!("djvu/{name}"));
        check_damage(&file, name, 1, 1);
    }
    let file = data("djvu/pages.djvu");
    for at in 12..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0xff;
        if let Err(err) = convert(&damaged, "a.djvu", "png", Quality::Low, &[]) {
            assert_eq!(err.kind(), Kind::BadInput, "{at}: {err}");
        }
    }
}

#[test]
fn a_truncated_document_keeps_its_first_pages_on_request() {
    let file = data("djvu/pages.djvu");
    let second = file.windows(4).rposition(|name| name == b"DJVU").unwrap() - 8;
    let cut = &file[..second];
    let err = convert(cut, "a.djvu", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("ends before"), "{err}");
    let keep = [("damaged", "keep")];
    let (png, notes) = convert_with_notes(cut, "a.djvu", "png", Quality::Low, &keep).unwrap();
    assert!(pixels(&png) == pixels(&data("djvu/pages-1.png")));
    assert!(notes.0[0].contains("damaged"), "{notes:?}");
    // What is left of the second page is refused, and the first one is whole.
    let cut = &file[..file.len() - 9];
    convert(cut, "a.djvu", "png", Quality::Low, &[]).unwrap();
    convert(cut, "a.djvu", "png", Quality::Low, &[("page", "2")]).unwrap_err();
}

#[test]
fn a_truncated_background_keeps_less_detail_on_request() {
    let file = data("djvu/photo.djvu");
    let cut = &file[..file.len() - 6];
    let keep = [("damaged", "keep")];
    let (png, notes) = convert_with_notes(cut, "a.djvu", "png", Quality::Low, &keep).unwrap();
    assert_eq!(pixels(&png).dimensions(), (83, 61));
    assert!(notes.0[0].contains("damaged"), "{notes:?}");
}

/// A file with one page, which consists of these chunks.
fn page(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut form = b"DJVU".to_vec();
    for (name, data) in chunks {
        form.extend(*name);
        form.extend((data.len() as u32).to_be_bytes());
        form.extend(*data);
        form.resize(form.len().next_multiple_of(2), 0);
    }
    let len = (form.len() as u32).to_be_bytes();
    [b"AT&TFORM", &len[..], &form].concat()
}

/// The header of a page of this size.
fn info(width: u16, height: u16) -> Vec<u8> {
    let sides = [width, height].map(u16::to_be_bytes).concat();
    [&sides[..], &[24, 0, 150, 0, 22, 1]].concat()
}

#[test]
fn impossible_headers_are_refused_before_decoding() {
    #[track_caller]
    fn check(file: &[u8], says: &str) {
        let err = convert(file, "a.djvu", "png", Quality::Low, &[])
            .map(drop)
            .unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput);
        assert!(err.message().contains(says), "{err}");
    }
    check(&page(&[(b"INFO", &info(65_000, 65_000))]), "pixels");
    check(&page(&[(b"INFO", &info(16_000, 16_000))]), "limit");
    check(&page(&[(b"INFO", &info(0, 10))]), "at least one");
    check(&page(&[]), "INFO");
    // A background of another shape, and one of 4 billion pixels.
    let back = |width: u16, height: u16| {
        let sides = [width, height].map(u16::to_be_bytes).concat();
        [&[0, 1, 1, 2], &sides[..], &[0x80, 0xff, 0xff, 0xff]].concat()
    };
    let info = info(300, 300);
    check(
        &page(&[(b"INFO", &info), (b"BG44", &back(100, 99))]),
        "background",
    );
    check(
        &page(&[(b"INFO", &info), (b"BG44", &back(65_535, 65_535))]),
        "",
    );
    // A mask that needs the dictionary of another file, a fax mask in strips, and one that is cut off.
    let shapes = data("djvu/pages.djvu");
    let at = shapes.windows(4).position(|name| name == b"Sjbz").unwrap();
    let len = u32::from_be_bytes(*shapes[at + 4..].first_chunk().unwrap()) as usize;
    let shapes = &shapes[at + 8..at + 8 + len];
    let shared: [(&[u8; 4], &[u8]); 3] = [
        (b"INFO", &info),
        (b"INCL", b"dictionary"),
        (b"Sjbz", shapes),
    ];
    check(&page(&shared), "from another file");
    let fax = |flags: u8| [b"MMR", &[flags, 1, 44, 1, 44, 0xff][..]].concat();
    check(&page(&[(b"INFO", &info), (b"Smmr", &fax(2))]), "strips");
    check(&page(&[(b"INFO", &info), (b"Smmr", &fax(0))]), "mask");
}

#[test]
fn circular_includes_are_refused() {
    let file = data("djvu/pages.djvu");
    // The dictionary is replaced by a chunk that includes its own part, and by an unknown chunk.
    let at = file.windows(4).position(|name| name == b"Djbz").unwrap();
    let len = u32::from_be_bytes(*file[at + 4..].first_chunk().unwrap()) as usize;
    let mut circular = file.clone();
    let mut chunk = b"INCL\0\0\0\x09pages.iff\0none".to_vec();
    chunk.extend(((len - 17) as u32).to_be_bytes());
    circular[at..at + chunk.len()].copy_from_slice(&chunk);
    let err = convert(&circular, "a.djvu", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("form a cycle"), "{err}");
}

#[test]
fn a_directory_of_several_files_is_refused() {
    let mut file = data("djvu/pages.djvu");
    // Clears the flag that says that all pages are in this file.
    file[24] &= 0x7f;
    let err = convert(&file, "a.djvu", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("several files"), "{err}");
}

#[test]
fn blank_pages_are_white() {
    let blank = page(&[(b"INFO", &info(30, 20))]);
    let png = convert(&blank, "a.djvu", "png", Quality::Low, &[]).unwrap();
    assert!(pixels(&png).pixels().all(|pixel| pixel.0 == [255; 4]));
}
