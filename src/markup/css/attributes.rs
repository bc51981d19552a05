//! Presentational hints: attributes of HTML that affect style (HTML, 15.3 and 15.4), as
//! declarations. E-mails rely on them. Reads no style sheet.
//!
//! The hints of an element become the text of declarations, which the cascade parses like a `style`
//! attribute and ranks below all author rules. As text they also serve as a cache key: most
//! elements of a document have the same few hints.

use crate::dom::{Dom, NodeId};

/// Presentational hints of an element, as the text of declarations. If two hints set one property,
/// the later one wins.
pub(super) fn hints(dom: &Dom, id: NodeId) -> String {
    let Some(element) = dom.element(id) else {
        return String::new();
    };
    let mut hints = Hints(String::new());
    // Cells without attributes still get presentational hints from their table. Other elements without attributes have
    // no hints.
    if element.attributes.is_empty() && !matches!(dom.tag(id), "td" | "th") {
        return hints.0;
    }
    let get = |name: &str| element.get(name).map(str::trim);
    let tag = dom.tag(id);
    if has_size(tag) {
        // `width="0"` is ignored on tables and cells.
        let zero = !matches!(tag, "td" | "th" | "table");
        hints.length("width", get("width"), zero);
        hints.length("height", get("height"), true);
    }
    match tag {
        "body" => body(&mut hints, &get),
        "table" => table(&mut hints, &get),
        "td" | "th" => {
            hints.colour("background-color", get("bgcolor"));
            hints.picture(get("background"));
            if get("nowrap").is_some() {
                hints.add("white-space", "nowrap");
            }
            hints.align(get("align"));
            hints.vertical(get("valign"));
            cell(dom, id, &mut hints);
        }
        "tr" | "thead" | "tbody" | "tfoot" => {
            hints.colour("background-color", get("bgcolor"));
            hints.align(get("align"));
            hints.vertical(get("valign"));
        }
        // Alignment of flow content; headings and paragraphs differ from `div` (see `block`).
        "p" | "div" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption" => {
            block(&mut hints, tag, get("align"));
        }
        "img" | "object" | "iframe" | "embed" | "input" => floating(&mut hints, &get),
        "hr" => rule(&mut hints, &get),
        "font" => font(&mut hints, &get),
        "ol" | "ul" | "li" => list(&mut hints, get("type").unwrap_or_default()),
        "br" => {
            if let Some(side) = get("clear") {
                let side = side.to_ascii_lowercase();
                hints.add("clear", if side == "all" { "both" } else { &side });
            }
        }
        // Colours of visited and active links do not apply: on paper every link is unvisited.
        "a" if get("href").is_some() => hints.link(dom),
        _ => {}
    }
    if matches!(tag, "input" | "textarea" | "select") {
        control(&mut hints, tag, &get);
    }
    if let Some(direction) = get("dir") {
        hints.add("direction", &direction.to_ascii_lowercase());
    }
    if get("hidden").is_some() && tag != "input" {
        hints.add("display", "none");
    }
    hints.0
}

/// Returns whether `width` and `height` attributes of an element give its size.
fn has_size(tag: &str) -> bool {
    const CELLS: [&str; 9] = [
        "table", "td", "th", "col", "colgroup", "tr", "thead", "tbody", "tfoot",
    ];
    const OBJECTS: [&str; 8] = [
        "img", "iframe", "embed", "object", "video", "canvas", "svg", "marquee",
    ];
    CELLS.contains(&tag) || OBJECTS.contains(&tag)
}

/// Hints of `body` (HTML, 15.3.2): colours, and margins in px. `topmargin` and `leftmargin` are names from Internet
/// Explorer that e-mails still use.
fn body<'g>(hints: &mut Hints, get: &Get<'g>) {
    hints.colour("color", get("text"));
    hints.colour("background-color", get("bgcolor"));
    hints.margins(["margin-top", "margin-bottom"], get("marginheight"));
    hints.margins(["margin-top", "margin-bottom"], get("topmargin"));
    hints.margins(["margin-left", "margin-right"], get("marginwidth"));
    hints.margins(["margin-left", "margin-right"], get("leftmargin"));
}

/// Hints of the `align` attribute of paragraphs, headings and captions (HTML, 15.3.3). On `div` and `caption` it also
/// moves blocks; on paragraphs and headings it aligns only the text.
fn block(hints: &mut Hints, tag: &str, align: Option<&str>) {
    let side = align.map(str::to_ascii_lowercase).unwrap_or_default();
    match (tag, &*side) {
        (_, "") => {}
        ("caption", "bottom") => hints.add("caption-side", "bottom"),
        ("div" | "caption", _) => hints.align(align),
        (_, "middle") => hints.add("text-align", "center"),
        _ => hints.add("text-align", &side),
    }
}

