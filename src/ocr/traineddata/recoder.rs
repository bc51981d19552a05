//! The recoder maps sequences of network outputs (codes) to characters. An alphabet has one output for each letter; the
//! thousands of Chinese characters are sequences of up to nine outputs. Computes no probabilities.
//!
//! In the file: a 32-bit number of characters, and for each an 8-bit flag, a 32-bit length and as many 32-bit outputs.
//! If several characters have the same code, the last one counts. Here the codes form a tree: its root stands for no
//! outputs, and each further output leads to a character or to another node.

use super::{fields::Fields, unicharset, unusable};
use convertd_core::error::Result;
use std::collections::HashMap;

/// Limit on the outputs of a character.
const LONGEST: usize = 9;

/// The codes of all characters. Nodes of the tree are numbered, and the root is 0.
pub(crate) struct Recoder {
    nodes: Vec<Node>,
}

/// Continuations after some outputs, in the order of the characters.
#[derive(Default)]
struct Node {
    /// Outputs that complete a character, and the character.
    finals: Vec<(u16, u32)>,
    /// Outputs that complete no character, and the node that they lead to.
    children: Vec<(u16, u32)>,
}

impl Recoder {
    /// Parses the recoder of a model with this number of characters and of network outputs.
    pub(crate) fn parse(bytes: &[u8], characters: usize, outputs: usize) -> Result<Self> {
        let mut fields = Fields::new(bytes);
        let count = fields.count("the number of codes of its recoder", unicharset::MAX)?;
        if count > characters {
            return Err(unusable("its recoder has too many characters"));
        }
        let mut nodes = vec![Node::default()];
        // Positions of outputs in the lists of a node.
        let mut finals: HashMap<(u32, u16), usize> = HashMap::new();
        let mut children: HashMap<(u32, u16), u32> = HashMap::new();
        for id in 0..count {
            fields.i8()?;
            let len = fields.count("the length of a code of its recoder", LONGEST)?;
            let mut node = 0;
            for at in 1..=len {
                let output = fields.count("an output in its recoder", outputs - 1)? as u16;
                if at < len {
                    let new = nodes.len() as u32;
                    let next = *children.entry((node, output)).or_insert(new);
                    if next == new {
                        nodes.push(Node::default());
                        nodes[node as usize].children.push((output, new));
                    }
                    node = next;
                } else {
                    let list = &mut nodes[node as usize].finals;
                    let index = *finals.entry((node, output)).or_insert(list.len());
                    match list.get_mut(index) {
                        Some(known) => known.1 = id as u32,
                        None => list.push((output, id as u32)),
                    }
                }
            }
        }
        Ok(Self { nodes })
    }

    /// The outputs that complete a character at a node, each with the character.
    pub(crate) fn finals(&self, node: u32) -> &[(u16, u32)] {
        &self.nodes[node as usize].finals
    }

    /// The outputs that lead from a node to another one, each with that node.
    pub(crate) fn children(&self, node: u32) -> &[(u16, u32)] {
        &self.nodes[node as usize].children
    }

    /// The longest code at the beginning of `outputs`: the number of its outputs, and its character.
    pub(crate) fn longest(&self, outputs: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
        let mut best = None;
        let mut node = 0;
        for (index, output) in outputs.enumerate() {
            let of = |list: &[(u16, u32)]| {
                list.iter()
                    .find(|(one, _)| usize::from(*one) == output)
                    .map(|(_, to)| *to)
            };
            if let Some(id) = of(self.finals(node)) {
                best = Some((index + 1, id as usize));
            }
            match of(self.children(node)) {
                Some(next) => node = next,
                None => break,
            }
        }
        best
    }

    /// Memory in bytes that parsing `len` bytes takes at most: an output takes four bytes in the file, and at most one
    /// node here.
    pub(crate) fn memory(len: u64) -> u64 {
        len.saturating_mul(40)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_code_is_found() {
        let mut bytes = 4i32.to_le_bytes().to_vec();
        for code in [&[0][..], &[1, 2], &[1, 3], &[1, 2]] {
            bytes.push(0);
            bytes.extend((code.len() as i32).to_le_bytes());
            code.iter()
                .for_each(|output: &i32| bytes.extend(output.to_le_bytes()));
        }
        let recoder = Recoder::parse(&bytes, 4, 4).unwrap();
        #[track_caller]
        fn check(recoder: &Recoder, outputs: &[usize], expected: Option<(usize, usize)>) {
            assert_eq!(recoder.longest(outputs.iter().copied()), expected);
        }
        check(&recoder, &[0, 1], Some((1, 0)));
        check(&recoder, &[1, 2, 0], Some((2, 3)));
        check(&recoder, &[1, 3], Some((2, 2)));
        check(&recoder, &[1, 0], None);
        check(&recoder, &[], None);
        assert!(Recoder::parse(&bytes, 4, 3).is_err());
        assert!(Recoder::parse(&bytes[..bytes.len() - 1], 4, 4).is_err());
    }
}
