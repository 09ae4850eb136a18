import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import { receiveOver } from './lane-receive.ts';

it('goes no way of its own where the other ssh is gone', () =>
  withFolder(async (folder) => {
    const into = await open(join(folder, 'bytes'), 'w');
    try {
      const received = await receiveOver(
        {
          controlPath: join(folder, 'gone'),
          alias: 'leasehold.invalid',
          home: folder,
          onReceived: () => undefined,
        },
        'cat',
        {
          ...{ input: '', into, mostBytes: 1, onBytes: () => undefined },
          signal: new AbortController().signal,
        },
      );
      // A program that goes nowhere ended; no name was looked up and no address dialled.
      expect(received).toMatchObject({ ok: false });
      expect(received.ok ? '' : received.error).not.toMatch(/resolve|connect to host/i);
    } finally {
      await into.close();
    }
  }));
