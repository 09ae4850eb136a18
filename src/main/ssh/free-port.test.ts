import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { claimOf, freePort } from './sshd.fixture.ts';

/** Holds this claim, as another process of the tests does, until its input ends. */
const HOLDER = `require('node:net').createServer().on('error', () => process.exit(1))
  .listen('\\0' + process.argv[1], () => console.log('held'));
process.stdin.resume().on('end', () => process.exit());`;

/** Null: another one holds it. */
async function holderOf(port: number): Promise<ChildProcess | null> {
  // A NUL cannot be part of an argument.
  const holder = spawn(process.execPath, ['-e', HOLDER, claimOf(port).slice(1)]);
  const isHeld = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
  ]);
  return isHeld ? holder : null;
}

async function letGo(holder: ChildProcess): Promise<void> {
  const over = once(holder, 'exit');
  holder.stdin?.end();
  await over;
}

it.skipIf(process.platform !== 'linux')(
  'a port that another process was given is not given twice, though nothing listens there yet',
  async () => {
    let before = await freePort();
    let held = await holderOf(before + 1);
    // Another process of the tests was given that one.
    while (held === null) {
      before = await freePort();
      held = await holderOf(before + 1);
    }
    expect(await holderOf(before + 1)).toBeNull();
    expect(await freePort()).not.toBe(before + 1);
    await letGo(held);
  },
);
