//! Markings as bytes: every place takes the same number of bytes, as few as its tokens allow.
//!
//! How many tokens a place will hold is not known beforehand, so a search starts with narrow words
//! and begins anew with wider ones where they overflow. Nothing ever wraps around.

/// How many bytes a place takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One byte: up to 255 tokens.
    One,
    /// Two bytes: up to 65,535 tokens.
    Two,
    /// Four bytes.
    Four,
}

impl Width {
    /// The narrowest one for this many tokens.
    pub fn of(tokens: u32) -> Width {
        [Width::One, Width::Two].into_iter().find(|width| width.most() >= tokens).unwrap_or(Width::Four)
    }

    /// The next wider one.
    pub fn wider(self) -> Option<Width> {
        match self {
            Width::One => Some(Width::Two),
            Width::Two => Some(Width::Four),
            Width::Four => None,
        }
    }

    /// The most tokens.
    pub fn most(self) -> u32 {
        match self {
            Width::One => u8::MAX.into(),
            Width::Two => u16::MAX.into(),
            Width::Four => u32::MAX,
        }
    }

    /// The bytes of a place.
    pub fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
        }
    }

    /// The tokens of a place in a state.
    #[inline]
    pub fn get(self, state: &[u8], place: u32) -> u32 {
        let place = place as usize;
        match self {
            Width::One => u32::from(state[place]),
            Width::Two => u32::from(u16::from_le_bytes([state[2 * place], state[2 * place + 1]])),
            Width::Four => {
                let at = 4 * place;
                u32::from_le_bytes([state[at], state[at + 1], state[at + 2], state[at + 3]])
            }
        }
    }

    /// Sets the tokens of a place, no more than fit.
    #[inline]
    pub fn set(self, state: &mut [u8], place: u32, tokens: u32) {
        let place = place as usize;
        match self {
            Width::One => state[place] = tokens as u8,
            Width::Two => state[2 * place..2 * place + 2].copy_from_slice(&(tokens as u16).to_le_bytes()),
            Width::Four => state[4 * place..4 * place + 4].copy_from_slice(&tokens.to_le_bytes()),
        }
    }
}
