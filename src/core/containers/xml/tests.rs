//! XML is read by levels, whatever its prefixes and encoding are; malformed XML is refused, and unread content is
//! skipped.

use super::*;
use crate::{error::Result, job::testing::with_job};

const KNOWN: Namespaces = &[("urn:one", "a"), ("urn:one-strict", "a"), ("urn:two", "b")];

/// Draws an element in short form: `space:name[attribute=value](…)`.
fn draw(xml: &mut Reader<'_>, element: Element<'_>) -> Result<String> {
    let level = xml.level();
    let mut drawn = format!("{}:{}", element.space, element.name);
    for (name, value) in element.attributes() {
        drawn += &format!("[{name}={value}]");
    }
    drawn.push('(');
    while let Some(piece) = xml.next(level)? {
        drawn += &match piece {
            Piece::Element(child) => draw(xml, child)?,
            Piece::Text(text) => text.into_owned(),
        };
    }
    Ok(drawn + ")")
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let drawn = with_job(|job| {
        let mut xml = Reader::new(job, source, KNOWN);
        let root = xml.root()?;
        draw(&mut xml, root)
    });
    match drawn {
        Ok(drawn) => assert_eq!(drawn, expected),
        Err(err) => assert!(err.message().contains(expected), "{}", err.message()),
    }
}

#[test]
fn the_namespace_counts_and_not_the_prefix() {
    check("<x:e xmlns:x='urn:one'/>", "a:e()");
    check("<e xmlns='urn:one-strict'><f/></e>", "a:e(a:f())");
    check("<e xmlns='urn:three'/>", ":e()");
    check(
        "<a:e xmlns:a='urn:two'><a:f xmlns:a='urn:one'/><a:g a:h='1' i='2'/></a:e>",
        "b:e(a:f()b:g[h=1][i=2]())",
    );
}

#[test]
fn predefined_entities_are_decoded_and_no_others_expanded() {
    check(
        "<e a='&lt;&#65;&amp;&quot;&none;&'>&#x42;&gt;&apos;</e>",
        ":e[a=<A&\"&none;&](B>')",
    );
    check(
        "<!DOCTYPE e [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><e>&b;</e>",
        ":e(&b;)",
    );
    check("<!DOCTYPE e SYSTEM \"file:///etc/passwd\"><e/>", ":e()");
    check("<e><![CDATA[<&amp;]]><!-- no --><?no?></e>", ":e(<&amp;)");
    check("<e>&#0;&#xD800;</e>", ":e(\u{fffd}\u{fffd})");
}

#[test]
fn malformed_xml_is_refused() {
    check("", "it holds no element");
    check("<e><f></e>", "damaged at byte");
    check("<e><f>", "in the middle of an element");
    check("<e", "damaged at byte");
    check(&"<e>".repeat(600), "more than 512 elements");
    let deep = |levels| format!("{}{}", "<e>".repeat(levels), "</e>".repeat(levels));
    check(&deep(600), "more than 512 elements");
    check(&deep(3), ":e(:e(:e()))");
}

#[test]
fn content_that_is_not_requested_is_skipped() {
    with_job(|job| {
        let source = "<e><f>no<g/>no</f><h/>no<i>yes<j> and </j>yes</i></e>";
        let mut xml = Reader::new(job, source, KNOWN);
        xml.root().expect("a root element");
        let mut names = Vec::new();
        let mut text = String::new();
        while let Some(child) = xml.next_element(1).expect("well formed") {
            names.push(child.name);
            if child.name == "i" {
                text = xml.text().expect("well formed");
            }
        }
        assert_eq!(names, ["f", "h", "i"]);
        assert_eq!(text, "yes and yes");
    });
}

#[test]
fn the_mark_or_the_declaration_states_the_encoding() {
    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert!(decode(bytes).ends_with(expected), "{}", decode(bytes));
    }
    check("<e>ü</e>".as_bytes(), "<e>ü</e>");
    check("\u{feff}<e>ü</e>".as_bytes(), "<e>ü</e>");
    check(
        b"<?xml version='1.0' encoding='ISO-8859-1'?><e>\xfc</e>",
        "<e>ü</e>",
    );
    check(
        b"<?xml version='1.0' encoding='UTF-16'?><e>\xc3\xbc</e>",
        "<e>ü</e>",
    );
    check(b"\xff\xfe<\0e\0/\0>\0", "<e/>");
    check(b"\0<\0e\0/\0>", "<e/>");
    check(b"<e>\xff</e>", "<e>\u{fffd}</e>");
}

