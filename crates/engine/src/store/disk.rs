//! States in a file that is mapped into memory, for state spaces larger than memory.
//!
//! Records, in whatever codec, go to the file, and the table stays in memory. The system keeps the parts of the file in memory that
//! are in use; a state that is met again may have to be read. The file has no name, so that nothing is left of it
//! when the program ends, however it ends. Its room is taken by writing to it, so that a full disk is an error and no
//! signal.

use memmap2::{MmapMut, MmapOptions};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// Parts of a file that are mapped start at multiples of this, whatever the size of pages is.
const ALIGNMENT: u64 = 1 << 16;

/// A part of memory.
#[derive(Debug)]
pub enum Chunk {
    /// Memory of the program.
    Memory(Box<[u8]>),
    /// Memory straight from the system, or a part of a file.
    Mapped(MmapMut),
}

impl Default for Chunk {
    fn default() -> Chunk {
        Chunk::Memory(Box::default())
    }
}

impl Deref for Chunk {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            Chunk::Memory(bytes) => bytes,
            Chunk::Mapped(bytes) => bytes,
        }
    }
}

impl DerefMut for Chunk {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Chunk::Memory(bytes) => bytes,
            Chunk::Mapped(bytes) => bytes,
        }
    }
}

/// A file without a name.
#[derive(Debug)]
pub struct StateFile {
    file: File,
    length: u64,
    refusal: Option<io::ErrorKind>,
}

impl StateFile {
    /// A new file in `folder`.
    pub fn new(folder: &Path) -> io::Result<StateFile> {
        let mut number = u64::from(std::process::id()) << 32;
        loop {
            let path = folder.join(format!("mazurka-states-{number:x}"));
            match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => {
                    fs::remove_file(&path)?;
                    return Ok(StateFile { file, length: 0, refusal: None });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// One more part of `size` zeroes.
    pub fn map(&mut self, size: usize) -> io::Result<Chunk> {
        self.grow(size).inspect_err(|error| self.refusal = Some(error.kind()))
    }

    /// Why there was no room for another part, if there was none.
    pub fn refusal(&self) -> Option<io::ErrorKind> {
        self.refusal
    }

    fn grow(&mut self, size: usize) -> io::Result<Chunk> {
        let start = self.length.next_multiple_of(ALIGNMENT);
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(&vec![0; size])?;
        self.length = start + size as u64;
        // SAFETY: the file has no name, so no one else changes it or makes it shorter, and we never do; parts do not
        // overlap.
        let part = unsafe { MmapOptions::new().offset(start).len(size).map_mut(&self.file)? };
        Ok(Chunk::Mapped(part))
    }

    /// Bytes of the file.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}
