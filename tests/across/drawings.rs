//! Drawings that are converted to PDF. qpdf and poppler examine the results, which must look like the same drawings as
//! PNG.

use crate::{
    examined::{Pdf, can_examine, difference},
    harness::{convert, converted, png, scene},
};
use image::{DynamicImage, Rgb, RgbImage};

/// A drawing of 200 × 200 pixels with this content.
fn drawing(inside: &str) -> Vec<u8> {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
         width='200' height='200'>{inside}</svg>"
    )
    .into_bytes()
}

/// A drawing on white paper, as this program converts it to pixels.
#[track_caller]
fn expected(file: &[u8]) -> RgbImage {
    let drawn = converted("a.svg", file, "png", &[("width", "400")]);
    let drawn = image::load_from_memory(&drawn).unwrap().into_rgba8();
    let paper = RgbImage::from_fn(drawn.width(), drawn.height(), |x, y| {
        let [r, g, b, a] = drawn.get_pixel(x, y).0.map(u32::from);
        Rgb([r, g, b].map(|part| ((part * a + 255 * (255 - a)) / 255) as u8))
    });
    blurred(&paper)
}

/// A picture at a quarter of its size. This hides differences in how programs smooth edges.
fn blurred(picture: &RgbImage) -> RgbImage {
    image::imageops::thumbnail(picture, picture.width() / 4, picture.height() / 4)
}

/// Checks that a drawing looks the same in a PDF, and that the PDF contains paths instead of a picture. Returns the
/// PDF.
#[track_caller]
fn check(inside: &str, most: f64) -> Pdf {
    let file = drawing(inside);
    let expected = expected(&file);
    let paper = RgbImage::from_pixel(expected.width(), expected.height(), Rgb([255; 3]));
    let ink = difference(&expected, &paper);
    assert!(ink > 4.0 * most, "too little is drawn to tell: {ink}");
    let pdf = Pdf::new(&converted("a.svg", &file, "pdf", &[]));
    let found = difference(&blurred(&pdf.seen(192)), &expected);
    assert!(found <= most, "{found} of 255: {inside}");
    assert!(pdf.pictures().is_empty(), "{:?}", pdf.pictures());
    pdf
}

#[test]
fn shapes_and_lines_stay_what_they_are() {
    if !can_examine() {
        return;
    }
    check(
        "<path d='M10 10 H190 V190 H10 Z M50 50 H150 V150 H50 Z' fill='#840' fill-rule='evenodd'/>",
        0.5,
    );
    check(
        "<path d='M10 100 Q100 -80 190 100 C190 200 10 200 10 100' fill='#0a6' stroke='#203' \
         stroke-width='9' stroke-dasharray='20 12' stroke-dashoffset='-7' stroke-linecap='round'/>",
        1.0,
    );
    check(
        "<g transform='rotate(20 100 100) scale(1.5 0.7)' stroke-width='16' fill='none' stroke='navy'>\
         <polyline points='30,30 60,110 90,30' stroke-linejoin='round'/>\
         <polyline points='30,130 60,210 90,130' stroke-linejoin='bevel'/>\
         <path d='M110 60 h0' stroke-linecap='square'/></g>",
        1.0,
    );
    check(
        "<circle cx='100' cy='100' r='60' fill='red' stroke='blue' stroke-width='40' paint-order='stroke'/>",
        0.7,
    );
}

#[test]
fn opacity_and_blending_are_those_of_the_drawing() {
    if !can_examine() {
        return;
    }
    check(
        "<g opacity='0.5'><rect width='150' height='150' fill='red'/>\
         <rect x='50' y='50' width='150' height='150' fill='blue'/></g>",
        0.7,
    );
    check(
        "<rect width='150' height='200' fill='#e90'/><rect y='30' width='200' height='60' opacity='.4'/>\
         <rect y='110' width='200' height='60' fill-opacity='.6' fill='teal' stroke='red' \
         stroke-width='20' stroke-opacity='.5'/>",
        0.7,
    );
    check(
        "<rect width='150' height='150' fill='#fa0'/>\
         <rect x='50' y='50' width='150' height='150' fill='#0bf' style='mix-blend-mode:multiply'/>",
        0.7,
    );
}

