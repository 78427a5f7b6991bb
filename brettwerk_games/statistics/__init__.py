"""How finished games are counted: the same counts for games of the archive and for runs of games among computers.

Pure: no game, no store, no network. The meaning of each kind of tally is said in protos/brettwerk/v1/statistics.proto.
"""
