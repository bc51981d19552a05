//! Tests of formulas in conditions and cells. The expected values are those of Excel.

use super::{EvaluationContext, Expression, SingleSheet, values, values::written};
use crate::{
    job::testing::with_job,
    shown::book::{Grid, Line, Name, Value},
    worksheet::Sheet,
};
use convertd_office::time::Epoch;
use std::cell::Cell;

/// Builds a sheet with 1, "Done" and an empty cell in the first row, and 2, "open" and −3 in the second.
fn grid() -> Grid {
    let cell = |column, value| {
        let mut cell = crate::shown::book::Cell::empty(column);
        cell.value = value;
        cell
    };
    let line = |number, cells| Line {
        number,
        cells,
        ..Line::default()
    };
    let text = |text: &str| Value::Text(text.into());
    Grid {
        rows: vec![
            line(0, vec![cell(0, Value::Number(1.0)), cell(1, text("Done"))]),
            line(
                1,
                vec![
                    cell(0, Value::Number(2.0)),
                    cell(1, text("open")),
                    cell(2, Value::Number(-3.0)),
                ],
            ),
        ],
        ..Grid::default()
    }
}

/// Returns whether a formula is true. It is written for A1 and evaluated for another cell.
fn is_true(formula: &str, at: (u32, u32)) -> Option<bool> {
    let (grid, steps) = (grid(), Cell::new(1000));
    let alone = SingleSheet::new(&grid);
    let context = EvaluationContext {
        source: &alone,
        sheet: 0,
        at,
        first: (0, 0),
        epoch: Epoch::From1900,
        arrays: false,
        steps: &steps,
    };
    context.is_true(&Expression::parse(formula)?).ok()
}

#[test]
fn formulas_are_relative_to_each_cell() {
    let rows = |formula: &str| [0, 1].map(|row| is_true(formula, (row, 0)));
    assert_eq!(rows("MOD(ROW(),2)=0"), [Some(false), Some(true)]);
    assert_eq!(rows("=$B1=\"done\""), [Some(true), Some(false)]);
    assert_eq!(rows("ISBLANK(C1)"), [Some(true), Some(false)]);
    assert_eq!(rows("$A1=MAX($A$1:$A$2)"), [Some(false), Some(true)]);
    assert_eq!(rows("AND(A1>0, NOT(C1<0))"), [Some(true), Some(false)]);
    assert_eq!(
        rows("COUNTIF($A$1:$A$2, \">=\"&A1)=2"),
        [Some(true), Some(false)]
    );
    assert_eq!(rows("LEFT(B1,2)&\"x\"=\"opx\""), [Some(false), Some(true)]);
    assert_eq!(rows("A1+2*3^2=19"), [Some(true), Some(false)]);
    assert_eq!(rows("-A1^2=A1*1%*100"), [Some(true), Some(false)]);
    assert_eq!(rows("WEEKDAY(44927,2)>5"), [Some(true); 2]);
    assert_eq!(rows("IFERROR(1/0,TRUE)"), [Some(true); 2]);
    // Whole rows and columns move, too, unless they are absolute.
    assert_eq!(rows("SUM(1:1)=1"), [Some(true), Some(false)]);
    assert_eq!(rows("SUM($1:1)=1"), [Some(true), Some(false)]);
    assert_eq!(rows("SUM($1:$1)=1"), [Some(true); 2]);
    assert_eq!(is_true("SUM(A:A)=-3", (0, 2)), Some(true));
    assert_eq!(is_true("SUM($A:$A)=3", (0, 2)), Some(true));
    // The cell above that of the first row is the last one of the column.
    assert_eq!(rows("A1048576=1"), [Some(false), Some(true)]);
    assert_eq!(rows("XFD1=\"\""), [Some(true); 2]);
    assert_eq!(is_true("XFD1=1", (0, 1)), Some(true));
}

