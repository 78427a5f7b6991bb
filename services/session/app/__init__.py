"""The process: the endpoint, what each call does, what happens without calls, and how the parts are put together."""
