/** The service worker: it shows notifications, and what there is to show while there is no network. */

/** Registers it, or finds it registered. Raises what the browser raises. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register("/service-worker.js");
}

/** Registers it when the browser has nothing else to do, and without a word where it cannot be. */
export function registerWhenIdle(): void {
  if (!("serviceWorker" in navigator)) return;
  const begin = (): void => void registerWorker().catch(() => undefined);
  if ("requestIdleCallback" in window) window.requestIdleCallback(begin, { timeout: 10_000 });
  else setTimeout(begin, 3000);
}
