"""The process: the endpoint, what each call does, what is done when nobody calls, and how the parts are put together."""
