// What the workbench needs of CodeMirror, as one file.
export { EditorState, EditorSelection } from "@codemirror/state";
export { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { StreamLanguage, HighlightStyle, syntaxHighlighting, indentUnit } from "@codemirror/language";
export { search, searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { lintGutter } from "@codemirror/lint";
export { tags } from "@lezer/highlight";
export { LSPClient, languageServerExtensions } from "@codemirror/lsp-client";
