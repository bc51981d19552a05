//! Pictures that become a PDF. qpdf and poppler examine the results.

use crate::{
    examined::{Pdf, can_examine, difference},
    harness::{Directory, MAGICK, convert, converted, fixture, has, output, png, scene, variants},
};
use image::{DynamicImage, GenericImageView, Rgb, RgbImage};
use std::fs;

#[test]
fn a_jpg_goes_in_as_it_is() {
    if !can_examine() {
        return;
    }
    for (to_grey, space) in [(false, "rgb"), (true, "gray")] {
        let mut picture: DynamicImage = scene(120, 90).into();
        if to_grey {
            picture = picture.into_luma8().into();
        }
        let jpg = converted("a.png", &png(picture), "jpg", &[]);
        let pdf = Pdf::new(&converted("a.jpg", &jpg, "pdf", &[]));
        let pictures = pdf.pictures();
        assert_eq!(pictures.len(), 1, "{pictures:?}");
        assert_eq!(pictures[0][3..6], ["120", "90", space]);
        assert_eq!(pictures[0][8], "jpeg");
        assert_eq!(pdf.stored("-j", "jpg"), jpg);
    }
}

#[test]
fn inks_stay_inks_and_are_not_turned_round() {
    if !can_examine() || !has(MAGICK) {
        return;
    }
    let directory = Directory::new();
    let png_path = directory.file(
        "a.png",
        &png(RgbImage::from_pixel(40, 30, Rgb([200, 40, 40]))),
    );
    let place = directory.path("a.jpg");
    output(
        MAGICK,
        &[&png_path, "-colorspace", "CMYK", "-quality", "95", &place],
    );
    let jpg = fs::read(&place).unwrap();
    let pdf = Pdf::new(&converted("a.jpg", &jpg, "pdf", &[]));
    assert_eq!(pdf.pictures()[0][5], "cmyk");
    let &Rgb([r, g, b]) = pdf.seen(96).get_pixel(20, 15);
    assert!(r > 150 && g < 110 && b < 110, "{r} {g} {b}");
}

#[test]
fn lossless_pictures_stay_lossless() {
    if !can_examine() {
        return;
    }
    for (name, picture) in variants() {
        let pdf = Pdf::new(&converted("a.png", &png(picture.clone()), "pdf", &[]));
        let pictures = pdf.pictures();
        let has_alpha = picture.color().has_alpha();
        assert_eq!(
            pictures.len(),
            1 + usize::from(has_alpha),
            "{name}: {pictures:?}"
        );
        let bits = picture.color().bits_per_pixel() / u16::from(picture.color().channel_count());
        assert_eq!(pictures[0][7], bits.to_string(), "{name}");
        let stored = image::load_from_memory(&pdf.stored("-png", "png")).unwrap();
        if has_alpha {
            assert_eq!(pictures[1][2], "smask", "{name}");
            assert!(stored.to_rgb8() == without_alpha(&picture), "{name}");
        } else if bits == 8 {
            assert!(stored.to_rgb8() == picture.to_rgb8(), "{name}");
        } else {
            assert!(
                difference(&stored.to_rgb8(), &picture.to_rgb8()) < 1.0,
                "{name}"
            );
        }
    }
}

fn without_alpha(picture: &DynamicImage) -> RgbImage {
    let rgba = picture.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let [r, g, b, _] = rgba.get_pixel(x, y).0;
        Rgb([r, g, b])
    })
}

#[test]
fn transparency_is_seen_through() {
    if !can_examine() {
        return;
    }
    let clear = image::RgbaImage::from_fn(40, 40, |x, _| {
        image::Rgba([255, 0, 0, if x < 20 { 0 } else { 255 }])
    });
    // The first file stores transparency in samples, and the second one in its palette.
    for (name, file) in [
        ("a.png", png(clear.clone())),
        ("a.gif", converted("a.png", &png(clear), "gif", &[])),
    ] {
        let seen = Pdf::new(&converted(name, &file, "pdf", &[])).seen(96);
        assert_eq!(seen.get_pixel(5, 20).0, [255, 255, 255], "{name}");
        assert_eq!(seen.get_pixel(35, 20).0, [255, 0, 0], "{name}");
    }
}

