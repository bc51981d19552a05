//! 7z archives (7-zip.org, "7zFormat.txt"), read by `sevenz-rust2`: stored, or compressed with LZMA, LZMA2, PPMd or
//! bzip2, after filters for executables. Never decrypts anything, and never follows a link.
//!
//! Files are compressed one after another in blocks, and a block can be decompressed only from its beginning. The
//! caller reads the files in the order of their names, and not in the order of the archive. A block with several files
//! therefore stays in memory after it has been decompressed.

use super::{
    Container, Member, links_left_out,
    unpacked::{MAX_BYTES, Unpacked},
};
use crate::{
    error::{Error, Kind, Reason, Result},
    job::{Input, Job, Lease},
};
use sevenz_rust2::{Archive, Block, BlockDecoder, EncoderMethod, Password};
use std::{collections::HashMap, io};

/// Signature of an archive.
pub(super) const MAGIC: &[u8] = b"7z\xbc\xaf\x27\x1c";

/// Limit on the directory, and on the dictionary that it is compressed with, in KiB. Programs compress directories of
/// ten thousand files to less than 2 MiB, some with a dictionary of 16 MiB.
const DIRECTORY: u64 = 32 << 10;

/// Limit on the dictionary of a block, in KiB. `7z -mx9` uses 64 MiB.
const DICTIONARY: u64 = 512 << 10;

/// Memory of an entry in the directory without its name, in bytes.
const OVERHEAD: u64 = 256;

/// Bit of the attributes that is set if their upper half is a POSIX mode.
const HAS_MODE: u32 = 0x8000;

/// Bits of the mode that contain the type of a file.
const FILE_TYPE: u32 = 0o170_000;
/// Value of the bits [`FILE_TYPE`] for a regular file.
const PLAIN_FILE: u32 = 0o100_000;

/// An archive that is being read.
pub(super) struct SevenZip<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    archive: Archive,
    members: Vec<Member>,
    /// Block of each member, and its offset in the decompressed block. `None` for an empty file.
    places: Vec<Option<(usize, u64)>>,
    /// Number of entries that are neither regular files nor folders, such as links.
    links: usize,
    /// Blocks that have been decompressed, with their leases.
    blocks: HashMap<usize, (Vec<u8>, Lease<'a>)>,
    _list: Lease<'a>,
}

impl<'a> SevenZip<'a> {
    /// Lists an archive.
    ///
    /// Errors: [`Kind::BadInput`] if its directory is damaged or encrypted.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let mut input = input;
        let lease = job.lease(2 * DIRECTORY * 1024)?;
        let archive = Archive::read_with_memory_limit(
            &mut input,
            &Password::empty(),
            usize::try_from(DIRECTORY).unwrap_or(usize::MAX),
        )
        .map_err(|err| refused(job, err))?;
        let names: usize = archive.files.iter().map(|file| file.name.len()).sum();
        let list = job.lease(2 * names as u64 + OVERHEAD * archive.files.len() as u64)?;
        drop(lease);
        let (mut members, mut places, mut links) = (Vec::new(), Vec::new(), 0);
        // Block and end of the last file with data. Files without data are in no block.
        let mut last = (usize::MAX, 0);
        let blocks = archive.stream_map.file_block_index.iter();
        for (file, block) in archive.files.iter().zip(blocks) {
            let place = block.filter(|_| file.has_stream).map(|block| {
                let start = if last.0 == block { last.1 } else { 0 };
                last = (block, file.size.saturating_add(start));
                (block, start)
            });
            let mode = file.windows_attributes >> 16 & FILE_TYPE;
            if file.is_directory || file.is_anti_item {
                continue;
            }
            if file.windows_attributes & HAS_MODE != 0 && !matches!(mode, 0 | PLAIN_FILE) {
                links += 1;
                continue;
            }
            members.push(Member {
                // Some Windows programs write backslashes.
                name: file.name.replace('\\', "/").into(),
                size: if file.has_stream { file.size } else { 0 },
            });
            places.push(place);
        }
        Ok(Self {
            job,
            input,
            archive,
            members,
            places,
            links,
            blocks: HashMap::new(),
            _list: list,
        })
    }

    /// Decompresses a block.
    fn unpack(&mut self, index: usize) -> Result<Vec<u8>> {
        let job = self.job;
        let Some(block) = self.archive.blocks.get(index) else {
            return Err(job.unreadable("a file in it has no data"));
        };
        let _lease = job.lease(memory(block))?;
        let password = Password::empty();
        let mut out = Vec::with_capacity(block.get_unpack_size() as usize);
        let mut failed = None;
        let mut buffer = vec![0; 64 << 10];
        let decoder = BlockDecoder::new_with_memory_limit(
            1,
            DICTIONARY as usize,
            index,
            &self.archive,
            &password,
            &mut self.input,
        );
        let read = decoder.for_each_entries(&mut |_, data| {
            loop {
                if let Err(err) = job.check() {
                    failed = Some(err);
                    return Ok(false);
                }
                match data.read(&mut buffer)? {
                    0 => return Ok(true),
                    // The decoder refuses a block that is longer than its stated size, so `out` stays within that size.
                    len => out.extend_from_slice(&buffer[..len]),
                }
            }
        });
        match (failed, read) {
            (Some(err), _) => Err(err),
            (None, Err(err)) => Err(refused(job, err)),
            (None, Ok(_)) => Ok(out),
        }
    }
}

