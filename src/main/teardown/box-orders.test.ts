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
import { readOrders } from '../../shared/teardown/read-orders.ts';
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

  async function run(what: string, act = '', says = '') {
    const [program, ...words] = [...shell, '-c', await onboxScripts.textOf('teardown-order.sh')];
    const { stdout } = spawnSync(program ?? '', words, {
      ...{ encoding: 'utf8', ...ORDINARY_USER },
      env: {
        ...{ PATH: process.env['PATH'], HOME: home, LEASEHOLD_MARK: 'M' },
        ...{ LEASEHOLD_DO: what, LEASEHOLD_ACT: act, LEASEHOLD_SAYS: says },
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
  });
});

it('is not whole without its end, and no name forges one', () => {
  expect(readOrders('M order a 1 x\n', 'M')).toBeNull();
  expect(readOrders('M order M whole\nmotd\nM whole\n', 'M')).toEqual([
    { id: 'M', atMs: null, verb: '' },
  ]);
});
