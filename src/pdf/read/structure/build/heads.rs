//! Headings of a structure tree without heading elements: paragraphs are classified by their formatting, as in files
//! without tags. Word tags headings as paragraphs if they were only made bold.

use super::Writer;
use crate::read::{
    structure::Role,
    text::{
        block::{Block, BlockKind},
        headings,
        paragraphs::Paragraph,
    },
};
use std::collections::HashMap;

impl Writer<'_, '_> {
    /// If the tree has no heading elements, finds the paragraphs that look like headings, and their levels.
    pub(super) fn find_heads(&mut self) {
        let is_head = |role: Role| matches!(role, Role::Heading(_) | Role::HeadingOfSection);
        let mut elements = self.structure.elements.iter();
        if elements.any(|element| is_head(element.role)) {
            return;
        }
        // The blocks are in tree order, because the classification compares neighbours.
        let mut numbers = Vec::new();
        let mut blocks = Vec::new();
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            let element = self.structure.element(number);
            let block = match element.role {
                Role::Group | Role::Section => {
                    open.extend(element.children().rev());
                    continue;
                }
                Role::Paragraph => self.as_block(number),
                // Other blocks separate paragraphs, so a code block stands for each of them.
                Role::List | Role::Table | Role::Quote | Role::Code => {
                    Some(Block::plain(BlockKind::Code))
                }
                _ => None,
            };
            if let Some(block) = block {
                numbers.push(number);
                blocks.push(block);
            }
        }
        headings::settle(&mut blocks, &[]);
        let level = |(number, block): (u32, Block)| match block.kind {
            BlockKind::Heading(level) => Some((number, level)),
            _ => None,
        };
        self.heads = HashMap::from_iter(numbers.into_iter().zip(blocks).filter_map(level));
    }

    /// A paragraph as a block with its formatting, for the classification. `None` if the paragraph has no text.
    fn as_block(&self, number: u32) -> Option<Block> {
        let mut slices = Vec::new();
        self.lines_of(number, &mut slices);
        // All lines of the element form one paragraph, however large the gaps between them are.
        let mut paragraph: Option<Paragraph> = None;
        for (lines, links) in slices {
            for line in lines {
                paragraph
                    .get_or_insert_with(|| Paragraph::new(line, None, &self.body, None))
                    .add(line, links, None);
            }
        }
        Some(paragraph?.finish(&self.body))
    }
}