#[test]
fn gradients_stay_gradients() {
    if !can_examine() {
        return;
    }
    let stops = "<stop offset='.1' stop-color='red'/><stop offset='.5' stop-color='gold'/>\
                 <stop offset='.5' stop-color='green'/><stop offset='1' stop-color='blue'/>";
    let fill = "<rect x='10' y='10' width='180' height='180' fill='url(#g)'/>";
    for spread in ["pad", "reflect", "repeat"] {
        for gradient in [
            format!(
                "<linearGradient id='g' x1='.3' x2='.6' y2='.2' spreadMethod='{spread}'>{stops}</linearGradient>"
            ),
            format!(
                "<radialGradient id='g' r='.3' fx='.4' fr='.05' spreadMethod='{spread}'>{stops}</radialGradient>"
            ),
            format!(
                "<linearGradient id='g' gradientTransform='rotate(40) scale(.4)' spreadMethod='{spread}'>{stops}</linearGradient>"
            ),
        ] {
            check(&(gradient + fill), 4.0);
        }
    }
    let clear = "<linearGradient id='g'><stop offset='0' stop-color='red' stop-opacity='0'/>\
                 <stop offset='1' stop-color='blue'/></linearGradient>";
    check(
        &format!("{clear}<g transform='rotate(30 100 100)'>{fill}</g>"),
        1.5,
    );
    let line =
        "<path d='M20 180 L100 20 L180 180' fill='none' stroke='url(#g)' stroke-width='30'/>";
    check(&format!("{clear}{line}"), 1.5);
}

#[test]
fn patterns_clip_paths_and_masks_are_seen() {
    if !can_examine() {
        return;
    }
    let tiles = "<pattern id='p' width='40' height='40' patternUnits='userSpaceOnUse' \
                 patternTransform='translate(7 3)'><circle cx='20' cy='15' r='15' fill='#c33'/></pattern>\
                 <pattern id='q' width='400' height='400' patternUnits='userSpaceOnUse' \
                 patternTransform='rotate(20) translate(-60 -150)'><rect x='100' y='100' width='150' height='150' \
                 fill='#36c'/><circle cx='150' cy='300' r='40' fill='#930'/></pattern>";
    for fill in [
        "fill='url(#p)'",
        "fill='url(#p)' fill-opacity='.7'",
        // Poppler places tiles with an error of a pixel or two, so this pattern has only one tile.
        "fill='url(#q)'",
        "fill='none' stroke='url(#q)' stroke-width='150' stroke-opacity='.7'",
    ] {
        check(
            &format!("{tiles}<rect width='200' height='200' {fill}/>"),
            if fill.contains("#p") { 4.0 } else { 1.5 },
        );
    }
    let all = "<rect width='200' height='200' fill='#264' clip-path='url(#c)'/>";
    for shapes in [
        "<path d='M20 20 L180 60 L60 180 Z'/>",
        // These paths overlap, and have opposite directions.
        "<path d='M20 20 H120 V120 H20 Z'/><path d='M80 80 V180 H180 V80 Z'/>",
        "<circle cx='60' cy='60' r='50'/><g transform='translate(90 90)'><circle cx='50' cy='50' r='50'/></g>",
        "<text y='150' font-size='150'>ab</text>",
        "<rect width='160' height='160' clip-path='url(#d)'/>",
    ] {
        let clips = format!(
            "<clipPath id='d'><circle cx='100' cy='100' r='90'/><circle cx='140' cy='140' r='50'/></clipPath>\
             <clipPath id='c'>{shapes}</clipPath>"
        );
        check(&format!("{clips}{all}"), 1.0);
    }
    let white = "<rect width='120' height='200' fill='white'/><rect x='80' width='120' height='200' fill='#777'/>";
    for kind in ["luminance", "alpha"] {
        let mask = format!(
            "<mask id='m' x='.1' y='.1' width='.7' height='.7' mask-type='{kind}'>{white}</mask>"
        );
        check(
            &format!(
                "{mask}<g transform='rotate(10)'><rect width='200' height='200' fill='#a05' mask='url(#m)'/></g>"
            ),
            1.0,
        );
    }
}

