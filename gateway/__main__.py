"""`python -m gateway`: runs the gateway until SIGTERM or SIGINT."""

import asyncio
import signal

import uvloop

from gateway.process import Gateway
from services.runtime import logs, trace
from services.runtime.cannot_start import cannot_start
from services.runtime.server import serve
from services.runtime.settings import settings


def main() -> None:
    """Run the gateway. Exits with 2 and a plain sentence if a setting is invalid or a port is taken."""
    config = settings()
    try:
        gateway = Gateway(config)
    except ValueError as error:
        raise cannot_start(f"the gateway cannot start: {error}") from None
    logs.configure(gateway.name, config.log_level)
    trace.configure(gateway.name, config)

    async def run() -> None:
        stopping = asyncio.Event()

        def stop() -> None:
            gateway.is_leaving = True
            stopping.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop)
        await serve(gateway, config.gateway_listen, config, stopping, is_endpoint=True)

    uvloop.run(run())


if __name__ == "__main__":
    main()
