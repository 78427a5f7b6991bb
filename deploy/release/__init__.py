"""Makes a release: images by digest, what is in them and how they were made, the chart, packages, sums and signatures.

`deploy/images/release.sh` runs it with the Python of the system: nothing here needs a package that has to be installed.
"""
