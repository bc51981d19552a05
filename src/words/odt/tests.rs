//! Reads the output of the writer back, and compares the trees.

use super::*;
use crate::job::{Job, Notes, testing::with_job};
use convertd_tree::{Document, testing::draw};
use read::tests::flat;
use std::io::Cursor;

fn read_flat(job: &Job<'_>, body: &str) -> Document {
    let file = flat(body).into_bytes();
    let job = Job {
        input_len: file.len() as u64,
        ..*job
    };
    let mut notes = Notes::default();
    read::read_flat(&job, &mut Cursor::new(file), &mut notes).expect("a document")
}

fn written(job: &Job<'_>, document: &Document) -> (Vec<u8>, Notes) {
    let mut file = Cursor::new(Vec::new());
    let mut notes = Notes::default();
    write::write(job, document, &mut file, &mut notes).expect("nothing is refused");
    (file.into_inner(), notes)
}

#[test]
fn documents_survive_a_round_trip() {
    #[track_caller]
    fn check(body: &str) {
        with_job(|job| {
            let document = read_flat(job, body);
            let (file, _) = written(job, &document);
            assert_eq!(file, written(job, &document).0, "the same bytes");
            let job = Job {
                input_len: file.len() as u64,
                ..*job
            };
            let read_back = read::read(&job, &mut Cursor::new(file), &mut Notes::default());
            assert_eq!(
                draw(&read_back.expect("a document")),
                draw(&document),
                "{body}"
            );
        });
    }
    check("");
    check("<text:p>a<text:s text:c=\"3\"/>b<text:tab/><text:s/>c<text:line-break/>d</text:p>");
    check("<text:p text:style-name=\"Title\">T</text:p><text:p>&lt;&amp; ∑ 日本 עברית</text:p>");
    check(
        "<text:p><text:span text:style-name=\"B\">b<text:span text:style-name=\"I\">i</text:span></text:span><text:span text:style-name=\"S\">s</text:span><text:span text:style-name=\"Source_20_Text\">c</text:span></text:p>",
    );
    check(
        "<text:p><text:a xlink:href=\"http://a/?b&amp;c\">l</text:a><text:bookmark text:name=\"x\"/><text:a xlink:href=\"#x\">m</text:a></text:p>",
    );
    check(
        "<text:p>a<text:note text:note-class=\"endnote\"><text:note-body><text:p>n</text:p><text:p>m</text:p></text:note-body></text:note>b</text:p>",
    );
    check(
        "<text:p text:style-name=\"Quotations\">q</text:p><text:p text:style-name=\"Horizontal_20_Line\"/>",
    );
    check(
        "<text:p text:style-name=\"Preformatted_20_Text\">a<text:s text:c=\"2\"/>b<text:line-break/>c</text:p>",
    );
    check(
        "<text:h text:outline-level=\"1\">A</text:h><text:h text:outline-level=\"2\">B</text:h><text:p>c</text:p>",
    );
    check(
        "<text:p>x <draw:frame><draw:object><math:math><math:mfrac><math:mi>a</math:mi><math:mn>2</math:mn></math:mfrac></math:math></draw:object></draw:frame></text:p>",
    );
    check(
        "<text:p>x <draw:frame svg:width=\"1cm\" svg:height=\"1cm\"><draw:image><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:image><svg:desc>d</svg:desc></draw:frame></text:p>",
    );
    let item = |text: &str| format!("<text:list-item><text:p>{text}</text:p>");
    let table = "<table:table><table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned=\"2\"><text:p>h</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-rows-spanned=\"2\"><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table>";
    check(table);
    check(&format!(
        "<text:list text:style-name=\"N\">{}</text:list-item>{}<text:list>{}</text:list-item></text:list></text:list-item></text:list><text:p>p</text:p><text:list text:style-name=\"N\" text:continue-numbering=\"true\">{}</text:list-item></text:list>",
        item("x"),
        item("y"),
        item("z"),
        item("w"),
    ));
}

#[test]
fn a_table_in_a_list_is_moved_out_of_it() {
    with_job(|job| {
        let document = read_flat(
            job,
            "<text:list text:style-name=\"N\"><text:list-item><text:p>a</text:p><table:table><table:table-row><table:table-cell><text:p>t</text:p></table:table-cell></table:table-row></table:table><text:p>b</text:p></text:list-item><text:list-item><text:p>c</text:p></text:list-item></text:list>",
        );
        assert_eq!(draw(&document), "a)([p(a)table1[](([p(t)]))p(b)][p(c)])");
        let (file, _) = written(job, &document);
        let job = Job {
            input_len: file.len() as u64,
            ..*job
        };
        let read_back = read::read(&job, &mut Cursor::new(file), &mut Notes::default());
        let read_back = draw(&read_back.expect("a document"));
        assert_eq!(read_back, "a)([p(a)])table1[](([p(t)]))p(b)b)([p(c)])");
    });
}

#[test]
fn written_packages_are_recognised() {
    with_job(|job| {
        let document = read_flat(job, "<text:p>a</text:p>");
        let (file, notes) = written(job, &document);
        assert!(ROW.format.matches(&file));
        assert!(notes.0.is_empty(), "{notes:?}");
    });
}

#[test]
fn damaged_packages_are_refused() {
    with_job(|job| {
        let document = read_flat(job, "<text:p>a</text:p>");
        let (file, _) = written(job, &document);
        for end in (0..file.len()).step_by(37) {
            let job = Job {
                input_len: end as u64,
                ..*job
            };
            let cut = file[..end].to_vec();
            let read = read::read(&job, &mut Cursor::new(cut), &mut Notes::default());
            assert!(read.is_err(), "{end}");
        }
    });
}
