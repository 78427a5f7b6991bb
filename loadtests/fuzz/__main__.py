"""Sends well-formed messages with things that players really have, in every way, and fails when more than a refusal comes of it.

    python -m loadtests.fuzz --seconds 60
    python -m loadtests.fuzz --seconds 3600 --seed 7

It starts a deployment of its own, without rates. Players make tables of all games, play, save, load, settle and leave; more than
half of what they send is changed somewhere: other people's tokens, stale versions, used request ids, numbers at bounds, texts
that are empty or huge, values of other games, records and start positions with other content. An INTERNAL or UNKNOWN answer,
none at all, a game that does not stand its check, a traceback or an error in a log, the end of a process, or more memory than
MAX_GROWTH_MB at the end is a fault. Each is printed with the smallest request that shows it still, and the exit status is 1.
"""

import asyncio
import random
import sys
import time
from collections import Counter

import grpc
import uvloop
from google.protobuf import text_format
from google.protobuf.message import Message

from brettwerk.v1 import play_pb2
from loadtests.fuzz.material import Material, Person
from loadtests.fuzz.requests import Requests
from loadtests.fuzz.senders import WAYS, Senders, frames_of, method_name
from loadtests.limits import UNLIMITED
from loadtests.log_faults import LogFaults
from loadtests.processes import resident
from loadtests.run import deployment as started
from loadtests.run import parser

MAX_GROWTH_MB = {"redis": 1024, "": 512}
"""By how much the memory of Redis, and of every other process, may have grown at the end of a run, in MiB."""
PEOPLE = 8
"""Players that send at the same time."""
_WEIGHTS = (3, 3, 3, 2)
"""How often each way is taken: JSON is the dearest."""
MAX_ATTEMPTS = 80
"""Requests that are tried to find the smallest one that still shows a fault."""
MAX_FAULTS = 20
"""After so many faults a run ends."""
_VOID = ("NO_TOKEN", grpc.StatusCode.UNAUTHENTICATED.name, "401")
"""The answers to a player whose token is void, by way of sending."""


class Faults:
    """The faults of a run."""

    def __init__(self, seed: int) -> None:
        """Take the seed, which is told with every fault."""
        self.count = 0
        self._seed = seed
        self._seen: Counter[str] = Counter()

    def add(self, what: str, where: str, request: Message | None = None) -> None:
        """Print a fault, the first of its kind in full."""
        kind = f"{where} {what[:60]}"
        self._seen[kind] += 1
        self.count += 1
        if self._seen[kind] > 1:
            return
        print(f"\nFAULT {where}, seed {self._seed}: {what}", flush=True)
        if request is not None:
            print(f"the request, a {request.DESCRIPTOR.full_name}:")
            print(text_format.MessageToString(request)[:6000], flush=True)


class Run:
    """A run against one system."""

    def __init__(self, seed: int, senders: Senders, faults: Faults) -> None:
        """Take where to send to and where to tell of faults."""
        self.rng = random.Random(seed)
        self.material = Material(self.rng)
        self.requests = Requests(self.rng, self.material)
        self.senders = senders
        self.faults = faults
        self.sent: Counter[str] = Counter()
        self.said: Counter[str] = Counter()

    async def drive(self, seconds: float) -> None:
        """Send for so long."""
        await self._enter()
        until = time.monotonic() + seconds
        await asyncio.gather(*(self._play(number, until) for number in range(PEOPLE)))

    async def _enter(self) -> None:
        nobody = Person("", "", "")
        for number in range(PEOPLE):
            person = Person(f"Fuzz {number}", "", "")
            await self._admit(person)
            self.material.people.append(person)
        said = await self.senders.send("grpc", self.material.people[0], play_pb2.ListGamesRequest())
        assert said.response is not None, said
        self.material.learn(nobody, play_pb2.ListGamesRequest(), said.response)

    async def _admit(self, person: Person) -> None:
        """Give somebody a player, a new one if they had one."""
        request = play_pb2.CreatePlayerRequest(name=person.name, request_id=self.rng.randbytes(8).hex())
        said = await self.senders.send("grpc", Person("", "", ""), request)
        assert isinstance(said.response, play_pb2.CreatePlayerResponse), said
        await self.senders.forget(person)
        person.player_id, person.token = said.response.player_id, said.response.player_token
        self.material.texts.extend([person.player_id, person.token])

    async def _play(self, number: int, until: float) -> None:
        person = self.material.people[number]
        while True:
            if time.monotonic() > until or self.faults.count >= MAX_FAULTS:
                return
            if self.rng.random() < 0.01:
                await self._watch(person)
                continue
            request = self.requests.next(person)
            way = self.rng.choices(WAYS, _WEIGHTS)[0]
            said = await self.senders.send(way, person, request)
            self.sent[method_name(request)] += 1
            self.said[said.reason or "OK"] += 1
            if said.fault:
                self.faults.add(said.fault, f"{method_name(request)} by {way}", await self._smallest(way, person, request))
            if said.reason in _VOID:  # they have deleted their player, or signed out: nothing else would be said from now on
                await self._admit(person)
            if said.response is not None:
                if isinstance(said.response, play_pb2.VerifySessionResponse) and not said.response.verification.good:
                    what = f"a game does not stand its check: {said.response.verification.fault.message}"
                    self.faults.add(what, method_name(request), said.response)
                self.material.learn(person, request, said.response)
                await self._look(person, request, said.response)

    async def _look(self, person: Person, request: Message, response: Message) -> None:
        """Look at a table after something was done there, as a client would."""
        session_id = getattr(request, "session_id", "")
        if "session" in response.DESCRIPTOR.fields_by_name:
            session_id = response.session.id  # type: ignore[attr-defined]
        table = self.material.tables.get(session_id)
        if table is None or isinstance(request, play_pb2.GetSessionRequest):
            return
        for token in [token for token, holder in table.tokens.values() if holder is person][:2]:
            looking = play_pb2.GetSessionRequest(session_id=session_id, seat_token=token)
            said = await self.senders.send("grpc", person, looking)
            if said.fault:
                self.faults.add(said.fault, "GetSession by grpc", looking)
            if said.response is not None:
                self.material.learn(person, looking, said.response)

    async def _watch(self, person: Person) -> None:
        """Watch for a moment, or send a few frames of any kind in a stream of their own."""
        request = play_pb2.WatchRequest()
        if self.material.tables:
            table = self.rng.choice(list(self.material.tables.values()))
            request.session_id = table.session.id
            request.after_version = self.rng.choice((0, 1, table.session.version, 2**63))
            if table.tokens:
                request.seat_token = self.rng.choice(list(table.tokens.values()))[0]
        mutant = self.requests.mutator.mutant(request)
        if self.rng.random() < 0.5:
            said = await self.senders.watch(person, mutant)
        else:
            calls = [self.requests.next(person) for _ in range(4)]
            said = await self.senders.converse(person, frames_of(self.requests.mutator, [request, mutant, *calls]))
        self.sent["Watch"] += 1
        if said.fault:
            self.faults.add(said.fault, "Watch or Connect", mutant)

    async def _smallest(self, way: str, person: Person, request: Message) -> Message:
        """Return the request with every field left out without which the fault shows still."""
        smallest, attempts = request, 0
        changed = True
        while changed and attempts < MAX_ATTEMPTS:
            changed = False
            for candidate in _smaller(smallest):
                attempts += 1
                if attempts > MAX_ATTEMPTS:
                    break
                if "request_id" in candidate.DESCRIPTOR.fields_by_name:
                    candidate.request_id = self.rng.randbytes(8).hex()  # type: ignore[attr-defined]
                if (await self.senders.send(way, person, candidate)).fault:
                    smallest, changed = candidate, True
                    break
        return smallest


