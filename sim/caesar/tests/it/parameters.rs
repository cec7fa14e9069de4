//! Names of parameters: no parameter is a tuple that is destructured in the signature.

use crate::arrows::{code, is_name};
use crate::tidy::{CRATES, files_of, root};

/// Returns the functions of `code` with a parameter whose pattern is a tuple.
fn with_tuples(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for function in code.split("fn ").skip(1) {
        let end = function.find(|c| !is_name(c)).unwrap_or(function.len());
        let (name, rest) = function.split_at(end);
        // The depth of open brackets, and flags for the list of parameters and the beginning of a parameter.
        let (mut depth, mut is_list, mut is_begin, mut last) = (0, false, false, ' ');
        for c in rest.chars().filter(|c| !c.is_whitespace() && *c != '&') {
            match c {
                '(' if is_begin => {
                    found.push(name);
                    break;
                }
                '(' | '[' | '{' | '<' => {
                    is_list |= c == '(' && depth == 0;
                    depth += 1;
                }
                '>' if last == '-' || last == '=' => {}
                ')' | ']' | '}' | '>' => depth -= 1,
                _ => {}
            }
            if is_list && depth == 0 {
                break;
            }
            is_begin = is_list && depth == 1 && (c == '(' || c == ',');
            last = c;
        }
    }
    found
}

#[test]
fn a_tuple_among_parameters_is_found_and_one_in_a_type_is_none() {
    let planted = "fn plain<F: Fn(u8, (u8, u8)) -> (u8, u8)>(f: F, x: (u8, u8)) -> u8 {}\n\
                   fn first((x, y): (u8, u8)) {}\n\
                   fn last(&self, n: [u8; 2], (x, y): (u8, u8)) {}\n\
                   fn borrowed(\n    n: fn(u8) -> u8,\n    &(x, y): &(u8, u8),\n) {}\n\
                   fn closure(n: u8) { call(n, |(x, y): (u8, u8)| x + y) }\n";
    assert_eq!(with_tuples(planted), ["first", "last", "borrowed"]);
}

/// A tuple counts as one argument, so the lint against too many arguments misses what a reader must follow.
#[test]
fn no_parameter_is_a_tuple() {
    for (path, text) in CRATES.into_iter().flat_map(files_of) {
        let path = path.strip_prefix(root()).unwrap();
        if path.iter().any(|part| part == "tests") {
            continue;
        }
        let place = path.display();
        let code = code(&text);
        let found = with_tuples(&code);
        assert!(found.is_empty(), "{place}: a tuple among the parameters of {found:?}");
    }
}
