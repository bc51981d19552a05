//! Converts mails: reads the file, renders its mails as one HTML page, and passes the page to the converter of HTML to
//! the target. If the option asks for them, adds the attachments in a zip, or as pages of a PDF.

use super::{
    mbox,
    message::{self, Attachment, Message},
    mime, msg, options, page, tnef,
};
#[cfg(feature = "pdf")]
use crate::format;
use crate::{
    containers::zip::{Names, Packing, Writer},
    error::{Error, Kind, Result},
    format::ARCHIVE_EXTENSION,
    job::{InMemory, Input, Job, Lease, Notes, Output, Pair, Task},
};
use convertd_pages::{archive::Converters, document};
use std::io::{Cursor, Read};

/// Memory that every conversion of mail needs, in bytes.
const BASE: u64 = 2 << 20;

/// Converts a file.
///
/// Errors: [`Kind::BadInput`] for a damaged or encrypted file; and those of [`Job::check`] and [`Job::reserve`].
pub fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    converters: &dyn Converters,
) -> Result<Notes> {
    let asked = options::attachments(job.options());
    let mut notes = Notes::default();
    let mut mails = ConvertedMails {
        lease: job.empty_lease(),
        keeps_files: match asked {
            options::Attachments::List => false,
            options::Attachments::Append | options::Attachments::Zip => true,
        },
        pages: page::Pages::default(),
        files: Vec::new(),
        files_size: 0,
    };
    // Each mail is added when the next mail arrives: the first mail gets a heading only if another mail follows.
    let mut last: Option<Message> = None;
    let is_cut = each(job, input, &mut |message| match last.replace(message) {
        Some(before) => mails.add(before, true, &mut notes),
        None => Ok(()),
    })?;
    if let Some(last) = last {
        let is_box = !mails.pages.is_empty();
        mails.add(last, is_box, &mut notes)?;
    }
    if is_cut {
        notes.add("The mailbox has more than 10000 mails; the rest is missing.");
    }
    let ConvertedMails {
        lease: _lease,
        pages,
        files,
        ..
    } = mails;
    let text = pages.finish();
    let page = Page {
        job,
        text,
        converters,
    };
    match asked {
        options::Attachments::Zip => page.zip(&files, output, &mut notes)?,
        options::Attachments::Append if !files.is_empty() && job.to == document::pdf() => {
            page.append(&files, output, &mut notes)?;
        }
        options::Attachments::Append | options::Attachments::List => {
            page.write(output, &mut notes)?
        }
    }
    Ok(notes)
}

/// HTML page and attachments of the mails read so far.
struct ConvertedMails<'j> {
    pages: page::Pages,
    /// Attachments, if the option `attachments` asks for more than their names.
    files: Vec<Attachment>,
    keeps_files: bool,
    /// Total size of `files`, in bytes.
    files_size: usize,
    lease: Lease<'j>,
}

impl ConvertedMails<'_> {
    fn add(&mut self, message: Message, is_box: bool, notes: &mut Notes) -> Result<()> {
        let attached = self.pages.add(message, is_box, notes).into_iter();
        for file in attached.filter(|file| !file.is_shown && !file.bytes.is_empty()) {
            if self.keeps_files {
                self.files_size += file.bytes.len();
                self.files.push(file);
            }
        }
        self.lease.set((self.files_size + self.pages.len()) as u64)
    }
}

/// Reads all mails of a file, and passes each to `visit`. Returns whether a limit cut off the rest of a mailbox.
///
/// Errors: [`Kind::BadInput`] for a file that is damaged or encrypted; those of `visit`, [`Job::check`] and
/// [`Job::reserve`].
pub(super) fn each(
    job: &Job<'_>,
    input: &mut dyn Input,
    visit: &mut dyn FnMut(Message) -> Result<()>,
) -> Result<bool> {
    if job.from.name == "mbox" {
        job.reserve(BASE)?;
        return mbox::each(job, input, visit);
    }
    job.reserve(BASE + message::MEMORY_PER_BYTE.saturating_mul(job.input_len))?;
    visit(single_mail(job, input)?)?;
    Ok(false)
}

/// Reads the mail of a file that holds a single mail.
fn single_mail(job: &Job<'_>, input: &mut dyn Input) -> Result<Message> {
    if job.from.name == "msg" {
        return msg::read(job, input);
    }
    let mut bytes = Vec::with_capacity(job.input_len as usize);
    let lost = |err| Error::storage("the upload could not be read", err);
    input.rewind().map_err(lost)?;
    input
        .take(job.input_len)
        .read_to_end(&mut bytes)
        .map_err(lost)?;
    match job.from.name {
        "tnef" => {
            let message = tnef::read(job, &bytes)?;
            let damaged = || Error::new(Kind::BadInput, "the file is not a readable tnef");
            message.ok_or_else(damaged)
        }
        _ => {
            // A byte order mark would hide the name of the first field.
            let mail = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            mime::read(job, mail)
        }
    }
}

/// HTML page of the mails, and the converters that can turn it into the target.
struct Page<'p, 'j> {
    job: &'p Job<'j>,
    text: String,
    converters: &'p dyn Converters,
}

