//! Translation of charts (MS-XLS 2.1.7.20.1) to DrawingML, so that they are drawn by the same code as those of later
//! workbooks (ECMA-376 part 1, 21.2). Draws nothing, and looks up no values.
//!
//! A chart is a substream of records. The records between Begin and End belong to the record before Begin:
//! series with references to cells, two sets of axes, groups of series of one chart type, and texts that state what
//! they are titles of. Sizes, fonts and the formats of single points are not read; the drawing code chooses them.

use super::{
    super::{records::Records, sheet, strings::Texts},
    globals::Globals,
};
use crate::{
    biff::{Formula, Record},
    coding::escape::escaped,
    error::Result,
    shown::book::Palette,
};
use convertd_tree::Colour;
use std::fmt::Write as _;

// Types of records.
/// End of the substream (`EOF`).
const FILE_END: u16 = 0x0a;
/// A series (`Series`).
const SERIES: u16 = 0x1003;
/// Formatting of a series or of one of its points (`DataFormat`).
const POINTS: u16 = 0x1006;
/// Fill (`AreaFormat`).
const AREA: u16 = 0x100a;
/// Name of a series or a title (`SeriesText`).
const WORDS: u16 = 0x100d;
/// Series of the same chart type (`ChartFormat`).
const GROUP: u16 = 0x1014;
/// Legend (`Legend`).
const LEGEND: u16 = 0x1015;
/// Chart type: bars or columns (`Bar`).
const BARS: u16 = 0x1017;
/// Chart type: lines (`Line`).
const LINES: u16 = 0x1018;
/// Chart type: pie or doughnut (`Pie`).
const PIE: u16 = 0x1019;
/// Chart type: areas (`Area`).
const AREAS: u16 = 0x101a;
/// Chart type: scatter or bubbles (`Scatter`).
const SCATTER: u16 = 0x101b;
/// An axis (`Axis`).
const AXIS: u16 = 0x101d;
/// Limits and scale of a value axis (`ValueRange`).
const RANGE: u16 = 0x101f;
/// Line of an axis or of its grid (`AxisLine`).
const AXIS_LINE: u16 = 0x1021;
/// Text in the chart (`Text`).
const TEXT: u16 = 0x1025;
/// Element of the chart to which a text belongs (`ObjectLink`).
const TEXT_OF: u16 = 0x1027;
/// Beginning of the records that belong to the previous record (`Begin`).
const BEGIN: u16 = 0x1033;
/// End of the records that belong to another record (`End`).
const END: u16 = 0x1034;
/// Chart type: radar (`Radar`).
const RADAR: u16 = 0x103e;
/// Chart type: filled radar (`RadarArea`).
const FILLED_RADAR: u16 = 0x1040;
/// Pair of axes, primary or secondary (`AxisParent`).
const AXES: u16 = 0x1041;
/// Group to which a series belongs (`SerToCrt`).
const GROUP_OF: u16 = 0x1045;
/// Cells from which a series or text takes its values (`BRAI`).
const REFERENCE: u16 = 0x1051;

/// Maximum number of series.
const MAX_SERIES: usize = 255;
/// Maximum number of chart groups.
const MAX_GROUPS: usize = 16;
/// Maximum nesting of records.
const MAX_DEPTH: usize = 64;

/// First of the eight palette entries that series without a colour of their own take in turn.
const DEFAULT: u32 = 24;

/// A series of values.
#[derive(Default)]
struct Series {
    name: String,
    /// References to the cells of the name, the values, the categories and the bubble sizes.
    references: [Option<String>; 4],
    /// Number of its chart group.
    group: u16,
    /// Colour, if the series has its own.
    fill: Option<Colour>,
}

/// A chart group: series of one chart type.
#[derive(Default)]
struct Group {
    /// Number by which series refer to the group.
    number: u16,
    /// Type of the record that states the chart type. 0 until that record is read.
    kind: u16,
    /// First 16 bytes of that record's data.
    data: Vec<u8>,
    /// Whether each point has a colour of its own.
    varies: bool,
    /// Whether it uses the secondary axes.
    is_secondary: bool,
}

/// An axis.
#[derive(Clone, Default)]
struct Axis {
    /// Whether the axis is visible.
    is_visible: bool,
    /// Title. Empty if it has none.
    title: String,
    /// Whether it has major grid lines.
    has_lines: bool,
    /// Minimum, maximum and step, where the file states them.
    range: [Option<f64>; 3],
    /// Whether the values run from the far end.
    is_reversed: bool,
}

