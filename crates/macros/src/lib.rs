//! The attribute `#[mazurka::test]`: a test that is run under all schedules that matter.
//!
//! It makes an ordinary test of a function without parameters. What stands in its parentheses are options of the
//! checker: `#[mazurka::test(max_executions = 1000)]` calls `Checker::max_executions(1000)`.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Makes a test of a function: its body is run under all schedules that matter.
///
/// Options are those of `mazurka::live::Checker`, by name: `#[mazurka::test(method = Method::Source)]`.
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    match expand(options, item) {
        Ok(tokens) => tokens,
        Err(message) => format!("::core::compile_error!({message:?});").parse().unwrap_or_default(),
    }
}

fn expand(options: TokenStream, item: TokenStream) -> Result<TokenStream, String> {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let keyword =
        |tree: &TokenTree, word: &str| matches!(tree, TokenTree::Ident(ident) if ident.to_string() == word);
    let function = tokens
        .iter()
        .position(|tree| keyword(tree, "fn"))
        .ok_or("#[mazurka::test] belongs before a function")?;
    if tokens[..function].iter().any(|tree| keyword(tree, "async")) {
        return Err(
            "an async function can't be a test: call mazurka::live::future::block_on in it".to_owned()
        );
    }
    let name = match tokens.get(function + 1) {
        Some(TokenTree::Ident(name)) => name.clone(),
        _ => return Err("a function with a name is needed".to_owned()),
    };
    let empty = matches!(tokens.get(function + 2), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis && group.stream().is_empty());
    if !empty {
        return Err("a test has no parameters".to_owned());
    }
    // Attributes such as #[ignore] and #[should_panic] are those of the test.
    let mut place = 0;
    let mut attributes = TokenStream::new();
    while let (Some(TokenTree::Punct(mark)), Some(group)) = (tokens.get(place), tokens.get(place + 1)) {
        if mark.as_char() != '#' {
            break;
        }
        attributes.extend([tokens[place].clone(), group.clone()]);
        place += 2;
    }
    let calls = options_as_calls(options)?;
    let parse = |text: String| -> Result<TokenStream, String> {
        text.parse().map_err(|error| format!("the test can't be built: {error}"))
    };
    // What the user wrote stays as it is, so that failures and the compiler name its own lines.
    let mut body: TokenStream = tokens[place..].iter().cloned().collect();
    body.extend(parse(format!(
        "#[allow(unused_imports)] use ::mazurka::live::{{Checker, Method, Search}};
         ::mazurka::live::harness::run(
             ::core::concat!(::core::module_path!(), \"::{name}\"), Checker::new(){calls}, {name});"
    ))?);
    let mut test = attributes;
    test.extend(parse("#[::core::prelude::v1::test] fn".to_owned())?);
    test.extend([
        TokenTree::Ident(name),
        Group::new(Delimiter::Parenthesis, TokenStream::new()).into(),
        Group::new(Delimiter::Brace, body).into(),
    ]);
    Ok(test)
}

/// `a = 1, b = x` becomes `.a(1).b(x)`.
fn options_as_calls(options: TokenStream) -> Result<String, String> {
    let mut calls = String::new();
    let mut trees = options.into_iter().peekable();
    while trees.peek().is_some() {
        let name = match trees.next() {
            Some(TokenTree::Ident(name)) => name.to_string(),
            _ => return Err("options look like this: max_executions = 1000".to_owned()),
        };
        match trees.next() {
            Some(TokenTree::Punct(mark)) if mark.as_char() == '=' => {}
            _ => return Err(format!("`{name}` needs a value: {name} = …")),
        }
        let value: TokenStream = std::iter::from_fn(|| {
            trees.next_if(|tree| !matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ','))
        })
        .collect();
        trees.next();
        calls.push_str(&format!(".{name}({value})"));
    }
    Ok(calls)
}
