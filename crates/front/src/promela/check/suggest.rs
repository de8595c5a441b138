//! Guesses what a misspelt name should have been.

/// The candidate nearest to `word` by edit distance, if one is near enough to be a typo.
pub fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    // Names nobody could mistake are not compared: the distance takes the product of the lengths.
    if length > 64 {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= limit && *candidate != word)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= limit && *distance < candidate.chars().count().min(length)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=right.len()).collect();
    for i in 1..=left.len() {
        for j in 1..=right.len() {
            let replace = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_found_and_other_names_are_not() {
        let known = ["counter", "flag", "x"];
        assert_eq!(closest("conuter", known.into_iter()), Some("counter"));
        assert_eq!(closest("flg", known.into_iter()), Some("flag"));
        assert_eq!(closest("queue", known.into_iter()), None);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("abc", ""), 3);
    }
}
