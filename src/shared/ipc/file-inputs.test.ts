import { expect, it } from 'vitest';
import { fileInputs } from './file-inputs.ts';

it.each(['files:download', 'files:fetch-for-drag', 'files:drag'] as const)(
  '%s takes no path whose last part is no name: it would lie elsewhere on this computer',
  (channel) => {
    const isTaken = (path: string): boolean =>
      fileInputs[channel].safeParse({ boxId: crypto.randomUUID(), paths: ['/data/a', path] })
        .success;
    for (const path of ['/', '/data/', '/data/.', '/data/..', '/..', '/data/a//']) {
      expect(isTaken(path), path).toBe(false);
    }
    for (const path of [
      '/a',
      '/data/../a',
      '/data/...',
      '/data/.a',
      '/data/..a',
      '/data/two\n..',
    ]) {
      expect(isTaken(path), path).toBe(true);
    }
  },
);
