//! Declarations that mean the same have the same computed style.

use super::{
    cascade::{StyleContext, compute},
    sheet,
    style::Style,
};
use std::cell::Cell;

/// Computed style of declarations on an element whose parent has the style `parent`.
fn computed(parent: &Style, text: &str) -> Style {
    let all = sheet::inline(text);
    let mut style = Style {
        text: parent.text.clone(),
        ..Style::default()
    };
    let around = StyleContext {
        parent,
        root: Some(16.0),
        viewport: (800.0, 600.0),
        fonts: None,
        root_line: None,
        steps: &Cell::new(0),
    };
    compute(&mut style, &all.iter().collect::<Vec<_>>(), &around);
    style
}

#[track_caller]
fn check_within(parent: &str, text: &str, same: &str) {
    let parent = computed(&Style::default(), parent);
    let style = |text| computed(&parent, text);
    assert_eq!(style(text), style(same), "{text}");
}

#[track_caller]
fn check(text: &str, same: &str) {
    check_within("", text, same);
}

#[test]
fn calculations_of_lengths_are_no_numbers() {
    check("line-height: calc(30px + 10px)", "line-height: 40px");
    check("line-height: calc(1 + 1)", "line-height: 2");
}

#[test]
fn effects_that_are_not_supported_do_not_hide_one_another() {
    let blurred = "filter: blur(1px)";
    for other in [
        "font-stretch: condensed",
        "mix-blend-mode: normal",
        "mask: none",
    ] {
        check(&format!("{blurred}; {other}"), blurred);
    }
    check(&format!("{blurred}; filter: none"), "");
    assert!(
        computed(&Style::default(), blurred)
            .unsupported
            .contains(&true)
    );
}

#[test]
fn zoom_may_be_a_custom_property() {
    let zoomed = |value: &str| format!("--z: 2; zoom: {value}; width: 10px; font-size: 3em");
    check(&zoomed("var(--z)"), &zoomed("2"));
    check_within(
        "--z: 2",
        "zoom: var(--z); width: 10px",
        "zoom: 2; width: 10px",
    );
}

#[test]
fn rotation_axes_may_begin_with_zero() {
    check("rotate: 0 1 0 45deg", "rotate: y 45deg");
    check("rotate: 45deg 0 1 0", "rotate: y 45deg");
    check("rotate: x 45deg", "rotate: 1 0 0 45deg");
    check("rotate: 45deg", "rotate: 0 0 1 45deg");
}

#[test]
fn list_style_none_is_type_and_image() {
    let all = |position, image, kind| {
        format!(
            "list-style-position: {position}; list-style-image: {image}; list-style-type: {kind}"
        )
    };
    for (text, same) in [
        ("none", all("outside", "none", "none")),
        ("none inside", all("inside", "none", "none")),
        ("inside none", all("inside", "none", "none")),
        ("none url(a.png)", all("outside", "url(a.png)", "none")),
        ("square none", all("outside", "none", "square")),
        ("none none", all("outside", "none", "none")),
        ("inside square", all("inside", "none", "square")),
    ] {
        check_within(
            "list-style: inside url(b.png) circle",
            &format!("list-style: {text}"),
            &same,
        );
    }
    check("list-style: square url(a.png) none", "");
}

#[test]
fn colour_spaces_of_gradients_may_be_before_the_shape() {
    let gradient = |inside: &str| format!("background: linear-gradient({inside}, red, blue)");
    for inside in [
        "in oklab to right",
        "to right in oklab",
        "in hsl longer hue to right",
    ] {
        check(&gradient(inside), &gradient("to right"));
    }
    check(&gradient("in oklab"), &gradient("180deg"));
    check(
        "background: conic-gradient(in hsl shorter hue from 45deg, red, blue)",
        "background: conic-gradient(from 45deg, red, blue)",
    );
}

#[test]
fn the_background_shorthand_sets_the_boxes() {
    check(
        "background: red content-box",
        "background-color: red; background-origin: content-box; background-clip: content-box",
    );
    check(
        "background: content-box border-box red",
        "background-color: red; background-origin: content-box",
    );
    check(
        "background-origin: content-box; background-clip: content-box; background: red",
        "background-color: red",
    );
    check("background-clip: content-box; background: initial", "");
}

#[test]
fn grid_areas_accept_wide_keywords() {
    let parent = "grid-area: 1 / 2 / 3 / 4";
    check_within(parent, "grid-area: inherit", parent);
    check_within(parent, "grid-row: inherit", "grid-row: 1 / 3");
    check_within(parent, "grid-column: inherit", "grid-column: 2 / 4");
    check("grid-area: 1 / 2 / 3 / 4; grid-area: initial", "");
}

#[test]
fn keyword_sizes_have_the_default_of_their_font() {
    #[track_caller]
    fn check(parent: &str, text: &str, expected: f32) {
        let parent = computed(&Style::default(), parent);
        let size = computed(&parent, text).text.size;
        assert!((size - expected).abs() < 0.01, "{text}: {size}");
    }
    let fixed = "font-family: monospace";
    check("", "font: medium monospace", 13.0);
    check(fixed, "font: medium serif", 16.0);
    check(fixed, "font-size: medium", 13.0);
    check(fixed, "font-size: initial", 13.0);
    check(fixed, "font-size: initial; font-family: serif", 16.0);
    check(fixed, "font-family: serif", 16.0);
    check(fixed, "font: 20px serif", 20.0);
}
