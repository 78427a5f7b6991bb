// Shows notifications while no page is looked at, and leads from them to their table.

/** Goes to the page that shows a table, or opens one. */
const lead = async (path) => {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === path);
  await (there === undefined ? self.clients.openWindow(path) : there.focus());
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data?.path;
  if (typeof path === "string" && path.startsWith("/s/")) event.waitUntil(lead(path));
});