impl<'j> Page<'_, 'j> {
    /// Converts the page of the mail to the target.
    fn write(&self, output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
        let from = document::html_format();
        let missing = || Error::internal("no such conversion", self.job.to.name);
        let (pair, converter) = self
            .converters
            .find(from, self.job.to)
            .ok_or_else(missing)?;
        let task = task(self.job, &pair);
        let len = self.text.len() as u64;
        let part_notes = self.job.part(&task, (pair.from, pair.to), len, |job| {
            (converter.convert)(job, &mut Cursor::new(self.text.as_bytes()), output)
        })?;
        // The result of HTML may be an archive, such as one picture per page.
        if part_notes.is_archive() {
            notes.mark_archive();
        }
        notes.extend(part_notes.0);
        Ok(())
    }

    /// Converts the page of the mail in memory.
    fn in_memory(&self, notes: &mut Notes) -> Result<(Vec<u8>, Lease<'j>)> {
        let mut file = InMemory::new(self.job);
        let written = self.write(&mut file, notes);
        let finished = file.finish()?;
        written.map(|()| finished)
    }

    /// Writes an archive with the converted mail, and its attachments unchanged.
    fn zip(&self, files: &[Attachment], output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
        let (page, _lease) = self.in_memory(notes)?;
        let mut archive = Writer::new(self.job, output);
        let mut names = Names::default();
        // A result with files of its own, such as pictures, is already an archive.
        let extension = match notes.is_archive() {
            true => ARCHIVE_EXTENSION,
            false => &self.job.task.to,
        };
        let name = format!("mail.{extension}");
        archive.add(&names.add(&name), &page, Packing::Deflated)?;
        for file in files {
            self.job.check()?;
            archive.add(&names.add(&file.name), &file.bytes, Packing::Deflated)?;
        }
        notes.mark_archive();
        archive.finish()
    }

    /// Writes the mail as PDF, and appends each attachment that can be converted to PDF. The others are noted.
    #[cfg(feature = "pdf")]
    fn append(
        &self,
        files: &[Attachment],
        output: &mut dyn Output,
        notes: &mut Notes,
    ) -> Result<()> {
        use convertd_pdf::{edit, read::file};
        let mut pdfs = Vec::new();
        let mut titles = Vec::new();
        let (first, lease) = self.in_memory(notes)?;
        // The file that `open` returns leases its own memory, so the lease of the bytes is not needed.
        drop(lease);
        let open = |bytes| file::open_one_of(self.job, bytes);
        pdfs.push(open(first)?);
        titles.push(
            self.job
                .task
                .file_title
                .as_deref()
                .unwrap_or("Mail")
                .to_owned(),
        );
        let _together = file::together(self.job)?;
        for attachment in files {
            self.job.check()?;
            match self.as_pdf(attachment, notes).and_then(open) {
                Ok(pdf) => {
                    pdfs.push(pdf);
                    titles.push(attachment.name.clone());
                }
                // A bad attachment is only left out; a stopped job or a full disk ends the conversion.
                Err(error) if error.kind() == Kind::BadInput => {
                    self.job.check()?;
                    notes.add(format!(
                        "{} was not appended: {}",
                        attachment.name,
                        error.message()
                    ));
                }
                Err(error) => return Err(error),
            }
        }
        let all: Vec<_> = pdfs.iter().map(|(pdf, _)| pdf).collect();
        edit::convert(self.job, &all, &titles, &[], output, notes)
    }

    #[cfg(not(feature = "pdf"))]
    fn append(&self, _: &[Attachment], output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
        notes.add("The attachments are not appended, because this build does not read PDFs.");
        self.write(output, notes)
    }

    /// Converts an attachment to PDF. Refuses archives and mails within a mail, because one small file could hold any
    /// number of others.
    #[cfg(feature = "pdf")]
    fn as_pdf(&self, file: &Attachment, notes: &mut Notes) -> Result<Vec<u8>> {
        let refuse = |text: String| Error::new(Kind::BadInput, text);
        let extension = format::extension(&file.name);
        let mut input = Cursor::new(&file.bytes[..]);
        let found = self.converters.identify(&mut input, extension.as_deref())?;
        if found == self.job.to {
            return Ok(file.bytes.clone());
        }
        if found.category == format::Category::Archive || found.category == format::Category::Mail {
            return Err(refuse(format!(
                "{} files within a mail are not opened",
                found.name
            )));
        }
        let (pair, converter) = (self.converters.find(found, self.job.to))
            .ok_or_else(|| refuse(format!("{} files cannot become pdf", found.name)))?;
        let task = task(self.job, &pair);
        let mut out = InMemory::new(self.job);
        let len = file.bytes.len() as u64;
        let part_notes = self.job.part(&task, (pair.from, pair.to), len, |job| {
            // An error or a panic of this converter must not end the conversion of the mail.
            convertd_pages::archive::fenced(|| (converter.convert)(job, &mut input, &mut out))
        });
        let (bytes, _lease) = out.finish()?;
        notes.extend(part_notes?.0);
        Ok(bytes)
    }
}

/// Derives the task for a part of the job: same target, and only the options that this conversion knows.
fn task(job: &Job<'_>, pair: &Pair) -> Task {
    Task {
        from: pair.from.name.to_owned(),
        to: job.task.to.clone(),
        quality: job.quality(),
        options: job.options().for_specs(pair.options),
        file_title: job.task.file_title.clone(),
    }
}
