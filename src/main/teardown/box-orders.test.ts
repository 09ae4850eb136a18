import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { readOrders } from '../../shared/teardown/read-orders.ts';
import { noteOrder } from './box-orders.ts';
import { BOX_SHELLS, onboxScripts, ORDINARY_USER } from '../onbox/onbox-scripts.fixture.ts';

describe.each(BOX_SHELLS)('teardown-order.sh in $name', ({ shell, isInstalled }) => {
  let home: string;
  let place: string;
  beforeEach(() => {
    home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'));
    chmodSync(home, 0o777);
    place = join(home, '.local/state/leasehold/teardown');
  });
  afterEach(() => rmSync(home, { recursive: true }));

  async function run(what: string, act = '', says = '', env: Record<string, string> = {}) {
    const [program, ...words] = [...shell, '-c', await onboxScripts.textOf('teardown-order.sh')];
    const { stdout } = spawnSync(program ?? '', words, {
      ...{ encoding: 'utf8', ...ORDINARY_USER },
      env: {
        ...{ PATH: process.env['PATH'], HOME: home, LEASEHOLD_MARK: 'M' },
        ...{ LEASEHOLD_DO: what, LEASEHOLD_ACT: act, LEASEHOLD_SAYS: says },
        ...env,
      },
    });
    return readOrders(stdout, 'M');
  }

  it.skipIf(!isInstalled)('keeps what was ordered until it is called off', async () => {
    expect(await run('tell')).toEqual([]);
    const [written] = (await run('write', 'act-1', 'delete it')) ?? [];
    expect(written).toMatchObject({ id: 'act-1', verb: 'delete it' });
    expect(written?.atMs).toBeGreaterThan(1_700_000_000_000);
    // Cut off as it was written.
    writeFileSync(join(place, 'act-2'), '');
    expect(await run('tell')).toEqual([written, { id: 'act-2', atMs: null, verb: '' }]);
    expect(await run('remove', 'act-1')).toHaveLength(1);
    expect(readdirSync(place)).toEqual(['act-2']);
  });

  it.skipIf(!isInstalled)('does not take what it cannot read for nothing', async () => {
    mkdirSync(join(home, '.local/state/leasehold'), { recursive: true });
    writeFileSync(place, 'no folder');
    expect(await run('tell')).toBeNull();
    expect(await run('write', 'act-1', 'x')).toBeNull();
    rmSync(join(home, '.local'), { recursive: true });
    expect(await run('tell')).toEqual([]);
    expect(await run('tell', '', '', { HOME: '' })).toBeNull();
    expect(await run('tell', '', '', { HOME: join(home, 'not-mounted') })).toBeNull();
    await run('write', 'act-1', 'x');
    const state = join(home, '.local/state');
    chmodSync(state, 0o600);
    expect(await run('tell')).toBeNull();
    chmodSync(state, 0o777);
    expect(await run('tell')).toHaveLength(1);
  });

  it.skipIf(!isInstalled)('does not take more than it tells for all', async () => {
    await run('write', 'act-1', 'x');
    for (let no = 2; no <= 50; no += 1) writeFileSync(join(place, `act-${String(no)}`), '1 x\n');
    expect(await run('tell')).toHaveLength(50);
    writeFileSync(join(place, 'act-51'), '1 x\n');
    expect(await run('tell')).toBeNull();
  });

  it.skipIf(!isInstalled)(
    'leaves out what is of another machine or of an earlier life',
    async () => {
      const proc = join(home, 'proc');
      mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
      mkdirSync(join(proc, '1'));
      const lives = (boot: string, start: string) => {
        writeFileSync(join(proc, 'sys/kernel/random/boot_id'), `${boot}\n`);
        writeFileSync(join(proc, '1/stat'), `1 (init) S ${'0 '.repeat(18)}${start} 0\n`);
      };
      const env = { LEASEHOLD_PROC_ROOT: proc };
      const ids = async () => (await run('tell', '', '', env))?.map(({ id }) => id);
      lives('b00-1', '7');
      expect(await run('write', 'act-1', 'end it/all', env)).toMatchObject([
        { verb: 'end it/all' },
      ]);
      lives('b00-2', '7');
      expect(await ids()).toEqual([]);
      // A container on the same host.
      lives('b00-1', '8');
      expect(await ids()).toEqual([]);
      // Where it does not tell, it may be this one.
      rmSync(join(proc, 'sys'), { recursive: true });
      rmSync(join(proc, '1'), { recursive: true });
      expect(await ids()).toEqual(['act-1']);
    },
  );
});

it('is not whole without its end, and no name forges one', () => {
  expect(readOrders('M order a 1 x\n', 'M')).toBeNull();
  expect(readOrders('M order M whole\nmotd\nM whole\n', 'M')).toEqual([
    { id: 'M', atMs: null, verb: '' },
  ]);
});

it('tells nothing of other orders where the evidence cannot be read, and asks it nothing of a note that goes', async () => {
  const unread = err(problem('results-unknown', 'The evidence log cannot be read.'));
  let asked = 0;
  const acts = () => {
    asked += 1;
    return unread;
  };
  const note = (isOver: boolean) => {
    const order = { id: 'act-1', verb: 'delete it', machine: null };
    return noteOrder('b', null, { scripts: onboxScripts, records: { acts } }, order, isOver);
  };
  expect(await note(false)).toEqual(unread);
  expect(asked).toBe(1);
  const unnoted = problem('not-connected', 'The box is not connected.');
  expect(await note(true)).toEqual(ok({ others: [], unnoted }));
  expect(asked).toBe(1);
});
