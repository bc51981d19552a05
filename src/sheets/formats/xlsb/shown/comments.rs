//! Comments on cells (MS-XLSB 2.1.7.7). Does not place them on pages.

use super::super::records::Records;
use crate::{
    error::Result,
    ooxml::{Package, Reference},
    shown::book::{Comment, Grid, MAX_LIST},
};

// Types of records.
/// Author of comments (`BrtCommentAuthor`).
const AUTHOR: u16 = 632;
/// Position and author of a comment (`BrtBeginComment`).
const COMMENT: u16 = 635;
/// Text of a comment (`BrtCommentText`).
const TEXT: u16 = 637;

/// Maximum length of a comment, in characters.
const MAX_TEXT: usize = 32_767;

/// Reads the comments of a sheet. `references` are the relationships of the sheet's part.
pub(super) fn read(
    package: &mut Package<'_>,
    references: &[Reference],
    grid: &mut Grid,
) -> Result<()> {
    let Some((part, size)) = package.part("comments", references) else {
        return Ok(());
    };
    package.grow(4 * size)?;
    let job = package.job;
    let mut records = Records::new(job, package.bytes(&part)?);
    let mut authors: Vec<Box<str>> = Vec::new();
    while let Some(record) = records.next()? {
        match record.kind {
            AUTHOR if authors.len() < MAX_LIST => {
                let mut name = String::new();
                record.text(0, &mut name);
                authors.push(name.chars().take(255).collect());
            }
            COMMENT if grid.comments.len() < MAX_LIST => {
                let author = authors.get(record.u32(0) as usize);
                grid.comments.push(Comment {
                    row: record.u32(4),
                    column: record.u32(12),
                    author: author.cloned().unwrap_or_default(),
                    text: Box::default(),
                });
            }
            TEXT => {
                let mut text = String::new();
                record.text(1, &mut text);
                if let Some(comment) = grid.comments.last_mut() {
                    comment.text = text.chars().take(MAX_TEXT).collect();
                }
            }
            _ => {}
        }
    }
    let inside = |comment: &Comment| comment.row < 1 << 20 && comment.column < 1 << 14;
    grid.comments.retain(inside);
    Ok(())
}
