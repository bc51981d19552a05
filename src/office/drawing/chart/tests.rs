//! Tests of valid and hostile charts, and of their drawings.

use super::*;
use crate::{
    containers::xml::{Namespaces, Reader},
    drawing::Theme,
    job::testing::with_job,
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
fn bars_have_theme_colours_and_the_axis_has_ticks() {
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
fn a_single_series_names_the_chart_if_allowed() {
    let single = series(&["1", "2"]);
    assert_eq!(chart("barChart", &single).words(), None);
    for (deleted, expected) in [(0, Some("Turnover")), (1, None)] {
        let file = format!(
            "<chart><autoTitleDeleted val='{deleted}'/><plotArea><barChart>{single}</barChart></plotArea></chart>"
        );
        assert_eq!(read(&file).words(), expected);
    }
}

/// Serial 42,369 of a workbook that counts from 1904 is 1 January 2020. A number that is not a date, and a duration,
/// are not changed.
#[test]
fn dates_of_the_1904_system_are_shown() {
    #[track_caller]
    fn check(since: &str, code: &str, expected: &str) {
        let file = format!(
            "{since}<chart><plotArea><barChart><ser><cat><numRef><numCache><formatCode>{code}</formatCode>\
             <pt idx='0'><v>42369</v></pt></numCache></numRef></cat><val><numRef><numCache>\
             <pt idx='0'><v>42369</v></pt></numCache></numRef></val></ser></barChart></plotArea></chart>"
        );
        let chart = read(&file);
        let series = chart.series().next().unwrap();
        assert_eq!(labels::called(&series.categories, 0), expected);
        assert_eq!(series.values.number(0), Some(42_369.0));
    }
    check("<date1904 val='1'/>", "yyyy-mm-dd", "2020-01-01");
    check("<date1904/>", "yyyy-mm-dd", "2020-01-01");
    check("<date1904 val='0'/>", "yyyy-mm-dd", "2015-12-31");
    check("", "yyyy-mm-dd", "2015-12-31");
    check("<date1904 val='1'/>", "0", "42369");
    check("<date1904 val='1'/>", "[h]", "1016856");
}

#[test]
fn declared_point_counts_are_bounded() {
    let file = "<ser><val><numRef><numCache><ptCount val='16000000'/><pt idx='15999999'><v>1</v></pt><pt idx='31999'><v>2</v></pt>\
                </numCache></numRef></val></ser>";
    let many = chart("barChart", &file.repeat(300));
    let all: usize = many.series().map(|series| series.values.len()).sum();
    assert!(all <= 200_000, "{all}");
    assert!(many.cut);
    assert!(drawn(&many).is_some());
}

#[test]
fn extreme_values_give_finite_coordinates() {
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

/// OpenDocument chart with its own table: two series over three quarters.
fn open_document(class: &str, plot: &str, series: &str) -> Option<Chart> {
    let row = |name: &str, cells: [&str; 2]| {
        let cells = cells.map(|value| {
            format!("<table-cell value-type='float' value='{value}'><p>{value}</p></table-cell>")
        });
        format!(
            "<table-row><table-cell><p>{name}</p></table-cell>{}</table-row>",
            cells.concat()
        )
    };
    let rows = [
        row("Q1", ["3", "9"]),
        row("Q2", ["5", "2.5"]),
        row("Q3", ["NaN", "7"]),
    ]
    .concat();
    let file = format!(
        "<document-content><automatic-styles>\
         <style name='p'><chart-properties {plot}/></style>\
         <style name='s'><graphic-properties fill-color='#336699' stroke='none'/></style>\
         <percentage-style name='n'><number decimal-places='1'/><text>%</text></percentage-style>\
         <style name='a' data-style-name='n'><chart-properties minimum='0' maximum='12'/></style>\
         </automatic-styles><body><chart><chart class='chart:{class}'>\
         <title><p><span>Sales of a year</span></p></title><legend legend-position='bottom'/>\
         <plot-area style-name='p'>\
         <axis dimension='x' name='primary-x'><categories cell-range-address='local-table.A2:.A4'/></axis>\
         <axis dimension='y' name='primary-y' style-name='a'><grid class='major'/></axis>{series}</plot-area>\
         <table name='local-table'><table-header-columns/><table-header-rows><table-row><table-cell/>\
         <table-cell><p>Cars</p></table-cell><table-cell><p>Bikes</p><g><desc>A.C2:A.C4</desc></g></table-cell>\
         </table-row></table-header-rows><table-rows>{rows}</table-rows></table></chart></chart></body></document-content>"
    );
    let cells = |address: &str| (address == "Other.A1").then(|| vec!["4".to_owned()]);
    with_job(|job| Chart::read_odf(&mut Reader::new(job, &file, NAMESPACES), &cells)).unwrap()
}

#[test]
fn charts_of_opendocument_are_read() {
    // Values are found by their address in the table, by the address of the cells that a column copies, and in cells
    // outside of the table.
    let series = "<series style-name='s' values-cell-range-address='local-table.$B$2:.$B$4' label-cell-address='local-table.$B$1'/>\
         <series values-cell-range-address='A.C2:A.C4'/><series values-cell-range-address='Other.A1' attached-axis='secondary-y'/>";
    let chart = open_document("bar", "vertical='true' stacked='true'", series).unwrap();
    let [plot, second] = &chart.plots[..] else {
        panic!("{:?}", chart.plots);
    };
    let texts: Vec<&[String]> = plot
        .series
        .iter()
        .map(|series| &*series.values.texts)
        .collect();
    assert_eq!(texts, [["3", "5", ""], ["9", "2.5", "7"]]);
    assert_eq!(plot.series[0].categories.texts, ["Q1", "Q2", "Q3"]);
    assert_eq!(
        [&*plot.series[0].name, &*plot.series[1].name],
        ["Cars", "Bikes"]
    );
    assert_eq!(second.series[0].values.texts, ["4"]);
    assert_eq!(
        (plot.kind, plot.is_stacked()),
        (model::ChartType::Bar, true)
    );
    assert_eq!(chart.words(), Some("Sales of a year"));
    assert_eq!(chart.axis(2).unwrap().format.as_deref(), Some("0.0%"));
    assert_eq!(chart.axis(2).unwrap().most, Some(12.0));
    let svg = drawn(&chart).unwrap();
    assert!(svg.contains("Bikes") && svg.contains("#336699"), "{svg}");
    for class in [
        "line",
        "area",
        "circle",
        "ring",
        "scatter",
        "bubble",
        "radar",
        "filled-radar",
        "stock",
    ] {
        let series = "<series/><series><domain/><domain/><data-point repeated='99999999999' style-name='s'/></series>";
        let chart = open_document(
            class,
            "symbol-type='automatic' interpolation='cubic-spline'",
            series,
        );
        let chart = chart.unwrap();
        assert!(
            chart.series().all(|series| series.points.len() <= 4000),
            "{class}"
        );
        assert!(drawn(&chart).is_some(), "{class}");
    }
    assert_eq!(
        drawn(&open_document("surface", "", "<series/>").unwrap()),
        None
    );
    assert_eq!(drawn(&open_document("bar", "", "").unwrap()), None);
    let other = "<document-content><body><text/></body></document-content>";
    let read = |file: &str| {
        with_job(|job| Chart::read_odf(&mut Reader::new(job, file, NAMESPACES), &|_| None))
    };
    assert_eq!(read(other).unwrap(), None);
    assert_eq!(read("<document-content/>").unwrap(), None);
}

/// Chart of the newer types with these series, levels of categories (innermost first) and values, and with three axes.
fn newer(series: &str, levels: &[&[&str]], values: &[&str]) -> Chart {
    let points = |all: &[&str]| -> String {
        let all = all.iter().enumerate();
        all.map(|(at, value)| format!("<pt idx='{at}'>{value}</pt>"))
            .collect()
    };
    let levels: String = levels
        .iter()
        .map(|level| format!("<lvl ptCount='16000000'>{}</lvl>", points(level)))
        .collect();
    read(&format!(
        "<chartData><data id='7'><strDim type='cat'>{levels}</strDim>\
         <numDim type='val'><lvl formatCode='0.0'>{}</lvl></numDim></data></chartData>\
         <chart><plotArea><plotAreaRegion>{series}</plotAreaRegion>\
         <axis id='0'><catScaling/><tickLabels/></axis><axis id='1'><valScaling/><tickLabels/></axis>\
         <axis id='2'><valScaling max='1'/><tickLabels/></axis></plotArea><legend pos='t'/></chart>",
        points(values)
    ))
}

#[test]
fn chartex_kinds_are_drawn_and_keep_their_values() {
    #[track_caller]
    fn check(series: &str, texts: &[&str]) {
        let chart = newer(
            series,
            &[
                &["Ash", "Oak", "Carp", "Ash"],
                &["Trees", "", "Fish", "Trees"],
            ],
            &["4", "-1", "2.5", "8"],
        );
        let svg = drawn(&chart).unwrap_or_else(|| panic!("{series}"));
        for text in texts {
            assert!(svg.contains(&format!(">{text}</text>")), "{text}: {svg}");
        }
        let columns = chart.columns();
        assert_eq!(columns[1].1, ["4", "-1", "2.5", "8"], "{series}");
    }
    let data = "<dataId val='7'/>";
    let labels = "<dataLabels><visibility value='1'/></dataLabels>";
    check(
        &format!(
            "<series layoutId='waterfall'>{labels}{data}<layoutPr><subtotals><idx val='0'/></subtotals></layoutPr></series>"
        ),
        &["Increase", "Decrease", "Total", "-1.0", "8.0", "Carp"],
    );
    check(
        &format!("<series layoutId='funnel'>{labels}{data}</series>"),
        &["2.5", "Oak"],
    );
    check(
        &format!(
            "<series layoutId='clusteredColumn'>{data}<layoutPr><binning><binSize val='3'/></binning></layoutPr></series>"
        ),
        &["[-1, 2]", "(2, 5]", "(5, 8]"],
    );
    check(
        &format!(
            "<series layoutId='clusteredColumn'>{data}</series><series layoutId='paretoLine' ownerIdx='0'><axisId val='2'/></series>"
        ),
        &["100%", "Ash"],
    );
    check(
        &format!("<series layoutId='boxWhisker'>{data}</series>"),
        &["Ash", "Carp"],
    );
    for kind in ["treemap", "sunburst"] {
        let labels = "<dataLabels><visibility categoryName='1' value='0'/></dataLabels>";
        check(
            &format!("<series layoutId='{kind}'>{labels}{data}</series>"),
            &["Trees", "Ash"],
        );
    }
}

#[test]
fn unsupported_chartex_kinds_keep_their_values() {
    let chart = newer(
        "<series layoutId='regionMap'><dataId val='7'/></series>",
        &[&["Chile", "Peru"]],
        &["3", "4"],
    );
    assert_eq!(drawn(&chart), None);
    assert_eq!(chart.columns()[1].1, ["3", "4"]);
}

#[test]
fn hostile_chartex_data_are_drawn_in_bounds() {
    let many: Vec<String> = (0..20_000).map(|at| format!("N{at}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let values = ["1e308", "-1e308", "NaN", "inf", "1e-320", "", "x", "7"].repeat(2500);
    for kind in [
        "waterfall",
        "funnel",
        "clusteredColumn",
        "boxWhisker",
        "treemap",
        "sunburst",
    ] {
        let layout = "<layoutPr><binning underflow='-1e300'><binSize val='1e-9'/></binning><subtotals><idx val='-1'/></subtotals></layoutPr>";
        let series = format!(
            "<series layoutId='{kind}'>{layout}<dataId val='7'/><axisId val='99'/></series>"
        );
        let chart = newer(&series, &[&many, &["A"], &many], &values);
        let svg = drawn(&chart).unwrap_or_default();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{kind}");
        assert!(svg.len() < 8 << 20, "{kind}: {}", svg.len());
    }
}

#[test]
fn points_of_stacked_plots_are_above_each_other() {
    #[track_caller]
    fn check(grouping: &str, expected: [f64; 2]) {
        let inside = format!(
            "<grouping val='{grouping}'/>{}{}",
            series(&["3"]),
            series(&["1"])
        );
        let chart = chart("lineChart", &inside);
        let heights: Vec<_> = ranges::heights(&chart.plots[0], 0).collect();
        assert_eq!(heights, expected.map(Some), "{grouping}");
    }
    check("standard", [3.0, 1.0]);
    check("stacked", [3.0, 4.0]);
    check("percentStacked", [0.75, 1.0]);
}
