//! The tutorial "Add a game": its code is that of the example, and its output what the example prints.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "the example's own main")]
#[path = "../../examples/your_first_game.rs"]
mod example;

const PAGE: &str = include_str!("../../../../docs/tutorials/game.md");
const EXAMPLE: &str = include_str!("../../examples/your_first_game.rs");

/// Returns the blocks of the page in `language`.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    PAGE.split(start.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_code_of_the_page_is_that_of_the_example() {
    let code = blocks("rust");
    assert!(code.len() > 6, "{} blocks", code.len());
    for block in code {
        assert!(EXAMPLE.contains(block), "the example has no\n{block}");
    }
}

#[test]
fn the_output_of_the_page_is_that_of_the_example() {
    let seen = example::standings().unwrap();
    let page = blocks("text");
    assert_eq!(page.len(), 1);
    assert_eq!(page[0].trim_end(), seen.trim_end());
}