/// Hints of images and other embedded objects (HTML, 15.4.3): float, vertical alignment, margins
/// and border.
fn floating<'g>(hints: &mut Hints, get: &Get<'g>) {
    match get("align").map(str::to_ascii_lowercase).as_deref() {
        Some(side @ ("left" | "right")) => hints.add("float", side),
        Some("middle" | "absmiddle" | "center" | "abscenter") => {
            hints.add("vertical-align", "middle");
        }
        Some(side @ ("top" | "bottom")) => hints.add("vertical-align", side),
        _ => {}
    }
    hints.margins(["margin-left", "margin-right"], get("hspace"));
    hints.margins(["margin-top", "margin-bottom"], get("vspace"));
    // The border of old markup is solid, in the colour of the text.
    if let Some(border) = get("border").and_then(number) {
        hints.add("border", &format!("{border}px solid"));
    }
}

/// Hints of the `type` attribute of lists and items (HTML, 15.3.7). Letters are case-sensitive:
/// `a` and `A` are two styles.
fn list(hints: &mut Hints, kind: &str) {
    let style = match kind {
        "1" => "decimal",
        "a" => "lower-alpha",
        "A" => "upper-alpha",
        "i" => "lower-roman",
        "I" => "upper-roman",
        _ => {
            // Unlike letters, the names of bullets ignore case.
            let known = ["disc", "circle", "square"];
            let style = known.iter().find(|word| word.eq_ignore_ascii_case(kind));
            style.copied().unwrap_or_default()
        }
    };
    if !style.is_empty() {
        hints.add("list-style-type", style);
    }
}

/// Text of the hints so far.
struct Hints(String);

impl Hints {
    /// Adds one dimension as the value of two margins; `hspace`, for example, sets the left and right one.
    fn margins(&mut self, sides: [&str; 2], value: Option<&str>) {
        for side in sides {
            self.length(side, value, true);
        }
    }

    /// Adds a declaration, unless its value could end it and begin another.
    fn add(&mut self, name: &str, value: &str) {
        // A value is a part of a declaration, and must not end it.
        if !value.contains([';', '{', '}', '"', '\'', '\\']) {
            self.0.push_str(&format!("{name}:{value};"));
        }
    }

    /// Adds a dimension by the rules of HTML, 2.3.4.4: leading digits, optionally with `%`. Zero is ignored unless
    /// `zero` is set.
    fn length(&mut self, name: &str, value: Option<&str>, zero: bool) {
        let Some(value) = value else {
            return;
        };
        // The parser skips a plus sign, and everything after the number: `50px` and `50abc` are 50.
        let digits = value.trim_start_matches('+');
        let end = digits
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(digits.len());
        let Ok(number) = digits[..end].parse::<f32>() else {
            return;
        };
        if number == 0.0 && !zero {
            return;
        }
        let unit = if digits[end..].trim_start().starts_with('%') {
            "%"
        } else {
            "px"
        };
        self.add(name, &format!("{number}{unit}"));
    }

    /// Adds a legacy colour. A value that is not a colour leaves the property alone.
    fn colour(&mut self, name: &str, value: Option<&str>) {
        if let Some(colour) = value.and_then(legacy_colour) {
            self.add(name, &colour);
        }
    }

    /// Adds a background image.
    fn picture(&mut self, address: Option<&str>) {
        // The address is written between double quotes. One that could close them is left out.
        if let Some(address) = address.filter(|address| !address.contains(['"', '\\', '\n'])) {
            self.0
                .push_str(&format!("background-image:url(\"{address}\");"));
        }
    }

    /// Adds an alignment that also moves blocks: only the `-webkit-` keywords can express it,
    /// because `text-align: center` leaves narrower block boxes at the start edge.
    fn align(&mut self, side: Option<&str>) {
        match side.map(str::to_ascii_lowercase).as_deref() {
            Some("center" | "middle") => self.add("text-align", "-webkit-center"),
            Some("left") => self.add("text-align", "-webkit-left"),
            Some("right") => self.add("text-align", "-webkit-right"),
            Some("justify") => self.add("text-align", "justify"),
            _ => {}
        }
    }

