/**
 * Parts of a client, for programs that keep more than it does, as the server's own web client: a connection that comes back,
 * calls by the names of their methods, watches that resume, refusals as errors.
 */
export { backoff, type BackoffRange } from "./backoff";
export { isWrite, makeCall, newRequestId, responseTo, type MethodName, type RequestOf, type ResponseOf } from "./calls";
export { Connection, refusalIn, type Asker, type ConnectionState, type Question } from "./connection";
export { Followings } from "./followings";
export { NewsWatch } from "./news_watch";
export type { Ground, Socket } from "./reconnecting_socket";
export { isPassing, ownRefusal, refusalOf, Refused } from "./refused";
export { SentCalls, type MayCallAgain } from "./sent_calls";
export { Waits } from "./waits";
export { Watch, type Arrival, type Followed, type Watcher } from "./watch";
