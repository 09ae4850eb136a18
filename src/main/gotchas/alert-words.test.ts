import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  alertWords,
  catalogOf,
  entryIdOf,
  tellFindings,
} from '../../shared/detectors/alert-words.ts';
import { caseNames, readCase, replay } from '../../shared/detectors/cases.fixture.ts';
import { detectorIds } from '../../shared/detectors/finding.ts';
import { phrase, phrases, says, variants, type AlertId } from '../../shared/detectors/says.ts';
import { LOOKLESS, sampleGotcha } from '../../shared/gotchas/catalog.fixture.ts';
import type { AlertTexts, Gotcha } from '../../shared/gotchas/gotcha.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { SHIPPED_GOTCHAS, shippedCatalog } from './gotchas.fixture.ts';
import { loadGotchas } from './load-gotchas.ts';

const CATALOG = shippedCatalog();
const IDS = Object.keys(variants) as AlertId[];

const PHRASES: Readonly<Partial<Record<AlertId, Readonly<Record<string, readonly string[]>>>>> =
  phrases;

const alertOf = (id: AlertId): AlertTexts => {
  const alert = CATALOG.get(entryIdOf(id))?.alert ?? null;
  if (alert === null) throw new Error(`${id} has no sentences in the catalog`);
  return alert;
};

const namesIn = (...texts: readonly (string | null)[]): readonly string[] =>
  [...new Set(texts.join(' ').match(/(?<=\{)[^{}]*(?=\})/g) ?? [])].sort();

const SOURCES = fileURLToPath(new URL('../../', import.meta.url));
const sourceFiles = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.(?:test|fixture))\.tsx?$/.test(file),
);

