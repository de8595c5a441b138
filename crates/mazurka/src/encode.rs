//! How a state of a Rust type becomes the flat bytes that the engine stores, and back.
//!
//! Two ways are given. A **plain-old-data** type, one that derives `IntoBytes`, `TryFromBytes`,
//! `Immutable` and `KnownLayout` of [`zerocopy`], *is* its bytes: storing it is one copy of memory, and
//! the derive refuses a type with padding, so uninitialised bytes can't get into a state. Any other type
//! goes through [`Serialised`], which uses serde and the `postcard` format.
//!
//! ```
//! use mazurka::{Encode, Serialised};
//! use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};
//!
//! #[derive(Debug, PartialEq, IntoBytes, TryFromBytes, Immutable, KnownLayout)]
//! #[repr(C)]
//! struct Plain {
//!     turn: u8,
//!     waiting: [bool; 3],
//! }
//!
//! #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
//! struct Rich {
//!     mailbox: Vec<String>,
//! }
//!
//! let mut scratch = Vec::new();
//! let plain = Plain { turn: 2, waiting: [true, false, true] };
//! assert_eq!(Plain::SIZE, Some(4));
//! assert_eq!(plain.bytes(&mut scratch)?, &[2, 1, 0, 1]);
//! assert_eq!(Plain::decode(&[2, 1, 0, 1])?, plain);
//!
//! let rich = Serialised(Rich { mailbox: vec!["hello".into()] });
//! let bytes = rich.bytes(&mut scratch)?.to_vec();
//! assert_eq!(Serialised::<Rich>::decode(&bytes)?, rich);
//! # Ok::<(), mazurka::EncodeError>(())
//! ```
//!
//! What is *not* checked: that equal states have equal bytes. Plain-old-data has it by its nature. A
//! serialised type has it unless it holds collections without a fixed order: use `BTreeMap`, not
//! `HashMap`. Getting it wrong makes one state count as several; it never loses a state.

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::ops::{Deref, DerefMut};
use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// A type whose values can be stored as bytes.
pub trait Encode: Sized {
    /// The number of bytes, if all values have the same one.
    const SIZE: Option<usize>;

    /// The bytes of this value: its own, or written into `scratch`, which is cleared first.
    fn bytes<'a>(&'a self, scratch: &'a mut Vec<u8>) -> Result<&'a [u8], EncodeError>;

    /// The value with these bytes.
    fn decode(bytes: &[u8]) -> Result<Self, EncodeError>;
}

/// A state that can't be written as bytes, or bytes that are no state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a state can't be stored: {}", self.message)
    }
}

impl std::error::Error for EncodeError {}

impl From<postcard::Error> for EncodeError {
    fn from(error: postcard::Error) -> EncodeError {
        EncodeError { message: error.to_string() }
    }
}

impl<T: IntoBytes + TryFromBytes + Immutable + KnownLayout> Encode for T {
    const SIZE: Option<usize> = Some(size_of::<T>());

    #[inline]
    fn bytes<'a>(&'a self, _scratch: &'a mut Vec<u8>) -> Result<&'a [u8], EncodeError> {
        Ok(self.as_bytes())
    }

    #[inline]
    fn decode(bytes: &[u8]) -> Result<T, EncodeError> {
        T::try_read_from_bytes(bytes).map_err(|_| EncodeError {
            message: format!("{} bytes are no {}", bytes.len(), std::any::type_name::<T>()),
        })
    }
}

/// A state of any serde type, stored in the `postcard` format.
///
/// Dereferences to the value, so a model that changes its mind from plain-old-data to this changes its
/// `type State` and little else.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Serialised<T>(pub T);

impl<T> Deref for Serialised<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Serialised<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Serialize + DeserializeOwned> Encode for Serialised<T> {
    const SIZE: Option<usize> = None;

    fn bytes<'a>(&'a self, scratch: &'a mut Vec<u8>) -> Result<&'a [u8], EncodeError> {
        scratch.clear();
        postcard::serialize_with_flavor(&self.0, Append(scratch))?;
        Ok(scratch)
    }

    fn decode(bytes: &[u8]) -> Result<Serialised<T>, EncodeError> {
        Ok(Serialised(postcard::from_bytes(bytes)?))
    }
}

/// Lets postcard write into a buffer that is used again and again.
struct Append<'a>(&'a mut Vec<u8>);

impl Flavor for Append<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_data_is_its_bytes() {
        let mut scratch = Vec::new();
        assert_eq!([7u8, 9].bytes(&mut scratch).unwrap(), &[7, 9]);
        assert_eq!(<[u8; 2]>::decode(&[7, 9]).unwrap(), [7, 9]);
        assert_eq!(u64::SIZE, Some(8));
    }

    #[test]
    fn foreign_bytes_are_an_error() {
        assert!(u32::decode(&[1, 2, 3]).is_err());
        assert!(bool::decode(&[2]).is_err());
        assert!(Serialised::<String>::decode(&[5, b'x']).is_err());
    }

    #[test]
    fn scratch_is_cleared() {
        let mut scratch = vec![1, 2, 3];
        let value = Serialised((1u8, Some(2u8)));
        let bytes = value.bytes(&mut scratch).unwrap().to_vec();
        assert_eq!(bytes, [1, 1, 2]);
        assert_eq!(Serialised::<(u8, Option<u8>)>::decode(&bytes).unwrap(), value);
    }
}
