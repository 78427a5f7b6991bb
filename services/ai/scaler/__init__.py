"""The figures by which KEDA scales workers: the AI service, which knows what is wanted, answers KEDA itself (an external scaler).

Every answer comes from what this process last heard of the board (services/ai/board/load.py): whoever asks costs the broker
nothing. `ScalerService` answers, and tells streams when the first worker is needed. `Scaler` is the port at which it does.
"""
