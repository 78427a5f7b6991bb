"""The documentation as a web site: the project's pages, the contract, and the sources that pages link to."""