/** Without what says nothing of who wrote it first: case, kind of apostrophe, and how a line is broken. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll("\\'", "'").replaceAll('’', "'").replace(/\s+/g, ' ');

/** A source without its comments, and with the parts of a text joined. */
function asWritten(source: string): string {
  const lines = source.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line));
  return plain(lines.join('\n').replace(/(['"`])\s*\+\s*\1/g, ''));
}

/** What an entry says to people; what is shorter than that anybody may say too, and a command is no sentence. */
function sentencesOf({ title, symptom, cause, fix, alert }: Gotcha): readonly string[] {
  const told = Object.values(alert?.says ?? {}).flatMap(({ headline, means, fix: steps }) => [
    ...[headline, means ?? ''],
    ...(steps ?? []).filter((step) => typeof step === 'string'),
  ]);
  return [title, symptom, cause, ...fix, ...told, ...Object.values(alert?.phrases ?? {})]
    .map((text) => plain(text).replace(/\.$/, ''))
    .filter((text) => text.includes(' ') && text.length >= 20);
}

/** By sentence, the names that its text uses. */
const used = (id: AlertId) =>
  Object.fromEntries(
    Object.entries(alertOf(id).says).map(([name, { headline, means, fix }]) => [
      name,
      namesIn(headline, means, ...(fix ?? []).filter((step) => typeof step === 'string')),
    ]),
  );
const sorted = (names: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(names).map(([name, list]) => [name, [...list].sort()]));

describe('the sentences of the catalog', () => {
  it.each(IDS)('of %s name what its rule gives, and all of it', (id) => {
    expect(used(id)).toEqual(sorted(variants[id]));
    const parts = Object.entries(alertOf(id).phrases);
    expect(Object.fromEntries(parts.map(([name, text]) => [name, namesIn(text)]))).toEqual(
      sorted(PHRASES[id] ?? {}),
    );
  });

  it('are there for every rule, and for no other entry', () => {
    expect(detectorIds.filter((id) => !IDS.includes(id))).toEqual([]);
    const told = [...CATALOG.values()].flatMap(({ id, alert }) => (alert === null ? [] : [id]));
    expect(told.sort()).toEqual(IDS.map(entryIdOf).sort());
  });

  it('come with commands to look with, but for rules that no command confirms', () => {
    const without = detectorIds.filter((id) => alertOf(id).commands.length === 0);
    expect(new Set(without)).toEqual(LOOKLESS);
  });

  it('stand nowhere else', () => {
    const sentences = new Set([...CATALOG.values()].flatMap(sentencesOf));
    expect(sentences.size).toBeGreaterThan(1000);
    expect(sourceFiles.length).toBeGreaterThan(1000);
    const found = sourceFiles.flatMap((file) => {
      const text = asWritten(readFileSync(`${SOURCES}${file}`, 'utf8'));
      return [...sentences].filter((each) => text.includes(each)).map((each) => `${file}: ${each}`);
    });
    expect(found).toEqual([]);
  });

  it('would be found in whatever quotes, on however many lines, but not in a comment', () => {
    const [sentence = ''] = sentencesOf(CATALOG.get('GEN8')!);
    const shout = sentence.replace(/^./, (first) => first.toUpperCase());
    const half = Math.floor(shout.length / 2);
    expect(asWritten(`const a = "${shout}.";`)).toContain(sentence);
    expect(
      asWritten(`const a =\n  '${shout.slice(0, half)}' +\n  '${shout.slice(half)}';`),
    ).toContain(sentence);
    expect(asWritten(`  <p>\n    ${shout.replace(' ', '\n    ')}\n  </p>`)).toContain(sentence);
    expect(asWritten(`/** ${shout} */\n  // ${shout}`)).not.toContain(sentence);
  });

  it('name steps of other entries that are there', () => {
    for (const { alert } of CATALOG.values()) {
      const steps = Object.values(alert?.says ?? {}).flatMap(({ fix }) => fix ?? []);
      for (const step of steps) {
        if (typeof step === 'object')
          expect(CATALOG.get(step.of)?.fix).toHaveProperty([step.step - 1]);
      }
    }
  });
});

describe('a finding in words', () => {
  const found = caseNames.filter((name) => readCase(name).expected.answer === 'found');

  it.each(found)('%s', (name) => {
    const given = readCase(name);
    const { findings } = tellFindings(replay(given), CATALOG);
    const { detector, headline } = given.expected;
    if (headline !== undefined) {
      expect(findings.find((each) => each.detector === detector)).toMatchObject({ headline });
    }
    for (const told of findings) {
      expect(told.headline).toMatch(/^\S.*\.$/);
      expect(told.means).toMatch(/\.$/);
      expect(told.fix.length).toBeGreaterThan(0);
      expect(JSON.stringify([told.headline, told.means, told.fix, told.caveat])).not.toMatch(
        /[{}]/,
      );
    }
  });

  it('keeps its alert where the entry is missing or lacks the sentence', () => {
    const told = { says: says('U6', 'full', { mount: '/data' }), caveat: null };
    expect(alertWords(new Map(), 'U6', told)).toMatchObject({
      title: 'U6',
      headline: 'U6.',
      fix: [],
    });
    const bare = new Map([['U6', sampleGotcha({ id: 'U6' })]]);
    expect(alertWords(bare, 'U6', told)).toEqual({
      title: 'Title of U6',
      short: 'U6',
      headline: 'Title of U6.',
      means: 'Something is so.',
      fix: ['Do something'],
      commands: [],
      caveat: null,
    });
  });

  it('puts in what the box says as it is, once, and not without an end', () => {
    const mount = `/{count}/{toString}/${'x'.repeat(2000)}`;
    const told = alertWords(CATALOG, 'U6', {
      says: says('U6', 'no-room', { mount, count: 2 }),
      caveat: null,
    });
    expect(told.headline.startsWith('/{count}/{toString}/xx')).toBe(true);
    expect(told.headline.length).toBeLessThan(500);
  });
});

describe('an entry of the person’s own in the place of a shipped one', () => {
  /** The words for a full disk, with this entry over the shipped one. */
  async function toldWith(lines: readonly string[]) {
    const own = [
      'format: 1',
      'entries:',
      '  - id: U6',
      '    title: Our disk is full',
      '    theme: disk',
      '    severity: warn',
      '    symptom: It is full.',
      '    cause: Nobody cleans up.',
      '    source: own experience',
      '    fix:',
      '      - Call the lab',
      ...lines,
    ].join('\n');
    return withFolder(async (folder) => {
      writeFileSync(join(folder, 'own.yaml'), own);
      const gotchas = await loadGotchas({ shipped: SHIPPED_GOTCHAS, own: folder });
      const caveat = phrase('U7', 'estimate');
      const told = { says: says('U6', 'full', { mount: '/data' }), caveat };
      return { faults: gotchas.faults, told: alertWords(catalogOf(gotchas), 'U6', told) };
    });
  }

  it('keeps the shipped headline beside its own cause and steps', async () => {
    const { faults, told } = await toldWith([]);
    expect(faults).toEqual([]);
    expect(told).toMatchObject({
      title: 'Our disk is full',
      short: 'disk space',
      headline: '/data is full.',
      means: 'Nobody cleans up.',
      fix: ['Call the lab'],
    });
  });

  it('may say it otherwise, and names that nobody gives stay as they are written', async () => {
    const { faults, told } = await toldWith([
      '    alert:',
      '      short: lab disk',
      '      says:',
      '        full:',
      "          headline: '{mount} of {lab} {constructor} {__proto__} is full.'",
      '          fix: [1, { of: NONE, step: 3 }]',
    ]);
    expect(faults).toEqual([]);
    expect(told).toMatchObject({
      short: 'lab disk',
      headline: '/data of {lab} {constructor} {__proto__} is full.',
      fix: ['Call the lab'],
      caveat: 'estimate',
    });
  });

  it('is not used where it names a step that it has not', async () => {
    const { faults, told } = await toldWith([
      '    alert:',
      '      short: lab disk',
      '      says: { full: { headline: Full., fix: [2] } }',
    ]);
    expect(faults).toMatchObject([{ message: expect.any(String) as string }]);
    expect(told.headline).toBe('/data is full.');
  });
});
