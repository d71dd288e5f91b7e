// SYNTAX TEST "source.rust" "Selectors in strings of Rust."
let a = /* pact */ r#".block[kind="x"]"#;
//                    ^^^^^^ entity.name.type.pactsel
//                                ^ string.quoted.pactsel
let b = r#".block"#;
//         ^^^^^^ - entity.name.type.pactsel
