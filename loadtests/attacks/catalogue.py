"""The list: every attack by its name, what it does, and the bounds that it runs into."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from loadtests.attacks import (
    by_duration,
    by_number,
    by_password,
    by_size,
    http2,
    http_heads,
    json_texts,
    slow_clients,
    websocket_frames,
)
from loadtests.attacks.target import Target


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack."""

    name: str
    run: Callable[[Target], Awaitable[None]]
    bound: str
    """The bound that stops it."""
    is_short: bool = False
    """Whether it shows what it does within a second: every change is tried with those."""

    @property
    def about(self) -> str:
        """The attack in a sentence."""
        return (self.run.__doc__ or "").strip()


_MESSAGES = "messages of a request (limits.proto), counted beside the gateway; a token for every 16 KiB"
_COST = "rates charge the CPU time that was used"
_HEAD = "32 KiB and 100 fields of a head"
_AROUND = "32 KiB around a chunk, and as many bytes as the body"
_FRAMES = "64 frames count as a request, and in one go"
_CONNECTIONS = "2,000 connections of an address, 20,000 in all, the last quarter for addresses with few"
_HTTP2 = "2,000 frames that bring nothing, and 500 a second; of an address twice as many"

ATTACKS = (
    Attack("check-record", by_size.check_record, _MESSAGES),
    Attack("import", by_size.import_session, _MESSAGES),
    Attack("propose-load", by_size.propose_load, _MESSAGES),
    Attack("just-allowed", by_size.just_allowed, "the queue of large requests, in processes of a lower priority"),
    Attack("small-and-dense", by_size.small_and_dense, "10,000 messages; " + _COST),
    Attack("depth", by_size.depth, "16 messages inside each other; an Any is never unpacked for its own sake"),
    Attack("json", by_size.json_bodies, "JSON of more than 8 KiB is read beside the gateway, with a bound of CPU time"),
    Attack("editor-boards", by_size.editor_boards, "600 pieces, 200 articles; three at a time of an address; " + _COST),
    Attack("editor-rubbish", by_size.editor_rubbish, "256 KiB a request, 10,000 messages; " + _COST),
    Attack("long-names", by_size.long_names, "40 bytes of a name, 80 of a title"),
    Attack("notation", by_size.notation, "200 bytes of notation"),
    Attack("slow-uploads", by_size.slow_uploads, "30 s for a body; open calls of an address"),
    Attack("hints", by_number.hints, "the rate of costly calls; the queue of reviews"),
    Attack("tables", by_number.tables, "the rate of costly calls; three at a time of an address, the others wait"),
    Attack("tables-from-many", by_number.tables_from_many, "the rate of costly calls; three at a time of each address"),
    Attack("proposals", by_number.proposals, "one open proposal of a kind; " + _COST),
    Attack("histories", by_number.histories, "pages of 4 MiB; " + _COST),
    Attack("lists", by_number.lists, "pages of 100; " + _COST),
    Attack("request-ids", by_number.request_ids, "the rates"),
    Attack("bad-tokens", by_number.bad_tokens, "the rates of the address"),
    Attack("claimed-addresses", by_number.claimed_addresses, "the rates of the address that the proxy saw"),
    Attack("forks", by_number.forks, "the rate of costly calls; sessions of a player"),
    Attack("resets", by_number.resets, "calls that a process serves at once"),
    Attack("guest-passwords", by_password.guest_passwords, "guests of an address that wait; addresses take turns at hashing"),
    Attack("guest-passwords-from-many", by_password.guest_passwords_from_many, "guests that wait; sign-ins come first"),
    Attack("guesses", by_password.guesses, "wrong guesses at an account; known devices are counted by themselves"),
    Attack("idle-sockets", by_duration.idle_sockets, "1,000 open streams of an address"),
    Attack("half-requests", by_duration.half_requests, "10 s for the headers of a request"),
    Attack("deaf-sockets", by_duration.deaf_socket, "4 MiB that wait for a client"),
    Attack("deaf-watches", by_duration.deaf_watches, "64 open watches of a player; 4 MiB that wait for a client"),
    Attack("rapid-resets", http2.rapid_resets, "200 resets a second of a connection, 400 of an address"),
    Attack("settings-flood", http2.settings_flood, _HTTP2),
    Attack("ping-flood", http2.ping_flood, _HTTP2),
    Attack("window-flood", http2.window_flood, _HTTP2),
    Attack("priorities", http2.priorities, _HTTP2),
    Attack("empty-data", http2.empty_data, _HTTP2),
    Attack("single-bytes", http2.single_bytes, _HTTP2),
    Attack("continuations", http2.continuations, "16 KiB of headers"),
    Attack("header-bombs", http2.header_bombs, "16 KiB of headers, as they come and as they are read"),
    Attack("grpc-gzip-bombs", http2.gzip_bombs, "8 MiB a message; 16 KiB of it count as a frame. " + _HTTP2),
    Attack("zero-windows", http2.zero_windows, "the rates; 32 MiB that wait for a connection, 64 MiB for an address"),
    Attack("tiny-windows", http2.tiny_windows, _HTTP2),
    Attack("streams-left", http2.streams_left, "128 streams of a connection, 1,000 calls of an address; 30 s for a request"),
    Attack("drop-by-drop", http2.drop_by_drop, "a minute in which nothing that has begun goes on"),
    Attack("idle-connections", http2.idle_connections, "256 connections of an address; further ones replace idle ones"),
    Attack("idle-from-many", http2.idle_from_many, "4,096 connections of a process; further ones replace idle ones"),
    Attack("resumed-watches", by_duration.resumed_watches, "the rates; " + _COST),
    Attack("empty-fragments", websocket_frames.empty_fragments, "only the last fragment may be empty", is_short=True),
    Attack("fragments", websocket_frames.fragments_of_a_byte, "4,096 fragments of a message; " + _FRAMES, is_short=True),
    Attack("pings", websocket_frames.pings, _FRAMES, is_short=True),
    Attack("pongs", websocket_frames.pongs, _FRAMES),
    Attack("messages-of-a-byte", websocket_frames.messages_of_a_byte, "the rates", is_short=True),
    Attack("texts-of-a-byte", websocket_frames.texts_of_a_byte, _COST),
    Attack("unfinished-messages", websocket_frames.unfinished_messages, "160 MiB of unfinished requests in all"),
    Attack("endless-field", http_heads.endless_field, _HEAD, is_short=True),
    Attack("endless-fields", http_heads.endless_fields, _HEAD, is_short=True),
    Attack("endless-target", http_heads.endless_target, _HEAD),
    Attack("endless-handshake", http_heads.endless_handshake, _HEAD, is_short=True),
    Attack("empty-lines", http_heads.empty_lines, _HEAD),
    Attack("trailers", http_heads.trailers, _AROUND, is_short=True),
    Attack("endless-trailer", http_heads.endless_trailer, _AROUND),
    Attack("chunk-extensions", http_heads.chunk_extensions, _AROUND),
    Attack("chunks-of-a-byte", http_heads.chunks_of_a_byte, _AROUND),
    Attack("rows-of-requests", http_heads.rows_of_requests, "16 requests wait for the answers to those before", is_short=True),
    Attack("rows-of-offers", http_heads.rows_of_offers, "16 requests wait for the answers to those before"),
    Attack("byte-a-second", slow_clients.byte_a_second, "10 s for a head or TLS, 35 s for a body, 40 s for a sign of life"),
    Attack("half-handshakes", slow_clients.half_handshakes, "10 s for a handshake or a head; " + _CONNECTIONS),
    Attack("idle-crowd", slow_clients.idle_crowd, _CONNECTIONS),
    Attack("idle-crowds", slow_clients.idle_crowds, _CONNECTIONS),
    Attack("deep-texts", json_texts.deep_texts, "100 levels; JSON of more than 8 KiB is read beside the gateway; " + _COST),
    Attack("long-numbers", json_texts.long_numbers, "4,300 digits; JSON of more than 8 KiB is read beside the gateway"),
    Attack("repeated-fields", json_texts.repeated_fields, "JSON is read beside the gateway, in 512 MB; " + _COST),
    Attack("gzip-bombs", json_texts.gzip_bombs, "requests are never decompressed"),
)
