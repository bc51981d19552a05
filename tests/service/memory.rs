//! Memory: valid files that need more memory than their headers show are converted, or refused with figures. An idle
//! service needs little memory.

use crate::{
    contract::success,
    harness::{Client, Form, Request, Server, wait_for},
    samples,
};
use image::{ImageFormat, RgbaImage};
use std::io::Cursor;

/// A drawing with a text of this many letters. No header shows the memory for shaping and drawing them, because it
/// depends on the font.
fn letters(count: usize) -> Vec<u8> {
    let text: String = (b'a'..=b'z').cycle().take(count).map(char::from).collect();
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='50'>\
         <text y='30' font-size='9'>{text}</text></svg>"
    )
    .into_bytes()
}

/// A drawing of this many triangles. A triangle takes much more memory than it has bytes in the file.
fn shapes(count: usize) -> Vec<u8> {
    let shapes = "<path d='M1 1h1v1z'/>".repeat(count);
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{shapes}</svg>")
        .into_bytes()
}

/// A picture with noise in every channel, which is the most difficult input for a lossy encoder.
fn noise(side: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let picture = RgbaImage::from_fn(side, side, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgba(state.to_be_bytes())
    });
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

#[test]
fn a_drawing_with_a_long_text_is_drawn() {
    let server = Server::with("--memory 2G").start();
    let answer = server.convert(&letters(20_000), "labels.svg", "png");
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[test]
fn noise_with_soft_alpha_becomes_webp_at_every_quality() {
    let server = Server::with("--memory 2G").start();
    let file = noise(1500);
    for quality in ["low", "medium", "high"] {
        let form = Form::of(&file, "noise.png", "webp").field("quality", quality);
        let answer = server.submit(form);
        assert_eq!(answer.status, 200, "{quality}: {answer:?}");
    }
}

#[test]
fn a_job_beyond_the_whole_budget_is_refused_and_the_error_names_the_option() {
    let server = Server::with("--memory 24M").start();
    let answer = server.convert(&shapes(300_000), "shapes.svg", "png");
    assert_eq!(answer.status, 400, "{answer:?}");
    assert!(answer.error().contains("--memory"), "{answer:?}");
    // The next conversion can use the whole budget again.
    let answer = server.convert(&letters(20), "labels.svg", "png");
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// The stack of a thread keeps its memory, so threads for uploads start only if there are uploads.
#[test]
fn threads_start_when_there_is_work_for_them() {
    const SLOW: u64 = 12;
    let mut server = Server::with("--workers 16").start();
    let before = server.process().threads();
    let form = Form::of(&samples::ppm(40, 40), "p.ppm", "png");
    let request = Request::form(form).bytes().to_vec();
    let mut slow: Vec<Client> = (0..SLOW).map(|_| server.connect()).collect();
    for client in &mut slow {
        client.write(&request[..request.len() - 900]);
    }
    wait_for("each upload has a thread", || {
        (server.process().threads() >= before + SLOW - 1).then_some(())
    });
    for client in &mut slow {
        client.write(&request[request.len() - 900..]);
        success(&client.read(), 200);
    }
    let more = server.process().threads().saturating_sub(before);
    assert!(more < 16 + 8, "{more} threads");
}