/// State of the translation.
#[derive(Default)]
struct Chart {
    /// Title of the whole chart. Empty if it has none.
    title: String,
    series: Vec<Series>,
    groups: Vec<Group>,
    /// Category axis and value axis, for the primary and the secondary set.
    axes: [[Axis; 2]; 2],
    /// Position of the legend, if there is one.
    legend: Option<u8>,
    // State of the open elements.
    /// Whether the current axes are the secondary ones.
    is_secondary: bool,
    /// Index of the current axis: 0 for categories, 1 for values.
    axis: usize,
    /// Text of the current text element.
    words: String,
    /// Element to which the current text belongs.
    text_of: u16,
    /// Whether the current formatting is that of a series, not of a single point.
    is_whole_series: bool,
}

/// Translates the chart at the current position. `None` if it has nothing to draw.
pub(super) fn read(
    records: &mut Records<'_>,
    globals: &Globals,
    palette: &Palette,
) -> Result<Option<String>> {
    let mut chart = Chart::default();
    let (mut open, mut last) = (Vec::new(), 0);
    // The first record is the BOF record of the substream.
    records.next()?;
    while let Some(record) = records.next()? {
        match record.kind {
            FILE_END | sheet::BEGIN => break,
            BEGIN if open.len() < MAX_DEPTH => open.push(last),
            BEGIN => break,
            END => {
                if open.pop() == Some(TEXT) {
                    chart.close_text();
                }
            }
            _ => chart.take(record, &open, globals),
        }
        last = record.kind;
    }
    let drawn = chart.groups.iter().any(|group| group.kind != 0);
    Ok((drawn && !chart.series.is_empty()).then(|| chart.write(palette)))
}

impl Chart {
    /// Reads a record (MS-XLS 2.1.7.20.1). `open` are the records whose Begin is still open; they determine what the
    /// record belongs to.
    fn take(&mut self, record: Record<'_>, open: &[u16], globals: &Globals) {
        let inner = open.last().copied().unwrap_or(0);
        match record.kind {
            SERIES if self.series.len() < MAX_SERIES => self.series.push(Series::default()),
            AXES => self.is_secondary = record.u16(0) == 1,
            AXIS => {
                self.axis = usize::from(record.u16(0)).min(1);
                self.open_axis().is_visible = record.u16(0) < 2;
            }
            RANGE => {
                let flags = record.u16(40);
                let axis = self.open_axis();
                for (number, slot) in axis.range.iter_mut().enumerate() {
                    // Each of the three lowest bits says that the program chooses the value.
                    let value = record.f64(8 * number);
                    *slot =
                        Some(value).filter(|value| flags & 1 << number == 0 && value.is_finite());
                }
                axis.is_reversed = flags & 0x40 != 0;
            }
            AXIS_LINE if record.u16(0) == 1 => self.open_axis().has_lines = true,
            LEGEND => self.legend = Some(record.u8(16)),
            GROUP if self.groups.len() < MAX_GROUPS => self.groups.push(Group {
                varies: record.u16(16) & 1 != 0,
                number: record.u16(18),
                is_secondary: self.is_secondary,
                ..Group::default()
            }),
            BARS | LINES | PIE | AREAS | SCATTER | RADAR | FILLED_RADAR => {
                if let Some(group) = self.groups.last_mut() {
                    group.kind = record.kind;
                    group.data = record.data.iter().take(16).copied().collect();
                }
            }
            TEXT => {
                self.words.clear();
                self.text_of = 0;
            }
            TEXT_OF => self.text_of = record.u16(0),
            WORDS => {
                let mut words = String::new();
                let data = record.data.get(2..).unwrap_or_default();
                Texts::Unicode.read(data, true, &mut words);
                match (inner, self.series.last_mut()) {
                    (SERIES, Some(series)) => series.name = words,
                    _ => self.words = words,
                }
            }
            POINTS => self.is_whole_series = record.u16(0) == u16::MAX,
            _ if !open.contains(&SERIES) => {}
            REFERENCE if inner == SERIES => {
                let formula = Formula::narrow(record.data, 8, record.u16(6).into());
                let is_reference = record.u8(1) == 2;
                let text = formula
                    .text(&globals.scope, (0, 0))
                    .filter(|_| is_reference);
                let number = usize::from(record.u8(0));
                if let Some(series) = self.series.last_mut()
                    && let Some(slot) = series.references.get_mut(number)
                {
                    *slot = text;
                }
            }
            GROUP_OF => {
                if let Some(series) = self.series.last_mut() {
                    series.group = record.u16(0);
                }
            }
            // The colour is ignored if the program chooses it (bit 0 of the flags), or if the area has no fill pattern.
            AREA if self.is_whole_series && record.u16(10) & 1 == 0 && record.u16(8) != 0 => {
                if let Some(series) = self.series.last_mut() {
                    series.fill = Some(Colour(record.u8(0), record.u8(1), record.u8(2)));
                }
            }
            _ => {}
        }
    }

