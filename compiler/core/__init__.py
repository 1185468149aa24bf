"""The core: everything a rule set says, in a few typed forms, read by all later rooms."""
