"""Editor support: a language server, highlighting, and a VS Code extension."""
