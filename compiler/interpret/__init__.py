"""The reference interpreter: an oracle for generated code."""
