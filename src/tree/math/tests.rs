//! Converts formulas to each XML language and back, and checks that they stay the same.

use super::*;
use crate::containers::xml::{Namespaces, Reader, Writer};
use crate::job::testing::with_job;

const SPACES: Namespaces = &[
    ("urn:m", "m"),
    ("http://www.w3.org/1998/Math/MathML", "math"),
];

#[test]
fn formulas_survive_a_round_trip() {
    #[track_caller]
    fn check(tex: &str, expected: &str) {
        let math = parse(tex).expect(tex);
        assert_eq!(tex_write::write(&math), expected, "{math:?}");
        let again = parse(expected).expect(expected);
        assert_eq!(tex_write::write(&again), expected, "TeX of TeX");
        with_job(|job| {
            let mut xml = Writer::fragment();
            xml.start("m:x").attribute("xmlns:m", "urn:m");
            assert!(omml::write(&mut xml, tex, false));
            let xml = xml.finish();
            let mut reader = Reader::new(job, &xml, SPACES);
            reader.root().expect("an element");
            let element = reader.next_element(1).expect("XML").expect("an element");
            let read = omml::read(&mut reader, element).expect("XML");
            assert_eq!(read, [expected], "OMML: {xml}");

            let mut xml = Writer::fragment();
            assert!(mathml::write(&mut xml, tex, false));
            // Hides the TeX annotation, so that the elements are interpreted.
            let xml = xml.finish().replace("application/x-tex", "other");
            let mut reader = Reader::new(job, &xml, SPACES);
            reader.root().expect("an element");
            let gathered = mathml::Gather::new().read_xml(&mut reader).expect("XML");
            assert_eq!(gathered.finish(None), expected, "MathML: {xml}");
        });
    }
    check("E=mc^2", "E=mc^{2}");
    check(r"\frac{a+b}{2}", r"\frac{a+b}{2}");
    check(r"\frac12", r"\frac{1}{2}");
    check(r"\sqrt[3]{x}+\sqrt2", r"\sqrt[3]{x}+\sqrt{2}");
    check(r"x_1^{n+1}", r"x_{1}^{n+1}");
    check(r"\alpha \leq \beta", r"\alpha \leq \beta");
    check(r"\sum_{i=0}^n i^2 = 3.14", r"\sum_{i=0}^{n}i^{2}=3.14");
    check(r"\int_0^1 f(x)\,dx", r"\int_{0}^{1}f(x)\,dx");
    check(r"\lim_{x\to 0}\sin x", r"\lim_{x\to 0}\sin x");
    check(r"\left( \frac{a}{b} \right]", r"\left( \frac{a}{b}\right]");
    check(
        r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
        r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
    );
    check(
        r"f(x)=\begin{cases} 1 & x>0 \\ 0 & x<0 \end{cases}",
        r"f(x)=\begin{cases} 1 & x>0 \\ 0 & x<0 \end{cases}",
    );
    check(
        r"\begin{aligned} a & =b+c \\ & =d \end{aligned}",
        r"\begin{aligned} a & =b+c \\  & =d \end{aligned}",
    );
    check(
        r"\hat{x} + \overline{ab} + \vec v",
        r"\hat{x}+\overline{ab}+\vec{v}",
    );
    check(
        r"\mathbb{R} \text{ for all } x",
        r"\mathbb{R}\text{ for all }x",
    );
    check(r"\binom{n}{k}", r"\binom{n}{k}");
    check(r"\genfrac{}{}{0pt}{}{n}{k}", r"\genfrac{}{}{0pt}{}{n}{k}");
    check(r"\genfrac{(}{)}{0pt}{}{n}{k}", r"\binom{n}{k}");
    check(r"\genfrac{}{}{}{}{1}{2}", r"\frac{1}{2}");
}

#[test]
fn function_names_are_always_upright() {
    #[track_caller]
    fn check(name: &str, expected: &str) {
        let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
        let (name, x) = (name.replace('*', &run("lim")), run("x"));
        let xml = format!(
            "<m:oMath xmlns:m=\"urn:m\"><m:func><m:fName>{name}</m:fName><m:e>{x}</m:e></m:func></m:oMath>"
        );
        with_job(|job| {
            let mut reader = Reader::new(job, &xml, SPACES);
            let element = reader.root().expect("an element");
            let read = omml::read(&mut reader, element).expect("XML");
            assert_eq!(read, [expected], "{xml}");
        });
    }
    check("*", r"\lim x");
    check(
        "<m:limLow><m:e>*</m:e><m:lim>*</m:lim></m:limLow>",
        r"\lim_{lim}x",
    );
    check("<m:r><m:t>f</m:t></m:r>", "fx");
}

