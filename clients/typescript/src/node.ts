/** The same for Node.js: releases before 22 have no WebSocket of their own. */
import WebSocket from "ws";
import { hasSockets, useSockets, type Sockets } from "./sockets";

if (!hasSockets()) useSockets(WebSocket as unknown as Sockets);

export * from "./index";
