from expected.commands import cli

cli()
