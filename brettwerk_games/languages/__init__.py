"""The languages that Brettwerk speaks. English is written beside what says it; every other language has a folder here.

A folder (`fr/`) has the name of its language in `language.json`, and as much of the rest as is written (docs/languages.md):

    page/<feature>.json                      the web client: what clients/web/src/app/<feature>/en.json has
    messages.json                            mails and push messages
    games.json                               what games have in common: quick phrases, levels, facts beside a board
    achievements.json                        achievements over all games
    games/<game>/text.json, rules.md         a game's catalogue and its rules page
    games/<game>/achievements.json, board.json

A text missing in a folder is said in English. A game may bring its words itself, as those do that are installed as packages; they
come before those of a folder. `scripts/missing_words.py` counts what a language lacks.
"""
