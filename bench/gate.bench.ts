// The gate over a real loopback sshd: 20,000 files that are home, proven again byte by byte, beside what a person would do for that with ssh
// and sha256sum; and the wizard opened on a box with a million files: how soon it says anything, and how smooth the window is meanwhile.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launch, type RunningApp } from '../e2e/fixtures/app.ts';
import { addBoxAt } from '../e2e/fixtures/real-box.ts';
import { startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { bareFrames } from './bare-list.ts';
import { report, type BenchRow } from './harness.ts';
import { endOf, startSsh } from './ssh-command.ts';
import { percentile } from './windows.ts';

const HOME_FILES = 20_000;
const HOME_FOLDERS = 200;
const ALL_FILES = Number(process.env['GATE_FILES'] ?? 1_000_000);
const IN_FOLDER = 1000;
const GOALS = { provenMs: 5000, firstMs: 1000 };
const DROPPED_MS = (1000 / 60) * 1.5;

const folder = mkdtempSync(join(tmpdir(), 'leasehold-gate-bench-'));
const home = join(folder, 'home');
const results = join(home, 'results');
const here = join(folder, 'here');
for (const each of [results, here]) mkdirSync(each, { recursive: true });

/** What training leaves: small, and many. */
function makeResults(): void {
  for (let at = 0; at < HOME_FILES; at += 1) {
    const inside = join(results, `step_${String(at % HOME_FOLDERS)}`);
    if (at < HOME_FOLDERS) mkdirSync(inside);
    const line = `{"step":${String(at)},"loss":${String(1 / (at + 1))}}\n`;
    writeFileSync(join(inside, `part_${String(at)}.jsonl`), line.repeat(30 + (at % 60)));
  }
}

/** A data set as people keep them, beside the results. */
function makeTheRest(): void {
  const folders = Math.ceil((ALL_FILES - HOME_FILES) / IN_FOLDER);
  const make = `for d in $(seq ${String(folders)}); do mkdir -p "data/$d"; done; seq ${String(ALL_FILES - HOME_FILES)} | awk '{ print "data/" (int(($1 - 1) / ${String(IN_FOLDER)}) + 1) "/" $1 ".jpg" }' | xargs touch`;
  execFileSync('sh', ['-c', make], { cwd: home });
}

const boxIdOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const opened = await window.leasehold.call('stream:open', { stream: 'fleet', key: '' });
    if (!opened.ok) throw new Error(opened.error.message);
    const { entries } = opened.value.state as { entries: readonly { box: { id: string } }[] };
    const [entry] = entries;
    if (entry === undefined) throw new Error('no box');
    return entry.box.id;
  });

async function bringHome({ app, page }: RunningApp, boxId: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, here);
  await page.evaluate(
    async ([id, path]) => {
      const must = <T>(
        got: { ok: true; value: T } | { ok: false; error: { message: string } },
      ): T => {
        if (!got.ok) throw new Error(got.error.message);
        return got.value;
      };
      const named = must(
        await window.leasehold.call('runs:name-folder', { boxId: id, folder: path }),
      );
      const plan = must(await window.leasehold.call('runs:plan-pull', { boxId: id, id: named.id }));
      if (plan === null) throw new Error('nobody chose a folder');
      const { id: planId, digest } = plan.plan;
      must(
        await window.leasehold.call('runs:pull', {
          ...{ boxId: id, plan: { id: planId, digest }, left: [] },
        }),
      );
    },
    [boxId, results] as const,
  );
}

/** Answers how long the call took. */
function timed(
  page: Page,
  channel: 'teardown:inspect' | 'teardown:read-copies',
  boxId: string,
): Promise<number> {
  return page.evaluate(
    async ([name, id]) => {
      const beganMs = performance.now();
      const done = await window.leasehold.call(name, { boxId: id });
      if (!done.ok) throw new Error(done.error.message);
      return performance.now() - beganMs;
    },
    [channel, boxId] as const,
  );
}

interface Opened {
  readonly firstMs: number;
  readonly progressMs: number;
  readonly doneMs: number;
  readonly intervalMs: readonly number[];
}

/** The person asks for a look. The first answer is the first sentence in which something of this box stands. */
function openWizard(page: Page): Promise<Opened> {
  return page.evaluate(async () => {
    const button = [...document.querySelectorAll('button')].find((each) =>
      /^Check (?:the box|again)/.test(each.textContent ?? ''),
    );
    if (button === undefined) throw new Error('no button');
    const intervalMs: number[] = [];
    const beganMs = performance.now();
    let [firstMs, lastMs, told, progressMs, saidMs] = [0, beganMs, '', 0, beganMs];
    button.click();
    for (;;) {
      const nowMs = await new Promise<number>((done) => requestAnimationFrame(done));
      intervalMs.push(nowMs - lastMs);
      lastMs = nowMs;
      const text = document.querySelector('[role=tabpanel]')?.textContent ?? '';
      const words = /\d[\d,]* runs?[.,].*?…/.exec(text)?.[0] ?? '';
      if (words !== '' && firstMs === 0) firstMs = nowMs - beganMs;
      if (words !== told) {
        progressMs = Math.max(progressMs, nowMs - saidMs);
        saidMs = nowMs;
        told = words;
      }
      if (firstMs > 0 && words === '' && /Checked/.test(text))
        return { firstMs, progressMs, doneMs: nowMs - beganMs, intervalMs };
    }
  });
}

