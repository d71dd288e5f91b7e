//! Tells Zed how pact-lsp is started: the one on the PATH.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Pactkit;

impl zed::Extension for Pactkit {
    fn new() -> Self {
        Pactkit
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree
            .which("pact-lsp")
            .ok_or("pact-lsp is not on the PATH: go install github.com/pactkit/pactkit/cmd/pact-lsp@latest")?;
        Ok(Command { command, args: Vec::new(), env: worktree.shell_env() })
    }
}

zed::register_extension!(Pactkit);
