//! Form fields and annotations without an appearance stream.

use crate::{
    harness::{Picture, convert_with},
    make::File,
};

/// A form with these entries, and with annotations as the objects from number 5 on.
fn form(entries: &str, annotations: &[&str]) -> Vec<u8> {
    let mut file = File::new();
    let numbers: Vec<String> = (5..5 + annotations.len())
        .map(|number| format!("{number} 0 R"))
        .collect();
    let numbers = numbers.join(" ");
    file.object(format!(
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{numbers}] /DA (/Helv 0 Tf 0 g) {entries} >> >>"
    ));
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Annots [{numbers}] >>"
    ));
    file.stream("", "");
    for annotation in annotations {
        match annotation.split_once("stream ") {
            Some((entries, content)) => file.stream(entries, content),
            None => file.object(annotation),
        };
    }
    file.finish()
}

/// The text, the notes, and the numbers of dark pixels below and above the middle of the page.
fn seen(file: &[u8]) -> (String, Vec<String>, [usize; 2]) {
    let (text, notes) = convert_with("form.pdf", file, "txt", "medium", &[]).unwrap();
    let (drawn, _) = convert_with("form.pdf", file, "ppm", "medium", &[]).unwrap();
    let picture = Picture::of(&drawn);
    let dark = |rows: std::ops::Range<usize>| {
        let row = 3 * picture.width;
        let pixels = &picture.pixels[rows.start * row..rows.end * row];
        let pixels = pixels.as_chunks::<3>().0.iter();
        pixels.filter(|pixel| pixel[1] < 128).count()
    };
    let (middle, end) = (picture.height / 2, picture.height);
    let text = String::from_utf8(text).unwrap();
    let dark = [dark(middle..end), dark(0..middle)];
    (text.trim().to_owned(), notes.0, dark)
}

#[test]
fn filled_in_values_are_drawn_and_read() {
    let area = "/Type /Annot /Subtype /Widget /Rect [20 120 180 140]";
    #[track_caller]
    fn check(annotation: &str, expected: &str) {
        let (text, notes, [below, above]) = seen(&form("", &[annotation]));
        assert_eq!(text, expected, "{annotation}");
        assert_eq!(below, 0, "{annotation}");
        assert_eq!(above > 20, !expected.is_empty(), "{annotation}: {above}");
        let said = notes
            .iter()
            .any(|note| note.contains("no stored appearance"));
        assert_eq!(said, !expected.is_empty(), "{notes:?}");
    }
    check(
        &format!("<< {area} /FT /Tx /V (Jos\\351 \\(1\\)) >>"),
        "José (1)",
    );
    check(
        &format!(
            "<< {area} /FT /Tx /Q 2 /DA (1 0 0 rg /X 9 Tf) /V <feff00480069> /MK << /R 180 >> >>"
        ),
        "Hi",
    );
    check(
        &format!("<< {area} /FT /Tx /Ff 16777216 /MaxLen 4 /V (7301) >>"),
        "7 3 0 1",
    );
    check(
        &format!("<< {area} /FT /Ch /V (de) /Opt [[(en) (English)] [(de) (German)]] >>"),
        "German",
    );
    check(
        &format!("<< {area} /FT /Ch /V [(one) (two)] >>"),
        "one, two",
    );
    check(
        "<< /Subtype /FreeText /Rect [20 120 180 180] /DA (/Helv 10 Tf) /Contents (A note\rin two lines) >>",
        "A note\nin two lines",
    );
    // Passwords and hidden, empty or zero-sized fields are not shown.
    check(&format!("<< {area} /FT /Tx /Ff 8192 /V (secret) >>"), "");
    check(&format!("<< {area} /FT /Tx /F 2 /V (hidden) >>"), "");
    check(&format!("<< {area} /FT /Tx /V ( ) >>"), "");
    check(
        "<< /Subtype /Widget /Rect [20 120 20 140] /FT /Tx /V (none) >>",
        "",
    );
    // A field that is its own ancestor.
    check(&format!("<< {area} /Parent 5 0 R /T (a) >>"), "");
}

#[test]
fn widgets_inherit_the_value_of_their_field() {
    let widget = "<< /Subtype /Widget /Rect [20 20 180 40] /Parent 6 0 R >>";
    let field = "<< /FT /Tx /T (a) /V (from above) /Kids [5 0 R] >>";
    let (text, ..) = seen(&form("", &[widget, field]));
    assert_eq!(text, "from above");
}

#[test]
fn characters_missing_in_the_font_are_read_and_noted() {
    let field = "<< /Subtype /Widget /Rect [20 20 180 40] /FT /Tx /V <feff04140430> >>";
    let (text, notes, _) = seen(&form("", &[field]));
    assert_eq!(text, "Да");
    assert!(
        notes.iter().any(|note| note.contains("no font")),
        "{notes:?}"
    );
}

