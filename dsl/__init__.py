"""The notation: grammar, spans, syntax nodes, diagnostics and the printer."""