def _smaller(message: Message) -> list[Message]:
    """Return copies of a message, each with one field less, at any depth; the largest cuts first."""
    found: list[Message] = []
    for descriptor, value in message.ListFields():
        if descriptor.name == "request_id":
            continue
        without = _copy(message)
        without.ClearField(descriptor.name)
        found.append(without)
        if descriptor.message_type is None or descriptor.message_type.GetOptions().map_entry:
            continue
        if descriptor.is_repeated:
            for at in range(min(len(value), 10)):
                fewer = _copy(message)
                del getattr(fewer, descriptor.name)[at]
                found.append(fewer)
            inner: list[tuple[Message, int | None]] = [(value[at], at) for at in range(min(len(value), 10))]
        else:
            inner = [(value, None)]
        for one, place in inner:
            for smaller in _smaller(one)[:20]:
                copy = _copy(message)
                into = getattr(copy, descriptor.name)
                (into if place is None else into[place]).CopyFrom(smaller)
                found.append(copy)
    return found


def _copy(message: Message) -> Message:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def fuzz(seconds: float, seed: int) -> int:
    """Run for so long in a deployment of its own, print what was found, and return the number of faults."""
    faults, logs = Faults(seed), LogFaults()
    with started(UNLIMITED | {"BRETTWERK_STREAMS_PER_PLAYER": "1000000"}, echo=logs.hear) as deployment:
        before, pids = resident(deployment.pids()), deployment.pids()

        async def drive() -> Run:
            senders = Senders(deployment.grpc_address, deployment.web_address, random.Random(seed + 1))
            run = Run(seed, senders, faults)
            try:
                await run.drive(seconds)
            finally:
                await senders.close()
            return run

        run = uvloop.run(drive())
        after = resident(deployment.pids())
        for process, pid in deployment.pids().items():
            if pids.get(process) != pid:
                faults.add(f"{process} ended and was started again", "processes")
        grown = {process: (after[process] - before.get(process, 0)) / 2**20 for process in after}
        for process, growth in grown.items():
            most = MAX_GROWTH_MB.get(process, MAX_GROWTH_MB[""])
            if growth > most:
                faults.add(f"{process} grew by {growth:.0f} MiB, at most {most} are allowed", "memory")
        if logs.lines:
            faults.add(str(logs), "logs")
    total = sum(run.sent.values())
    print(f"seed {seed}: {total} requests in {seconds:.0f} s, {faults.count} faults")
    print("requests: " + ", ".join(f"{name} {count}" for name, count in run.sent.most_common()))
    print("answers: " + ", ".join(f"{name} {count}" for name, count in run.said.most_common()))
    print("grown by MiB: " + ", ".join(f"{process} {growth:.0f}" for process, growth in grown.items()), flush=True)
    return faults.count


def main() -> int:
    """Read the options, run, and return the exit status."""
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=None, help="the same seed produces the same requests; random by default")
    args = options.parse_args()
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    return 1 if fuzz(args.seconds, seed) else 0


if __name__ == "__main__":
    sys.exit(main())
