"""Computer players: `AiService` takes requests and queues them, Celery workers think and answer. Both see views only."""
