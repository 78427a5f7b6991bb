/**
 * A client of Brettwerk: sign in, sit down, watch and act. A bot is a function from an update to an action.
 *
 * The messages of the contract are in `@brettwerk/client/v1/play`, `.../sessions`, `.../einstein` and so on.
 */
export type { MethodName, RequestOf, ResponseOf } from "./calls";
export { Client, type ClientOptions, type Player } from "./client";
export { anyOf, registry, unpack } from "./messages";
export { Refused, type ReasonWord } from "./refused";
export type { WaitsListener } from "./outages";
export type { RunOptions } from "./running";
export { Seat, type Action, type Bot, type Table, type WatchOptions } from "./seat";
export { computer, me, nobody, type SeatWish } from "./wishes";
