// Shows what was pushed, leads from notifications to their table, and stands in for pages while there is no network.
//
// It keeps the files of one build, and no answer to anything: pages come from the network, so that a new release is shown at once,
// and only where there is none from what is kept here. tools/service-worker.mjs fills in which files there are.

const BUILD = "development";
const FILES = [];
const KEPT = "brettwerk-files-";
const OFFLINE = "/offline.html";

/** Keeps the files of this build, all or none. */
const keepFiles = async () => {
  const cache = await caches.open(KEPT + BUILD);
  await cache.addAll(FILES);
};

/** Forgets the builds before the last one, whose pages may still be open. */
const forgetFiles = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(KEPT) && name !== KEPT + BUILD);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
};

/** Returns a page of the network, or what says that there is none. */
const page = async (request) => {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(OFFLINE);
    if (kept === undefined) throw error;
    return kept;
  }
};

/** Returns a file that never changes: as it is kept, or from the network. */
const file = async (request) => (await caches.match(request)) ?? fetch(request);

/** Goes to the page that shows a table, or opens one. */
const lead = async (path) => {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((each) => new URL(each.url).pathname === path);
  await (there === undefined ? self.clients.openWindow(path) : there.focus());
};

/** Shows a message; of each tag there is one notification at a time. */
const show = async (message) => {
  const { title = "Brettwerk", body = "", tag = "", path = "/" } = message;
  await self.registration.showNotification(title, {
    body,
    tag,
    icon: "/icon-192.png",
    badge: "/badge.png",
    data: { path },
  });
};

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepFiles());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), forgetFiles()]));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (FILES.includes(pathname)) event.respondWith(file(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});
self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // A browser wants something shown for whatever comes.
  }
  event.waitUntil(show(message));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data?.path;
  if (typeof path === "string" && /^\/(?!\/)/.test(path)) event.waitUntil(lead(path));
});