const bySsh = async (sshd: TestSshd, command: string, isTimed = true): Promise<number> => {
  const beganMs = performance.now();
  await endOf(startSsh(sshd, sshd.port, { command }));
  return isTimed ? performance.now() - beganMs : 0;
};

/** Hashes on both sides. */
async function byHand(sshd: TestSshd): Promise<number> {
  const hash = 'find . -type f -print0 | xargs -0 sha256sum | sort -k2';
  const beganMs = performance.now();
  await bySsh(sshd, `cd '${results}' && { ${hash}; } > '${folder}/there.sums'`);
  const local = spawn(
    'sh',
    [
      '-c',
      `{ ${hash}; } > '${folder}/here.sums' && cmp '${folder}/there.sums' '${folder}/here.sums'`,
    ],
    { cwd: here },
  );
  await endOf(local);
  return performance.now() - beganMs;
}

const atMost = (
  measure: string,
  value: number,
  most: number,
  more: Partial<BenchRow> = {},
): BenchRow => ({
  ...{ measure, value, unit: 'ms', goal: `at most ${String(most)} ms`, isMet: value <= most },
  ...more,
});

makeResults();
const sshd = await startSshd({ home, configLines: ['Subsystem sftp internal-sftp'] });
const running = await launch({ folder: join(folder, 'data'), hasDemo: false });
try {
  const { page } = running;
  await page.getByRole('navigation').first().waitFor();
  await page.evaluate('globalThis.__name = (named) => named'); // tsx calls it in every function that it compiles
  await page.evaluate(() =>
    window.leasehold.call('settings:change', { patch: { demo: { isOn: false } } }),
  );
  await addBoxAt(page, sshd);
  const boxId = await boxIdOf(page);
  await bringHome(running, boxId);
  const rows: BenchRow[] = [];
  const handMs = await byHand(sshd);
  const provenMs = await timed(page, 'teardown:read-copies', boxId);
  const lookMs = await timed(page, 'teardown:inspect', boxId);
  const count = (files: number): string => files.toLocaleString('en');
  rows.push(
    atMost(
      `${count(HOME_FILES)} files that are home, each copy read again and the box looked at, beside sha256sum on both sides`,
      provenMs,
      GOALS.provenMs,
      { baseline: handMs, ratio: provenMs / handMs },
    ),
    atMost('  the same once more, within the hour: the box is looked at', lookMs, GOALS.provenMs),
  );
  makeTheRest();
  await page.getByRole('tab', { name: 'Teardown' }).click();
  await page.getByRole('button', { name: /^Check (?:the box|again)/ }).waitFor();
  const listMs = await bySsh(sshd, `find '${home}' -type f -printf '%s %T@ %p\\0' >/dev/null`);
  const opened = await openWizard(page);
  const bare = await bareFrames(folder, () =>
    bySsh(sshd, `find '${home}' -type f -printf '%s %T@ %p\\0' >/dev/null`),
  );
  const [p95, bareP95] = [percentile(opened.intervalMs, 0.95), percentile(bare, 0.95)];
  rows.push(
    atMost(
      `the wizard on a box with ${count(ALL_FILES)} files: until it says something of the box`,
      opened.firstMs,
      GOALS.firstMs,
    ),
    { measure: '  longest until it says something else', value: opened.progressMs, unit: 'ms' },
    {
      measure: '  until all is judged, beside find -printf over ssh',
      value: opened.doneMs,
      unit: 'ms',
      baseline: listMs,
      ratio: opened.doneMs / listMs,
    },
    {
      ...{
        measure: '  p95 from frame to frame meanwhile, beside a bare window while find runs',
        value: p95,
        unit: 'ms',
      },
      ...{ baseline: bareP95, ratio: p95 / bareP95 },
      goal: `60 frames a second: under ${DROPPED_MS.toFixed(1)} ms, or as the bare window`,
      isMet: p95 < DROPPED_MS || p95 <= bareP95,
    },
    {
      measure: 'load average of the last minute',
      value: loadavg()[0] ?? NaN,
      unit: 'of the machine',
    },
  );
  report({ name: 'gate', rows });
} finally {
  await running.app.close();
  await sshd.stop();
  await rm(folder, { recursive: true, force: true });
}
