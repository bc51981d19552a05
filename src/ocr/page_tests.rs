//! Tests with whole pages. They are drawn here, with fonts from the repository, so that the text and its positions are
//! known.

mod bounds;
mod positions;

use crate::{Choice, Model, Page, Settings, Text, Turn, raster, read};
use bounds::Noise;
use convertd_core::job::{Job, testing::with_job};
use miniz_oxide::inflate::decompress_to_vec_zlib;
use positions::{near, rect};
use resvg::{tiny_skia, usvg};
use std::{fmt::Write as _, sync::LazyLock};

static FONT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let packed = include_bytes!("../core/fonts/Tinos-Regular.ttf.zlib");
    decompress_to_vec_zlib(packed).unwrap()
});

/// A grey picture.
#[derive(Clone)]
struct Drawn {
    width: usize,
    height: usize,
    grey: Vec<u8>,
}

impl Drawn {
    fn page(&self) -> Page<'_> {
        Page {
            width: self.width,
            height: self.height,
            grey: &self.grey,
        }
    }

    /// Changes each pixel by a function of its position and its value.
    fn map(mut self, change: impl Fn(usize, usize, u8) -> u8) -> Self {
        for (at, value) in self.grey.iter_mut().enumerate() {
            *value = change(at % self.width, at / self.width, *value);
        }
        self
    }

    fn turned(self, turn: Turn) -> Self {
        with_job(|job| {
            let out = raster::turned(job, &self.page(), turn).unwrap();
            Self {
                width: out.width,
                height: out.height,
                grey: out.samples.clone(),
            }
        })
    }

    fn rotated(self, degrees: f64) -> Self {
        with_job(|job| {
            let map = raster::Map::same_size(self.width, self.height, degrees);
            let out = raster::resampled(job, &self.page(), &map, 255).unwrap();
            Self {
                grey: out.samples.clone(),
                ..self
            }
        })
    }
}

/// Draws the elements of an SVG on white. Text is set in Tinos.
fn draw(width: usize, height: usize, elements: &str) -> Drawn {
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' font-family='Tinos'>\
         <rect width='100%' height='100%' fill='white'/>{elements}</svg>"
    );
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_font_data(FONT.clone());
    let tree = usvg::Tree::from_str(&svg, &options).unwrap();
    let mut pixels = tiny_skia::Pixmap::new(width as u32, height as u32).unwrap();
    resvg::render(
        &tree,
        tiny_skia::Transform::identity(),
        &mut pixels.as_mut(),
    );
    Drawn {
        width,
        height,
        grey: pixels.pixels().iter().map(|pixel| pixel.green()).collect(),
    }
}

/// SVG elements for lines of text, one below another. The first one begins at (`x`, `y`).
fn lines(x: usize, y: usize, size: usize, texts: &[&str]) -> String {
    let mut out = String::new();
    for (at, text) in texts.iter().enumerate() {
        let y = y + at * size * 5 / 4;
        write!(
            out,
            "<text x='{x}' y='{y}' font-size='{size}'>{text}</text>"
        )
        .unwrap();
    }
    out
}

const FOX: [&str; 6] = [
    "The quick brown fox jumps over",
    "the lazy dog, and the dog does",
    "not even bark. Nobody had seen",
    "such a thing before that day,",
    "so everybody went home again",
    "and told it to their children.",
];
const SEA: [&str; 6] = [
    "A storm came up in the night;",
    "the harbour lights went out,",
    "and the boats that were still",
    "at sea had to find their way",
    "home by the sound of the bell",
    "that rang from the old church.",
];

fn read_page(drawn: &Drawn, turns: bool) -> Text {
    with_job(|job| {
        let settings = Settings {
            turns,
            ..Settings::default()
        };
        read(
            job,
            &drawn.page(),
            &[Model::built_in(0).unwrap()],
            &settings,
        )
        .unwrap()
    })
}

fn texts(text: &Text) -> Vec<String> {
    let words = |line: &crate::Line| {
        let words: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    };
    text.lines.iter().map(words).collect()
}

#[track_caller]
fn check(drawn: &Drawn, expected: &[&str]) -> Text {
    let text = read_page(drawn, false);
    assert_similar(&texts(&text), expected);
    text
}

/// Fails if the number of lines differs, or if too many letters are misread: one, and one more for each hundred
/// letters, are allowed.
#[track_caller]
fn assert_similar(found: &[String], expected: &[&str]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    let lines = found.iter().zip(expected);
    let wrong: usize = lines.map(|(found, line)| distance(found, line)).sum();
    let letters: usize = expected.iter().map(|line| line.chars().count()).sum();
    assert!(wrong <= 1 + letters / 100, "{found:?}");
}

