//! The file of a checkpoint: what it begins and ends with, how it is replaced, and when it is refused.

use super::bytes::{self, Reader, Writer};
use super::{Refusal, options};
use crate::config::Config;
use mazurka_model::System;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 18] = b"mazurka checkpoint";
/// The version of the format.
pub const VERSION: u32 = 9;
/// Length and checksum at the end.
const TAIL: u64 = 16;
const BLOCK: usize = 1 << 16;

/// Writes a checkpoint whose contents `write` writes. Whatever happens, under the name of the file there is a whole
/// checkpoint afterwards, the new one or the one before.
pub fn write(
    path: &Path,
    system: &dyn System,
    config: &Config,
    write: impl FnOnce(&mut Writer<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let partial = partial(path);
    let written = write_partial(&partial, system, config, write).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // What is left of it would only take room, for want of which it may have failed.
        _ = fs::remove_file(&partial);
        return written;
    }
    // The name is safe only once the folder is.
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if let Ok(folder) = File::open(folder) {
            folder.sync_all()?;
        }
    }
    Ok(())
}

/// Writes a checkpoint under another name than its own.
fn write_partial(
    partial: &Path,
    system: &dyn System,
    config: &Config,
    write: impl FnOnce(&mut Writer<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = File::create(partial)?;
    let mut writer = Writer::new(&mut file);
    writer.raw(MAGIC)?;
    writer.u32(VERSION)?;
    writer.u64(identity(system))?;
    writer.array(options(config).as_bytes())?;
    write(&mut writer)?;
    writer.finish()?;
    file.sync_all()
}

/// What saved states must have in common with those of a system: the model, and how its states are represented.
fn identity(system: &dyn System) -> u64 {
    let describe = system.describe();
    describe.fingerprint().wrapping_add(describe.representation())
}

/// The name under which a checkpoint is written.
fn partial(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".partial");
    PathBuf::from(name)
}

/// Whether a file begins like a checkpoint, of whatever version.
pub fn is_checkpoint(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == MAGIC
}

/// Opens a checkpoint of this system under these options, and checks all of it before anything is used.
pub fn open(path: &Path, system: &dyn System, config: &Config) -> Result<Reader, Refusal> {
    let unreadable = |error: io::Error| Refusal::Unreadable(error.to_string());
    let mut file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let mut magic = [0; MAGIC.len()];
    let known = file.read_exact(&mut magic).is_ok() && &magic == MAGIC;
    if !known {
        return Err(Refusal::Foreign);
    }
    let Some(inside) = length.checked_sub(TAIL) else { return Err(Refusal::Damaged("it is cut short")) };
    file.rewind().map_err(unreadable)?;
    let mut sum = 0;
    let mut left = inside;
    let mut block = vec![0; BLOCK];
    loop {
        let now = left.min(BLOCK as u64) as usize;
        if now < BLOCK {
            block.truncate(now);
        }
        file.read_exact(&mut block).map_err(unreadable)?;
        sum = bytes::add(sum, &block);
        left -= now as u64;
        // A last block that is empty counts too.
        if now < BLOCK {
            break;
        }
    }
    let mut tail = Reader::new(Box::new(file.try_clone().map_err(unreadable)?));
    if tail.u64()? != inside {
        return Err(Refusal::Damaged("its length is wrong"));
    }
    if tail.u64()? != sum {
        return Err(Refusal::Damaged("its checksum is wrong"));
    }
    file.seek(SeekFrom::Start(MAGIC.len() as u64)).map_err(unreadable)?;
    let mut reader = Reader::new(Box::new(BufReader::with_capacity(BLOCK, file)));
    let version = reader.u32()?;
    if version != VERSION {
        return Err(Refusal::Version(version));
    }
    if reader.u64()? != identity(system) {
        return Err(Refusal::Model);
    }
    let mut saved = Vec::new();
    reader.array(&mut saved)?;
    let asked = options(config);
    if saved != asked.as_bytes() {
        return Err(Refusal::Options { saved: String::from_utf8_lossy(&saved).into_owned(), asked });
    }
    Ok(reader)
}
