/** jsdom draws nothing, so it has no ResizeObserver; this one never has anything to tell. */
globalThis.ResizeObserver = class {
  observe = (): void => undefined;
  unobserve = (): void => undefined;
  disconnect = (): void => undefined;
};