#[test]
fn palettes_stay_small() {
    if !can_examine() {
        return;
    }
    let drawing = RgbImage::from_fn(500, 400, |x, y| match (x / 50 + y / 50) % 2 {
        0 => Rgb([10, 20, 30]),
        _ => Rgb([240, 250, 200]),
    });
    let gif = converted("a.png", &png(drawing.clone()), "gif", &[]);
    let pdf = converted("a.gif", &gif, "pdf", &[]);
    assert!(pdf.len() < 4000, "{}", pdf.len());
    let pdf = Pdf::new(&pdf);
    let picture = &pdf.pictures()[0];
    assert_eq!((picture[5].as_str(), picture[7].as_str()), ("index", "1"));
    // The page is compared instead of the stored picture, because `pdfimages` writes every picture of one bit per pixel
    // in black and white.
    let seen = pdf.seen(96);
    for (x, y) in [(25, 25), (75, 25), (475, 375)] {
        assert_eq!(seen.get_pixel(x, y), drawing.get_pixel(x, y), "{x}, {y}");
    }
}

#[test]
fn pictures_stand_upright() {
    if !can_examine() {
        return;
    }
    // The picture has no edges, because programs draw edges in different ways.
    let slopes = RgbImage::from_fn(96, 48, |x, y| Rgb([(x * 2) as u8, (y * 4) as u8, 80]));
    let jpg = converted("a.png", &png(slopes), "jpg", &[]);
    for orientation in 1..=8_u8 {
        let file = with_orientation(&jpg, orientation);
        let upright = converted("a.jpg", &file, "png", &[]);
        let upright = image::load_from_memory(&upright).unwrap().into_rgb8();
        let pdf = Pdf::new(&converted("a.jpg", &file, "pdf", &[]));
        // At 96 dots per inch, each dot is a pixel of the picture.
        let seen = pdf.seen(96);
        assert!(difference(&seen, &upright) < 4.0, "{orientation}");
        let embedded = String::from_utf8_lossy(&pdf.stored("-j", "jpg")).into_owned();
        assert!(!embedded.contains("Exif"), "{orientation}");
        // A smaller picture is decoded, and must have the same orientation.
        let fields = [("width", if orientation < 5 { "48" } else { "24" })];
        let smaller = Pdf::new(&converted("a.jpg", &file, "pdf", &fields));
        let half = image::imageops::thumbnail(&upright, upright.width() / 2, upright.height() / 2);
        assert!(difference(&smaller.seen(96), &half) < 6.0, "{orientation}");
    }
}

#[test]
fn pictures_are_turned_and_cropped_on_demand() {
    if !can_examine() {
        return;
    }
    let slopes = RgbImage::from_fn(96, 48, |x, y| Rgb([(x * 2) as u8, (y * 4) as u8, 80]));
    let jpg = converted("a.png", &png(slopes), "jpg", &[]);
    // The rotation is added to the orientation that the file states.
    for orientation in [1, 6] {
        let file = with_orientation(&jpg, orientation);
        for fields in [
            &[("rotate", "90")][..],
            &[("rotate", "180")],
            &[("rotate", "270")],
            &[("crop", "40x30+4+8")],
            &[("rotate", "90"), ("crop", "40x30+4+8")],
        ] {
            let expected = converted("a.jpg", &file, "png", fields);
            let expected = image::load_from_memory(&expected).unwrap().into_rgb8();
            let pdf = Pdf::new(&converted("a.jpg", &file, "pdf", fields));
            let seen = pdf.seen(96);
            assert!(
                difference(&seen, &expected) < 5.0,
                "{orientation} {fields:?}"
            );
            // A picture that is only rotated is not compressed again.
            if fields.len() == 1 && fields[0].0 == "rotate" {
                assert_eq!(pdf.stored("-j", "jpg"), jpg, "{orientation} {fields:?}");
            }
        }
    }
}

/// A JPEG that states this orientation in its Exif data.
fn with_orientation(jpg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    let len = (exif.len() as u16 + 2).to_be_bytes();
    [&jpg[..2], &[0xff, 0xe1], &len, &exif, &jpg[2..]].concat()
}

