//! Tests of the limits on a tree and its memory. The tests of `events` check the shape of trees.

use super::*;
use crate::{
    error::{Error, Kind},
    job::{Gate, Need, Progress, testing::with_job_behind},
};

/// A gate that grants at most this many bytes.
struct Grants(u64);

impl Gate for Grants {
    fn reserve(&self, need: Need) -> Result<()> {
        match need.memory > self.0 {
            true => Err(Error::new(Kind::BadInput, "too much")),
            false => Ok(()),
        }
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

/// Checks that the tree of a page is refused if at most 16 MiB of memory are granted.
#[track_caller]
fn check_refused(page: &str) {
    let result = with_job_behind(&Grants(16 << 20), |job| {
        let room = job.empty_lease();
        build_within(job, page, Syntax::Html, &room).map(|dom| dom.memory())
    });
    assert_eq!(result.map_err(|error| error.kind()), Err(Kind::BadInput));
}

#[test]
fn memory_is_leased_while_the_tree_grows() {
    let long = "x".repeat(20_000);
    check_refused(&format!("<p><b x='{long}'>{}", "<p>a".repeat(20_000)));
}

#[test]
fn further_body_tags_add_few_attributes() {
    let tags: String = (0..1000).map(|n| format!("<body a{n}=1 a0=2>")).collect();
    let dom = build(&tags, Syntax::Html);
    let body = dom.all().find(|id| dom.tag(*id) == "body").unwrap();
    let element = dom.element(body).unwrap();
    assert_eq!(element.attributes.len(), 64);
    assert_eq!(element.get("a0"), Some("1"));
    assert_eq!(element.get("a63"), Some("1"));
    let counted: u64 = dom.nodes.iter().map(|node| node.data.memory()).sum();
    assert_eq!(dom.memory, counted);
}

#[test]
fn active_elements_and_markers_together_have_a_limit() {
    #[track_caller]
    fn check(page: &str) {
        let mut build = Build::new(Syntax::Html);
        for markup in Tokenizer::new(page, Syntax::Html) {
            build.markup(markup);
            assert!(build.active.len() <= formatting::MAX_ACTIVE, "{page:.20}");
        }
        assert_eq!(build.active.len(), formatting::MAX_ACTIVE, "{page:.20}");
    }
    check(&"<object>".repeat(1000));
    check(&"<object><b>".repeat(1000));
    check(&format!("<table><tr>{}", "<td><table><tr>".repeat(1000)));
    let fonts = (0..1000).map(|size| format!("<font size={size}>"));
    check(&fonts.collect::<String>());
}

#[test]
fn classes_and_names_are_counted() {
    let classes = "a ".repeat(50_000);
    check_refused(&format!("<p class='{classes}'>").repeat(60));
    let names: String = (0..150_000).map(|n| format!("c{n} ")).collect();
    check_refused(&format!("<p class='{names}'>"));
}
