# Filled in with the installed package.
