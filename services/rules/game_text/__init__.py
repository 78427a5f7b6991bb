"""Whole games as texts that people read, and games read from them again: heading.py, then writer.py and parser.py.

    [Game "wec"]
    [Rules "2"]
    [movement "standard_chess"]

    1. MV:FP(2,5)->(3,5)
    2. MV:FP(9,5)->(8,5),OR:M
    {resign 1}

The heading names the game, the revision of its rules and the options that are not as preset; an edited start position stands in
it as the bytes of its message in base64, a set-up that was drawn by lot as its seed. Every line after it is what the game says a
line is (WritesText): a Turn, or an action. One that ends with `...` goes on in the next line. In braces stands what did not come
from a seat: resign and time with the seat from 1, draw, options with their values. A number before a line, empty lines and lines
that begin with a semicolon say nothing.
"""