#[test]
fn appearances_of_fields_are_kept_unless_outdated() {
    let field = "<< /Subtype /Widget /Rect [20 20 180 40] /FT /Tx /V (new) /AP << /N 6 0 R >> >>";
    let empty = "/Type /XObject /Subtype /Form /BBox [0 0 160 20]stream /Tx BMC EMC";
    let full = "/Type /XObject /Subtype /Form /BBox [0 0 160 20] /Resources << /Font << /F << /Type /Font \
                /Subtype /Type1 /BaseFont /Helvetica >> >> >>stream BT /F 10 Tf 2 5 Td (old) Tj ET";
    let needed = "/NeedAppearances true";
    assert_eq!(seen(&form(needed, &[field, empty])).0, "new");
    assert_eq!(seen(&form("", &[field, empty])).0, "");
    assert_eq!(seen(&form(needed, &[field, full])).0, "old");
}

#[test]
fn fake_or_missing_trailers_do_not_hide_fields() {
    let field =
        "<< /Subtype /Widget /Rect [20 20 180 40] /FT /Tx /V (kept) /X (/Encrypt startxref) >>";
    assert_eq!(seen(&form("", &[field])).0, "kept");
    // A damaged cross-reference table is rebuilt by reading the whole file.
    let field = "<< /Subtype /Widget /Rect [20 20 180 40] /FT /Tx /V (kept) >>";
    let mut file = form("", &[field]);
    let at = file.windows(5).rposition(|part| part == b"xref\n").unwrap();
    file.truncate(at - 5);
    assert_eq!(seen(&file).0, "kept");
}

/// A page with this content and these form fields.
fn page(content: &str, fields: &[&str]) -> String {
    let mut file = File::new();
    let numbers: Vec<String> = (6..6 + fields.len())
        .map(|number| format!("{number} 0 R"))
        .collect();
    let numbers = numbers.join(" ");
    file.object(format!(
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{numbers}] /DA (/Helv 0 Tf 0 g) >> >>"
    ));
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [{numbers}] >>"
    ));
    file.stream("", content);
    file.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
    for field in fields {
        file.object(format!("<< /Type /Annot /Subtype /Widget {field} >>"));
    }
    let (text, _) = convert_with("form.pdf", &file.finish(), "txt", "medium", &[]).unwrap();
    String::from_utf8(text).unwrap().trim().to_owned()
}

#[test]
fn fields_are_placed_at_their_labels() {
    let words = |words: &[(&str, u32, u32)]| {
        let shown = words
            .iter()
            .map(|(word, x, y)| format!("1 0 0 1 {x} {y} Tm ({word}) Tj "));
        format!("BT /F 10 Tf {}ET", shown.collect::<String>())
    };
    let labels = words(&[
        ("Name", 40, 250),
        ("Agree", 40, 200),
        ("Refuse", 150, 200),
        ("Size", 40, 150),
    ]);
    let fields = [
        "/FT /Tx /V (Ann Roe) /Rect [180 244 340 262]",
        "/FT /Btn /V /Yes /AS /Yes /Rect [110 196 124 210]",
        "/FT /Btn /AS /Off /Rect [200 196 214 210]",
        "/FT /Ch /V (l) /Opt [[(s) (small)] [(l) (large)]] /Rect [180 145 300 160]",
    ];
    let expected = "Name Ann Roe\n\nAgree \u{2612} Refuse \u{2610}\n\nSize large";
    assert_eq!(page(&labels, &fields), expected);
    // The sign is before its label; one of several radio buttons is selected.
    let labels = words(&[("Pay by", 40, 250), ("card", 120, 250), ("cash", 180, 250)]);
    let fields = [
        "/FT /Btn /Ff 32768 /AS /Off /Rect [104 247 116 259]",
        "/FT /Btn /Ff 32768 /AS /Cash /Rect [164 247 176 259]",
        // Push buttons show nothing.
        "/FT /Btn /Ff 65536 /Rect [230 247 260 259]",
        "/FT /Btn /F 2 /AS /Off /Rect [270 247 280 259]",
    ];
    assert_eq!(page(&labels, &fields), "Pay by ( ) card (\u{2022}) cash");
}

#[test]
fn a_list_shows_its_selected_entries_only() {
    #[track_caller]
    fn check(value: &str, expected: &str) {
        let list = format!(
            "<< /Type /Annot /Subtype /Widget /Rect [20 120 180 180] /FT /Ch {value} \
             /Opt [[(a) (alpha)] [(b) (beta)] [(c) (gamma)]] /AP << /N 6 0 R >> >>"
        );
        let drawn = "/Type /XObject /Subtype /Form /BBox [0 0 160 60] /Resources << /Font << /F << /Type /Font \
             /Subtype /Type1 /BaseFont /Helvetica >> >> >>stream BT /F 10 Tf 2 44 Td (alpha) Tj 0 -15 Td (beta) Tj \
             0 -15 Td (gamma) Tj ET";
        let (text, ..) = seen(&form("", &[&list, drawn]));
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words.join(" "), expected, "{value}");
    }
    check("/V (b)", "beta");
    check("/V [(a) (c)]", "alpha gamma");
    // If no entry is selected, or if the selected entry is not in the list, the list stays as it is.
    check("", "alpha beta gamma");
    check("/V (d)", "alpha beta gamma");
}