    /// Axis that the current records belong to.
    fn open_axis(&mut self) -> &mut Axis {
        &mut self.axes[usize::from(self.is_secondary)][self.axis]
    }

    /// Makes a text the title of the object that it is linked to.
    fn close_text(&mut self) {
        let words = std::mem::take(&mut self.words);
        let axes = &mut self.axes[usize::from(self.is_secondary)];
        match self.text_of {
            1 => self.title = words,
            2 => axes[1].title = words,
            3 => axes[0].title = words,
            _ => {}
        }
    }

    /// Writes the chart as DrawingML.
    fn write(&self, palette: &Palette) -> String {
        let mut xml = String::from(
            "<c:chartSpace xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" \
             xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><c:chart>",
        );
        title(&self.title, &mut xml);
        let untitled = u8::from(self.title.trim().is_empty());
        let _ = write!(xml, "<c:autoTitleDeleted val=\"{untitled}\"/><c:plotArea>");
        for group in &self.groups {
            self.group(group, palette, &mut xml);
        }
        for second in [false, true] {
            let own = self
                .groups
                .iter()
                .find(|group| group.is_secondary == second);
            if let Some(group) = own.filter(|group| group.kind != PIE) {
                self.axes(group, &mut xml);
            }
        }
        xml.push_str("</c:plotArea>");
        if let Some(side) = self.legend {
            let side = match side {
                0 => "b",
                1 => "tr",
                2 => "t",
                4 => "l",
                _ => "r",
            };
            let _ = write!(xml, "<c:legend><c:legendPos val=\"{side}\"/></c:legend>");
        }
        xml + "</c:chart></c:chartSpace>"
    }

    /// Writes a chart group with its series.
    fn group(&self, group: &Group, palette: &Palette, xml: &mut String) {
        let record = Record {
            kind: group.kind,
            data: &group.data,
        };
        let grouping = |flags: u16| match flags & 3 {
            0 => "standard",
            1 => "stacked",
            _ => "percentStacked",
        };
        let (name, head, tail) = match group.kind {
            BARS => {
                let flags = record.u16(4);
                let along = if flags & 1 == 0 { "col" } else { "bar" };
                let grouping = match grouping(flags >> 1) {
                    "standard" => "clustered",
                    other => other,
                };
                let (overlap, gap) = (record.u16(0).cast_signed(), record.u16(2));
                (
                    "barChart",
                    format!("<c:barDir val=\"{along}\"/><c:grouping val=\"{grouping}\"/>"),
                    // In BIFF, overlapping bars have a negative distance; in DrawingML, a positive overlap.
                    format!(
                        "<c:gapWidth val=\"{gap}\"/><c:overlap val=\"{}\"/>",
                        -i32::from(overlap)
                    ),
                )
            }
            LINES | AREAS => {
                let name = if group.kind == LINES {
                    "lineChart"
                } else {
                    "areaChart"
                };
                let grouping = grouping(record.u16(0));
                let head = format!("<c:grouping val=\"{grouping}\"/>");
                (name, head, "<c:marker val=\"1\"/>".to_owned())
            }
            PIE => match record.u16(2) {
                0 => ("pieChart", String::new(), String::new()),
                hole => {
                    let tail = format!("<c:holeSize val=\"{hole}\"/>");
                    ("doughnutChart", String::new(), tail)
                }
            },
            SCATTER if record.u16(4) & 1 != 0 => ("bubbleChart", String::new(), String::new()),
            SCATTER => {
                let head = "<c:scatterStyle val=\"lineMarker\"/>".to_owned();
                ("scatterChart", head, String::new())
            }
            RADAR => (
                "radarChart",
                "<c:radarStyle val=\"marker\"/>".to_owned(),
                String::new(),
            ),
            FILLED_RADAR => (
                "radarChart",
                "<c:radarStyle val=\"filled\"/>".to_owned(),
                String::new(),
            ),
            _ => return,
        };
        let varies = u8::from(group.varies);
        let _ = write!(xml, "<c:{name}>{head}<c:varyColors val=\"{varies}\"/>");
        let own = self.series.iter().enumerate();
        for (number, series) in own.filter(|(_, one)| one.group == group.number) {
            series.write(number, group, palette, xml);
        }
        let axis = 2 * u8::from(group.is_secondary);
        let _ = write!(
            xml,
            "{tail}<c:axId val=\"{}\"/><c:axId val=\"{}\"/></c:{name}>",
            axis + 1,
            axis + 2
        );
    }

