"""The page: the same calls as the command line, as an HTTP interface on this machine, and the files of the page."""
