//! Recognition of lines, with intact and with damaged models. `data/lines.py` makes the lines.

use crate::{Direction, LineImage, Model, Reading, Scratch, network::Border};
use convertd_core::{error::Kind, job::testing::with_job};
use image::GrayImage;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

fn lines(language: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/lines");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with(language)
        })
        .collect();
    paths.sort();
    paths
}

fn open(path: &Path) -> GrayImage {
    image::open(path).unwrap().into_luma8()
}

fn line(picture: &GrayImage) -> LineImage<'_> {
    LineImage {
        width: picture.width() as usize,
        height: picture.height() as usize,
        grey: picture.as_raw(),
    }
}

/// Reads a picture with a model that is compiled in.
fn read(model: usize, picture: &GrayImage) -> Reading<'static> {
    with_job(|job| {
        let model = Model::built_in(model).unwrap();
        let reading = model.read(job, &line(picture), &mut Scratch::new(job));
        reading.unwrap()
    })
}

/// Reports that a test is skipped. Fails if `CONVERTD_TOOLS` requires that everything is installed.
#[track_caller]
fn lacking(what: &str) {
    assert!(env::var_os("CONVERTD_TOOLS").is_none(), "this needs {what}");
    eprintln!("skipped: needs {what}");
}

/// The file of the installed model of a language. `None` if none is installed.
fn installed(language: &str) -> Option<Vec<u8>> {
    let folders = fs::read_dir("/usr/share/tesseract-ocr").ok()?;
    folders
        .filter_map(|folder| {
            let path = folder.ok()?.path();
            fs::read(path.join(format!("tessdata/{language}.traineddata"))).ok()
        })
        .next()
}

