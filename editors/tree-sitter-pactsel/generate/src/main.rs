//! Writes src/parser.c and what goes with it for the grammars that the arguments name. Node reads grammar.js.

use std::path::Path;
use tree_sitter_generate::{generate_parser_in_directory, OptLevel};

/// The version of the format of parser.c. Emacs 30 reads 13 and 14.
const ABI: usize = 14;

fn main() {
    for grammar in std::env::args().skip(1) {
        let (dir, mut diagnostics) = (Path::new(&grammar), Vec::new());
        let done = generate_parser_in_directory(
            dir,
            Some(dir.join("src")),
            Some(dir.join("grammar.js")),
            ABI,
            None,
            Some("node"),
            true,
            OptLevel::default(),
            &mut diagnostics,
        );
        for d in &diagnostics {
            eprintln!("{grammar}: {d:?}");
        }
        if let Err(err) = done {
            eprintln!("{grammar}: {err}");
            std::process::exit(1);
        }
    }
}