#[test]
fn unsupported_formulas_are_not_parsed() {
    let deep = "(".repeat(10_000);
    for formula in [
        "",
        "1+",
        "TODAY()>1",
        "Sheet2!A1=1",
        "name",
        "{1,2}",
        "\"a",
        "A1:B",
        "SUM(1",
        &deep,
    ] {
        assert_eq!(Expression::parse(formula), None, "{formula:.20}");
    }
    assert_eq!(
        is_true("SUM($A$1:$XFD$1048575)>0", (0, 0)),
        None,
        "it takes too long"
    );
    assert_eq!(
        is_true("SUM($A$1:$XFD$1048576)=0", (0, 0)),
        Some(true),
        "a whole sheet ends with its cells"
    );
}

/// Builds a sheet from references and contents. A content that begins with `=` is a formula without a value.
fn sheet(name: &str, cells: &[(&str, &str)]) -> Grid {
    let mut grid = Grid {
        sheet: Sheet {
            title: Some(name.to_owned()),
            ..Sheet::default()
        },
        ..Grid::default()
    };
    for (place, content) in cells {
        let (column, row) = crate::cells::reference(place).unwrap();
        let mut cell = crate::shown::book::Cell::empty(column);
        match content.strip_prefix('=') {
            Some(formula) => cell.formula = Some(formula.into()),
            None => {
                cell.value = match content.parse() {
                    Ok(number) => Value::Number(number),
                    Err(_) => Value::Text((*content).into()),
                }
            }
        }
        grid.rows.push(Line {
            number: row,
            cells: vec![cell],
            ..Line::default()
        });
    }
    grid.sort_rows();
    grid
}

/// Builds a workbook with an invoice and a price list.
fn invoice() -> Vec<Grid> {
    let first = [
        ("A1", "Item"),
        ("B1", "Count"),
        ("C1", "Price"),
        ("D1", "Sum"),
        ("A2", "Lamp"),
        ("B2", "2"),
        ("C2", "=VLOOKUP(A2,Prices!$A$1:$B$3,2,FALSE)"),
        ("D2", "=B2*C2"),
        ("A3", "Chair"),
        ("B3", "4"),
        ("C3", "=VLOOKUP(A3,Prices!$A$1:$B$3,2,FALSE)"),
        ("D3", "=B3*C3"),
        ("A4", "Table"),
        ("B4", "1"),
        ("C4", "=INDEX(Prices!B:B,MATCH(A4,Prices!A:A,0))"),
        ("D4", "=B4*C4"),
        ("D5", "=SUM(D2:D4)"),
        ("D6", "=ROUND(D5*Rate,2)"),
        ("D7", "=D5+D6"),
    ];
    let second = [
        ("A1", "Chair"),
        ("B1", "49.5"),
        ("A2", "Lamp"),
        ("B2", "19.99"),
        ("A3", "Table"),
        ("B3", "120"),
    ];
    vec![sheet("Invoice", &first), sheet("Prices", &second)]
}

/// Returns the value of a formula in cell `F1` of the invoice, as text. `None` if it is unknown.
fn computed(formula: &str) -> Option<String> {
    let mut grids = invoice();
    grids[0].rows[0].cells.push({
        let mut cell = crate::shown::book::Cell::empty(5);
        cell.formula = Some(formula.into());
        cell
    });
    let name = |sheet, formula: &str| Name {
        name: "Rate".into(),
        sheet,
        formula: formula.into(),
    };
    let moving = Name {
        name: "Moving".into(),
        sheet: None,
        formula: "Prices!B:B".into(),
    };
    let names = [name(None, "0.19"), name(Some(1), "0.07"), moving];
    let values = with_job(|job| values(job, &grids, &names, Epoch::From1900)).unwrap();
    values[0].get(&(0, 5)).map(|value| match value {
        Value::Error(error) => error.to_string(),
        other => written(other).unwrap(),
    })
}

