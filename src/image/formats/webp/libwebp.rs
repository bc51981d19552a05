//! A safe interface to libwebp, which is bundled C code. No other file calls functions of libwebp.
//!
//! No Rust crate writes lossy WebP as well as libwebp. Several crates were tried: one does not exceed 34 dB of PSNR,
//! one writes corrupt files, and the best one takes three times as long as libwebp.
#![allow(unsafe_code)] // Foreign functions. Each block says why it is sound.

use crate::pixels::{Channels, Frame};
use convertd_core::{error::Error, job::Job};
use libwebp_sys::{
    VP8StatusCode, WEBP_CSP_MODE, WebPBitstreamFeatures, WebPConfig, WebPDecodeRGBAInto,
    WebPDecodeRGBInto, WebPEncode, WebPEncodingError, WebPGetFeatures, WebPIDecGetRGB, WebPIDelete,
    WebPINewRGB, WebPIUpdate, WebPPicture, WebPPictureFree, WebPPictureImportRGB,
    WebPPictureImportRGBA, WebPValidateConfig,
};
use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
    ptr, slice,
};

/// Settings of the encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Quality from 0 to 100; for lossless coding, the effort.
    pub(crate) quality: f32,
    /// Method from 0 (fast) to 6 (small files).
    pub(crate) method: u8,
    pub(crate) lossless: bool,
    /// Whether libwebp may use a second thread.
    pub(crate) threads: bool,
}

/// Features in the header of an image chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) alpha: bool,
    pub(crate) lossless: bool,
}

/// State that the writer and the progress hook share.
struct Context<'a> {
    bytes: Vec<u8>,
    proceed: &'a dyn Fn() -> bool,
}

/// A picture of libwebp, whose memory is freed when it is dropped.
struct Picture(WebPPicture);

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: the picture was initialised by `WebPPicture::new`, and freeing it twice is harmless.
        unsafe { WebPPictureFree(&mut self.0) }
    }
}

/// Encodes the pixels of `frame`, which must be 8-bit RGB or RGBA, as a WebP file. Fails if `proceed` returns `false`,
/// if memory is short, and for a side above 16,383 pixels.
pub(crate) fn encode(
    frame: &Frame,
    settings: Settings,
    proceed: &dyn Fn() -> bool,
) -> Result<Vec<u8>, Failure> {
    let layout = frame.layout;
    let number = |number: usize| c_int::try_from(number).map_err(|_| Failure::Other);
    let (width, height) = (
        number(layout.width as usize)?,
        number(layout.height as usize)?,
    );
    let stride = number(layout.row_bytes())?;
    let mut config = WebPConfig::new().map_err(|()| Failure::Other)?;
    config.quality = settings.quality;
    config.method = settings.method.into();
    config.lossless = settings.lossless.into();
    config.thread_level = settings.threads.into();
    let mut context = Context {
        bytes: Vec::new(),
        proceed,
    };
    let mut picture = Picture(WebPPicture::new().map_err(|()| Failure::Other)?);
    picture.0.width = width;
    picture.0.height = height;
    picture.0.use_argb = settings.lossless.into();
    picture.0.writer = Some(write);
    picture.0.progress_hook = Some(progress);
    let pixels = frame.pixels.as_ptr();
    // SAFETY: `pixels` are `height` rows of `stride` bytes, as `Frame` guarantees, in the channel order of the
    // function that is called; libwebp copies them. `context` outlives the call to `WebPEncode`, the only one that
    // runs the callbacks, and nothing else touches it meanwhile.
    let encoded = unsafe {
        picture.0.custom_ptr = (&raw mut context).cast::<c_void>();
        picture.0.user_data = picture.0.custom_ptr;
        WebPValidateConfig(&config) != 0
            && match layout.channels {
                Channels::Rgba => WebPPictureImportRGBA(&mut picture.0, pixels, stride) != 0,
                Channels::Rgb => WebPPictureImportRGB(&mut picture.0, pixels, stride) != 0,
                Channels::Grey | Channels::GreyAlpha => false,
            }
            && WebPEncode(&config, &mut picture.0) != 0
    };
    match picture.0.error_code {
        WebPEncodingError::VP8_ENC_OK if encoded => Ok(context.bytes),
        WebPEncodingError::VP8_ENC_ERROR_OUT_OF_MEMORY
        | WebPEncodingError::VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY => Err(Failure::OutOfMemory),
        _ => Err(Failure::Other),
    }
}

/// Reason for a missing result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// libwebp could not allocate memory.
    OutOfMemory,
    /// libwebp was stopped, or rejects the picture.
    Other,
}

