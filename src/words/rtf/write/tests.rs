//! Reads the output of the writer back, compares the trees, and checks that the output is ASCII.

use super::super::read;
use super::*;
use crate::job::testing::with_job;
use convertd_tree::{Builder, CellShape, Node, testing::draw};
use std::io::Cursor;

#[track_caller]
fn check(text: &str) {
    with_job(|job| {
        let read = |file: &[u8]| {
            let job = Job {
                input_len: file.len() as u64,
                ..*job
            };
            let mut notes = Notes::default();
            read::read(&job, &mut Cursor::new(file.to_vec()), &mut notes).expect(text)
        };
        let document = read(format!("{{\\rtf1\\ansi {text}}}").as_bytes());
        let mut file = Cursor::new(Vec::new());
        write(job, &document, &mut file, &mut Notes::default()).expect("nothing is refused");
        let file = file.into_inner();
        assert!(file.is_ascii());
        let written = String::from_utf8_lossy(&file).into_owned();
        assert_eq!(draw(&read(&file)), draw(&document), "{text}: {written}");
    });
}

#[test]
fn documents_survive_a_round_trip() {
    check("a\\'e4\\~\\u8364?\\u-10179?\\u-8694?\\{\\}\\\\\\tab b\\line c\\par");
    check("{\\b b{\\i i}}{\\super 2}{\\sub 3}{\\strike s}{\\scaps c}\\par x\\par");
    check(
        "{\\field{\\*\\fldinst HYPERLINK \"http://a/?b=1\"}{\\fldrslt l}} {\\field{\\*\\fldinst HYPERLINK \\\\l \"x\"}{\\fldrslt m}}{\\*\\bkmkstart x}\\par",
    );
    check("a{\\footnote n\\par m}b{\\footnote\\ftnalt e}\\par");
    check(
        "{\\stylesheet{\\s1 heading 1;}{\\s2 Quote;}{\\s3 Source Code;}}\\s1 H\\par\\pard\\s2 q\\par\\pard\\s3 c\\line d\\par\\pard p\\par",
    );
    check(
        "{\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv a {\\u8364 ?}}}}\\pngblip 89504e470d0a1a0a}}x\\par",
    );
    check("{\\*\\shppict{\\pict\\pngblip\\picwgoal100\\pichgoal100 89504e470d0a1a0a}}x\\par");
    check("{\\pict\\wmetafile8\\picwgoal100\\pichgoal100 010009000003}x\\par");
    let lists = "{\\*\\listtable{\\list{\\listlevel\\levelnfc4\\levelstartat3{\\leveltext\\'02\\'00);}{\\levelnumbers\\'01;}}{\\listlevel\\levelnfc23{\\leveltext\\'01\\u8226 ?;}}\\listid7}}{\\*\\listoverridetable{\\listoverride\\listid7\\ls1}}";
    check(&format!(
        "{lists}\\ls1\\ilvl0 a\\par\\ilvl1 b\\par\\ilvl0 c\\par\\pard d\\par"
    ));
    check(&format!(
        "{{\\stylesheet{{\\s3 Source Code;}}}}{lists}\\ls1\\ilvl0 a\\par\\pard\\s3\\li720 c\\par\\pard\\li720 m\\par\\pard\\ls1\\ilvl1 b\\par\\pard\\li1440 n\\par\\pard\\li720 o\\par"
    ));
    check(
        "\\trowd\\cellx5000\\pard\\intbl\\itap2 x\\nestcell y\\nestcell{\\*\\nesttableprops\\trowd\\cellx1000\\cellx2000\\nestrow}{\\nonesttables\\par}\\pard\\intbl\\itap1\\cell\\row\\pard e\\par",
    );
    check(
        "\\trowd\\cellx5000\\pard\\intbl\\itap2 x\\nestcell\\nestcell{\\*\\nesttableprops\\trowd\\cellx1000\\cellx2000\\nestrow}{\\nonesttables\\par}\\pard\\intbl\\itap1 o\\cell\\row\\pard e\\par",
    );
    check(
        "\\trowd\\clvmgf\\cellx1000\\cellx2000\\intbl a\\cell b\\cell\\row\\trowd\\clvmrg\\cellx1000\\cellx2000\\intbl\\cell c\\par d\\cell\\row\\trowd\\cellx2000\\intbl w\\cell\\row\\pard e\\par",
    );
    check("a\\par\\page\\page b\\par");
}

#[test]
fn adjacent_tables_stay_separate() {
    let cell = || Node::Cell(CellShape::default());
    with_job(|job| {
        let mut build = Builder::new(job);
        for text in ["a", "b"] {
            build
                .open(Node::Table {
                    columns: Vec::new(),
                    width: None,
                    alignment: None,
                })
                .expect("a table");
            build.open(cell()).expect("a cell");
            build.text(text).expect("its text");
            build.close().expect("the end of the cell");
            build.close().expect("the end of the table");
        }
        let document = build.finish(&mut Notes::default()).expect("a document");
        let mut file = Cursor::new(Vec::new());
        write(job, &document, &mut file, &mut Notes::default()).expect("nothing is refused");
        let file = file.into_inner();
        let job = Job {
            input_len: file.len() as u64,
            ..*job
        };
        let read = read::read(&job, &mut Cursor::new(file), &mut Notes::default());
        let expected = "table1[](([p(a)]))p()table1[](([p(b)]))";
        assert_eq!(draw(&read.expect("the file")), expected);
    });
}
