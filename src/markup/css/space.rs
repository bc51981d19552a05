//! Transformation matrices, and projection of the page plane (CSS Transforms 2, 5 and 14). Reads no styles.

/// A 4×4 matrix in column-major order, as of `matrix3d()`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space(pub(crate) [f32; 16]);

/// Projective map of a plane to another: a 3×3 matrix in column-major order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection([f32; 9]);

/// Product of two square matrices with `side` columns, both in column-major order.
fn product<const PARTS: usize>(
    side: usize,
    one: &[f32; PARTS],
    other: &[f32; PARTS],
) -> [f32; PARTS] {
    std::array::from_fn(|at| {
        let (column, row) = (at / side, at % side);
        (0..side)
            .map(|inner| one[inner * side + row] * other[column * side + inner])
            .sum()
    })
}

impl Space {
    /// The identity.
    pub const SAME: Self = Self([
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ]);

    /// Matrix of `matrix()` (CSS Transforms 1): the affine map of a plane, with depth unchanged.
    pub fn flat([a, b, c, d, e, f]: [f32; 6]) -> Self {
        Self([
            a, b, 0.0, 0.0, c, d, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, e, f, 0.0, 1.0,
        ])
    }

    /// Translation, in px.
    pub fn moved(x: f32, y: f32, z: f32) -> Self {
        let mut all = Self::SAME;
        (all.0[12], all.0[13], all.0[14]) = (x, y, z);
        all
    }

    /// Scaling.
    pub fn scaled(x: f32, y: f32, z: f32) -> Self {
        let mut all = Self::SAME;
        (all.0[0], all.0[5], all.0[10]) = (x, y, z);
        all
    }

    /// Rotation around an axis by degrees (CSS Transforms 2, 14.2): Rodrigues' formula as a matrix. The identity if the
    /// axis has no length, or a length that is not finite.
    pub fn turned(axis: [f32; 3], degrees: f32) -> Self {
        let length = axis.iter().map(|part| part * part).sum::<f32>().sqrt();
        if length <= 0.0 || !length.is_finite() {
            return Self::SAME;
        }
        // The formula needs an axis of length 1.
        let [x, y, z] = axis.map(|part| part / length);
        let (sin, cos) = degrees.to_radians().sin_cos();
        let rest = 1.0 - cos;
        Self([
            x * x * rest + cos,
            x * y * rest + z * sin,
            x * z * rest - y * sin,
            0.0,
            x * y * rest - z * sin,
            y * y * rest + cos,
            y * z * rest + x * sin,
            0.0,
            x * z * rest + y * sin,
            y * z * rest - x * sin,
            z * z * rest + cos,
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
        ])
    }

    /// Perspective of a viewer at this distance in px. Less than 1 px counts as 1 px, as the
    /// specification asks.
    pub fn perspective(distance: f32) -> Self {
        let mut all = Self::SAME;
        all.0[11] = -1.0 / distance.max(1.0);
        all
    }

    /// Product: `other` is applied first.
    pub fn after(&self, other: &Self) -> Self {
        Self(product(4, &self.0, &other.0))
    }

    /// Projection of the plane z = 0 that is transformed by this matrix: the row and the column for depth are dropped.
    pub fn seen(&self) -> Projection {
        let m = &self.0;
        Projection([m[0], m[1], m[3], m[4], m[5], m[7], m[12], m[13], m[15]])
    }

    /// Returns whether the back of the transformed plane faces the viewer: the images of three points then run the
    /// other way round. False if one of the points is behind the viewer.
    pub fn shows_back(&self) -> bool {
        let seen = self.seen();
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)].map(|(x, y)| seen.point(x, y));
        let [Some(from), Some(across), Some(down)] = corners else {
            return false;
        };
        let (a, b) = (
            (across.0 - from.0, across.1 - from.1),
            (down.0 - from.0, down.1 - from.1),
        );
        // Without a transform the cross product is 1; its sign changes if the back is seen.
        a.0 * b.1 - a.1 * b.0 < 0.0
    }
}

impl Projection {
    /// Affine matrix of this map, if it has no perspective.
    pub fn plain(&self) -> Option<[f32; 6]> {
        let [a, b, far_x, c, d, far_y, e, f, w] = self.0;
        let flat = far_x.abs() < 1e-7 && far_y.abs() < 1e-7 && w.abs() > 1e-6;
        flat.then(|| [a, b, c, d, e, f].map(|part| part / w))
    }

