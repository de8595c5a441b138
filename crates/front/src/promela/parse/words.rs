//! The words that are no names.

/// Whether a word is reserved. `in` is a name outside the head of a `for`, as in SPIN.
pub fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "active"
            | "assert"
            | "atomic"
            | "bit"
            | "bool"
            | "break"
            | "byte"
            | "c_code"
            | "c_decl"
            | "c_expr"
            | "c_state"
            | "c_track"
            | "D_proctype"
            | "do"
            | "chan"
            | "else"
            | "empty"
            | "enabled"
            | "eval"
            | "false"
            | "fi"
            | "for"
            | "full"
            | "get_priority"
            | "goto"
            | "hidden"
            | "if"
            | "init"
            | "inline"
            | "int"
            | "len"
            | "local"
            | "ltl"
            | "mtype"
            | "nempty"
            | "never"
            | "nfull"
            | "notrace"
            | "np_"
            | "od"
            | "of"
            | "pc_value"
            | "pid"
            | "printf"
            | "printm"
            | "priority"
            | "proctype"
            | "provided"
            | "return"
            | "run"
            | "d_step"
            | "select"
            | "set_priority"
            | "short"
            | "skip"
            | "timeout"
            | "trace"
            | "true"
            | "show"
            | "typedef"
            | "unless"
            | "unsigned"
            | "xr"
            | "xs"
    )
}

/// Words that only begin an item, never a statement: behind a missing brace the parser finds its
/// footing there.
pub fn begins_item(word: &str) -> bool {
    matches!(
        word,
        "active"
            | "D_proctype"
            | "init"
            | "inline"
            | "ltl"
            | "never"
            | "notrace"
            | "proctype"
            | "trace"
            | "typedef"
    )
}

/// Words that begin a declaration.
pub fn begins_declaration(word: &str) -> bool {
    matches!(
        word,
        "bit"
            | "bool"
            | "byte"
            | "chan"
            | "hidden"
            | "int"
            | "local"
            | "mtype"
            | "pid"
            | "short"
            | "show"
            | "unsigned"
    )
}

/// Reserved words behind which the end of a line ends the statement.
pub fn ends_statement(word: &str) -> bool {
    matches!(word, "od" | "fi" | "else" | "break" | "true" | "false" | "skip" | "timeout")
}

/// Words of embedded C.
pub fn is_embedded_c(word: &str) -> bool {
    matches!(word, "c_code" | "c_decl" | "c_expr" | "c_state" | "c_track")
}