#[test]
fn words_are_found_and_look_as_they_did() {
    if !can_examine() {
        return;
    }
    let pdf = check(
        "<text x='10' y='60' font-size='30' fill='#205'>Some Words</text>\
         <text x='10' y='110' font-size='34' letter-spacing='3' text-decoration='underline'>More é fi</text>\
         <text x='100' y='150' font-size='40' text-anchor='middle' fill='gold' stroke='red' stroke-width='3' \
         paint-order='stroke' transform='rotate(5)'>turned</text>\
         <text x='10' y='190' font-size='30' rotate='10 20 -10 5'>bent</text>",
        2.0,
    );
    let words = pdf.words();
    for word in ["Some Words", "More é fi", "turned"] {
        assert_eq!(words.matches(word).count(), 1, "{word}: {words}");
    }
    // A character that no font has is still part of the text.
    let missing = check("<text x='10' y='150' font-size='120'>\u{4e2d}A</text>", 2.0);
    assert!(missing.words().contains('\u{4e2d}'), "{}", missing.words());
    let striped = check(
        "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient>\
         <text x='10' y='120' font-size='60' fill='url(#g)'>Fade</text>\
         <text x='10' y='190' font-size='60' fill='none' stroke='url(#g)' stroke-width='4'>Edge</text>",
        2.0,
    );
    assert!(striped.words().contains("Fade"), "{}", striped.words());
    assert!(striped.words().contains("Edge"), "{}", striped.words());
}

#[test]
fn filters_become_pixels_with_a_note_and_words_stay() {
    if !can_examine() {
        return;
    }
    let file = drawing(
        "<filter id='f'><feGaussianBlur stdDeviation='3'/></filter><rect x='20' y='20' width='90' height='90'/>\
         <g transform='rotate(10)' filter='url(#f)'><rect x='90' y='90' width='80' height='60' fill='red'/>\
         <text x='50' y='80' font-size='40'>Blurred</text></g>",
    );
    let (pdf, notes) = convert("a.svg", &file, "pdf", &[]).unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("filters")),
        "{notes:?}"
    );
    let pdf = Pdf::new(&pdf);
    assert!(pdf.words().contains("Blurr"), "{}", pdf.words());
    assert!(difference(&blurred(&pdf.seen(192)), &expected(&file)) < 1.5);
    // `pdfimages` lists a picture and its transparency as two pictures.
    assert_eq!(pdf.pictures().len(), 2, "{:?}", pdf.pictures());
}

#[test]
fn repeated_pictures_are_stored_once() {
    if !can_examine() {
        return;
    }
    let jpg = converted("a.png", &png(scene(60, 60)), "jpg", &[]);
    let clear = DynamicImage::from(image::RgbaImage::from_fn(50, 50, |x, y| {
        image::Rgba([x as u8 * 5, 90, y as u8 * 5, x as u8 * 5])
    }));
    let href = |kind: &str, bytes: &[u8]| format!("data:image/{kind};base64,{}", base64(bytes));
    let (jpg_link, png_link) = (href("jpeg", &jpg), href("png", &png(clear)));
    let file = drawing(&format!(
        "<image id='i' width='90' height='90' xlink:href='{jpg_link}'/>\
         <use xlink:href='#i' x='100' y='100'/>\
         <image x='10' y='100' width='80' height='60' preserveAspectRatio='none' xlink:href='{png_link}'/>"
    ));
    let pdf = Pdf::new(&converted("a.svg", &file, "pdf", &[]));
    let pictures = pdf.pictures();
    let coded = |name: &str| pictures.iter().filter(|row| row[8] == name).count();
    // `pdfimages` lists a picture for each use, although its object exists only once.
    let mut objects: Vec<_> = pictures.iter().map(|row| &row[10]).collect();
    objects.sort();
    objects.dedup();
    // The list gives the transparency of a picture the number of the picture's object.
    assert_eq!((objects.len(), coded("jpeg")), (2, 2), "{pictures:?}");
    assert_eq!(pdf.stored("-j", "jpg"), jpg);
    assert!(difference(&blurred(&pdf.seen(192)), &expected(&file)) < 3.0);
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| {
            bits << 8 | u32::from(*three.get(at).unwrap_or(&0))
        });
        for digit in 0..4 {
            text.push(match digit > three.len() {
                true => '=',
                false => char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]),
            });
        }
    }
    text
}

