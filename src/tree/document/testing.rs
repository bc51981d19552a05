//! Documents in tests of readers and writers. The program itself does not use this module.

use super::numbering;
use super::{Block, Document, GroupKind, Inline, ListKind};
pub use crate::job::testing::{with_job, with_job_behind, with_options};

/// Prints a document in a short notation, for comparison with a reader's expected result.
pub fn draw(document: &Document) -> String {
    let mut drawn: String = document.blocks().map(block).collect();
    for note in document.notes() {
        drawn += &format!("note{}", blocks(&note.blocks));
    }
    drawn
}

/// Draws blocks in short form.
pub fn blocks(all: &[Block]) -> String {
    format!("[{}]", all.iter().map(block).collect::<String>())
}

fn line(all: &[Inline]) -> String {
    all.iter().map(inline).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(paragraph) => format!("p({})", line(&paragraph.content)),
        Block::Heading(heading) => format!(
            "h{}#{}{}({})",
            heading.level,
            heading.id,
            heading.label.as_deref().unwrap_or_default(),
            line(&heading.content)
        ),
        Block::List(list) => {
            let items = list.items.iter().map(|item| blocks(&item.blocks));
            let kind = match list.kind {
                ListKind::Bullet => "list".to_owned(),
                ListKind::Ordered(numbering) => numbering::label(numbering.start, numbering, &[]),
            };
            format!("{kind}({})", items.collect::<String>())
        }
        Block::Definitions(all) => {
            let parts = all.iter().map(|definition| {
                let details = definition.details.iter().map(|details| blocks(details));
                format!("{}:{}", line(&definition.term), details.collect::<String>())
            });
            format!("definitions({})", parts.collect::<String>())
        }
        Block::Table(table) => {
            let rows = table.rows().map(|row| {
                let cells = row.cells.iter().map(|cell| {
                    let span = match (cell.columns, cell.rows) {
                        (1, 1) => String::new(),
                        (columns, rows) => format!("{columns}x{rows}"),
                    };
                    span + &blocks(&cell.blocks)
                });
                format!("({})", cells.collect::<String>())
            });
            format!(
                "table{}{}({})",
                table.columns.len(),
                blocks(&table.caption),
                rows.collect::<String>()
            )
        }
        Block::Code(code) => format!("code({})", code.text),
        Block::Quote(quote) => format!("quote{}", blocks(quote)),
        Block::Group(group) => match &group.kind {
            GroupKind::Figure { caption } => {
                format!("figure{}{}", blocks(&group.blocks), blocks(caption))
            }
            _ => format!("group{}", blocks(&group.blocks)),
        },
        Block::Rule => "rule".into(),
        Block::PageBreak => "page".into(),
        Block::ColumnBreak => "column".into(),
        Block::RawHtml(html) => format!("raw({html})"),
    }
}

fn inline(inline: &Inline) -> String {
    match inline {
        Inline::Text(text) => text.clone(),
        Inline::Marked(mark, content) => format!("{mark:?}({})", line(content)),
        Inline::Span(_, content) => format!("span({})", line(content)),
        Inline::Code(code) => format!("`{code}`"),
        Inline::Link(link) => format!("<{}>({})", link.target, line(&link.content)),
        Inline::Picture(picture) => format!("!({})", picture.alternative),
        Inline::Note(note) => format!("^{}", note.index()),
        Inline::LineBreak => "/".into(),
        Inline::SoftBreak => "~".into(),
        Inline::Math(math) => format!("${}$", math.tex),
        Inline::Bookmark(name) => format!("#{name}"),
        Inline::Field(field) => format!("{field:?}"),
        Inline::Ruby(ruby) => ruby.spelled(),
        Inline::RawHtml(html) => format!("raw({html})"),
    }
}
