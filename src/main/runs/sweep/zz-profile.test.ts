import { mkdtempSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, vi } from 'vitest';
import { nothingKnown } from '../../../shared/runs/launch/known-box.fixture.ts';
import { sweepDraft } from '../../../shared/runs/sweep/sweep-schema.ts';
import { untouchedEntry } from '../../../shared/streams/fleet-stream.ts';
import { BoxRoster } from '../../boxes/box-roster.ts';
import { onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { openDatabase } from '../../storage/database.ts';
import { StreamHub } from '../../streams/stream-hub.ts';
import { BoxPushes } from '../../transfer/box-pushes.ts';
import { sourceWorker } from '../../workers/source-worker.fixture.ts';
import { Workers } from '../../workers/workers.ts';
import { value, type RunBox } from '../run-box.fixture.ts';
import { RunLauncher } from '../run-launcher.ts';
import { RunWatch } from '../run-watch.ts';
import { checkSweepIn } from './read-sweep.ts';
import { A, B, draft, openBoxes, shares } from './sweep-box.fixture.ts';
import { SweepDesk } from './sweep-desk.ts';
import { SweepWatch } from './sweep-watch.ts';

vi.setConfig({ testTimeout: 400_000 });
const session = new Session();
session.connect();
const out: string[] = [];

interface Node { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }
async function phase(name: string, act: () => Promise<unknown>) {
  await new Promise((r) => setTimeout(r, 300));
  await session.post('Profiler.enable'); await session.post('Profiler.start');
  const gaps: [number, number][] = [];
  let last = performance.now(), cpu = process.cpuUsage();
  const t0 = last;
  const timer = setInterval(() => { const now = performance.now(); gaps.push([now - last, last - t0]); last = now; }, 1);
  const began = performance.now();
  await act();
  await new Promise((r) => setTimeout(r, 150));
  const took = performance.now() - began;
  clearInterval(timer);
  const { profile } = await session.post('Profiler.stop') as never as { profile: { nodes: Node[]; samples: number[]; timeDeltas: number[]; startTime: number } };
  const parent = new Map<number, number>(); const byId = new Map<number, Node>();
  for (const n of profile.nodes) { byId.set(n.id, n); for (const c of n.children ?? []) parent.set(c, n.id); }
  // continuous busy stretches
  const stretch: { from: number; ms: number; fns: Map<string, number> }[] = [];
  let t = 0; let cur: (typeof stretch)[number] | null = null;
  let prevTop = -1;
  profile.samples.forEach((id, i) => {
    const dt = profile.timeDeltas[i]! / 1000; t += dt;
    const n = byId.get(id)!;
    if (['(idle)', '(root)'].includes(n.callFrame.functionName) ) { cur = null; return; }
    // outermost frame as task
    const chain: string[] = []; let k: number | undefined = id; let top = id;
    while (k !== undefined) { const f = byId.get(k)!.callFrame; if (f.url.includes('/src/') ) chain.push(`${f.functionName}@${f.url.split('/').at(-1)}:${f.lineNumber}`); top = k; k = parent.get(k); }
    if (cur === null) { cur = { from: t, ms: 0, fns: new Map() }; stretch.push(cur); }
    cur.ms += dt;
    for (const c of new Set(chain.length ? chain : [n.callFrame.functionName])) cur.fns.set(c, (cur.fns.get(c) ?? 0) + dt);
    prevTop = top;
  });
  void prevTop;
  gaps.sort((a, b) => b[0] - a[0]);
  out.push(`== ${name}: took ${took.toFixed(0)} ms; gaps ${gaps.slice(0, 6).map(([g, at]) => `${g.toFixed(0)}@${at.toFixed(0)}`).join(' ')} cpu ${((process.cpuUsage(cpu).user) / 1000).toFixed(0)}`);
  for (const s of stretch.sort((a, b) => b.ms - a.ms).slice(0, 4)) {
    out.push(`  busy ${s.ms.toFixed(0)} @${s.from.toFixed(0)}: ` + [...s.fns].sort((a, b) => b[1] - a[1]).slice(0, 14).map(([f, ms]) => `${f} ${ms.toFixed(0)}`).join(', '));
  }
  writeFileSync('/tmp/sweep-profile.txt', out.join('\n') + '\n');
}

class Two extends BoxRoster {
  constructor(hub: StreamHub, readonly reach: (id: string) => RunBox | undefined) { super(hub); }
  override connectionOf(id: string) { return this.reach(id)?.connection ?? null; }
}
function app(folder: string, a: RunBox, b: RunBox) {
  const { database } = openDatabase({ folder });
  const hub = new StreamHub();
  hub.addClient(1, (m) => void structuredClone(m));
  const boxes = new Map([[A.id, a], [B.id, b]]);
  const roster = new Two(hub, (id) => boxes.get(id));
  const workers = new Workers(sourceWorker);
  const options = { hub, roster, scripts: onboxScripts, entries: database.entries, redact: (t: string) => t.replaceAll('hunter2', 'x'), onProblem: (p: { message: string }) => out.push('PROBLEM ' + p.message) };
  const watch = new RunWatch({ ...options, onOver: () => undefined });
  const sweeps = new SweepWatch({ ...options, watch, check: checkSweepIn(workers) });
  const launcher = new RunLauncher({ ...options, knownBox: () => nothingKnown(), watch, pushes: new BoxPushes(options) });
  for (const box of [A, B]) roster.put({ ...untouchedEntry(box), link: { kind: 'up', sinceMs: 0, latencyMs: 1 } });
  const desk = new SweepDesk({ ...options, launcher, sweeps, knownBox: () => nothingKnown() });
  return { hub, watch, sweeps, desk, database, close: async () => { await sweeps.close(); await watch.close(); desk.close(); launcher.close(); hub.dispose(); workers.close(); database.close(); } };
}

it('profile', async () => {
  const [a, b] = await openBoxes();
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-zz-'));
  let one = app(folder, a, b);
  const list = (n: number) => Array.from({ length: n }, (_, at) => String(at)).join(', ');
  const source = { kind: 'grid' as const, command: '[ {a} = 0 ] && [ {b} -lt 40 ] || sleep 600; python train.py --lr {a} --seed {b} --data /workspace/data/imagenet --epochs 90 --out {results}', parameters: `a: ${list(100)}\nb: ${list(100)}` };
  const all = Array.from({ length: 10_000 }, (_, at) => at);
  const wantedDraft = { ...draft('', ''), name: 'large', source };
  const wantedShares = shares(all.filter((at) => at % 2 === 0), all.filter((at) => at % 2 === 1));
  for (const round of [1, 2]) {
    let plan: Awaited<ReturnType<typeof one.desk.plan>> | null = null;
    await phase(`plan ${round}`, async () => {
      sweepDraft.parse(wantedDraft);
      plan = await one.desk.plan(wantedDraft, wantedShares);
    });
    await phase(`plan answer cloned ${round}`, async () => void structuredClone(plan));
    const made = value(plan!);
    await phase(`launch ${round}`, () => one.desk.launch(made.sweepId, made.plan, {}));
    await phase(`open ${round}`, async () => {
      const opened = value(one.hub.open(1, 'sweep', made.sweepId));
      structuredClone(opened);
      await new Promise((r) => setTimeout(r, 3500));
    });
    await phase(`restart ${round}`, async () => {
      await one.close();
      one = app(folder, a, b);
    });
    await phase(`open after restart ${round}`, async () => {
      structuredClone(value(one.hub.open(1, 'sweep', made.sweepId)));
      await new Promise((r) => setTimeout(r, 3500));
      structuredClone(value(one.hub.open(1, 'sweep', made.sweepId)));
    });
    await phase(`again ${round}`, () => one.desk.planAgain(made.sweepId, shares([9998], [])));
    const other = app(mkdtempSync(join(tmpdir(), 'leasehold-zz-')), a, b);
    await phase(`adopt ${round}`, async () => {
      await other.watch.look(A.id);
      await other.watch.look(B.id);
      await vi.waitFor(() => { if (other.sweeps.of(made.sweepId) === null) throw new Error('no'); }, { timeout: 60_000 });
      structuredClone(value(other.hub.open(1, 'sweep', made.sweepId)));
      await new Promise((r) => setTimeout(r, 3500));
    });
    await other.close();
  }
  await one.close();
  for (const box of [a, b]) await box.close();
});
