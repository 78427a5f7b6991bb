"""The kinds of faults. Each (`Fault` in fault.py) hurts the system once whenever it is asked to, and heals by itself.

`planned.py` says what the system has to be started with, so that it can be hurt in the ways that are wanted.
"""
