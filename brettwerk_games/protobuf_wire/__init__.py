"""The wire format of protobuf, for messages that are put together from parts that are encoded already, and values as messages.

It knows no service.
"""