impl Failure {
    /// The error for the client of the job.
    pub(crate) fn error(self, job: &Job<'_>) -> Error {
        match (job.check(), self) {
            (Err(stopped), _) => stopped,
            (Ok(()), Self::OutOfMemory) => job.exhausted(),
            (Ok(()), Self::Other) => {
                Error::internal("the WebP could not be made", "libwebp failed")
            }
        }
    }
}

/// Receives a piece of the file from libwebp. Returns 1 for success.
unsafe extern "C" fn write(data: *const u8, len: usize, picture: *const WebPPicture) -> c_int {
    // SAFETY: libwebp passes a readable piece and the picture it was given, whose `custom_ptr` is the `Context` of the
    // call to `encode` that is running. The writer and the hook never run at the same time.
    unsafe {
        let context = &mut *(*picture).custom_ptr.cast::<Context<'_>>();
        context
            .bytes
            .extend_from_slice(slice::from_raw_parts(data, len));
    }
    1
}

/// Progress hook, which libwebp calls from time to time. Returning 0 stops it.
unsafe extern "C" fn progress(_: c_int, picture: *const WebPPicture) -> c_int {
    // SAFETY: as in `write`.
    let context = unsafe { &*(*picture).user_data.cast::<Context<'_>>() };
    (context.proceed)().into()
}

/// Features of the file or image chunk in `data`.
pub(crate) fn features(data: &[u8]) -> Option<Features> {
    let mut features = MaybeUninit::<WebPBitstreamFeatures>::zeroed();
    // SAFETY: `data` is readable for its length, and an all-zero `WebPBitstreamFeatures` is valid, so it may be read
    // whatever the function did.
    let features = unsafe {
        let status = WebPGetFeatures(data.as_ptr(), data.len(), features.as_mut_ptr());
        if status != VP8StatusCode::VP8_STATUS_OK {
            return None;
        }
        features.assume_init()
    };
    Some(Features {
        width: u32::try_from(features.width).ok()?,
        height: u32::try_from(features.height).ok()?,
        alpha: features.has_alpha != 0,
        lossless: features.format == 2,
    })
}

/// Decodes a still file into `frame`, which must have its size. Returns whether it is complete and valid.
pub(crate) fn decode(data: &[u8], frame: &mut Frame) -> bool {
    let fits = features(data).is_some_and(|features| {
        (features.width, features.height) == (frame.layout.width, frame.layout.height)
    });
    let Ok(stride) = c_int::try_from(frame.layout.row_bytes()) else {
        return false;
    };
    let decode = match frame.layout.channels {
        Channels::Rgb => WebPDecodeRGBInto,
        Channels::Rgba => WebPDecodeRGBAInto,
        Channels::Grey | Channels::GreyAlpha => return false,
    };
    let pixels = &mut frame.pixels;
    // SAFETY: `data` is readable and `pixels` writable for their lengths; the function checks that the picture
    // fits into the buffer of that length with that stride.
    fits && unsafe {
        !decode(
            data.as_ptr(),
            data.len(),
            pixels.as_mut_ptr(),
            pixels.len(),
            stride,
        )
        .is_null()
    }
}

/// Decodes rows of a still file into `frame`, which must have its size, until the data is damaged or ends. Returns the
/// number of complete rows.
pub(crate) fn decode_rows(data: &[u8], frame: &mut Frame) -> u32 {
    let fits = features(data).is_some_and(|features| {
        (features.width, features.height) == (frame.layout.width, frame.layout.height)
    });
    let order = match frame.layout.channels {
        Channels::Rgb => WEBP_CSP_MODE::MODE_RGB,
        Channels::Rgba => WEBP_CSP_MODE::MODE_RGBA,
        Channels::Grey | Channels::GreyAlpha => return 0,
    };
    let Some(stride) = c_int::try_from(frame.layout.row_bytes())
        .ok()
        .filter(|_| fits)
    else {
        return 0;
    };
    let pixels = &mut frame.pixels;
    let mut rows = 0;
    // SAFETY: `data` is readable and `pixels` writable for their lengths, and both outlive the decoder, which is
    // deleted here. Its functions accept null pointers for results that are not needed.
    unsafe {
        let decoder = WebPINewRGB(order, pixels.as_mut_ptr(), pixels.len(), stride);
        if decoder.is_null() {
            return 0;
        }
        // The return value only concerns the data after the decoded rows, which are valid in any case.
        WebPIUpdate(decoder, data.as_ptr(), data.len());
        WebPIDecGetRGB(
            decoder,
            &mut rows,
            ptr::null_mut(),
            ptr::null_mut(),
            ptr::null_mut(),
        );
        WebPIDelete(decoder);
    }
    u32::try_from(rows).unwrap_or(0).min(frame.layout.height)
}
