//! Workbooks that are written here, as openpyxl reads them.

use crate::harness::{convert, convert_with, data, directory, has, has_module};
use std::{fs, process::Command};

/// Prints all non-empty cells of all sheets, with their types and formats.
const SCRIPT: &str = "
import sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
for sheet in book.worksheets:
    print('=', sheet.title, sheet.sheet_state)
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value is not None:
                print(cell.coordinate, cell.data_type, repr(cell.value), cell.number_format)
            if cell.comment:
                print('comment', cell.coordinate, repr(cell.comment.text))
        if sheet.row_dimensions[row[0].row].hidden:
            print('hidden', row[0].row)
    for rule in sheet.data_validations.dataValidation:
        print('rule', rule.sqref, rule.type, rule.formula1, rule.formula2, rule.error)
for name, defined in book.defined_names.items():
    print('name', name, defined.attr_text)
";

/// The output of openpyxl for a workbook; `None` without openpyxl.
fn seen(name: &str, book: &[u8]) -> Option<String> {
    if !has("python3") || !has_module("openpyxl") {
        return None;
    }
    let at = directory(name);
    let file = at.join("book.xlsx");
    fs::write(&file, book).unwrap();
    let output = Command::new("python3")
        .arg("-c")
        .arg(SCRIPT)
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::remove_dir_all(at).unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn openpyxl_reads_written_workbooks() {
    let csv = "007,1.50,15.5%,1.5E-10\n2020-02-29,2020-02-29T13:20:00,13:20:00,TRUE\n=1+1,1234567890123456,\" a\nb \"\n";
    let book = convert("a.csv", csv.as_bytes(), "xlsx").unwrap();
    let Some(seen) = seen("csv", &book) else {
        return;
    };
    assert_eq!(
        seen.lines().collect::<Vec<_>>(),
        [
            "= Sheet1 visible",
            "A1 s '007' General",
            "B1 n 1.5 0.00",
            "C1 n 0.155 0.0%",
            "D1 n 1.5e-10 0.0E+00",
            "A2 d datetime.datetime(2020, 2, 29, 0, 0) yyyy\\-mm\\-dd",
            "B2 d datetime.datetime(2020, 2, 29, 13, 20) yyyy\\-mm\\-dd\\ hh:mm:ss",
            "C2 d datetime.time(13, 20) hh:mm:ss",
            "D2 b True General",
            "A3 s '=1+1' General",
            "B3 s '1234567890123456' General",
            "C3 s ' a\\nb ' General",
        ]
    );
}

#[test]
fn openpyxl_reads_the_formulas_names_and_rules_of_an_xls() {
    let book = convert("looks.xls", &data("looks.xls"), "xlsx").unwrap();
    let Some(seen) = seen("xls", &book) else {
        return;
    };
    for line in [
        "B2 f '=A2*2' General",
        "B6 f \"=SUM(B2:B5)+'My data'!A1\" General",
        "B7 f '=IF(A2>1,\"a, \"\"b\"\"\",Rate%)' General",
        "B8 f '=VLOOKUP(3,$A$2:B5,2,FALSE)' General",
        "B9 f '=SUM({1,2;3,4})+COUNTA(A:A)' General",
        "comment C1 'What it says'",
        "rule C2:C5 list \"one,two\" None None",
        "rule C6 whole 1 A2 Too much",
        "name Rate 'My data'!$A$1",
    ] {
        assert!(seen.lines().any(|own| own == line), "{line}: {seen}");
    }
}

#[test]
fn openpyxl_reads_the_styles_of_an_xlsb() {
    let book = convert("looks.xlsb", &data("looks.xlsb"), "xlsx").unwrap();
    let Some(seen) = seen("xlsb", &book) else {
        return;
    };
    for line in [
        "A1 d datetime.datetime(2020, 1, 1, 0, 0) mm-dd-yy",
        "B1 s 'plain red' General",
        "B2 f '=A2*2' General",
        "B3 f '=A3*2' General",
        "C3 f '=SUM(Rate)' General",
        "comment A1 'What it says'",
        "rule A4:A6 list \"one,two\" None Too much",
        "name Rate A!$A$1",
    ] {
        assert!(seen.lines().any(|own| own == line), "{line}: {seen}");
    }
}

#[test]
fn openpyxl_reads_all_sheets_of_a_workbook() {
    let book = convert("book.ods", &data("book.ods"), "xlsx").unwrap();
    let Some(seen) = seen("book", &book) else {
        return;
    };
    for line in [
        "= Table visible",
        "C2 d datetime.datetime(2020, 1, 31, 0, 0) dd.mm.yyyy",
        "A5 s '007' General",
        "D6 f '=NA()' General",
        "D7 f '=B2+1' General",
        "C6 d datetime.timedelta(days=1, seconds=21600) [h]:mm:ss",
        "hidden 8",
        "= Другой & <лист> visible",
        "= Secret hidden",
        "A1 s 'secret' General",
    ] {
        assert!(
            seen.lines().any(|known| known == line),
            "{line} is not in {seen}"
        );
    }
}

/// Makes a workbook with features that both formats have.
const MAKE: &str = r#"
import datetime, sys, openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
book = openpyxl.Workbook()
sheet = book.active
sheet.title = 'My sheet'
codes = ['0.00', '#,##0.00_);[Red]\\(#,##0.00\\)', '0.0%', '[$€-407] #,##0.00', '0.00E+00', '# ?/?', 'dd.mm.yyyy', 'yyyy\\-mm\\-dd hh:mm', 'h:mm:ss', '[h]:mm:ss', '@', '"about "0']
for row, code in enumerate(codes, 1):
    cell = sheet.cell(row, 1, 1.5)
    cell.number_format = code
sheet['A7'] = datetime.datetime(2026, 11, 24); sheet['A7'].number_format = codes[6]
sheet['A8'] = datetime.datetime(2026, 11, 24, 17, 30); sheet['A8'].number_format = codes[7]
sheet['A9'] = datetime.time(17, 30, 5); sheet['A9'].number_format = codes[8]
sheet['A10'] = datetime.timedelta(hours=30, minutes=5); sheet['A10'].number_format = codes[9]
sheet['A11'] = '007'; sheet['A11'].number_format = '@'
sheet['B1'] = True
sheet['B2'] = '=SUM(A1:A2)*Rate'
sheet['B3'] = '=IF(Other!A1>0,"yes, it is","")'
sheet['B4'] = 'Look'
sheet['B4'].hyperlink = 'https://example.org/a?b=c&d'
sheet['B5'] = 'There'
sheet['B5'].hyperlink = openpyxl.worksheet.hyperlink.Hyperlink(ref='B5', location='Other!A1')
sheet['B6'].comment = Comment('first line\nsecond & last', 'Ann')
sheet['B7'] = 'with'; sheet['B7'].comment = Comment('x', 'Bob')
thin, thick = Side(style='thin', color='FF0000'), Side(style='thick')
kinds = ['hair', 'dotted', 'dashed', 'dashDot', 'dashDotDot', 'double', 'medium', 'mediumDashed', 'mediumDashDot']
for column, kind in enumerate(kinds, 4):
    sheet.cell(1, column).border = Border(left=Side(style=kind), bottom=thin, top=thick)
sheet['C1'] = 'text'
sheet['C1'].font = Font(name='Arial', sz=14, b=True, i=True, u='double', strike=True, color='336699')
sheet['C1'].fill = PatternFill('solid', fgColor='FFEE00')
sheet['C2'] = 'wrapped'; sheet['C2'].alignment = Alignment(horizontal='center', vertical='top', wrap_text=True)
sheet['C3'] = 'turned'; sheet['C3'].alignment = Alignment(text_rotation=45, vertical='center')
sheet['C4'] = 'down'; sheet['C4'].alignment = Alignment(text_rotation=135, horizontal='right')
sheet['C5'] = 'in'; sheet['C5'].alignment = Alignment(horizontal='left', indent=2)
sheet['C6'] = 'H2O'; sheet['C6'].font = Font(name='Calibri', sz=11, vertAlign='subscript')
sheet['C7'] = 'small'; sheet['C7'].alignment = Alignment(shrink_to_fit=True)
sheet.merge_cells('C8:E9')
sheet['C8'] = 'merged'
sheet.column_dimensions['A'].width = 20.5
sheet.column_dimensions['C'].width = 31
sheet.row_dimensions[3].height = 40
sheet.freeze_panes = 'B2'
for kind, where, rest in [
    ('list', 'F3:F20', dict(formula1='"one,two,three"')),
    ('list', 'G3:G1048576', dict(formula1='Other!$A$1:$A$9', allow_blank=True)),
    ('whole', 'H3 H5', dict(formula1='1', formula2='10', operator='between')),
    ('decimal', 'I3:J4', dict(formula1='A1', operator='greaterThan')),
    ('textLength', 'K3', dict(formula1='8', operator='lessThanOrEqual')),
    ('custom', 'L3:L4', dict(formula1='L3>A3')),
]:
    rule = DataValidation(type=kind, showErrorMessage=True, showInputMessage=True, error='No.', prompt='So.', **rest)
    for one in where.split():
        rule.add(one)
    sheet.add_data_validation(rule)
other = book.create_sheet('Other')
other['A1'] = 5
other.sheet_state = 'hidden'
book.defined_names['Rate'] = DefinedName('Rate', attr_text="'My sheet'!$A$1")
book.defined_names['Twice'] = DefinedName('Twice', attr_text='Other!$A$1*2')
other.defined_names['Own'] = DefinedName('Own', attr_text='Other!$A$1:$B$2')
sheet.print_area = 'A1:F20'
sheet.print_title_rows = '1:2'
sheet.page_setup.orientation = 'landscape'
sheet.page_margins.left = 1.25
sheet.sheet_properties.pageSetUpPr = openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True)
book.save(sys.argv[1])
"#;

/// Runs Python, and returns its output.
fn python(arguments: &[&std::ffi::OsStr]) -> String {
    let output = Command::new("python3").args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn openpyxl_finds_no_difference_after_a_round_trip_through_ods() {
    if seen("looks", &convert("a.csv", b"a,b\n", "xlsx").unwrap()).is_none() {
        return;
    }
    let at = directory("looks");
    let (first, last) = (at.join("first.xlsx"), at.join("last.xlsx"));
    python(&["-c".as_ref(), MAKE.as_ref(), first.as_os_str()]);
    let (ods, notes) = convert_with("first.xlsx", &fs::read(&first).unwrap(), "ods", &[]).unwrap();
    // openpyxl does not compute formulas, so a note may report that their values are missing.
    assert!(notes.0.len() <= 1, "{notes:?}");
    fs::write(&last, convert("first.ods", &ods, "xlsx").unwrap()).unwrap();
    let judge = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/judge.py");
    let differences = python(&[judge.as_ref(), first.as_os_str(), last.as_os_str()]);
    fs::remove_dir_all(at).unwrap();
    assert_eq!(differences, "");
}
