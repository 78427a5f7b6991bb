"""Builds the package, with the contract of its messages."""

from setuptools import setup

from services.game_packages.building import WithContract

setup(cmdclass={"build_py": WithContract})