#[test]
fn written_xml_is_well_formed() {
    let mut xml = Writer::new();
    xml.start("e").attribute("a", "<\"\n&").number("b", -3);
    xml.leaf("f", "a<b\u{1}\t\r").start("g").end().start("h");
    let xml = xml.finish();
    let (declaration, rest) = xml.split_once('\n').expect("two lines");
    assert!(declaration.starts_with("<?xml version=\"1.0\""));
    assert_eq!(
        rest,
        "<e a=\"&lt;&quot;&#10;&amp;\" b=\"-3\"><f>a&lt;b\t&#13;</f><g/><h/></e>"
    );
    check(&xml, ":e[a=<\"\n&][b=-3](:f(a<b\t\r):g():h())");
}

#[test]
fn files_with_too_many_tags_are_refused() {
    let many = format!("<e>{}</e>", "<f/>".repeat(1_900_000));
    let read = |source: &str| {
        with_job(|job| {
            let mut xml = Reader::new(job, source, KNOWN);
            xml.root().map(drop)
        })
    };
    assert!(read(&many).is_ok());
    let more = format!("<e>{}</e>", "<f/>".repeat(3_000_000));
    let error = read(&more).unwrap_err();
    assert!(
        error.message().contains("decompression bomb"),
        "{}",
        error.message()
    );
}

#[test]
fn events_tell_everything_and_refuse_faults() {
    #[track_caller]
    fn check(source: &str, expected: &str) {
        let drawn: Result<String> = with_job(|job| {
            let mut events = Events::new(job, source);
            let mut drawn = String::new();
            while let Some(event) = events.next()? {
                drawn += &match event {
                    Event::Start(tag) => {
                        let attributes = tag.attributes.iter();
                        let attributes =
                            attributes.map(|(name, value)| format!("[{name}={value}]"));
                        format!("<{}{}", tag.name, attributes.collect::<String>())
                    }
                    Event::End => ">".to_owned(),
                    Event::Text(text) => text.into_owned(),
                    Event::Unresolved(text) => format!("?{text}"),
                    Event::Comment => "!".to_owned(),
                    Event::Instruction => "%".to_owned(),
                    Event::DocumentType => "D".to_owned(),
                };
            }
            Ok(drawn)
        });
        match drawn {
            Ok(drawn) => assert_eq!(drawn, expected),
            Err(err) => assert!(err.message().contains(expected), "{}", err.message()),
        }
    }
    check(
        "<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY b 'c'>]>\n<?p?><x:a xmlns:x='u' b='1\r\n2&amp;&#9;&b;'><!-- d --><e/>f\r\n&lt;&b;<![CDATA[<g>&h;]]></x:a>\n",
        "D%<x:a[xmlns:x=u][b=1 2&\t&b;]!<e>f\n<?&b;<g>&h;>",
    );
    for (source, fault) in [
        ("", "holds no element"),
        ("<a>\n<b></a>", "line 2"),
        ("<a>\n", "in the middle"),
        ("<a/><b/>", "second root"),
        ("a<b/>", "outside"),
        ("<a/>&lt;", "outside"),
        ("<a b='1' b='2'/>", "occurs twice"),
        ("<a b=1/>", "line 1"),
        ("<a>b & c</a>", "line 1"),
        ("<a b='c & d;'/>", "begins no reference"),
        ("<a>&#0;</a>", "&#0; is not a character"),
        ("<a>&#xD800;</a>", "&#xD800; is not a character"),
        ("<a>&#xFFFE;</a>", "&#xFFFE; is not a character"),
        ("<a>&#+65;</a>", "&#+65; is not a character"),
        ("<a b='&#8;'/>", "does not allow"),
        ("<a><?xml version='1.0'?></a>", "a declaration"),
        ("<a/><!DOCTYPE a>", "a declaration"),
    ] {
        check(source, fault);
    }
    let attributes = |count: u32| {
        (0..count)
            .map(|at| format!(" a{at}=''"))
            .collect::<String>()
    };
    check(
        &format!("<a{}/>", attributes(65_537)),
        "more than 65536 attributes",
    );
}
