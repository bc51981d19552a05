//! Converts a file in one request: the body is the file, and the answer is the result. The service keeps nothing, so
//! there is nothing to download. The same as `curl -T report.md 'http://…/api/v1/convert?to=html&name=report.md' -o
//! report.html`.
//!
//! ```sh
//! cargo run --example convert_body                           # a text of its own, to html
//! cargo run --example convert_body report.docx report.pdf    # yours
//! ```

mod common;

use common::{Result, Service, expect};
use std::{env, fs, path::Path};

fn main() -> Result {
    let mut arguments = env::args().skip(1);
    let (input, output) = (arguments.next(), arguments.next());
    let (name, content) = match &input {
        Some(path) => (path.as_str(), fs::read(path)?),
        None => ("note.md", b"# A note\n\nWith *one* word.\n".to_vec()),
    };
    let extension = |path: &str| {
        let extension = Path::new(path).extension().and_then(|text| text.to_str());
        extension.map(str::to_owned)
    };
    let target = output.as_deref().and_then(extension);
    let target = target.unwrap_or_else(|| "html".into());
    // The extension names the format; the content of a text alone may not show its format.
    let named = format!("file.{}", extension(name).unwrap_or_default());

    let service = Service::get()?;
    let path = format!("/api/v1/convert?to={target}&name={named}");
    let answer = service.request("PUT", &path, &[], &content)?;
    if answer.status != 200 {
        return Err(answer.field("error")?.into());
    }
    println!(
        "{name} ({} bytes) became {} bytes of {}",
        content.len(),
        answer.body.len(),
        answer.header("content-type").unwrap_or("?")
    );
    // The notes are a JSON array of sentences about losses and changes.
    if let Some(notes) = answer.header("conversion-notes") {
        println!("notes: {notes}");
    }
    match output {
        Some(path) => fs::write(&path, &answer.body)?,
        None => expect(
            String::from_utf8_lossy(&answer.body).contains("<em>one</em>"),
            "the answer is not the page",
        )?,
    }
    Ok(())
}
