"""Looking after the file: copies, restoring, migrations, checks, who may do so when."""
