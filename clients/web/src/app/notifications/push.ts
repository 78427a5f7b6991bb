/** Push messages as the browser gets them: its subscription, and what the server knows of it. */
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { Reason } from "@brettwerk/client/v1/errors";
import type { Notifications } from "@brettwerk/client/v1/notifications";
import { ownRefusal } from "@brettwerk/client/wire";
import { browserStorage } from "../../api/storage";
import { server } from "../server.svelte";
import { canNotify } from "../news/notification";
import { settings } from "../settings.svelte";
import { registerWorker } from "../worker";
import { deviceName } from "./device_name";

/** Where the browser keeps the id of the player who wants push messages at this device. */
const WANTED_BY = "brettwerk.push";
const storage = browserStorage("localStorage");

/** Whether this browser can get push messages for pages of this address. */
export function canPush(): boolean {
  return canNotify() && "PushManager" in window;
}

/** The time zone of this device, by its IANA name. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the id under which the server knows this browser's subscription; nothing where there is none. */
export async function ownDevice(): Promise<string | undefined> {
  const subscription = canPush() ? await subscribed() : undefined;
  return subscription === undefined ? undefined : idOf(subscription.endpoint);
}

/** Switches push messages on at this device, at a click of the player's. Raises Refused. */
export async function startPush(pushKey: string): Promise<Notifications | undefined> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw ownRefusal(Reason.UNKNOWN, "notifications are not allowed", { what: "denied" });
  }
  const notifications = await add(await subscribe(pushKey));
  storage.setItem(WANTED_BY, server.wallet.player?.id ?? "");
  return notifications;
}

/** Switches them off at this device. Raises Refused. */
export async function stopPush(): Promise<Notifications | undefined> {
  storage.removeItem(WANTED_BY);
  const subscription = await subscribed();
  if (subscription === undefined) return undefined;
  const id = await idOf(subscription.endpoint);
  await subscription.unsubscribe();
  return (await server.call("removePushDevice", { id })).notifications;
}

/** Lets the server know this device again, where it gets push messages: after all devices were forgotten. Raises Refused. */
export async function addAgain(): Promise<Notifications | undefined> {
  const subscription = canPush() ? await subscribed() : undefined;
  return subscription === undefined ? undefined : await add(subscription);
}

/**
 * Keeps what the browser and the server know of each other equal: a device that the player has removed elsewhere, or that is
 * another player's, ends its subscription, and one for a key that was replaced, or that the browser has lost, is renewed. Raises
 * Refused.
 */
export async function keepPush(): Promise<void> {
  if (!canPush() || Notification.permission !== "granted") return;
  const player = server.wallet.player?.id ?? "";
  const subscription = await subscribed();
  // Browsers end a subscription by themselves, and tell no page of it.
  const isLost = subscription === undefined && player !== "" && storage.getItem(WANTED_BY) === player;
  if (subscription === undefined && !isLost) return;
  const { notifications } = await server.call("getNotifications", {});
  if (notifications === undefined) return;
  if (subscription === undefined) {
    if (notifications.pushKey !== "") await add(await subscribe(notifications.pushKey));
    return;
  }
  const id = await idOf(subscription.endpoint);
  if (!notifications.devices.some((device) => device.id === id)) {
    storage.removeItem(WANTED_BY);
    await subscription.unsubscribe();
    return;
  }
  storage.setItem(WANTED_BY, player);
  if (notifications.pushKey !== "" && !isFor(subscription, notifications.pushKey)) {
    await add(await subscribe(notifications.pushKey));
    await server.call("removePushDevice", { id });
  }
}

async function subscribed(): Promise<PushSubscription | undefined> {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? undefined;
}

async function subscribe(pushKey: string): Promise<PushSubscription> {
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    const before = await pushManager.getSubscription();
    if (before !== null && isFor(before, pushKey)) return before;
    await before?.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  } catch (error: unknown) {
    throw ownRefusal(Reason.UNAVAILABLE, String(error), { what: "subscribing" });
  }
}

async function add(subscription: PushSubscription): Promise<Notifications | undefined> {
  const { p256dh = "", auth = "" } = subscription.toJSON().keys ?? {};
  const response = await server.call("addPushDevice", {
    endpoint: subscription.endpoint,
    key: base64Decode(p256dh),
    secret: base64Decode(auth),
    label: deviceName(navigator.userAgent),
    language: settings.language,
    timeZone: timeZone(),
  });
  return response.notifications;
}

function isFor(subscription: PushSubscription, pushKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return key !== null && base64Encode(new Uint8Array(key), "url") === pushKey;
}

async function idOf(endpoint: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