#[test]
fn pages_are_as_large_as_the_file_or_the_caller_says() {
    if !can_examine() {
        return;
    }
    #[track_caller]
    fn check(name: &str, file: &[u8], fields: &[(&str, &str)], expected: (f64, f64)) {
        let (width, height) = Pdf::new(&converted(name, file, "pdf", fields)).size(1);
        let near = |one: f64, other: f64| (one - other).abs() < 0.6;
        assert!(
            near(width, expected.0) && near(height, expected.1),
            "{width} {height}"
        );
    }
    let plain = png(scene(200, 100));
    check("a.png", &plain, &[], (150.0, 75.0));
    check("a.png", &plain, &[("page_size", "a4")], (841.9, 595.3));
    check(
        "a.png",
        &plain,
        &[("page_size", "letter"), ("margin", "20")],
        (792.0, 612.0),
    );
    check("a.png", &plain, &[("margin", "10")], (206.7, 131.7));
    check("a.png", &plain, &[("width", "100")], (75.0, 37.5));
    let jpg = converted("a.png", &plain, "jpg", &[]);
    let jfif = jpg
        .windows(5)
        .position(|window| window == b"JFIF\0")
        .unwrap();
    let mut dense = jpg.clone();
    dense[jfif + 7..jfif + 12].copy_from_slice(&[1, 0, 200, 0, 100]);
    check("a.jpg", &dense, &[], (72.0, 72.0));
    if has(MAGICK) {
        let directory = Directory::new();
        let from = directory.file("a.png", &plain);
        for name in ["a.tiff", "a.bmp", "b.png"] {
            let to = directory.path(name);
            output(
                MAGICK,
                &[&from, "-units", "PixelsPerInch", "-density", "144", &to],
            );
            check(name, &fs::read(&to).unwrap(), &[], (100.0, 50.0));
        }
    }
}

