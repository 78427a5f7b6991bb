"""Which of several processes owns which shard: leases in Redis, fair shares, and handing over.

It knows that an id begins with its shard, and nothing of what is kept there.
"""
