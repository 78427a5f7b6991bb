/** jsdom draws nothing: its page is hidden, it has no ResizeObserver, and no media but calm ones; neither ever changes. */
Object.defineProperty(document, "hidden", { value: true, configurable: true });

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
