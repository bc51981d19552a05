use super::*;

/// A part with its media type, its location or its identifier (`cid:…`), and its content.
struct Part(&'static str, &'static str, &'static str);

impl Related for Part {
    fn content_id(&self) -> Option<&str> {
        self.1.strip_prefix("cid:")
    }

    fn location(&self) -> Option<&str> {
        Some(self.1).filter(|address| !address.starts_with("cid:"))
    }

    fn media_type(&self) -> &str {
        self.0
    }

    fn bytes(&self) -> &[u8] {
        self.2.as_bytes()
    }
}

/// Checks the page at an address in a message with these parts. `=` stands for a picture that was found.
#[track_caller]
fn check(html: &str, location: &str, parts: Vec<Part>, expected: &str) {
    let mut parts = parts;
    let (found, _) = inline_related(html, location, &mut parts);
    assert_eq!(found.replace("data:image/gif;base64,eA==", "="), expected);
}

const PAGE: &str = "https://a.example/x/y.html";

/// A picture at this address.
fn picture(address: &'static str) -> Part {
    Part("image/gif", address, "x")
}

#[test]
fn addresses_are_resolved_as_browsers_do() {
    let parts = || {
        vec![
            picture("https://a.example/x/i.gif"),
            picture("https://a.example/g.gif"),
            picture("https://b.example/h%20k.gif?q=1"),
        ]
    };
    check("<img src=i.gif>", PAGE, parts(), "<img src=\"=\">");
    check("<img src=../g.gif#f>", PAGE, parts(), "<img src=\"=\">");
    check("<img src=/g.gif>", PAGE, parts(), "<img src=\"=\">");
    let other = "<img src='//B.example/h k.gif?q=1'>";
    check(other, PAGE, parts(), "<img src=\"=\">");
    check("<img src=g.gif>", PAGE, parts(), "<img src=g.gif>");
    // The first base wins over the place of the page.
    let base = "<base href='../'><base href='/z/'><img src=g.gif>";
    let expected = "<base href='../'><base href='/z/'><img src=\"=\">";
    check(base, PAGE, parts(), expected);
    // Relative locations of the parts.
    check(
        "<img src=./i.gif>",
        "",
        vec![picture("i.gif")],
        "<img src=\"=\">",
    );
    check(
        "<img src=https://a.example/x/i.gif>",
        PAGE,
        vec![picture("i.gif")],
        "<img src=\"=\">",
    );
}

#[test]
fn sheets_are_at_their_own_address() {
    let parts = vec![
        Part(
            "text/css",
            "https://a.example/css/a.css",
            "p{background:url(../i.gif)}",
        ),
        picture("https://a.example/i.gif"),
    ];
    let expected = "<style>p{background:url(\"=\")}</style>";
    check(
        "<link rel=stylesheet href=/css/a.css>",
        PAGE,
        parts,
        expected,
    );
}

#[test]
fn sheets_found_by_their_identifier_are_at_the_address_of_their_part_or_page() {
    /// A style sheet with an identifier and a location.
    struct Sheet(Part, Option<&'static str>);

    impl Related for Sheet {
        fn content_id(&self) -> Option<&str> {
            self.0.content_id()
        }

        fn location(&self) -> Option<&str> {
            self.1.or_else(|| self.0.location())
        }

        fn media_type(&self) -> &str {
            self.0.media_type()
        }

        fn bytes(&self) -> &[u8] {
            self.0.bytes()
        }
    }

    let shown = |location| {
        let sheet = Part("text/css", "cid:s/t@x", "p{background:url(i.gif)}");
        let mut parts = [
            Sheet(sheet, location),
            Sheet(Part("image/gif", "cid:s/i.gif", "wrong"), None),
            Sheet(picture("https://a.example/css/i.gif"), None),
            Sheet(Part("image/gif", "https://a.example/x/i.gif", "y"), None),
        ];
        let page = "<link rel=stylesheet href='cid:s/t@x'>";
        let (found, _) = inline_related(page, PAGE, &mut parts);
        let start = "<style>p{background:url(\"data:image/gif;base64,";
        found.strip_prefix(start).unwrap()[..4].to_owned()
    };
    assert_eq!(shown(None), "eQ==");
    assert_eq!(shown(Some("cid:s/t@x")), "eQ==");
    assert_eq!(shown(Some("/css/s.css")), "eA==");
    assert_eq!(shown(Some("../css/s.css")), "eA==");
    // The test's parts take only `cid:` in lower case for an identifier, and anything else for a location.
    let mut parts = [Part("text/css", "CID:s@x", "p{}")];
    let page = "<link rel=stylesheet href='CID:s@x'>";
    assert_eq!(
        inline_related(page, PAGE, &mut parts).0,
        "<style>p{}</style>"
    );
}

#[test]
fn only_what_is_shown_counts_as_shown() {
    /// A part, and whether the page shows it.
    struct Counted(Part, bool);

    impl Related for Counted {
        fn content_id(&self) -> Option<&str> {
            self.0.content_id()
        }

        fn location(&self) -> Option<&str> {
            self.0.location()
        }

        fn media_type(&self) -> &str {
            self.0.media_type()
        }

        fn bytes(&self) -> &[u8] {
            self.0.bytes()
        }

        fn show(&mut self) {
            self.1 = true;
        }
    }

    let shows = |page: &str| {
        let mut parts = [
            Counted(Part("text/html", "f.html", "x"), false),
            Counted(picture("i.gif"), false),
            Counted(picture("j.gif"), false),
        ];
        inline_related(page, "", &mut parts);
        parts.map(|part| part.1)
    };
    let both = "<img src=i.gif><iframe src=f.html></iframe>";
    assert_eq!(shows(both), [true, true, false]);
    assert_eq!(shows("<iframe src=f.html>"), [false, false, false]);
    // The limit on the size is 64 KiB here, of which each reference uses 100 bytes.
    let many = "<img src=j.gif>".repeat(700);
    assert_eq!(shows(&format!("{many}{both}")), [false, false, true]);
}

#[test]
fn frames_have_addresses_of_their_own() {
    let parts = || {
        vec![
            Part(
                "text/html",
                "https://a.example/f/f.html",
                "<body class=c><img src=i.gif></body>",
            ),
            picture("https://a.example/f/i.gif"),
            picture("https://a.example/x/i.gif"),
        ]
    };
    let page = "<iframe src=../f/f.html></iframe><img src=i.gif>";
    check(
        page,
        PAGE,
        parts(),
        "<div class=c><img src=\"=\"></div><img src=\"=\">",
    );
    // The base of a frame, and its links.
    let own = |page| {
        vec![
            Part("text/html", "https://a.example/f/f.html", page),
            picture("https://a.example/g/i.gif"),
        ]
    };
    let page = "<iframe src=/f/f.html></iframe><a href=j>";
    let shown = "<div><img src=\"=\"><a href=\"https://a.example/g/j\"></div>\
        <a href=\"https://a.example/x/j\">";
    let framed = "<head><script>'<base href=/h/>'</script><base href=/g/></head>\
        <body><base href=/h/><img src=i.gif><a href=j></body>";
    check(page, PAGE, own(framed), shown);
    let framed = "<base href=../g/><img src=i.gif><a href=j>";
    check(page, PAGE, own(framed), shown);
    // The base of the page does not change the address of a part.
    let page = "<base href=/z/><iframe src=../f/f.html></iframe>";
    let shown = "<base href=/z/><div><img src=\"=\"></div>";
    check(
        page,
        PAGE,
        parts(),
        &shown.replace("<div>", "<div class=c>"),
    );
    // A frame without an end tag stays, since its content would be the rest of the page.
    let open = "<iframe src=../f/f.html><p>x";
    check(open, PAGE, parts(), open);
    // A frame that shows itself ends.
    let (found, _) = inline_related(
        "<iframe src=cid:f></iframe>",
        "",
        &mut [Part(
            "text/html",
            "cid:f",
            "<iframe src=cid:f></iframe><iframe src=cid:f></iframe>",
        )],
    );
    assert_eq!(found.matches("<div>").count(), 1 + 2 + 4);
}
