/** jsdom draws nothing, so it has no ResizeObserver, and no media but calm ones; neither ever changes. */
globalThis.ResizeObserver = class {
  observe = (): void => undefined;
  unobserve = (): void => undefined;
  disconnect = (): void => undefined;
};

globalThis.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: media.includes("reduce"),
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
