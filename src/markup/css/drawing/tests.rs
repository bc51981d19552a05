//! Tests of resolved drawings, by kind of style.

use super::resolved;

/// Checks that an element comes out with these attributes.
#[track_caller]
fn check(inside: &str, expected: &[&str]) {
    let text =
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='60' height='20'>{inside}</svg>");
    let found = resolved(&text).expect("nothing was resolved").text;
    for part in expected {
        assert!(found.contains(part), "{inside}: {found} lacks {part}");
    }
}

#[test]
fn invalid_declarations_are_ignored() {
    check(
        "<rect fill='green' style='fill:nonsense(1)'/>",
        &["fill=\"#008000\""],
    );
    check(
        "<rect style='fill:green;fill:oklch(1 2 x y)'/>",
        &["fill=\"#008000\""],
    );
    check(
        "<rect fill='green' style='fill:inherit-me'/>",
        &["fill=\"#008000\""],
    );
    check(
        "<rect style='fill:green;fill:inherit'/>",
        &["fill=\"inherit\""],
    );
    check(
        "<rect style='stroke: light-dark(rgb(0, 0, 1), rgb(255, 255, 255))'/>",
        &["stroke=\"#000001\""],
    );
    check("<rect style='fill:var(--none)' fill='red'/>", &["<rect>"]);
}

#[test]
fn css_rules_apply_as_in_html() {
    let of = |rule: &str| format!("<style>{rule}</style><g class='a'><rect id='r'/><rect/></g>");
    let green = &["<rect id=\"r\" fill=\"#008000\">"][..];
    check(&of(":root{--c:green}rect{fill:var(--c)}"), green);
    check(&of(".a{rect:nth-child(1){fill:green}}"), green);
    check(&of(":is(#r,.b):not(.c){fill:green}"), green);
    check(&of("@media (min-width:10px){#r{fill:green}}"), green);
    check(&of("@media print{#r{fill:red}}#r{fill:green}"), green);
    check(&of("@supports (color:red){#r{fill:green}}"), green);
    check(&of("@supports (fill:red){#r{fill:green}}"), green);
    check(
        &of("@supports (stroke-width:2px) and (fill-rule:evenodd){#r{fill:green}}"),
        green,
    );
    check(&of("@supports (stop-color:inherit){#r{fill:green}}"), green);
    check(
        &of("@supports not (fill:red){#r{fill:red}}#r{fill:green}"),
        green,
    );
    check(&of("@supports not (fill:wrong){#r{fill:green}}"), green);
    check(&of("@supports not (wrong:3){#r{fill:green}}"), green);
    check(&of("#r{fill:green!important}.a #r{fill:red}"), green);
    check(&of("#r{fill:color-mix(in srgb,#008000 100%,red)}"), green);
}

#[test]
fn units_in_geometry_and_transforms_are_resolved() {
    check(
        "<rect width='1.25rem' height='100vh'/>",
        &["width=\"20\"", "height=\"20\""],
    );
    check(
        "<rect style='x:1em;width:calc(10px + 50%)'/>",
        &["x=\"16\"", "width=\"40\""],
    );
    check(
        "<rect style='transform:translate(20px,0px)'/>",
        &["transform=\"matrix(1 0 0 1 20 0)\""],
    );
    check(
        "<rect style='transform:rotate(90deg);transform-origin:20px 0'/>",
        &["transform=\"matrix(", "transform-origin=\"20 0\""],
    );
    check(
        "<g style='' transform='rotate(3)'/>",
        &["transform=\"rotate(3)\""],
    );
}

#[test]
fn animations_show_their_frozen_or_first_value() {
    check(
        "<rect opacity='0'><animate attributeName='opacity' from='0' to='1' fill='freeze'/></rect>",
        &["opacity=\"1\""],
    );
    check(
        "<rect opacity='.5'><animate attributeName='opacity' values='1;0' repeatCount='indefinite'/></rect>",
        &["opacity=\"1\""],
    );
    let styled = |style: &str, opacity: &str| {
        let frames = "@keyframes in{from{opacity:0}to{opacity:1}}";
        check(
            &format!("<style>{frames}rect{{opacity:.2;{style}}}</style><rect/>"),
            &[&format!("opacity=\"{opacity}\"")],
        );
    };
    styled("animation:in 1s forwards", "1");
    styled("animation:in 1s infinite", "0");
    styled("animation:in 1s 2s", "0.2");
    styled("animation:in 1s 2s both", "1");
    styled("animation:1s steps(4, end) both reverse in", "0");
    styled("animation:in 1s 2 alternate forwards", "0");
    styled("animation:in 1s alternate infinite forwards", "0");
    styled("animation:other 1s forwards,in 1s", "0");
    styled("animation:in 1s;animation:none", "0.2");
    styled(
        "animation-name:other,in;animation-duration:1s;animation-fill-mode:none,forwards",
        "1",
    );
}