#[test]
fn every_page_of_a_tiff_is_a_page() {
    if !can_examine() || !has(MAGICK) {
        return;
    }
    let directory = Directory::new();
    let paths =
        [20, 30, 40].map(|width| directory.file(&format!("{width}.png"), &png(scene(width, 10))));
    let to = directory.path("a.tiff");
    output(MAGICK, &[&paths[0], &paths[1], &paths[2], &to]);
    let tiff = fs::read(&to).unwrap();
    let (pdf, notes) = convert("a.tiff", &tiff, "pdf", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    let pdf = Pdf::new(&pdf);
    assert_eq!(pdf.pages(), 3);
    let widths: Vec<_> = pdf
        .pictures()
        .iter()
        .map(|picture| picture[3].clone())
        .collect();
    assert_eq!(widths, ["20", "30", "40"]);
    let second = Pdf::new(&converted("a.tiff", &tiff, "pdf", &[("page", "2")]));
    assert_eq!(
        (second.pages(), second.pictures()[0][3].as_str()),
        (1, "30")
    );
}

#[test]
fn colour_profiles_are_kept() {
    if !can_examine() || !has(MAGICK) {
        return;
    }
    let mut profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    // libpng ignores profiles whose length is not a multiple of four.
    profile.resize(profile.len().next_multiple_of(4), 0);
    let len = profile.len() as u32;
    profile[..4].copy_from_slice(&len.to_be_bytes());
    let directory = Directory::new();
    let from = directory.file("a.png", &png(scene(40, 30)));
    let icc = directory.file("a.icc", &profile);
    for name in ["b.jpg", "b.png"] {
        let to = directory.path(name);
        output(MAGICK, &[&from, "-profile", &icc, &to]);
        let pdf = Pdf::new(&converted(name, &fs::read(&to).unwrap(), "pdf", &[]));
        assert_eq!(pdf.pictures()[0][5], "icc", "{name}");
        let stripped = converted(name, &fs::read(&to).unwrap(), "pdf", &[("strip", "true")]);
        assert_eq!(Pdf::new(&stripped).pictures()[0][5], "rgb", "{name}");
    }
}

#[test]
fn lossy_pictures_stay_small() {
    if !can_examine() {
        return;
    }
    let plain = png(scene(400, 300));
    if convert("a.png", &plain, "avif", &[]).is_err() {
        // This build has no lossy picture format other than JPEG.
        return;
    }
    let avif = converted("a.png", &plain, "avif", &[]);
    let pdf = Pdf::new(&converted("a.avif", &avif, "pdf", &[]));
    assert_eq!(pdf.pictures()[0][8], "jpeg");
    let seen = image::load_from_memory(&pdf.stored("-png", "png")).unwrap();
    assert_eq!(seen.dimensions(), (400, 300));
}

#[test]
fn damaged_pictures_are_refused() {
    let jpg = converted("a.png", &png(scene(300, 200)), "jpg", &[]);
    let error = convert("a.jpg", &jpg[..jpg.len() / 2], "pdf", &[]).unwrap_err();
    assert!(error.message().contains("jpg"), "{error}");
    let plain = png(scene(300, 200));
    let error = convert("a.png", &plain[..plain.len() / 2], "pdf", &[]).unwrap_err();
    assert!(error.message().contains("png"), "{error}");
}

#[test]
fn the_readable_part_of_a_damaged_picture_is_kept_on_request() {
    let jpg = converted("a.png", &png(scene(300, 200)), "jpg", &[]);
    let keep = [("damaged", "keep")];
    let (pdf, notes) = convert("a.jpg", &jpg[..jpg.len() / 2], "pdf", &keep).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    assert!(
        notes.0.iter().any(|note| note.contains("damaged")),
        "{notes:?}"
    );
}

#[cfg(feature = "djvu")]
#[test]
fn the_outline_of_a_djvu_becomes_bookmarks() {
    if !has("qpdf") {
        return;
    }
    let directory = Directory::new();
    let file = fixture("djvu/outline.djvu");
    let outlines = |fields: &[(&str, &str)]| {
        let pdf = converted("a.djvu", &file, "pdf", fields);
        let path = directory.file("a.pdf", &pdf);
        output("qpdf", &["--check", &path]);
        let json = output("qpdf", &["--json", "--json-key=outlines", &path]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        json["outlines"].clone()
    };
    let told =
        |entry: &serde_json::Value| format!("{} {}", entry["title"], entry["destpageposfrom1"]);
    let all = outlines(&[]);
    assert_eq!(told(&all[0]), "\"Some words on a\" 1");
    assert_eq!(told(&all[0]["kids"][0]), "\"Größe\" 2");
    assert_eq!(told(&all[0]["kids"][1]), "\"Site\" null");
    assert_eq!(told(&all[1]), "\"End\" 2");
    assert_eq!(all.as_array().unwrap().len(), 2);
    // The PDF of a single page has no outline.
    assert_eq!(outlines(&[("page", "2")]), serde_json::json!([]));
}

#[cfg(feature = "djvu")]
#[test]
fn letters_of_a_djvu_stay_sharp_above_their_background() {
    if !has("pdfimages") || !has("pdftoppm") {
        return;
    }
    let directory = Directory::new();
    for (fields, turned) in [(&[][..], false), (&[("rotate", "90")], true)] {
        let pdf = converted("a.djvu", &fixture("djvu/colours.djvu"), "pdf", fields);
        let path = directory.file("a.pdf", &pdf);
        let list = output("pdfimages", &["-list", &path]);
        // The PDF has the background at a third of the resolution, and the letters with their transparency.
        let kinds: Vec<Vec<&str>> = list
            .lines()
            .skip(2)
            .map(|line| line.split_whitespace().skip(2).take(3).collect())
            .collect();
        let expected = [
            ["image", "135", "34"],
            ["image", "403", "100"],
            ["smask", "403", "100"],
        ];
        assert_eq!(kinds, expected, "{list}");
        output(
            "pdftoppm",
            &[
                "-r",
                "150",
                "-png",
                "-singlefile",
                &path,
                &directory.path("a"),
            ],
        );
        let drawn = std::fs::read(directory.path("a.png")).unwrap();
        let drawn = image::load_from_memory(&drawn).unwrap().to_rgb8();
        let truth = image::load_from_memory(&fixture("djvu/colours.png")).unwrap();
        let truth = if turned { truth.rotate90() } else { truth }.to_rgb8();
        let size = (
            drawn.width().min(truth.width()),
            drawn.height().min(truth.height()),
        );
        let mut sum = 0;
        for (x, y) in (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))) {
            let (one, other) = (drawn.get_pixel(x, y).0, truth.get_pixel(x, y).0);
            sum += (0..3)
                .map(|at| u64::from(one[at].abs_diff(other[at])))
                .sum::<u64>();
        }
        let mean = sum as f64 / (3 * size.0 * size.1) as f64;
        assert!(mean < 6.0, "{mean}");
    }
    // If another width is requested, the page becomes a single picture.
    let small = converted(
        "a.djvu",
        &fixture("djvu/colours.djvu"),
        "pdf",
        &[("width", "200")],
    );
    let list = output("pdfimages", &["-list", &directory.file("a.pdf", &small)]);
    assert_eq!(list.lines().count(), 3, "{list}");
}