impl Container for SevenZip<'_> {
    fn members(&self) -> &[Member] {
        &self.members
    }

    fn read(&mut self, nth: usize) -> Result<Vec<u8>> {
        let job = self.job;
        let Some((block, start)) = self.places[nth] else {
            return Ok(Vec::new());
        };
        let place = start..start.saturating_add(self.members[nth].size);
        let size = self.archive.blocks[block].get_unpack_size();
        if size > MAX_BYTES {
            return Err(Unpacked::too_large(job));
        }
        // If the file is the whole block, the caller has leased the memory, and the block need not be kept.
        if place == (0..size) {
            return self.unpack(block);
        }
        if !self.blocks.contains_key(&block) {
            let lease = job.lease(size)?;
            let unpacked = self.unpack(block)?;
            self.blocks.insert(block, (unpacked, lease));
        }
        let data = self.blocks.get(&block).and_then(|(data, _)| {
            let place = usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?;
            data.get(place)
        });
        let data = data.ok_or_else(|| job.unreadable("a file in it lies outside of its block"))?;
        Ok(data.to_vec())
    }

    fn remarks(&self) -> Vec<String> {
        links_left_out(self.links).into_iter().collect()
    }
}

/// Returns the memory of all decoders of a block, in bytes: the dictionaries of LZMA and LZMA2, the models of PPMd, the
/// blocks of bzip2, and 1 MiB for each decoder.
fn memory(block: &Block) -> u64 {
    /// Memory of a decoder without its dictionary, in bytes.
    const DECODER: u64 = 1 << 20;
    /// Memory of bzip2, in bytes: a block of 900 kB and its permutation.
    const BZIP2: u64 = 4 << 20;
    let of_coder = |id: &[u8], properties: &[u8]| match id {
        EncoderMethod::ID_LZMA | EncoderMethod::ID_PPMD => properties
            .get(1..5)
            .and_then(|size| size.first_chunk())
            .map_or(0, |size| u32::from_le_bytes(*size).into()),
        EncoderMethod::ID_LZMA2 => properties.first().map_or(0, |&bits| {
            let size = u64::from(2 | bits & 1);
            size.checked_shl(u32::from(bits / 2) + 11).unwrap_or(0)
        }),
        EncoderMethod::ID_BZIP2 => BZIP2,
        _ => 0,
    };
    let coders = block.coders.iter();
    coders
        .map(|coder| of_coder(coder.encoder_method_id(), coder.properties()))
        // The decoder refuses a dictionary above the limit before it allocates one, so no more than the limit counts.
        .map(|size| size.min(DICTIONARY * 1024) + DECODER)
        .fold(0, u64::saturating_add)
}

/// The error for an archive that cannot be decompressed.
fn refused(job: &Job<'_>, err: sevenz_rust2::Error) -> Error {
    let refuse = |text: String| Error::new(Kind::BadInput, text);
    match err {
        sevenz_rust2::Error::PasswordRequired => encrypted(),
        sevenz_rust2::Error::UnsupportedCompressionMethod(name)
            if name == EncoderMethod::AES256_SHA256.name() =>
        {
            encrypted()
        }
        sevenz_rust2::Error::UnsupportedCompressionMethod(name) => refuse(format!(
            "the file is packed with {name} in the 7z archive, which is not supported: pack it with LZMA2"
        )),
        sevenz_rust2::Error::MaxMemLimited { .. } => refuse(format!(
            "the 7z archive needs more than {} MiB to be unpacked: pack it with a smaller dictionary",
            DICTIONARY >> 10
        )),
        sevenz_rust2::Error::Io(err, _) if err.kind() == io::ErrorKind::UnexpectedEof => {
            job.unreadable("it is cut off")
        }
        err => job.unreadable("it is cut off or damaged").caused_by(err),
    }
}

fn encrypted() -> Error {
    let text = "the 7z archive is encrypted: remove the password and send it again";
    Error::new(Kind::BadInput, text).because(Reason::Encrypted)
}