#[test]
fn pages_are_as_large_as_the_drawing_or_the_caller_says() {
    if !can_examine() {
        return;
    }
    #[track_caller]
    fn check(fields: &[(&str, &str)], expected: (f64, f64)) {
        let file =
            drawing("<title> A  name </title><rect x='50' y='50' width='100' height='400'/>");
        let pdf = Pdf::new(&converted("a.svg", &file, "pdf", fields));
        let (width, height) = pdf.size(1);
        assert!(
            (width - expected.0).abs() < 0.6 && (height - expected.1).abs() < 0.6,
            "{width} {height}"
        );
        assert_eq!(pdf.title().as_deref(), Some("A name"));
        // The content is clipped to the drawing, even if the paper is larger.
        let seen = pdf.seen(72);
        let dark = seen
            .rows()
            .filter(|row| row.clone().any(|pixel| pixel.0[0] < 9))
            .count();
        assert!((110..=114).contains(&dark), "{dark}");
    }
    check(&[], (150.0, 150.0));
    check(&[("page_size", "a4")], (595.3, 841.9));
    check(&[("margin", "10")], (206.7, 206.7));
}

#[test]
fn a_drawing_is_a_page_among_pictures() {
    if !can_examine() {
        return;
    }
    let file = drawing("<title>One</title><text y='99' font-size='50'>Word</text>");
    let zip = crate::archive::zip(&[("1.svg", &file), ("2.png", &png(scene(40, 30)))]);
    let pdf = Pdf::new(&converted("a.zip", &zip, "pdf", &[]));
    assert_eq!((pdf.pages(), pdf.words().as_str()), (2, "Word"));
    assert_eq!(pdf.title(), None);
}

#[test]
fn the_same_drawing_becomes_the_same_file() {
    let file = drawing(
        "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-opacity='.2'/></linearGradient>\
         <clipPath id='c'><text y='60' font-size='70'>x</text></clipPath>\
         <rect width='99' height='99' fill='url(#g)'/><rect width='99' height='99' clip-path='url(#c)'/>\
         <text y='150' opacity='.5'>Text</text>",
    );
    let once = converted("a.svg", &file, "pdf", &[]);
    assert!(once == converted("a.svg", &file, "pdf", &[]));
}

#[test]
fn hostile_drawings_end() {
    let stops = "<stop stop-color='red'/><stop offset='1' stop-color='blue'/>";
    let deep = |open: &str, close: &str| {
        open.repeat(190) + "<rect width='9' height='9'/>" + &close.repeat(190)
    };
    let all = "<rect x='-1e9' y='-1e9' width='2e9' height='2e9' fill='url(#g)'/>";
    for inside in [
        format!("<linearGradient id='g' x2='1e-6' gradientUnits='userSpaceOnUse' spreadMethod='repeat'>{stops}</linearGradient>{all}"),
        format!("<radialGradient id='g' r='1e-6' fx='-1e9' gradientUnits='userSpaceOnUse' spreadMethod='reflect'>{stops}</radialGradient>{all}"),
        format!("<linearGradient id='g' spreadMethod='repeat'>{}</linearGradient>{all}", stops.repeat(20_000)),
        format!("<pattern id='g' width='1e-5' height='1e-5'><rect width='9' height='9'/></pattern>{all}"),
        deep("<g opacity='.9'>", "</g>"),
        deep("<g transform='scale(1e-3)' style='mix-blend-mode:screen'>", "</g>"),
        "<path stroke='red' stroke-width='1e-30' stroke-dasharray='1e-30 1e30' d='M-1e38 0 L1e38 1e38'/>".into(),
        "<text font-size='1e30'>a</text><text font-size='1e-30'>a</text><text transform='scale(0)'>a</text>".into(),
        "<filter id='f' x='-1e6' y='-1e6' width='3e6' height='3e6'><feFlood/></filter><rect width='9' height='9' filter='url(#f)'/>".into(),
        "<mask id='m'/><g mask='url(#m)'><rect width='9' height='9'/></g><clipPath id='c'/><rect clip-path='url(#c)' width='9' height='9'/>".into(),
    ] {
        // Such a drawing may be refused. If it is converted, the PDF must be valid.
        if let Ok((pdf, _)) = convert("a.svg", &drawing(&inside), "pdf", &[])
            && can_examine()
        {
            let _ = Pdf::new(&pdf);
        }
    }
}
