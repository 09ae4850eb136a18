import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EvidenceEntry } from '../../shared/evidence/chain.ts';
import { isoTime } from '../../shared/meter/ledger-csv.ts';
import type { OrderAnswer } from '../../shared/teardown/provider-said.ts';
import { openBlockers } from '../../shared/teardown/inspection.ts';
import { acceptDamaged } from '../evidence/accept-damaged.ts';
import { receiptOf } from '../evidence/export-evidence.ts';
import { checkReceipt } from '../evidence/receipt-file.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { TeardownBench, VERB } from './teardowns.fixture.ts';

const COST = {
  ...{ fromMs: 1000, untilMs: 3_601_000, unresolvedMs: 60_000, unpricedMs: 0 },
  known: [{ micros: 2_400_000, currency: 'USD' }],
  unresolved: [{ micros: 40_000, currency: 'USD' }],
};
const PROVIDER: OrderAnswer = {
  ...{ provider: 'Acme', kind: 'accepted', says: '202 Accepted', atMs: 1_700_000_000_000 },
};

interface ReceiptJson {
  readonly entries: readonly EvidenceEntry[];
}

describe.skipIf(!hasSshd)('the receipt of a box', () => {
  const bench = new TeardownBench();
  beforeEach(() => bench.open());
  afterEach(() => bench.close());

  /** Two files that come home, one that is damaged and accepted so, one that is left, one that is new and given up, a secret that stays. */
  async function ended(): Promise<{ readonly seq: number; readonly manifest: string }> {
    bench.costOf = () => COST;
    bench.answer = PROVIDER;
    bench.instance = 'i-77';
    const teardowns = bench.start();
    const run = await bench.aRun();
    writeFileSync(bench.out('a.npy'), 'no array');
    writeFileSync(bench.out('scratch.tmp'), 'big');
    const plan = value(await bench.pulls.plan(BOX.id, run));
    if (plan === null) throw new Error('cancelled');
    const left = [{ paths: ['scratch.tmp'], because: 'only scratch' }];
    value(await bench.pulls.pull(BOX.id, plan.plan, left));
    const proof = value(await bench.pulls.proof(BOX.id, run));
    const npy = proof?.report.files.find(({ path }) => path === 'a.npy');
    if (proof === null || typeof npy?.sha256 !== 'string') throw new Error('not pulled');
    const taken = { path: 'a.npy', sha256: npy.sha256, because: 'broken since epoch 3' };
    value(acceptDamaged(bench.database.evidence, BOX.id, proof, taken));
    writeFileSync(bench.out('late.txt'), 'late\n');
    mkdirSync(join(bench.box.home, '.config'), { recursive: true });
    writeFileSync(join(bench.box.home, '.netrc'), 'machine x login y password z\n');
    value(await bench.secrets.look());
    value(await teardowns.readCopies(BOX.id));
    for (const { id, loss } of openBlockers(bench.inspectionIn(teardowns))) {
      if (loss === null) throw new Error(`${id} cannot be accepted`);
      value(await teardowns.accept(BOX.id, { id, loss, because: `because of ${id}` }));
    }
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await bench.begin(teardowns)).toBe('ok');
    await bench.box.proxy.refuse(true);
    bench.box.proxy.cut();
    value(await teardowns.confirm(BOX.id, bench.pictureIn(teardowns)));
    const seq = bench.viewOf(teardowns).receipt;
    if (seq === null) throw new Error('it is not gone');
    return { seq, manifest: proof.report.manifest };
  }

  const paper = async (seq: number, format: 'markdown' | 'json'): Promise<string> => {
    const at = { box: () => 'renamed since', atMs: Date.now(), format };
    return value(await receiptOf(bench.database.evidence, seq, at))?.text ?? '';
  };

  it('says all that was: what came, how far it is proven, what stayed and why, what it cost, who said yes, who said gone', async () => {
    const { seq, manifest } = await ended();
    const entries = await bench.entries();
    const bodyOf = (step: string): Record<string, never> =>
      JSON.parse(
        entries.find(({ body }) => body.includes(`"step":"${step}"`))?.body ?? '',
      ) as never;
    const [approved, gone] = [bodyOf('approved'), bodyOf('gone')];
    const text = await paper(seq, 'markdown');
    const rowOf = (name: string): string =>
      text.split('\n').find((line) => line.startsWith('|') && line.includes(name)) ?? '';
    // What was pulled: count, bytes, the hash of the manifest, and how far each file is proven.
    expect(text).toContain(
      'Files: 4; home 2 with 6 bytes, left on the box 1, not proven 0, damaged 1',
    );
    expect(text).toContain(`Manifest: \`${manifest}\``);
    expect(rowOf('loss.txt')).toMatch(/\| 4 \| (hashed|loaded)/);
    expect(rowOf('a.npy')).toMatch(/\| 8 \| hashed, and damaged/);
    // Left behind, and why.
    expect(rowOf('scratch.tmp')).toMatch(/only scratch/);
    expect(text).toMatch(/\| .*work\/out.* \| .* \| 1 \| 3 \| only scratch \|/);
    // Overrides: each loss, and what is taken although it is damaged.
    expect(text).toContain('because of elsewhere');
    expect(text).toMatch(/1 file of .* not proven to be on this computer.*because of not-home/);
    expect(text).toContain('broken since epoch 3');
    expect(text).toMatch(/\.netrc/);
    // What it cost, from first to last.
    expect(text).toContain(
      `It cost $2.40, from ${isoTime(COST.fromMs)} to ${isoTime(COST.untilMs)}.`,
    );
    expect(text).toContain('Of that time 60 s was not metered, at most $0.04 more.');
    // Who approved what, when, of which machine.
    const who = `${userInfo().username} on ${hostname()}`;
    const approvedAt = isoTime(approved['approvedAtMs'] as unknown as number);
    expect(text).toContain(`By ${who}, typing “${BOX.name}” in the window: ${approvedAt}`);
    expect(text).toContain(`What was approved: ${VERB}`);
    expect(text).toContain('Machine, as its provider names it: `i-77`');
    expect(text).toContain(`# Receipt: end of a box\n\n- Box: ${BOX.name}`);
    // What the provider said, and who says that it is gone.
    expect(rowOf('202 Accepted')).toContain(isoTime(PROVIDER.atMs));
    expect(text).toMatch(/The person said that it is done: /);
    expect(text).toContain(gone['silence'] as unknown as string);
  });

  it('notices each field of it that is changed by hand, and each entry that is left out', async () => {
    const { seq } = await ended();
    const text = await paper(seq, 'json');
    expect(await checkReceipt(text, null)).toMatchObject({ ok: true, value: { faults: [] } });
    const places = leaves(JSON.parse(text) as unknown);
    expect(places.length).toBeGreaterThan(30);
    for (const place of places) {
      const other = JSON.parse(text) as unknown;
      change(other, place);
      const checked = await checkReceipt(JSON.stringify(other), null);
      expect(checked.ok && checked.value.faults.length === 0, place.join('.')).toBe(false);
    }
    const { entries, ...rest } = JSON.parse(text) as ReceiptJson;
    for (const at of entries.keys()) {
      const fewer = { ...rest, entries: entries.filter((_, no) => no !== at) };
      const checked = await checkReceipt(JSON.stringify(fewer), null);
      expect(checked.ok && checked.value.faults.length === 0, `entry ${String(at)}`).toBe(false);
    }
    // Nor is it taken for one that an older Leasehold wrote without a seal.
    const { seal: _seal, ...unsealed } = JSON.parse(text) as ReceiptJson & { seal: string };
    const bare = await checkReceipt(JSON.stringify({ ...unsealed, format: 1, count: 99 }), null);
    expect(bare).toMatchObject({
      value: { isSealed: false, faults: [expect.stringMatching(/it was taken off/)] },
    });
    // Each field of what an entry says, too.
    for (const [at, { body }] of entries.entries()) {
      const said = JSON.parse(body) as unknown;
      for (const place of leaves(said)) {
        const other = structuredClone(said);
        change(other, place);
        const changed = entries.map((each, no) =>
          no === at ? { ...each, body: JSON.stringify(other) } : each,
        );
        const checked = await checkReceipt(JSON.stringify({ ...rest, entries: changed }), null);
        expect(
          checked.ok && checked.value.faults.length === 0,
          `${String(at)}: ${place.join('.')}`,
        ).toBe(false);
      }
    }
  });
});

type Place = readonly (string | number)[];

/** Each value that is no list and no object, by the way to it. */
function leaves(of: unknown, at: Place = []): readonly Place[] {
  if (typeof of !== 'object' || of === null) return [at];
  return Object.entries(of).flatMap(([key, each]) => leaves(each, [...at, key]));
}

function change(of: unknown, [first, ...rest]: Place): void {
  const held = of as Record<string, unknown>;
  const key = String(first);
  if (rest.length > 0) return change(held[key], rest);
  const was = held[key];
  held[key] =
    typeof was === 'number' ? was + 1 : typeof was === 'boolean' ? !was : `${String(was)}x`;
}
