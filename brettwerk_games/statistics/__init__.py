"""How finished games are counted: the same counts for games of the archive and for runs of games among computers.

Pure: no game, no store, no network. What each kind of tally means is said in protos/brettwerk/v1/statistics.proto.
"""
