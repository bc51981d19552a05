//! Charts that are written here, sound ones and hostile ones, and what is drawn of them.

use super::*;
use crate::{
    containers::xml::{Namespaces, Reader},
    job::testing::with_job,
    office::drawing::Theme,
};

const NAMESPACES: Namespaces = &[];

fn read(content: &str) -> Chart {
    let file = format!("<chartSpace>{content}</chartSpace>");
    with_job(|job| Chart::read(&mut Reader::new(job, &file, NAMESPACES))).unwrap()
}

fn drawn(chart: &Chart) -> Option<String> {
    let theme = Theme::default();
    let file = draw(chart, &theme, &theme.palette, (360.0, 216.0));
    file.map(|file| String::from_utf8(file).unwrap())
}

fn series(values: &[&str]) -> String {
    let points = |all: &[&str]| -> String {
        let all = all.iter().enumerate();
        all.map(|(at, value)| format!("<pt idx='{at}'><v>{value}</v></pt>"))
            .collect()
    };
    let names: Vec<String> = (0..values.len()).map(|at| format!("Item {at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!(
        "<ser><idx val='0'/><tx><v>Turnover</v></tx><cat><strRef><strCache>{}</strCache></strRef></cat>\
         <val><numRef><numCache>{}</numCache></numRef></val></ser>",
        points(&names),
        points(values)
    )
}

fn chart(kind: &str, inside: &str) -> Chart {
    read(&format!(
        "<chart><plotArea><{kind}>{inside}</{kind}></plotArea><legend><legendPos val='r'/></legend></chart>"
    ))
}

#[test]
fn every_kind_is_drawn() {
    for kind in [
        "barChart",
        "bar3DChart",
        "lineChart",
        "areaChart",
        "pieChart",
        "doughnutChart",
        "ofPieChart",
        "scatterChart",
        "bubbleChart",
        "radarChart",
        "stockChart",
    ] {
        let svg =
            drawn(&chart(kind, &series(&["3", "5", "2.5"]))).unwrap_or_else(|| panic!("{kind}"));
        assert!(
            svg.contains("Turnover") || svg.contains("Item 1"),
            "{kind}: {svg}"
        );
        assert!(svg.contains("<path"), "{kind}");
    }
    assert_eq!(drawn(&chart("surfaceChart", &series(&["3"]))), None);
}

#[test]
fn bars_stand_on_the_axis_and_have_the_colours_of_the_theme() {
    let svg = drawn(&chart("barChart", &series(&["10", "20"]))).unwrap();
    assert_eq!(
        svg.matches("fill=\"#4f81bd\"").count(),
        3,
        "two bars and a key: {svg}"
    );
    for tick in ["0", "5", "10", "15", "20", "25"] {
        assert!(svg.contains(&format!(">{tick}</text>")), "{tick}: {svg}");
    }
}

#[test]
fn the_only_series_gives_the_title_where_it_is_wanted() {
    let one = series(&["1", "2"]);
    assert_eq!(chart("barChart", &one).words(), None);
    for (deleted, expected) in [(0, Some("Turnover")), (1, None)] {
        let file = format!(
            "<chart><autoTitleDeleted val='{deleted}'/><plotArea><barChart>{one}</barChart></plotArea></chart>"
        );
        assert_eq!(read(&file).words(), expected);
    }
}

#[test]
fn points_that_are_promised_cost_nothing() {
    let file = "<ser><val><numRef><numCache><ptCount val='16000000'/><pt idx='15999999'><v>1</v></pt><pt idx='31999'><v>2</v></pt>\
                </numCache></numRef></val></ser>";
    let many = chart("barChart", &file.repeat(300));
    let all: usize = many.series().map(|series| series.values.len()).sum();
    assert!(all <= 200_000, "{all}");
    assert!(many.cut);
    assert!(drawn(&many).is_some());
}

#[test]
fn numbers_without_end_are_drawn_within_the_frame() {
    for value in ["1e308", "-1e308", "NaN", "inf", "1e-320", "", "x"] {
        for kind in [
            "barChart",
            "lineChart",
            "pieChart",
            "scatterChart",
            "radarChart",
        ] {
            let svg = drawn(&chart(kind, &series(&[value, "1", value])));
            assert!(
                svg.is_none_or(|svg| !svg.contains("NaN") && !svg.contains("inf")),
                "{kind} of {value}"
            );
        }
    }
}