#[test]
fn formulas_without_a_value_have_that_of_excel() {
    #[track_caller]
    fn check(formula: &str, expected: &str) {
        assert_eq!(computed(formula).as_deref(), Some(expected), "{formula}");
    }
    // Formulas that refer to other formulas, other sheets and names.
    check("D2", "39.98");
    check("D5", "357.98");
    check("D6", "68.02");
    check("D7", "426");
    check("SUM(D:D)", "1209.98");
    check("Invoice!D7-D6=D5", "TRUE");
    check("Invoice!Rate", "0.19");
    check("Prices!Rate", "0.07");
    // Conditions over ranges, and codes of characters.
    check("SUMIF(B2:B4,\">1\",D2:D4)", "237.98");
    check("SUMIFS(D2:D4,A2:A4,\"*a*\",B2:B4,\"<4\")", "159.98");
    check("COUNTIF(A2:A4,\"?amp\")", "1");
    check("CODE(\"€\")&CHAR(128)&UNICODE(\"€\")", "128€8364");
    check("UNICHAR(8364)&CODE(\"日\")", "€63");
    check("CHAR(8364)", "#VALUE!");
    check("COUNTIFS(A2:A4,\"<>Lamp\",B2:B4,4)", "1");
    check("AVERAGEIF(B2:B4,\">5\")", "#DIV/0!");
    check("MAXIFS(C2:C4,B2:B4,\"<3\")", "120");
    check("COUNTBLANK(A1:E2)", "2");
    // Arrays within one cell.
    check("SUMPRODUCT(B2:B4,C2:C4)", "357.98");
    check("SUMPRODUCT((A2:A4=\"Chair\")*(B2:B4))", "4");
    check("SUMPRODUCT(--(LEN(A2:A4)=5))", "2");
    check("SUM({1,2;3,4})", "10");
    // Searches and links.
    check("_xlfn.XLOOKUP(\"Table\",A2:A4,D2:D4)", "120");
    check("_xlfn.XLOOKUP(\"None\",A2:A4,D2:D4,\"no\")", "no");
    check("IFERROR(VLOOKUP(\"None\",Prices!A:B,2,0),\"-\")", "-");
    check("HLOOKUP(\"Price\",A1:D4,3,FALSE)", "49.5");
    check("HYPERLINK(\"https://a/\",\"Go\")", "Go");
    check("HYPERLINK(\"https://a/\")", "https://a/");
    check("MATCH(3,{1,2,4,8})", "2");
    check("LOOKUP(2.5,{1,2,3})", "2");
    check("LOOKUP(0.5,{1,2,3})", "#N/A");
    check("INDEX(A1:D4,3,1)", "Chair");
    check("SUM(INDEX(A1:D4,0,2))", "7");
    check("CHOOSE(2,\"a\",\"b\")", "b");
    // Halves are rounded away from zero, as far as 15 digits are significant.
    check("ROUND(1.005,2)", "1.01");
    check("ROUND(-2.5,0)", "-3");
    check("ROUNDUP(1.01,1)", "1.1");
    check("ROUNDDOWN(-1.99,1)", "-1.9");
    check("CEILING(7.1,0.5)", "7.5");
    check("MROUND(10,3)", "9");
    check("0.1+0.2", "0.3");
    check("-2^2", "4");
    check("MOD(-3,2)", "1");
    // Statistics.
    check("MEDIAN(1,2,3,10)", "2.5");
    check("ROUND(STDEV(2,4,4,4,5,5,7,9),6)", "2.13809");
    check("RANK(B2,B2:B4)", "2");
    check("PERCENTILE(B2:B4,0.5)", "2");
    check("SUBTOTAL(9,D2:D5)", "715.96");
    // Texts.
    check("TEXT(1234.5,\"#,##0.00\")", "1,234.50");
    check("TEXT(DATE(2024,3,1),\"yyyy-mm-dd\")", "2024-03-01");
    check("_xlfn.TEXTJOIN(\", \",TRUE,A2:A4)", "Lamp, Chair, Table");
    check(
        "MID(\"abcdef\",2,3)&SUBSTITUTE(\"a-b-c\",\"-\",\"+\",2)",
        "bcda-b+c",
    );
    check("PROPER(\"ann o'roe\")", "Ann O'Roe");
    check("REPT(\"ab\",3)&REPLACE(\"abc\",2,1,\"x\")", "abababaxc");
    check("SEARCH(\"b?d\",\"abcd\")", "2");
    check("VALUE(\"12%\")*100", "12");
    // Dates.
    check("DATE(2024,2,30)-DATE(2024,3,1)", "0");
    check("EDATE(DATE(2024,1,31),1)=DATE(2024,2,29)", "TRUE");
    check("DAY(EOMONTH(DATE(2023,1,15),1))", "28");
    check("DATEDIF(DATE(2020,5,10),DATE(2024,5,9),\"Y\")", "3");
    check("NETWORKDAYS(DATE(2024,3,1),DATE(2024,3,31))", "21");
    check("WEEKDAY(DATE(2024,3,1),2)", "5");
    check("_xlfn.ISOWEEKNUM(DATE(2021,1,3))", "53");
    check("WEEKNUM(DATE(2024,3,1))", "9");
    check("YEAR(WORKDAY(DATE(2023,12,29),1))", "2024");
    check("YEARFRAC(DATE(2024,1,1),DATE(2024,7,1))", "0.5");
    check("HOUR(TIME(13,30,0))*60+MINUTE(TIME(13,30,0))", "810");
    // Loans.
    check("ROUND(PMT(0.05/12,360,200000),2)", "-1073.64");
    check("ROUND(IPMT(0.05/12,1,360,200000),2)", "-833.33");
    check("ROUND(PPMT(0.05/12,1,360,200000),2)", "-240.31");
    check("ROUND(FV(0.06/12,10,-200,-500,1),2)", "2581.4");
    check("ROUND(NPV(0.1,-10000,3000,4200,6800),2)", "1188.44");
    // Errors are values.
    check("1/0", "#DIV/0!");
    check("SUM(1/0,1)", "#DIV/0!");
    check("\"a\"+1", "#VALUE!");
    check("IF(ISERROR(SQRT(-1)),\"bad\",\"good\")", "bad");
    check("_xlfn.IFNA(MATCH(\"x\",A2:A4,0),0)", "0");
    check("IF(A2=\"lamp\",1)", "1");
    check("E9", "0");
}

