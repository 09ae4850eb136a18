import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PersonsWord } from '../../shared/teardown/judge-gone.ts';
import type * as Yaml from '../yaml/read-yaml.ts';
import type * as Copies from './copies.ts';
import { GateFuzz, type Clock } from './gate-fuzz.fixture.ts';
import { ProviderLinks } from './provider-links.ts';
import { VerbsByHand } from './teardown-verbs.ts';

/** Of what a forged entry comes to nothing is kept. */
const LONG_YAML = 2000;
const fuzzing = vi.hoisted(() => ({ fuzz: null as unknown }));

vi.mock('electron', () => ({
  app: { getVersion: () => '0.0.0' },
  safeStorage: { isEncryptionAvailable: () => false },
}));
// The library that writes it asks for Electron by itself.
vi.mock('../app/memory-store.ts', () => ({ openMemoryStore: () => () => undefined }));
// Everything else is as in the window: only what lies on a box is made up, and whether its address answers.
vi.mock('./inspect-box.ts', async (original) => ({
  ...(await original<object>()),
  inspectBox: (boxId: string, sources: { factsOf: (id: string) => never }) =>
    Promise.resolve((fuzzing.fuzz as GateFuzz).look(boxId, sources.factsOf(boxId))),
}));
vi.mock('./copies.ts', async (original) => {
  const { readCopies } = await original<typeof Copies>();
  return {
    readCopies: ((results, sources, options) => {
      const list = (boxId: string) => Promise.resolve((fuzzing.fuzz as GateFuzz).list(boxId));
      return readCopies(results, { ...sources, runs: { ...sources.runs, list } }, options);
    }) satisfies typeof readCopies,
  };
});
// Each app that is opened reads the same thousands of lines, and what they mean does not change.
vi.mock('../yaml/read-yaml.ts', async (original) => {
  const real = await original<typeof Yaml>();
  const read = new Map<string, ReturnType<typeof real.readYaml>>();
  const readYaml: typeof real.readYaml = (text, docs) => {
    const known = read.get(text) ?? real.readYaml(text, docs);
    if (text.length > LONG_YAML) read.set(text, known);
    return known;
  };
  return { ...real, readYaml };
});
vi.mock('./ask-gone.ts', () => ({
  askGone: (_boxId: string, _act: unknown, { word }: { word: PersonsWord | null }) =>
    Promise.resolve({
      ...{ answer: { kind: 'silent', says: 'Nobody answers.' }, said: null },
      ...{ word, atMs: Date.now() },
    }),
}));

/** `npm run bench -- gate-fuzz` asks for a million. */
const MESSAGES = Number(process.env['GATE_FUZZ_MESSAGES'] ?? 700);
const SEED = Number(process.env['GATE_FUZZ_SEED'] ?? 5);

const clock: Clock = { monoMs: 0, wallMs: 0 };
/** Not spied on: a spy keeps each call, a million of the clock's, and with them every app that was ever closed. */
const real = {
  mono: performance.now.bind(performance),
  wall: Date.now.bind(Date),
  act: VerbsByHand.prototype.act,
  of: ProviderLinks.prototype.of,
};
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('SSH_AUTH_SOCK', undefined);
  performance.now = () => real.mono() + clock.monoMs;
  Date.now = () => Math.round(real.wall() + clock.wallMs);
});
afterEach(() => {
  [performance.now, Date.now, VerbsByHand.prototype.act] = [real.mono, real.wall, real.act];
  ProviderLinks.prototype.of = real.of;
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

it(`ends no box without a fresh yes to all that is there, whatever the door is told (seed ${String(SEED)})`, async () => {
  const fuzz = new GateFuzz(SEED, clock, MESSAGES > 10_000 ? 0.05 : 0.5);
  fuzzing.fuzz = fuzz;
  VerbsByHand.prototype.act = function (id, pass) {
    fuzz.acts(id, pass.act);
    return real.act.call(this, id, pass);
  };
  ProviderLinks.prototype.of = function (boxId) {
    return fuzz.linkOf(boxId) ?? real.of.call(this, boxId);
  };
  const fault = await fuzz.run(MESSAGES);
  const report = process.env['GATE_FUZZ_REPORT'];
  if (report !== undefined) writeFileSync(report, JSON.stringify({ seed: SEED, ...fuzz.counts }));
  expect(fault).toBeNull();
  // Who never gets through says nothing about the gate.
  expect(fuzz.counts.ordered).toBeGreaterThan(0);
  expect(fuzz.counts.acting).toBeGreaterThan(fuzz.counts.ordered);
  console.info(JSON.stringify({ seed: SEED, ...fuzz.counts }));
}, 7_200_000);
