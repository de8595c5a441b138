//! The operators: their spellings, how strongly they bind, and guesses at misspelt ones.

/// Operators before one operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Not,
    Next,
    Finally,
    Globally,
}

/// Operators between two operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Implies,
    Iff,
    Xor,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

impl Binary {
    /// Larger binds more strongly.
    pub(super) fn level(self) -> u8 {
        match self {
            Binary::Implies | Binary::Iff => 1,
            Binary::Xor => 2,
            Binary::Or => 3,
            Binary::And => 4,
            Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease => 5,
        }
    }

    /// What may stand to its right without parentheses: the same again, if it groups to the right.
    pub(super) fn level_of_right(self) -> u8 {
        match self {
            Binary::Xor | Binary::Or | Binary::And => self.level() + 1,
            _ => self.level(),
        }
    }
}

/// Signs, longer ones before their beginnings.
const BINARY_SIGNS: &[(&str, Binary)] = &[
    ("<->", Binary::Iff),
    ("<=>", Binary::Iff),
    ("<-->", Binary::Iff),
    ("-->", Binary::Implies),
    ("->", Binary::Implies),
    ("=>", Binary::Implies),
    ("&&", Binary::And),
    ("||", Binary::Or),
    ("/\\", Binary::And),
    ("\\/", Binary::Or),
    ("&", Binary::And),
    ("|", Binary::Or),
    ("^", Binary::Xor),
    ("∧", Binary::And),
    ("∨", Binary::Or),
    ("→", Binary::Implies),
    ("↔", Binary::Iff),
    ("⊕", Binary::Xor),
];

const BINARY_WORDS: &[(&str, Binary)] = &[
    ("U", Binary::Until),
    ("V", Binary::Release),
    ("R", Binary::Release),
    ("W", Binary::WeakUntil),
    ("M", Binary::StrongRelease),
    ("until", Binary::Until),
    ("stronguntil", Binary::Until),
    ("release", Binary::Release),
    ("releases", Binary::Release),
    ("weakuntil", Binary::WeakUntil),
    ("strongrelease", Binary::StrongRelease),
    ("and", Binary::And),
    ("or", Binary::Or),
    ("xor", Binary::Xor),
    ("implies", Binary::Implies),
    ("equivalent", Binary::Iff),
    ("iff", Binary::Iff),
];

const UNARY_SIGNS: &[(&str, Unary)] = &[
    ("!", Unary::Not),
    ("~", Unary::Not),
    ("¬", Unary::Not),
    ("[]", Unary::Globally),
    ("□", Unary::Globally),
    ("<>", Unary::Finally),
    ("◇", Unary::Finally),
    ("○", Unary::Next),
];

const UNARY_WORDS: &[(&str, Unary)] = &[
    ("G", Unary::Globally),
    ("F", Unary::Finally),
    ("X", Unary::Next),
    ("not", Unary::Not),
    ("always", Unary::Globally),
    ("globally", Unary::Globally),
    ("eventually", Unary::Finally),
    ("finally", Unary::Finally),
    ("next", Unary::Next),
];

/// The word at the beginning of a text: letters, digits, underscores. Empty if there is none.
pub(super) fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn find<T: Copy>(text: &str, signs: &[(&str, T)], words: &[(&str, T)]) -> Option<(T, usize)> {
    let first = word(text);
    let by_word = words.iter().find(|(spelling, _)| *spelling == first);
    by_word
        .or_else(|| signs.iter().find(|(spelling, _)| text.starts_with(spelling)))
        .map(|(spelling, operator)| (*operator, spelling.len()))
}

/// The binary operator at the beginning of a text, and its length.
pub(super) fn binary(text: &str) -> Option<(Binary, usize)> {
    find(text, BINARY_SIGNS, BINARY_WORDS)
}

/// The unary operator at the beginning of a text, and its length.
pub(super) fn unary(text: &str) -> Option<(Unary, usize)> {
    // `!=` begins no operand, but "! = 3" is not taken for one either.
    find(text, UNARY_SIGNS, UNARY_WORDS).filter(|_| !text.starts_with("!="))
}

/// Whether a word is an operator.
pub(super) fn is_word(text: &str) -> bool {
    BINARY_WORDS.iter().any(|(word, _)| *word == text) || UNARY_WORDS.iter().any(|(word, _)| *word == text)
}

/// An operator that is glued to what follows: the first letter of `GFp0`, `Xa`, `FG`. What follows
/// further such letters must be one small letter and digits, so that names such as `Free` are names.
pub(super) fn glued(text: &str) -> Option<Unary> {
    let whole = word(text);
    let rest = whole.trim_start_matches(['G', 'F', 'X']);
    let mut rest_signs = rest.chars();
    let usual =
        rest_signs.next().is_none_or(|c| c.is_ascii_lowercase()) && rest_signs.all(|c| c.is_ascii_digit());
    match whole.chars().next()? {
        'G' if usual => Some(Unary::Globally),
        'F' if usual => Some(Unary::Finally),
        'X' if usual => Some(Unary::Next),
        _ => None,
    }
}

/// The operator that a word was probably meant to be.
pub(super) fn suggest(found: &str) -> Option<&'static str> {
    let words = || BINARY_WORDS.iter().map(|(word, _)| *word);
    words().find(|word| word.eq_ignore_ascii_case(found)).or_else(|| {
        words()
            .filter(|word| word.len() > 2)
            .map(|word| (distance(word, found), word))
            .min()
            .filter(|(distance, word)| *distance <= 2 && distance * 2 < word.len())
            .map(|(_, word)| word)
    })
}

/// How many letters must be inserted, removed or changed to make one word of the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().take(40).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, from) in left.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in right.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}