    /// Image of a point; `None` for a point behind the viewer or next to it, whose depth is not above 1e-4.
    pub fn point(&self, x: f32, y: f32) -> Option<(f32, f32)> {
        let [a, b, far_x, c, d, far_y, e, f, w] = self.0;
        let depth = far_x * x + far_y * y + w;
        let at = ((a * x + c * y + e) / depth, (b * x + d * y + f) / depth);
        (depth > 1e-4 && at.0.is_finite() && at.1.is_finite()).then_some(at)
    }

    /// Product: `other` is applied first.
    pub fn after(&self, other: &Self) -> Self {
        Self(product(3, &self.0, &other.0))
    }

    /// Inverse map: the adjugate divided by the determinant. `None` if the determinant is nearly 0, as for a plane that
    /// is seen edge-on.
    pub fn back(&self) -> Option<Self> {
        // The first cofactors also give the determinant.
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let (one, two, three) = (e * i - f * h, c * h - b * i, b * f - c * e);
        let whole = a * one + d * two + g * three;
        if whole.abs() < 1e-9 {
            return None;
        }
        let all = [
            one,
            two,
            three,
            f * g - d * i,
            a * i - c * g,
            c * d - a * f,
            d * h - e * g,
            b * g - a * h,
            a * e - b * d,
        ];
        Some(Self(all.map(|part| part / whole)))
    }

    /// Affine map that approximates this one around a point, by central differences. PDF draws only
    /// affine maps, so text in perspective is drawn piece by piece.
    pub fn near(&self, x: f32, y: f32) -> Option<[f32; 6]> {
        // Distance of the samples from the point, in px. Differences over a smaller distance would suffer from
        // rounding.
        const STEP: f32 = 2.0;
        let (left, right) = (self.point(x - STEP, y)?, self.point(x + STEP, y)?);
        let (up, down) = (self.point(x, y - STEP)?, self.point(x, y + STEP)?);
        let at = self.point(x, y)?;
        let part = |one: f32, other: f32| (other - one) / (2.0 * STEP);
        let (a, b) = (part(left.0, right.0), part(left.1, right.1));
        let (c, d) = (part(up.0, down.0), part(up.1, down.1));
        Some([a, b, c, d, at.0 - a * x - c * y, at.1 - b * x - d * y])
    }
}

impl From<[f32; 6]> for Projection {
    fn from(matrix: [f32; 6]) -> Self {
        Space::flat(matrix).seen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(space: Space, at: (f32, f32), wanted: Option<(f32, f32)>) {
        let found = space.seen().point(at.0, at.1);
        let near = match (found, wanted) {
            (Some(found), Some(wanted)) => {
                (found.0 - wanted.0).abs() < 0.01 && (found.1 - wanted.1).abs() < 0.01
            }
            (found, wanted) => found == wanted,
        };
        assert!(near, "{found:?}, not {wanted:?}");
    }

    #[test]
    fn perspective_enlarges_nearer_points() {
        let near = Space::perspective(100.0).after(&Space::moved(0.0, 0.0, 50.0));
        check(near, (10.0, 20.0), Some((20.0, 40.0)));
        assert_eq!(near.seen().plain(), Some([2.0, 0.0, 0.0, 2.0, 0.0, 0.0]));
        let behind = Space::perspective(100.0).after(&Space::moved(0.0, 0.0, 150.0));
        check(behind, (10.0, 20.0), None);
    }

    #[test]
    fn rotation_about_an_axis_foreshortens() {
        let turned = Space::turned([1.0, 0.0, 0.0], 60.0);
        check(turned, (10.0, 20.0), Some((10.0, 10.0)));
        assert!(!turned.shows_back());
        assert!(Space::turned([0.0, 1.0, 0.0], 180.0).shows_back());
        let plane = Space::turned([0.0, 0.0, 1.0], 90.0);
        check(plane, (10.0, 0.0), Some((0.0, 10.0)));
    }

    #[test]
    fn the_inverse_restores_the_point() {
        let space = Space::perspective(200.0)
            .after(&Space::turned([0.0, 1.0, 0.0], 30.0))
            .after(&Space::moved(5.0, 7.0, 3.0));
        let seen = space.seen();
        let same = seen.back().unwrap().after(&seen);
        let at = same.point(12.0, 34.0).unwrap();
        assert!(
            (at.0 - 12.0).abs() < 0.01 && (at.1 - 34.0).abs() < 0.01,
            "{at:?}"
        );
        let edge_on = Space::turned([0.0, 1.0, 0.0], 90.0).seen().plain();
        assert!((edge_on.unwrap()[3] - 1.0).abs() < 1e-6, "{edge_on:?}");
    }
}
