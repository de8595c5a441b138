//! The bytes of a checkpoint: numbers and arrays, written and read in order, with a checksum over all.

use super::Refusal;
use crate::store::{fold, hash};
use std::io::{self, Read, Write};

/// Bytes that are summed up at once.
const BLOCK: usize = 1 << 16;
/// An array longer than this is no array of ours.
const LONGEST: u64 = 1 << 40;

/// The checksum so far and one more block.
pub(super) fn add(sum: u64, block: &[u8]) -> u64 {
    fold(sum ^ hash(block), 0x9e37_79b9_7f4a_7c15).wrapping_add(block.len() as u64)
}

/// Writes numbers and arrays.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    block: Vec<u8>,
    sum: u64,
    written: u64,
}

impl<'w> Writer<'w> {
    /// Writes into `out`.
    pub fn new(out: &'w mut dyn Write) -> Writer<'w> {
        Writer { out, block: Vec::with_capacity(BLOCK), sum: 0, written: 0 }
    }

    /// Bytes as they are.
    pub fn raw(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = BLOCK - self.block.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sum = add(self.sum, &self.block);
        self.written += self.block.len() as u64;
        self.out.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// An array of bytes with its length.
    pub fn array(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.u64(bytes.len() as u64)?;
        self.raw(bytes)
    }

    /// A yes or no.
    pub fn flag(&mut self, flag: bool) -> io::Result<()> {
        self.raw(&[u8::from(flag)])
    }

    /// A byte.
    pub fn u8(&mut self, value: u8) -> io::Result<()> {
        self.raw(&[value])
    }

    /// A number of 32 bits.
    pub fn u32(&mut self, value: u32) -> io::Result<()> {
        self.raw(&value.to_le_bytes())
    }

    /// A number of 64 bits.
    pub fn u64(&mut self, value: u64) -> io::Result<()> {
        self.raw(&value.to_le_bytes())
    }

    /// A real number.
    pub fn f64(&mut self, value: f64) -> io::Result<()> {
        self.u64(value.to_bits())
    }

    /// Ends with the length of all that was written, and its checksum.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.out.write_all(&self.written.to_le_bytes())?;
        self.out.write_all(&self.sum.to_le_bytes())?;
        self.out.flush()
    }
}

/// Reads what a [`Writer`] wrote, whose checksum is known to be right.
pub struct Reader {
    input: Box<dyn Read>,
}

const SHORT: Refusal = Refusal::Damaged("it ends too early");

impl Reader {
    /// Reads from `input`.
    pub fn new(input: Box<dyn Read>) -> Reader {
        Reader { input }
    }

    fn exactly<const N: usize>(&mut self) -> Result<[u8; N], Refusal> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(|_| SHORT)?;
        Ok(bytes)
    }

    /// Bytes as they are.
    pub fn raw(&mut self, out: &mut [u8]) -> Result<(), Refusal> {
        self.input.read_exact(out).map_err(|_| SHORT)
    }

    /// An array of bytes into `out`, which is cleared first.
    pub fn array(&mut self, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let length = self.u64()?;
        out.clear();
        if length > LONGEST || out.try_reserve_exact(length as usize).is_err() {
            return Err(Refusal::Memory);
        }
        out.resize(length as usize, 0);
        self.raw(out)
    }

    /// A yes or no.
    pub fn flag(&mut self) -> Result<bool, Refusal> {
        Ok(self.u8()? != 0)
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8, Refusal> {
        Ok(self.exactly::<1>()?[0])
    }

    /// A number of 32 bits.
    pub fn u32(&mut self) -> Result<u32, Refusal> {
        self.exactly().map(u32::from_le_bytes)
    }

    /// A number of 64 bits.
    pub fn u64(&mut self) -> Result<u64, Refusal> {
        self.exactly().map(u64::from_le_bytes)
    }

    /// A real number.
    pub fn f64(&mut self) -> Result<f64, Refusal> {
        self.u64().map(f64::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file);
        let long: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
        writer.u32(7).unwrap();
        writer.array(&long).unwrap();
        writer.f64(0.5).unwrap();
        writer.flag(true).unwrap();
        writer.finish().unwrap();
        let mut reader = Reader::new(Box::new(std::io::Cursor::new(file)));
        assert_eq!(reader.u32(), Ok(7));
        let mut out = Vec::new();
        reader.array(&mut out).unwrap();
        assert!(out == long);
        assert_eq!((reader.f64(), reader.flag()), (Ok(0.5), Ok(true)));
        assert_eq!(reader.u64(), Ok(4 + 8 + 200_000 + 8 + 1), "the length of all that");
        assert!(reader.u64().is_ok());
        assert_eq!(reader.u8(), Err(SHORT));
    }
}