#[test]
fn formulas_with_unknown_values_have_no_value() {
    for formula in [
        "TODAY()",
        "NOW()-1",
        "OFFSET(A1,1,1)",
        "INDIRECT(\"A1\")",
        "UNKNOWN(1)",
        "[1]Other!A1",
        "Missing!A1",
        "name",
        "\"3. April\"+1",
        "F1+1",
        "IFERROR(F1,1)",
        "SUM(F1:F3)",
        "SUM(IF(A2=\"Lamp\",B2:B4,C2:C4))",
        "SUM(CHOOSE(2,B2:B4,C2:C4))",
        "SUMIF(A2:A4,\"Lamp\",CHOOSE(1,B2:B4))",
        "SUM(Moving)",
    ] {
        assert_eq!(computed(formula), None, "{formula}");
    }
}

#[test]
fn long_chains_and_circles_end() {
    let count = 3000;
    // Each cell refers to the one below it, so that the first one depends on all others.
    let places: Vec<String> = (1..=count).map(|row| format!("A{row}")).collect();
    let below: Vec<String> = (2..=count).map(|row| format!("=A{row}+1")).collect();
    let mut cells: Vec<(&str, &str)> = places
        .iter()
        .map(String::as_str)
        .zip(below.iter().map(String::as_str))
        .collect();
    cells.push((places[count - 1].as_str(), "1"));
    cells.extend([
        ("C1", "=D1"),
        ("D1", "=E1+1"),
        ("E1", "=C1*2"),
        ("G1", "=SUM(C1:E1)"),
        ("H1", "=A1*2"),
    ]);
    let grids = [sheet("A", &cells)];
    let values = with_job(|job| values(job, &grids, &[], Epoch::From1900)).unwrap();
    assert_eq!(values[0].get(&(0, 0)), Some(&Value::Number(count as f64)));
    assert_eq!(
        values[0].get(&(0, 7)),
        Some(&Value::Number(2.0 * count as f64))
    );
    for column in [2, 3, 4, 6] {
        assert_eq!(values[0].get(&(0, column)), None);
    }
}