/// Number of letters to insert, delete or replace to turn one text into the other (Levenshtein distance).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (nth, other) in to.iter().enumerate() {
            let replaced = corner + usize::from(letter != *other);
            corner = row[nth + 1];
            row[nth + 1] = replaced.min(corner + 1).min(row[nth] + 1);
        }
    }
    row[to.len()]
}

fn fox() -> Drawn {
    draw(620, 320, &lines(40, 60, 32, &FOX))
}

#[test]
fn lines_are_read_from_top_to_bottom() {
    check(&fox(), &FOX);
}

#[test]
fn columns_are_read_one_after_another_below_their_title() {
    let title = lines(40, 50, 40, &["The Fox and the Sea, in Two Columns"]);
    let page = title + &lines(40, 120, 30, &FOX) + &lines(450, 120, 30, &SEA);
    let expected: Vec<&str> = ["The Fox and the Sea, in Two Columns"]
        .into_iter()
        .chain(FOX)
        .chain(SEA)
        .collect();
    let text = check(&draw(880, 380, &page), &expected);
    let blocks: Vec<usize> = text.lines.iter().map(|line| line.block).collect();
    assert_eq!(blocks, [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
}

#[test]
fn cells_of_a_table_are_read_row_by_row_without_its_rules() {
    let mut page = String::new();
    for y in [20, 70, 120, 170] {
        write!(
            page,
            "<path d='M20 {y}H700' stroke='black' stroke-width='3'/>"
        )
        .unwrap();
    }
    for x in [20, 250, 480, 700] {
        write!(
            page,
            "<path d='M{x} 20V170' stroke='black' stroke-width='3'/>"
        )
        .unwrap();
    }
    let cells = [
        ["Article", "Pieces", "Price"],
        ["Hammer", "120", "17.50"],
        ["Bucket", "36", "4.25"],
    ];
    for (row, cells) in cells.iter().enumerate() {
        for (cell, x) in cells.iter().zip([32, 262, 492]) {
            page += &lines(x, 55 + 50 * row, 30, &[cell]);
        }
    }
    let text = check(&draw(720, 200, &page), &cells.concat());
    assert_eq!(text.rules.len(), 8, "{:?}", text.rules);
}

#[test]
fn check_boxes_become_signs() {
    let square = |x: usize| {
        format!(
            "<rect x='{x}' y='35' width='26' height='26' fill='none' stroke='black' stroke-width='3'/>"
        )
    };
    let cross = "<path d='M104 38L124 58M124 38L104 58' stroke='black' stroke-width='4'/>";
    let tick = "<path d='M406 50L411 57L424 39' fill='none' stroke='black' stroke-width='4'/>";
    let page = [square(100), square(250), square(400)].concat()
        + cross
        + tick
        + &lines(140, 60, 32, &["single"])
        + &lines(290, 60, 32, &["married"])
        + &lines(440, 60, 32, &["divorced"]);
    check(
        &draw(600, 110, &page),
        &["☒ single", "☐ married", "☑ divorced"],
    );
}

#[test]
fn a_drop_capital_belongs_to_its_word() {
    let page = lines(40, 132, 130, &["T"])
        + &lines(
            128,
            70,
            32,
            &[
                "he quick brown fox jumps over",
                "the lazy dog, and the dog does",
            ],
        )
        + &lines(40, 150, 32, &FOX[2..]);
    check(
        &draw(640, 320, &page),
        &[
            "The quick brown fox jumps over",
            "the lazy dog, and the dog does",
            FOX[2],
            FOX[3],
            FOX[4],
            FOX[5],
        ],
    );
}

#[test]
fn light_letters_are_read_on_a_dark_page() {
    check(&fox().map(|_, _, value| 255 - value), &FOX);
}

#[test]
fn light_letters_are_read_on_a_dark_area() {
    let page = "<rect x='30' y='20' width='560' height='60' fill='#333'/><g fill='white'>"
        .to_owned()
        + &lines(45, 60, 32, &["Shipping and returns"])
        + "</g>"
        + &lines(40, 130, 32, &FOX);
    let expected: Vec<&str> = ["Shipping and returns"].into_iter().chain(FOX).collect();
    check(&draw(620, 400, &page), &expected);
}

/// Words of letters that touch each other are as dark as bars with light text in them.
#[test]
fn letters_that_touch_each_other_are_read() {
    let texts = [FOX[0], FOX[1], FOX[3], FOX[5]];
    let bold = "<g stroke='black' stroke-width='3' letter-spacing='-1'>".to_owned()
        + &lines(40, 60, 32, &texts)
        + "</g>";
    check(&draw(620, 240, &bold), &texts);
}

#[test]
fn pages_in_uneven_light_are_read() {
    check(
        &fox().map(|x, _, value| (usize::from(value) * (250 + x) / 900) as u8),
        &FOX,
    );
}

#[test]
fn salt_and_pepper_noise_is_not_read() {
    let noise = Noise::default();
    let salted = fox().map(|_, _, value| match noise.next() % 50 {
        0 => 255 - value,
        _ => value,
    });
    check(&salted, &FOX);
}

#[test]
fn small_letters_are_read() {
    check(&draw(280, 150, &lines(20, 30, 14, &FOX)), &FOX);
}

#[test]
fn large_letters_are_read() {
    check(&draw(2400, 1300, &lines(150, 230, 128, &FOX)), &FOX);
}

#[test]
fn a_skewed_page_is_straightened() {
    for degrees in [2.0, -2.0] {
        let page = draw(
            1000,
            700,
            &(lines(120, 120, 32, &FOX) + &lines(120, 400, 32, &SEA)),
        );
        let text = read_page(&page.rotated(degrees), false);
        let expected: Vec<&str> = FOX.into_iter().chain(SEA).collect();
        assert_similar(&texts(&text), &expected);
        assert!(
            (f64::from(text.skew) + degrees).abs() < 0.2,
            "{degrees}: {}",
            text.skew
        );
        // The baseline has the slope of the page.
        let line = text.lines[0].baseline;
        let slope = (line.to.1 - line.from.1) / (line.to.0 - line.from.0);
        assert!(
            (f64::from(slope.atan().to_degrees()) - degrees).abs() < 0.5,
            "{degrees}: {slope}"
        );
    }
}

#[test]
fn a_page_turned_by_quarters_is_read() {
    for (turn, back) in [
        (Turn::Upright, Turn::Upright),
        (Turn::Clockwise, Turn::CounterClockwise),
        (Turn::CounterClockwise, Turn::Clockwise),
        (Turn::UpsideDown, Turn::UpsideDown),
    ] {
        let upright = read_page(&fox(), true);
        let text = read_page(&fox().turned(turn), true);
        assert_eq!(text.turn, back);
        assert_eq!(texts(&text), FOX, "{turn:?}");
        // Positions refer to the page before it is turned.
        let first = upright.lines[0].words[0].bounds;
        let (width, height) = (620.0, 320.0);
        let expected = match turn {
            Turn::Upright => first,
            Turn::UpsideDown => rect(
                width - first.right,
                height - first.bottom,
                width - first.left,
                height - first.top,
            ),
            Turn::Clockwise => rect(
                height - first.bottom,
                first.left,
                height - first.top,
                first.right,
            ),
            Turn::CounterClockwise => rect(
                first.top,
                width - first.right,
                first.bottom,
                width - first.left,
            ),
        };
        near(&text.lines[0].words[0].bounds, &expected, 2.0);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_text() {
    let page = fox();
    with_job(|job| {
        let read = |spare_threads: usize| {
            let job = Job {
                spare_threads,
                ..*job
            };
            read(
                &job,
                &page.page(),
                &[Model::built_in(0).unwrap()],
                &Settings::default(),
            )
            .unwrap()
        };
        assert_eq!(read(3), read(0));
    });
}

#[test]
fn the_more_certain_of_two_models_reads() {
    let page = draw(
        700,
        120,
        &lines(
            40,
            60,
            32,
            &[
                "Größere Überschläge für müßige Bären",
                "würden schließlich über Öl ausgeführt",
            ],
        ),
    );
    for choice in [Choice::EachLine, Choice::WholePage] {
        let text = with_job(|job| {
            let models = [Model::built_in(0).unwrap(), Model::built_in(1).unwrap()];
            let settings = Settings {
                choice,
                turns: false,
            };
            read(job, &page.page(), &models, &settings).unwrap()
        });
        assert_eq!(
            texts(&text),
            [
                "Größere Überschläge für müßige Bären",
                "würden schließlich über Öl ausgeführt"
            ],
            "{choice:?}"
        );
    }
}
