//! Jobs for tests of readers and writers. Never compiled into the program.

use super::{
    numbering,
    tree::{Block, Document, GroupKind, Inline, ListKind},
};
use crate::{
    format::{Category, Format},
    job::{Gate, Job, Options, Quality, Task, Unlimited},
};

static TOY: Format = Format {
    name: "toy",
    aliases: &[],
    category: Category::Document,
    description: "",
    media_type: "text/plain",
    magic: &[],
};

/// Runs `work` with a job without limits.
pub(crate) fn with_job<T>(work: impl FnOnce(&Job<'_>) -> T) -> T {
    with_job_behind(&Unlimited, work)
}

/// Runs `work` with a job that this gate controls.
pub(crate) fn with_job_behind<T>(gate: &dyn Gate, work: impl FnOnce(&Job<'_>) -> T) -> T {
    with_options(gate, &[], work)
}

/// Runs `work` with a job that this gate controls and that has these options.
pub(crate) fn with_options<T>(
    gate: &dyn Gate,
    fields: &[(&str, &str)],
    work: impl FnOnce(&Job<'_>) -> T,
) -> T {
    let mut options = Options::default();
    for (name, value) in fields {
        options.insert(*name, *value);
    }
    let task = Task {
        from: TOY.name.into(),
        to: TOY.name.into(),
        quality: Quality::default(),
        options,
    };
    work(&Job {
        task: &task,
        from: &TOY,
        to: &TOY,
        input_len: 1,
        spare_threads: 0,
        gate,
    })
}

/// Draws a document in short form, to compare with what a reader should make.
pub(crate) fn draw(document: &Document) -> String {
    let mut drawn: String = document.blocks().map(block).collect();
    for note in document.notes() {
        drawn += &format!("note{}", blocks(&note.blocks));
    }
    drawn
}

/// Draws blocks in short form.
pub(crate) fn blocks(all: &[Block]) -> String {
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
            let parts = all.iter().map(|one| {
                let details = one.details.iter().map(|details| blocks(details));
                format!("{}:{}", line(&one.term), details.collect::<String>())
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
        Inline::RawHtml(html) => format!("raw({html})"),
    }
}
