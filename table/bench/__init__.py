"""The workbench: the rules text in the browser, with its findings, its examples as positions, and a game under it."""