    /// Adds a vertical alignment. `center` is a legacy name of `middle`.
    fn vertical(&mut self, side: Option<&str>) {
        if let Some(side) = side.map(str::to_ascii_lowercase) {
            self.add(
                "vertical-align",
                if side == "center" { "middle" } else { &side },
            );
        }
    }

    /// Adds the colour of links that the `body` specifies.
    fn link(&mut self, dom: &Dom) {
        // The attribute `link` belongs to the `body` of the document, a child of the root element.
        let html = dom.children(NodeId::DOCUMENT).next();
        let body = html.and_then(|html| dom.children(html).find(|child| dom.tag(*child) == "body"));
        let colour = body.and_then(|body| dom.attribute(body, "link"));
        self.colour("color", colour);
    }
}

/// Reads an attribute of an element, trimmed.
type Get<'g> = dyn Fn(&str) -> Option<&'g str> + 'g;

/// Leading digits of an attribute as a number. Larger numbers become 1000, a size that layout can compute with.
fn number(text: &str) -> Option<u32> {
    let digits = text.trim_start();
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end]
        .parse()
        .ok()
        .map(|number: u32| number.min(1000))
}

/// Hints of `table` (HTML, 15.3.8): colours, spacing, alignment and the outer border.
fn table<'g>(hints: &mut Hints, get: &Get<'g>) {
    hints.colour("background-color", get("bgcolor"));
    hints.picture(get("background"));
    hints.length("border-spacing", get("cellspacing"), true);
    // `align` moves the table itself: it floats, or its auto margins centre it.
    match get("align").map(str::to_ascii_lowercase).as_deref() {
        Some(side @ ("left" | "right")) => hints.add("float", side),
        Some("center") => {
            hints.add("margin-left", "auto");
            hints.add("margin-right", "auto");
        }
        _ => {}
    }
    // A border without a valid number, such as `border=""`, is 1 px wide.
    if let Some(border) = get("border") {
        let width = number(border).unwrap_or(1);
        if width > 0 {
            hints.add("border", &format!("{width}px outset gray"));
        }
    }
    hints.colour("border-color", get("bordercolor"));
}

/// Hints that a table has for each of its cells (HTML, 15.3.8): padding and borders. `rules` comes
/// last, because it replaces the widths that `border` gives to cells.
fn cell(dom: &Dom, id: NodeId, hints: &mut Hints) {
    // A cell is at most three levels below its table: row, row group, table.
    let mut around = std::iter::successors(dom.parent(id), |id| dom.parent(*id)).take(4);
    let Some(table) = around.find(|id| dom.tag(*id) == "table") else {
        return;
    };
    hints.length("padding", dom.attribute(table, "cellpadding"), true);
    if let Some(border) = dom.attribute(table, "border")
        && number(border).unwrap_or(1) > 0
    {
        hints.add("border", "1px inset gray");
    }
    if let Some(rules) = dom.attribute(table, "rules") {
        match rules.to_ascii_lowercase().as_str() {
            "all" => hints.add("border", "1px solid"),
            "cols" => hints.add("border-width", "0 1px"),
            "rows" => hints.add("border-width", "1px 0"),
            _ => {}
        }
    }
}

/// Hints of `hr` (HTML, 15.3.11). The height includes the two borders of 1 px, so that `size` is
/// reduced by 2 px.
fn rule<'g>(hints: &mut Hints, get: &Get<'g>) {
    hints.length("width", get("width"), true);
    if let Some(colour) = get("color").and_then(legacy_colour) {
        hints.add("color", &colour);
        hints.add("border-style", "solid");
        hints.add("border-color", &colour);
        hints.add("background-color", &colour);
    }
    // Without shading, the rule is solid instead of inset, as it is with a colour.
    if get("noshade").is_some() {
        hints.add("border-style", "solid");
    }
    if let Some(size) = get("size").and_then(number) {
        if size <= 1 {
            hints.add("border-bottom-width", "0");
        } else {
            hints.add("height", &format!("{}px", size - 2));
        }
    }
    match get("align").map(str::to_ascii_lowercase).as_deref() {
        Some("left") => hints.add("margin-left", "0"),
        Some("right") => hints.add("margin-right", "0"),
        _ => {}
    }
}