#[test]
fn non_scaling_strokes_keep_their_width() {
    let kept = "vector-effect='non-scaling-stroke'";
    check(
        &format!("<g transform='scale(4)' stroke-width='2'><path {kept}/></g>"),
        &["<path vector-effect=\"non-scaling-stroke\" stroke-width=\"0.5\">"],
    );
    check(
        &format!(
            "<svg width='20' height='30' viewBox='0 0 2 2'><rect {kept} stroke-dasharray='5,10'/></svg>"
        ),
        &["stroke-width=\"0.1\"", "stroke-dasharray=\"0.5 1\""],
    );
    check(
        &format!(
            "<g transform='translate(9 9)rotate(30) matrix(0 2 -2 0 0 0)'><line {kept} stroke-width='3'/></g>"
        ),
        &["stroke-width=\"1.5\""],
    );
    // On a group the property has no effect, because it is not inherited.
    check(
        &format!("<g {kept} transform='scale(4)' stroke-width='2'><path/></g>"),
        &["stroke-width=\"2\"", "<path>"],
    );
}

#[test]
fn initial_values_replace_those_of_the_parent() {
    for (name, own, initial) in [
        ("stroke-linecap", "round", "butt"),
        ("stroke-linejoin", "bevel", "miter"),
        ("letter-spacing", "2px", "0"),
        ("marker-end", "url(#m)", "none"),
    ] {
        check(
            &format!("<g style='{name}:{own}'><path style='{name}:initial'/></g>"),
            &[&format!("<path {name}=\"{initial}\"")],
        );
    }
}

#[test]
fn html_in_foreign_object_becomes_text() {
    check(
        "<foreignObject width='80' height='24'><div xmlns='http://www.w3.org/1999/xhtml' style='text-align:center;color:#333'><p>Sales <b>desk</b></p></div></foreignObject>",
        &[
            "text-anchor=\"middle\"",
            "x=\"40\"",
            "fill=\"#333333\"",
            "Sales ",
            "font-weight=\"bold\"",
        ],
    );
    check(
        "<foreignObject width='80' height='24'>bare <b xmlns='http://www.w3.org/1999/xhtml'>text</b></foreignObject>",
        &[">bare </tspan>", ">text</tspan>"],
    );
    let bold = "<b xmlns='http://www.w3.org/1999/xhtml' style='font-weight:normal'> text</b>";
    check(
        &format!("<foreignObject width='200' height='24'>bare {bold} end</foreignObject>"),
        &[
            ">bare </tspan>",
            "font-weight=\"normal\">text</tspan>",
            "> end</tspan>",
        ],
    );
}

#[test]
fn a_truncated_switch_alternative_is_not_used() {
    let of = |alternative: &str| {
        format!(
            "<switch><foreignObject width='80' height='24' requiredFeatures='http://www.w3.org/TR/SVG11/feature#Extensibility'><div xmlns='http://www.w3.org/1999/xhtml'>A long label</div></foreignObject><text>{alternative}</text></switch>"
        )
    };
    let page = |inside: &str| {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg'>{}</svg>",
            of(inside)
        );
        resolved(&text).map_or(text, |found| found.text)
    };
    check(&of("A lo..."), &["A long", "label"]);
    for same in ["A long label", "Another..."] {
        assert!(!page(same).contains("x=\"0\""), "{}", page(same));
    }
}

#[test]
fn unsupported_declarations_are_noted() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg'><rect style='fill:nonsense(1)'/></svg>";
    let notes = resolved(text).unwrap().notes;
    assert!(notes[0].contains("fill: nonsense(1)"), "{notes:?}");
    let plain = "<svg xmlns='http://www.w3.org/2000/svg'><rect fill='red'/></svg>";
    assert!(resolved(plain).is_none());
}

#[test]
fn backgrounds_and_markers_of_html_text_are_drawn() {
    let of = |html: &str| {
        format!(
            "<foreignObject x='5' y='0' width='40' height='20'>\
             <div xmlns='http://www.w3.org/1999/xhtml' style='font-size:10px'>{html}</div></foreignObject>"
        )
    };
    check(
        &of("<p style='background:#0f0'>A</p>"),
        &[
            "<rect stroke=\"none\" x=\"5\" y=\"0\" width=\"40\" height=\"12\" fill=\"#00ff00\"/><text",
        ],
    );
    check(
        &of("<span style='background-color:#0f0'>AB</span>"),
        &["width=\"10.4\" height=\"12\" fill=\"#00ff00\"/>"],
    );
    check(&of("<ul><li>A</li></ul>"), &[">•\u{a0}<", ">A<"]);
    check(
        &of("<ol><li>A</li><li>B</li></ol>"),
        &[">1.\u{a0}<", ">2.\u{a0}<"],
    );
    check(
        &of("<ul style='list-style-image:none'><li>A</li></ul>"),
        &[">•\u{a0}<", ">A<"],
    );
    let without = of("<ul style='list-style:none'><li>A</li></ul>");
    let text = format!("<svg xmlns='http://www.w3.org/2000/svg'>{without}</svg>");
    assert!(!resolved(&text).unwrap().text.contains('•'));
    let framed = of("<p style='border:1px solid red'>A</p>");
    let text = format!("<svg xmlns='http://www.w3.org/2000/svg'>{framed}</svg>");
    assert!(resolved(&text).unwrap().notes[0].starts_with("Borders"));
}
