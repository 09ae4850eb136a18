import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptOf } from '../evidence/export-evidence.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { TeardownBench } from './teardowns.fixture.ts';
import type { Teardowns } from './teardowns.ts';

describe.skipIf(!hasSshd)('the secrets of a box, before its end', () => {
  let bench: TeardownBench;
  beforeEach(async () => {
    bench = new TeardownBench();
    await bench.open();
  });
  afterEach(() => bench.close());

  const at = (name: string): string => join(bench.box.home, name);

  async function look(): Promise<readonly (readonly [string, string])[]> {
    value(await bench.secrets.look());
    return found().map(({ kind, path }) => [kind, path.slice(bench.box.home.length + 1)]);
  }
  const found = () => bench.secrets.view.look?.found ?? [];

  async function remove(teardowns: Teardowns, names: readonly string[]): Promise<string> {
    const keys = found().flatMap(({ key, path }) =>
      names.some((name) => path === at(name)) ? key : [],
    );
    const { plan } = value(bench.secrets.plan(keys));
    const done = await teardowns.change(BOX.id, { does: 'delete', about: plan.digest }, (pass) =>
      bench.secrets.remove(plan, pass),
    );
    return done.ok ? 'ok' : done.error.message;
  }

  it('are removed as they were shown, by the gate alone, and stand on the receipt', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    for (const name of ['.netrc', 'token-of-mine', '.env']) writeFileSync(at(name), 'a secret');
    bench.sentTo = ['~/token-of-mine'];
    expect([...(await look())].sort()).toEqual([
      ['env-file', '.env'],
      ['netrc', '.netrc'],
      ['sent', 'token-of-mine'],
    ]);
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await remove(teardowns, ['.netrc'])).toMatch(/Withdraw your approval/);
    expect(existsSync(at('.netrc'))).toBe(true);
    value(teardowns.withdraw(BOX.id));

    const { key } = found().find(({ kind }) => kind === 'netrc') ?? { key: '' };
    const { plan: old } = value(bench.secrets.plan([key]));
    expect(await remove(teardowns, ['.netrc', 'token-of-mine'])).toBe('ok');
    expect(['.netrc', 'token-of-mine', '.env'].map((name) => existsSync(at(name)))).toEqual([
      ...[false, false, true],
    ]);
    expect(bench.secrets.view.stayed).toEqual([]);
    const again = await teardowns.change(BOX.id, { does: 'delete', about: old.digest }, (pass) =>
      bench.secrets.remove(old, pass),
    );
    expect(again.ok).toBe(false);
    expect(bench.secrets.plan([key]).ok).toBe(false);

    // What was removed is known after a restart; what was found has to be looked for again.
    bench.start();
    expect(bench.secrets.view).toMatchObject({
      look: null,
      removed: [{ kind: 'sent' }, { kind: 'netrc', path: at('.netrc') }],
    });
    bench.apps.pop()?.teardowns.close();
    // A yes is to the box as it is without them.
    value(await teardowns.inspect(BOX.id));
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await bench.begin(teardowns)).toBe('ok');
    expect(await remove(teardowns, ['.env'])).toMatch(/under way/);
    expect(existsSync(at('.env'))).toBe(true);

    const approved = (await bench.entries()).find(({ kind }) => kind === 'teardown');
    const paper = value(
      await receiptOf(database(), approved?.seq ?? 0, { box: () => BOX.name, atMs: 0 }),
    );
    expect(paper?.text).toContain('2 removed');
    for (const name of ['.netrc', '.env']) expect(paper?.text).toContain(at(name));
    expect(paper?.text).not.toContain('a secret');
  });

  it('stay where they are another file than was shown, and that is said', async () => {
    const teardowns = bench.start();
    writeFileSync(at('.netrc'), 'a secret');
    await look();
    writeFileSync(at('.netrc'), 'another one');
    expect(await remove(teardowns, ['.netrc'])).toBe('ok');
    expect(existsSync(at('.netrc'))).toBe(true);
    expect(bench.secrets.view).toMatchObject({
      removed: [],
      stayed: [expect.stringMatching(/something else lies there now/)],
    });
  });

  it('are not taken for none where a folder has a name that no line can tell', async () => {
    bench.secretFolders = ['~', '/work/a\nb'];
    bench.start();
    expect(await look()).toEqual([]);
    expect(bench.secrets.view.look).toMatchObject({ unread: expect.stringMatching(/1 folder/) });
  });

  it('are not called removed where somebody has moved them meanwhile', async () => {
    const teardowns = bench.start();
    writeFileSync(at('.netrc'), 'a secret');
    await look();
    renameSync(at('.netrc'), at('netrc.kept'));
    expect(await remove(teardowns, ['.netrc'])).toBe('ok');
    expect(existsSync(at('netrc.kept'))).toBe(true);
    expect(bench.secrets.view).toMatchObject({
      removed: [],
      stayed: [expect.stringMatching(/lies there no longer, and Leasehold did not remove it/)],
    });
  });

  const database = () => bench.database.evidence;
});
