"""Elaborate: from declarations to the core, with names bound and types checked."""
