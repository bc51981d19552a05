//! `convertd mcp`: offers conversions to a program that works with a language model, by the Model Context Protocol
//! (2025-06-18) on standard input and output. Listens on no port, and touches no file outside of the folders that the
//! command line names.
//!
//! A message is a line of JSON-RPC 2.0. Messages are answered one after another: a model waits for the answer of its
//! tool anyway. Standard output belongs to the protocol, so nothing else may write to it.

mod protocol;
mod roots;
mod tools;

use super::{Failure, Outcome, help, read_models, unexpected};
use crate::{config::Config, error::Error, machine};
use lexopt::{Arg, Parser};
use protocol::Answer;
use roots::Roots;
use std::{
    io::{self, BufRead, Read, Write},
    process::ExitCode,
};
use tools::Tools;

/// Limit on a received message, in bytes. Such messages contain the paths of files, and not their content.
const LONGEST: u64 = 1 << 20;

pub(super) fn run(parser: &mut Parser) -> Outcome {
    let mut roots = Roots::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return help::about("mcp", &argument),
            Arg::Value(folder) => roots.add(folder.into())?,
            _ => return Err(unexpected(argument, &[], &[])),
        }
    }
    if roots.is_empty() {
        let text = "mcp needs the folders whose files may be converted: convertd mcp DIR...";
        return Err(Failure::Usage(text.into()));
    }
    let mut config = Config::new();
    read_models(&mut config)?;
    machine::standard_output().map_err(super::unprinted)?;
    let tools = Tools::new(roots, config);
    serve(&tools, &mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// Answers messages until the input ends, or until the reader of the output has closed it.
fn serve(tools: &Tools, input: &mut impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let failed = |err| Error::internal("the messages cannot be read", err);
    loop {
        let mut line = Vec::new();
        input
            .by_ref()
            .take(LONGEST)
            .read_until(b'\n', &mut line)
            .map_err(failed)?;
        let answer = match line.last() {
            None => return Ok(()),
            Some(b'\n') => protocol::answer(tools, &line),
            // The input ended without a line break after the last message.
            Some(_) if (line.len() as u64) < LONGEST => protocol::answer(tools, &line),
            Some(_) => {
                // A line beyond the limit: the rest of it is skipped, and the next message can be read.
                input.skip_until(b'\n').map_err(failed)?;
                Some(Answer::too_long(LONGEST))
            }
        };
        let Some(answer) = answer else { continue };
        let mut line = answer.line();
        line.push(b'\n');
        match output.write_all(&line).and_then(|()| output.flush()) {
            Err(err) if err.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Err(err) => return Err(super::unprinted(err)),
            Ok(()) => {}
        }
    }
}
