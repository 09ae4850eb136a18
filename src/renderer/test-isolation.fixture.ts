import { cleanup } from '@testing-library/react';
import { afterAll, vi } from 'vitest';

// Many files take turns in one process and one page (see vitest.config.ts). Each finds both as if it were the first: our own
// modules, and with them all stores, are new, and what the file before put into the page or its globals is gone.
vi.resetModules();

const globalsBefore = new Set(Object.keys(window));

afterAll(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  }
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
  for (const name of Object.keys(window)) {
    if (!globalsBefore.has(name)) Reflect.deleteProperty(window, name);
  }
});