/// Hints for the size of form controls in letters and lines (HTML, 15.5). The factors give the
/// widths of Chromium for its default fonts: a letter is 0.6 em wide, a line 1.125 em high.
fn control<'g>(hints: &mut Hints, tag: &str, get: &Get<'g>) {
    let letters = |name: &str| get(name).and_then(number).filter(|count| *count > 0);
    match tag {
        "textarea" => {
            if let Some(columns) = letters("cols") {
                hints.add("width", &format!("calc({columns} * 0.6em + 16px)"));
            }
            if let Some(rows) = letters("rows") {
                hints.add("height", &format!("{}em", f64::from(rows) * 1.125));
            }
        }
        "input" => {
            let kind = get("type").unwrap_or("text").to_ascii_lowercase();
            let has_size = ["text", "password", "email", "url", "tel", "search"];
            if has_size.contains(&kind.as_str())
                && let Some(size) = letters("size")
            {
                hints.add("width", &format!("{}em", f64::from(size) * 0.6 + 0.675));
            }
        }
        // A `select` element. With several rows it is shown as a list box.
        _ => {
            let is_list = get("multiple").is_some();
            let rows = letters("size").or(is_list.then_some(4)).unwrap_or(1);
            if rows > 1 {
                hints.add("height", &format!("calc({rows} * 17px + 2px)"));
                hints.add("vertical-align", "text-bottom");
                hints.add("background-color", "white");
            }
        }
    }
}

/// Hints of `font`. Sizes 1 to 7 are keywords; signed sizes are relative to 3 (HTML, 15.3.4).
fn font<'g>(hints: &mut Hints, get: &Get<'g>) {
    hints.colour("color", get("color"));
    // Generic families are keywords and must not be quoted; all other names must be.
    if let Some(face) = get("face") {
        let names: Vec<String> = face
            .split(',')
            .map(|name| {
                name.trim()
                    .trim_matches(['"', '\''])
                    .replace(['"', '\\', ';', '{', '}'], " ")
            })
            .map(|name| match name.to_ascii_lowercase().as_str() {
                "serif" | "sans-serif" | "monospace" | "cursive" | "fantasy" => name,
                _ => format!("\"{name}\""),
            })
            .collect();
        hints
            .0
            .push_str(&format!("font-family:{};", names.join(",")));
    }
    if let Some(size) = get("size") {
        let digits = size.trim_start_matches(['+', '-']);
        if let Some(size_of) = number(digits) {
            let size = match size.as_bytes().first() {
                Some(b'+') => 3 + size_of as i32,
                Some(b'-') => 3 - size_of as i32,
                _ => size_of as i32,
            };
            // Keywords for the sizes 1 to 7.
            const WORDS: [&str; 7] = [
                "x-small",
                "small",
                "medium",
                "large",
                "x-large",
                "xx-large",
                "xxx-large",
            ];
            hints.add("font-size", WORDS[(size.clamp(1, 7) - 1) as usize]);
        }
    }
}

/// Parses a legacy colour value (HTML, 2.3.6): any text except an empty one and `transparent` is a colour. Unless it is
/// a name or `#rgb`, all but its hexadecimal digits are replaced by zeros. The digits are cut into three equal parts,
/// one per channel, each of which is shortened to two digits.
fn legacy_colour(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("transparent") {
        return None;
    }
    // Names and the short form `#rgb` are CSS colours; everything else is converted to six digits.
    if super::colour::named(&text.to_ascii_lowercase()).is_some() {
        return Some(text.to_ascii_lowercase());
    }
    if let Some(digits) = text.strip_prefix('#')
        && digits.len() == 3
        && super::colour::hex(digits).is_some()
    {
        return Some(text.to_owned());
    }
    let digits: Vec<u8> = text
        .trim_start_matches('#')
        .chars()
        .take(128)
        .map(|c| if c.is_ascii_hexdigit() { c as u8 } else { b'0' })
        .collect();
    let mut digits = digits;
    // Zeros fill the text up to three parts of equal length.
    while digits.is_empty() || !digits.len().is_multiple_of(3) {
        digits.push(b'0');
    }
    let third = digits.len() / 3;
    // Only the last eight digits of a part are used.
    let parts: Vec<&[u8]> = digits
        .chunks(third)
        .map(|part| &part[part.len().saturating_sub(8)..])
        .collect();
    // Leading zeros that all parts share carry no information; two digits must remain.
    let mut skip = 0;
    while parts[0].len() - skip > 2 && parts.iter().all(|part| part[skip] == b'0') {
        skip += 1;
    }
    let mut colour = String::from("#");
    for part in parts {
        let two = &part[skip..(skip + 2).min(part.len())];
        if two.len() == 1 {
            colour.push('0');
        }
        colour.extend(two.iter().map(|byte| char::from(*byte)));
    }
    Some(colour)
}