    /// Writes the axes of a group. Their identifiers are 1 and 2, or 3 and 4 for the secondary set.
    fn axes(&self, group: &Group, xml: &mut String) {
        let axes = &self.axes[usize::from(group.is_secondary)];
        let first = 2 * u8::from(group.is_secondary) + 1;
        let lies = group.kind == BARS && group.data.get(4).is_some_and(|flags| flags & 1 != 0);
        for (number, axis) in axes.iter().enumerate() {
            let has_numbers = number == 1 || group.kind == SCATTER;
            let name = if has_numbers { "valAx" } else { "catAx" };
            let side = match ((number == 1) == lies, group.is_secondary) {
                (true, false) => "b",
                (true, true) => "t",
                (false, false) => "l",
                (false, true) => "r",
            };
            let number = number as u8;
            let turned = if axis.is_reversed { "maxMin" } else { "minMax" };
            let _ = write!(
                xml,
                "<c:{name}><c:axId val=\"{}\"/><c:scaling><c:orientation val=\"{turned}\"/>",
                first + number
            );
            for (value, name) in axis.range.iter().zip(["min", "max"]) {
                if let Some(value) = value {
                    let _ = write!(xml, "<c:{name} val=\"{value}\"/>");
                }
            }
            let _ = write!(
                xml,
                "</c:scaling><c:delete val=\"{}\"/><c:axPos val=\"{side}\"/>",
                u8::from(!axis.is_visible)
            );
            if axis.has_lines {
                xml.push_str("<c:majorGridlines/>");
            }
            title(&axis.title, xml);
            let _ = write!(xml, "<c:crossAx val=\"{}\"/>", first + 1 - number);
            if let Some(step) = axis.range[2].filter(|step| *step > 0.0) {
                let _ = write!(xml, "<c:majorUnit val=\"{step}\"/>");
            }
            let _ = write!(xml, "</c:{name}>");
        }
    }
}

impl Series {
    /// Writes a series with references to its cells. A literal name takes precedence over a reference.
    fn write(&self, number: usize, group: &Group, palette: &Palette, xml: &mut String) {
        let _ = write!(
            xml,
            "<c:ser><c:idx val=\"{number}\"/><c:order val=\"{number}\"/>"
        );
        let [name, values, categories, sizes] = &self.references;
        match (&*self.name, name) {
            ("", Some(name)) => {
                let _ = write!(
                    xml,
                    "<c:tx><c:strRef><c:f>{}</c:f></c:strRef></c:tx>",
                    escaped(name)
                );
            }
            ("", None) => {}
            (name, _) => {
                let _ = write!(xml, "<c:tx><c:v>{}</c:v></c:tx>", escaped(name));
            }
        }
        let default = palette.get(DEFAULT + number as u32 % 8);
        if let Some(Colour(red, green, blue)) = self.fill.or(default).filter(|_| !group.varies) {
            let fill = format!(
                "<a:solidFill><a:srgbClr val=\"{red:02X}{green:02X}{blue:02X}\"/></a:solidFill>"
            );
            let _ = match group.kind {
                LINES | RADAR => write!(xml, "<c:spPr><a:ln w=\"19050\">{fill}</a:ln></c:spPr>"),
                SCATTER => Ok(()),
                _ => write!(xml, "<c:spPr>{fill}</c:spPr>"),
            };
        }
        let names = match group.kind {
            SCATTER => ["xVal", "yVal"],
            _ => ["cat", "val"],
        };
        for (reference, name, kind) in [
            (
                categories,
                names[0],
                if group.kind == SCATTER { "num" } else { "str" },
            ),
            (values, names[1], "num"),
            (sizes, "bubbleSize", "num"),
        ] {
            if let Some(reference) = reference {
                let _ = write!(
                    xml,
                    "<c:{name}><c:{kind}Ref><c:f>{}</c:f></c:{kind}Ref></c:{name}>",
                    escaped(reference)
                );
            }
        }
        xml.push_str("</c:ser>");
    }
}

/// Writes a title, unless it is empty.
fn title(words: &str, xml: &mut String) {
    if !words.trim().is_empty() {
        let _ = write!(
            xml,
            "<c:title><c:tx><c:rich><a:p><a:r><a:t>{}</a:t></a:r></a:p></c:rich></c:tx></c:title>",
            escaped(words)
        );
    }
}
