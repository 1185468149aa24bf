"""What a keeper of errata does with a diff: severities, baselines, SARIF, books by their files."""
