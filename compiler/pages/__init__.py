"""What all pages share: HTML environment, stylesheet, pictures of maps."""