#[test]
fn invalid_or_unknown_tex_is_not_parsed() {
    #[track_caller]
    fn check(tex: &str) {
        assert_eq!(parse(tex), None, "{tex}");
    }
    check(r"\unknown{x}");
    check(r"\frac{a}");
    check("{a");
    check("a}");
    check("a & b");
    check(r"\left( a");
    check(r"\begin{matrix} a");
    check(&"{".repeat(10_000));
    check(&r"\sqrt".repeat(10_000));
    check(&"x^".repeat(10_000));
}

#[test]
fn mathml_from_any_source_is_read() {
    #[track_caller]
    fn check(marks: &str, hint: Option<&str>, expected: &str) {
        // Passes tags one by one, with some end tags missing, as in HTML.
        let mut gather = mathml::Gather::new();
        for piece in marks.split('<').filter(|piece| !piece.is_empty()) {
            let (tag, text) = piece.split_once('>').unwrap_or(("", piece));
            match tag.strip_prefix('/') {
                Some(name) => gather.end(name),
                None if tag.is_empty() => {}
                None => {
                    let (name, attribute) = tag.split_once(' ').unwrap_or((tag, ""));
                    let (key, value) = attribute.split_once('=').unwrap_or_default();
                    gather.start(name, |asked| (asked == key).then(|| value.into()));
                }
            }
            gather.text(text);
        }
        assert_eq!(gather.finish(hint), expected, "{marks:.200}");
    }
    check("", None, "");
    check("", Some("x squared"), "x squared");
    check("<mi>x</mi>", Some("the letter x"), "x");
    check("<mi>x</mi>", Some(r"\mathrm{x}"), r"\mathrm{x}");
    check(
        "<semantics><mi>x</mi><annotation encoding=application/x-tex>y</annotation></semantics>",
        None,
        "y",
    );
    check(
        "<semantics><mi>x</mi><annotation encoding=StarMath>y</annotation></semantics>",
        None,
        "x",
    );
    check("<msup><mi>x</mi><mn>2</mn></msup>", None, "x^{2}");
    check("<msup><mi>x</mi><mn>2</mn>", None, "x^{2}");
    check(
        "</mrow><mfrac><mi>a</mi></mfrac><mi>b",
        None,
        r"\frac{a}{}b",
    );
    check("<apply><ci>x</ci></apply>", None, "x");
    check(
        "<mi>sin</mi><mo>&</mo><mtext>{}</mtext>",
        None,
        r"\sin \&\text{}",
    );
    check("<mi mathvariant=double-struck>ℝ</mi>", None, r"\mathbb{R}");
    check(
        "<mo form=prefix>(</mo><mi>a</mi><mo form=postfix>)</mo>",
        None,
        r"\left( a\right)",
    );
    // For a definition by cases, pandoc writes no closing fence, but it writes the alignment of each cell.
    check(
        "<mo>=</mo><mrow><mo form=prefix>{</mo><mtable><mtr><mtd columnalign=left><mi>x</mi></mtd><mtd columnalign=left><mi>y</mi></mtd></mtr></mtable></mrow>",
        None,
        r"=\begin{cases} x & y \end{cases}",
    );
    check(
        "<mtable><mtr><mtd columnalign=right><mi>x</mi></mtd><mtd columnalign=left><mo>=</mo><mi>y</mi></mtd></mtr></mtable>",
        None,
        r"\begin{aligned} x & =y \end{aligned}",
    );
    check(
        "<mtable columnalign=right><mtr><mtd><mi>x</mi></mtd><mtd><mi>y</mi></mtd></mtr></mtable>",
        None,
        r"\begin{matrix} x & y \end{matrix}",
    );
    check(
        "<mrow><mo form=prefix>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac></mrow>",
        None,
        r"(\frac{a}{b}",
    );
    check(&"<mrow>".repeat(100_000), None, "");
    let deep = "<msqrt>".repeat(100_000) + "<mi>x</mi>";
    let roots = "\\sqrt{".repeat(200) + "\\text{x}" + "}".repeat(200).as_str();
    check(&deep, None, &roots);
}

#[test]
fn overlong_formulas_are_not_written() {
    #[track_caller]
    fn check(tex: &str) {
        let mut xml = Writer::fragment();
        assert!(!mathml::write(&mut xml, tex, true), "{tex:.20}");
        assert!(!omml::write(&mut xml, tex, true), "{tex:.20}");
        assert!(xml.finish().is_empty());
    }
    check(&"x".repeat(1 << 17));
    check(&r"\not".repeat(10_000));
    check(&"^a".repeat(10_000));
    check(&r"\left(".repeat(5_000));
    check(&r"\begin{matrix}".repeat(3_000));
}
