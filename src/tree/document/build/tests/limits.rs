//! Limits on the depth of a tree, the width of tables and memory.

use super::super::*;
use super::{PLAIN, build, list, table};
use crate::{
    document::{CellShape, MAX_BLOCK_DEPTH, MAX_COLUMNS, MAX_DEPTH, Mark, Part},
    error::{Error, Kind},
    job::{Gate, Need, Progress, testing::with_job_behind},
    testing::draw,
};
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn depth_is_bounded_and_text_is_kept() {
    #[track_caller]
    fn check(open: &[Node]) {
        let (document, lost) = build(|build| {
            for _ in 0..100_000 {
                for node in open {
                    build.open(node.clone())?;
                }
            }
            build.text("deep")?;
            for _ in 0..100_000 * open.len() {
                build.close()?;
            }
            build.open(Node::Paragraph(PLAIN))?;
            build.text("after")?;
            build.close()
        });
        assert!(lost[0].contains("nested more than 64 levels"), "{lost:?}");
        let drawn = draw(&document);
        let deepest = drawn.chars().scan(0_usize, |depth, c| {
            match c {
                '(' | '[' => *depth += 1,
                ')' | ']' => *depth -= 1,
                _ => {}
            }
            Some(*depth)
        });
        // Each level is drawn with at most four nested brackets.
        assert!(deepest.max() <= Some(4 * MAX_DEPTH), "{drawn}");
        assert!(drawn.contains("deep"), "{drawn}");
        assert!(drawn.ends_with("p(after)"), "{drawn}");
        let blocks: Vec<Block> = document.blocks().cloned().collect();
        assert!(block_depth(&blocks) <= MAX_BLOCK_DEPTH);
    }
    check(&[Node::Quote]);
    check(&[
        list(),
        Node::Item {
            task: None,
            label: None,
        },
    ]);
    check(&[Node::Definitions, Node::Details]);
    check(&[
        table(),
        Node::Row {
            part: Part::Body,
            height: None,
        },
        Node::Cell(CellShape::default()),
    ]);
    check(&[Node::Marked(Mark::Strong)]);
    check(&[Node::Marked(Mark::Strong), Node::Marked(Mark::Emphasis)]);
    check(&[list()]);
}

fn block_depth(blocks: &[Block]) -> usize {
    let inner = blocks.iter().map(|block| match block {
        Block::Quote(blocks) => 1 + block_depth(blocks),
        Block::List(list) => {
            let items = list.items.iter().map(|item| block_depth(&item.blocks));
            1 + items.max().unwrap_or(0)
        }
        Block::Table(table) => {
            let cells = table.rows().flat_map(|row| &row.cells);
            1 + cells
                .map(|cell| block_depth(&cell.blocks))
                .max()
                .unwrap_or(0)
        }
        _ => 0,
    });
    inner.max().unwrap_or(0)
}

#[test]
fn wide_cells_do_not_make_wide_tables() {
    let (document, lost) = build(|build| {
        build.open(table())?;
        for _ in 0..3 {
            build.open(Node::Row {
                part: Part::Head,
                height: None,
            })?;
            build.open(Node::Cell(CellShape {
                rows: u16::MAX,
                columns: u16::MAX,
                ..CellShape::default()
            }))?;
            build.close()?;
            build.close()?;
        }
        build.close()
    });
    let Some(Block::Table(table)) = document.blocks().next() else {
        panic!("there is no table");
    };
    assert_eq!(table.columns.len(), MAX_COLUMNS);
    assert_eq!(table.head[0].cells[0].rows, 3);
    assert_eq!(
        lost,
        ["3 table cells were cut, because they overlap others."]
    );
}

/// A gate that grants this many bytes, and records the largest request.
struct Grants(u64, AtomicU64);

impl Gate for Grants {
    fn reserve(&self, need: Need) -> Result<()> {
        self.1.fetch_max(need.memory, Ordering::Relaxed);
        if need.memory > self.0 {
            return Err(Error::new(Kind::BadInput, "too much"));
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

#[test]
fn memory_is_reserved_before_use() {
    let gate = Grants(100 << 20, AtomicU64::new(0));
    let filled = with_job_behind(&gate, |job| {
        let mut build = Builder::new(job);
        for _ in 0..2_000_000 {
            build.open(Node::Paragraph(PLAIN))?;
            build.text("text")?;
            build.close()?;
        }
        Ok(())
    });
    assert_eq!(filled.map_err(|err: Error| err.kind()), Err(Kind::BadInput));
    let empty = with_job_behind(&gate, |job| {
        let mut build = Builder::new(job);
        for _ in 0..2_000_000 {
            build.open(Node::Paragraph(PLAIN))?;
            build.close()?;
        }
        Ok::<_, Error>(size_of::<Block>())
    });
    assert!(matches!(empty, Ok(..=32)), "{empty:?}");
}
