import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { claimOf, freePort } from './sshd.fixture.ts';

/** Holds this claim, as another process of the tests does, until its input ends. */
const HOLDER = `require('node:net').createServer().listen('\\0' + process.argv[1], () => console.log('held'));
process.stdin.resume().on('end', () => process.exit());`;

it.skipIf(process.platform !== 'linux')(
  'a port that another process was given is not given twice, though nothing listens there yet',
  async () => {
    const before = await freePort();
    // A NUL cannot be part of an argument.
    const held = spawn(process.execPath, ['-e', HOLDER, claimOf(before + 1).slice(1)]);
    await once(held.stdout, 'data');
    expect(await freePort()).not.toBe(before + 1);
    held.stdin.end();
    await once(held, 'exit');
  },
);