#[test]
fn lines_have_the_same_text_as_in_tesseract() {
    for language in ["eng", "deu"] {
        let paths = lines(language);
        let list: String = paths
            .iter()
            .map(|path| format!("{}\n", path.display()))
            .collect();
        let folder = env::temp_dir().join(format!("convertd-ocr-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("list"), list).unwrap();
        let output = Command::new("tesseract")
            .args(["list", "-", "--psm", "13", "--dpi", "300", "-l", language])
            .env("OMP_THREAD_LIMIT", "1")
            .current_dir(&folder)
            .stderr(Stdio::null())
            .output();
        fs::remove_dir_all(&folder).unwrap();
        let (Ok(output), Some(bytes)) = (output, installed(language)) else {
            return lacking("tesseract-ocr with English and German");
        };
        let texts = String::from_utf8(output.stdout).unwrap();
        with_job(|job| {
            let model = Model::load(job, &bytes).unwrap();
            let mut scratch = Scratch::new(job);
            let mut different = Vec::new();
            for (path, expected) in paths.iter().zip(texts.split('\x0c')) {
                let picture = open(path);
                let reading = model
                    .read_with(job, &line(&picture), &mut scratch, || {
                        Border::random(model.network.rounds)
                    })
                    .unwrap();
                if reading.text() != expected.trim() {
                    different.push((reading.text(), expected.trim()));
                }
            }
            // One line may differ: Tesseract surrounds a picture with random numbers, which depend on its version.
            assert!(different.len() < 2, "{different:?}");
        });
    }
}

#[test]
fn compiled_in_models_read_lines() {
    #[track_caller]
    fn check(file: &str, model: usize, expected: &str) {
        let picture = open(
            &Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("data/lines")
                .join(file),
        );
        let reading = read(model, &picture);
        assert_eq!(reading.text(), expected);
        assert!(reading.mean > 0.9, "{}", reading.mean);
        // Symbols are in order from one side of the picture to the other.
        let mut at = 0.0;
        for symbol in &reading.symbols {
            assert!(symbol.from >= at && symbol.to > symbol.from, "{symbol:?}");
            at = symbol.to;
        }
        let width = picture.width() as f32;
        assert!(
            (width * 0.95..=width + 1.0).contains(&at),
            "{at} of {width}"
        );
    }
    check(
        "eng00.png",
        0,
        "The quick brown fox jumps over the lazy dog.",
    );
    check(
        "eng00.png",
        1,
        "The quick brown fox jumps over the lazy dog.",
    );
    check("deu00.png", 1, "Zwölf Boxkämpfer jagen Viktor quer");
}

#[test]
fn light_on_dark_is_read() {
    let mut picture = open(&lines("eng")[0]);
    let upright = read(0, &picture);
    image::imageops::invert(&mut picture);
    let reading = read(0, &picture);
    assert!(reading.inverted && !upright.inverted);
    assert_eq!(reading.text(), upright.text());
}

#[test]
fn pictures_of_all_sizes_are_accepted() {
    for (width, height) in [
        (0, 0),
        (1, 1),
        (4, 4000),
        (5, 5),
        (4000, 5),
        (7, 300),
        (3000, 3000),
        (40_000, 6),
    ] {
        for level in [0, 128, 255] {
            let picture = GrayImage::from_pixel(width, height, image::Luma([level]));
            let reading = read(0, &picture);
            let end = reading.symbols.last().map_or(0.0, |symbol| symbol.to);
            assert!(end <= width as f32 + 1.0, "{end} of {width}×{height}");
        }
    }
}

#[test]
fn a_picture_with_too_few_samples_has_no_text() {
    with_job(|job| {
        let line = LineImage {
            width: 100,
            height: 50,
            grey: &[0; 4999],
        };
        let model = Model::built_in(0).unwrap();
        let reading = model.read(job, &line, &mut Scratch::new(job)).unwrap();
        assert_eq!(reading, Reading::default());
    });
}

/// A model with a single layer of weights, small enough to be cut at every byte. It reads lines that are three pixels
/// high, and has three outputs.
fn small_model() -> Vec<u8> {
    fn node(kind: &str, inputs: i32, outputs: i32, fields: &[u8]) -> Vec<u8> {
        let mut node = vec![0];
        string(&mut node, kind);
        node.extend([0, 1]);
        for number in [0, inputs, outputs, 0] {
            node.extend(number.to_le_bytes());
        }
        string(&mut node, kind);
        node.extend(fields);
        node
    }
    fn string(to: &mut Vec<u8>, text: &str) {
        to.extend((text.len() as u32).to_le_bytes());
        to.extend(text.as_bytes());
    }
    fn numbers(numbers: &[i32]) -> Vec<u8> {
        numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect()
    }
    let input = node("Input", 1, 1, &numbers(&[1, 3, 0, 1, 1]));
    let stack = node("Reconfig", 1, 3, &numbers(&[1, 3]));
    let mut matrix = vec![0x81];
    matrix.extend(numbers(&[3, 4]));
    matrix.push(0);
    matrix.extend([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    matrix.extend(numbers(&[3]));
    for _ in 0..3 {
        matrix.extend(0.01f64.to_le_bytes());
    }
    let softmax = node("Softmax", 3, 3, &matrix);
    let mut network = node(
        "Series",
        1,
        3,
        &[numbers(&[3]), input, stack, softmax].concat(),
    );
    string(&mut network, "[1,3,0,1Rx1y3O1c3]");
    network.extend(numbers(&[65, 1, 1, 2, 0, 0, 0]));
    let unicharset =
        b"4\nNULL 0 Common 0\nJoined 0 Common 0\n|Broken|0|1 0 Common 0\na 3 Latin 3 0 3 a\n";
    let mut recoder = numbers(&[4]);
    for output in [0, 2, 2, 1] {
        recoder.push(0);
        recoder.extend(numbers(&[1, output]));
    }
    // A word list with the single word `a`. Word lists are graphs whose edges are letters. This one has one edge, which
    // is marked as the last edge of its node and as the end of a word.
    let mut words = 42i16.to_le_bytes().to_vec();
    words.extend(numbers(&[4, 1]));
    words.extend((3u64 | 1 << 2 | 1 << 4).to_le_bytes());
    let parts = [
        (17, network),
        (19, words),
        (21, unicharset.to_vec()),
        (22, recoder),
    ];
    let mut model = 24u32.to_le_bytes().to_vec();
    let mut offset = 4 + 24 * 8;
    for number in 0..24 {
        let part = parts.iter().find(|(one, _)| *one == number);
        let at = part.map_or(-1, |_| offset as i64);
        model.extend(at.to_le_bytes());
        offset += part.map_or(0, |(_, bytes)| bytes.len());
    }
    parts.iter().for_each(|(_, bytes)| model.extend(bytes));
    model
}

/// Loads a model, and reads a line with it if that succeeds.
fn attempt(bytes: &[u8]) -> Result<(), String> {
    with_job(|job| {
        let model = Model::load(job, bytes).map_err(|err| {
            assert_eq!(err.kind(), Kind::BadInput);
            err.message().to_owned()
        })?;
        let grey: Vec<u8> = (0..60 * 20).map(|at| (at * 37 % 256) as u8).collect();
        let line = LineImage {
            width: 60,
            height: 20,
            grey: &grey,
        };
        model.read(job, &line, &mut Scratch::new(job)).unwrap();
        Ok(())
    })
}

#[test]
fn the_small_model_is_valid() {
    assert_eq!(attempt(&small_model()), Ok(()));
}

#[test]
fn truncated_models_are_refused() {
    let model = small_model();
    for len in 0..model.len() {
        let message = attempt(&model[..len]).unwrap_err();
        assert!(
            message.starts_with("the OCR model cannot be used: "),
            "{message}"
        );
    }
}

#[test]
fn changed_models_are_refused_or_read() {
    let model = small_model();
    let mut refused = 0;
    // Each byte of the model in turn becomes a value that is extreme as a length, sign or flag.
    for at in 0..model.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut model = model.clone();
            model[at] = value;
            refused += usize::from(attempt(&model).is_err());
        }
    }
    assert!(refused > 500, "{refused}");
    // Three random bytes change together.
    let mut state = 49u64;
    for _ in 0..4000 {
        let mut model = model.clone();
        for _ in 0..3 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let at = (state >> 33) as usize % model.len();
            model[at] = (state >> 25) as u8;
        }
        let _ = attempt(&model);
    }
}

/// Position of a text in a model.
fn position(model: &[u8], text: &str) -> usize {
    let mut windows = model.windows(text.len());
    let found = windows.position(|window| window == text.as_bytes());
    found.unwrap()
}

#[test]
fn wrong_fields_are_named() {
    #[track_caller]
    fn check(at: impl Fn(&[u8]) -> usize, bytes: &[u8], expected: &str) {
        let mut model = small_model();
        let at = at(&model);
        model[at..at + bytes.len()].copy_from_slice(bytes);
        let message = attempt(&model).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
    let part = |number: usize| move |_: &[u8]| 4 + number * 8;
    check(|_| 0, &[0, 0, 0, 24], "does not begin like");
    check(part(17), &[0xff; 8], "no network");
    check(part(22), &[0xff; 8], "no recoder");
    check(part(19), &[0, 0, 0, 0, 0, 0, 0, 1], "beyond the end");
    let field = |name: &'static str, skipped: usize| {
        // The name of a type is followed by two bytes, four numbers, and the name of the layer.
        move |model: &[u8]| position(model, name) + 2 * name.len() + 2 + 16 + 4 + skipped
    };
    check(field("Input", 4), &[0, 0, 16, 0], "the height of its lines");
    check(field("Reconfig", 0), &[0; 4], "a pooling layer has no size");
    check(field("Softmax", 0), &[0x80], "floats");
    check(
        field("Softmax", 1),
        &[0, 0x80, 0, 0],
        "but its layer needs 3",
    );
    check(
        field("Softmax", 1),
        &[0, 0xca, 0x9a, 0x3b],
        "is 1000000000; the limit",
    );
    check(field("Softmax", 10), &[0x80], "a weight is −128");
    check(
        |model| position(model, "Softmax"),
        b"X",
        "the unknown type \"Xoftmax\"",
    );
    check(|model| position(model, "NULL") - 2, b"9", "ends too early");
}

#[test]
fn a_thousand_layers_are_refused() {
    let mut model = small_model();
    let from = position(&model, "Series") - 5;
    let mut series = model[from..from + 5 + 6 + 18 + 4 + 6].to_vec();
    series.extend([1, 0, 0, 0]);
    let many = series.repeat(1000);
    for part in [19, 21, 22] {
        let offset = &mut model[4 + part * 8..][..8];
        let moved = i64::from_le_bytes(offset.try_into().unwrap()) + many.len() as i64;
        offset.copy_from_slice(&moved.to_le_bytes());
    }
    model.splice(from..from, many);
    let message = attempt(&model).unwrap_err();
    assert!(message.contains("16 levels"), "{message}");
}

#[test]
fn symbols_have_the_direction_of_their_characters() {
    let picture = open(&lines("eng")[1]);
    let reading = read(0, &picture);
    let of = |text: &str| {
        let symbol = reading.symbols.iter().find(|symbol| symbol.text == text);
        symbol.unwrap().direction
    };
    assert_eq!(of("I"), Direction::LeftToRight);
    assert_eq!(of("4"), Direction::Number);
}
