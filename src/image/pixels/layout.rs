//! Layout of a picture's samples in memory, independent of file formats.

/// The channels of a pixel, in the order of its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Channels {
    Grey,
    GreyAlpha,
    Rgb,
    Rgba,
}

impl Channels {
    /// The number of samples per pixel.
    pub(crate) const fn count(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// Returns whether the last sample of a pixel is alpha.
    pub(crate) const fn has_alpha(self) -> bool {
        matches!(self, Self::GreyAlpha | Self::Rgba)
    }

    /// Returns whether a pixel has a single sample besides alpha.
    pub(crate) const fn is_grey(self) -> bool {
        matches!(self, Self::Grey | Self::GreyAlpha)
    }

    /// The same channels without alpha.
    pub(crate) const fn without_alpha(self) -> Self {
        match self {
            Self::Grey | Self::GreyAlpha => Self::Grey,
            Self::Rgb | Self::Rgba => Self::Rgb,
        }
    }

    /// The same channels with red, green and blue instead of grey.
    pub(crate) const fn coloured(self) -> Self {
        match self {
            Self::Grey | Self::Rgb => Self::Rgb,
            Self::GreyAlpha | Self::Rgba => Self::Rgba,
        }
    }
}

/// The type of a sample. Integers hold gamma-encoded values, floats hold linear light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// `u8`.
    Eight,
    /// `u16` in the byte order of the machine.
    Sixteen,
    /// `f32` in the byte order of the machine, 1.0 being white.
    Float,
}

impl Depth {
    /// The size of a sample in bytes.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Eight => 1,
            Self::Sixteen => 2,
            Self::Float => 4,
        }
    }
}

/// Size and pixel type of a picture. Rows follow one another without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Width in pixels.
    pub(crate) width: u32,
    /// Height in pixels.
    pub(crate) height: u32,
    pub(crate) channels: Channels,
    pub(crate) depth: Depth,
}

impl Layout {
    /// The size of a pixel in bytes.
    pub(crate) const fn pixel_bytes(&self) -> usize {
        self.channels.count() * self.depth.bytes()
    }

    /// The size of a row in bytes.
    pub(crate) const fn row_bytes(&self) -> usize {
        self.width as usize * self.pixel_bytes()
    }

    /// The size of all rows in bytes.
    pub(crate) const fn bytes(&self) -> u64 {
        self.row_bytes() as u64 * self.height as u64
    }

    /// The number of pixels.
    pub(crate) const fn pixels(&self) -> u64 {
        self.width as u64 * self.height as u64
    }

    #[must_use]
    pub(crate) const fn with(self, channels: Channels, depth: Depth) -> Self {
        Self {
            channels,
            depth,
            ..self
        }
    }

    /// The layout with width and height swapped.
    #[must_use]
    pub(crate) const fn swapped(self) -> Self {
        self.sized(self.height, self.width)
    }

    #[must_use]
    pub(crate) const fn sized(self, width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            ..self
        }
    }
}
