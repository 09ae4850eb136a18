import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  incidentOfLog,
  type EntryDraft,
  type EntryPreview,
} from '../../shared/gotchas/entry-draft.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { withFolder, withSmallDisk, whyNoSmallDisk } from '../storage/disk.fixture.ts';
import { entryYaml } from './entry-yaml.ts';
import { GotchaBook, type Editing } from './gotcha-book.ts';
import { SHIPPED_GOTCHAS } from './gotchas.fixture.ts';
import { textDigest } from './load-gotchas.ts';
import { readDraft } from './read-draft.ts';

// In a shape that is known, put together so that no scanner takes this file for a leak.
const TOKEN = ['hf_', 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'].join('');

const DRAFT: EntryDraft = {
  title: 'The scratch mount is swept on Sundays',
  scope: 'universal',
  theme: 'disk',
  severity: 'warn',
  role: 'advice',
  symptom: 'Monday’s run finds no data.',
  cause: 'The lab’s clean-up job: it removes what is older than a week.',
  fix: ['Keep data on /data', 'Say "no" to # and : in names'],
  probes: [],
  signs: ['scratch was swept'],
  related: ['U6'],
  doubt: null,
  duty: null,
  verified: null,
  source: 'own experience',
  answers: { rootCaused: 'yes', reproduced: 'mechanism', general: 'yes' },
  incident: 'ls: /scratch: empty\nscratch was swept',
};

const withBook = (check: (book: GotchaBook, own: string) => Promise<void>): Promise<void> =>
  withFolder((folder) => {
    const own = join(folder, 'gotchas');
    return check(new GotchaBook({ shipped: SHIPPED_GOTCHAS, own }, redactText), own);
  });

async function previewOf(
  book: GotchaBook,
  draft: EntryDraft,
  editing: Editing | null = null,
): Promise<EntryPreview> {
  const answer = await book.preview(draft, editing);
  if (!answer.ok || answer.value.kind !== 'ready') throw new Error(JSON.stringify(answer));
  return answer.value;
}

async function keep(book: GotchaBook, draft: EntryDraft, editing: Editing | null = null) {
  const { plan } = await previewOf(book, draft, editing);
  return book.keep(plan);
}

const ownIn = async (book: GotchaBook) =>
  (await book.list()).all.filter(({ origin }) => origin !== 'shipped');

const shippedNow = (): string =>
  textDigest(
    readdirSync(SHIPPED_GOTCHAS)
      .map((name) => readFileSync(`${SHIPPED_GOTCHAS}${name}`, 'utf8'))
      .join(),
  );

describe('an entry of the person’s own', () => {
  it('is written only as it was looked at, into a file of its own, and is in the catalog then', () =>
    withBook(async (book, own) => {
      const shipped = shippedNow();
      const preview = await previewOf(book, DRAFT);
      expect(preview).toMatchObject({ id: 'OWN1', file: join(own, 'OWN1.yaml'), redacted: [] });
      expect((await book.list()).all).toHaveLength(168);
      expect(await book.keep(preview.plan)).toEqual({ ok: true, value: 'OWN1' });
      expect(readFileSync(preview.file, 'utf8')).toBe(preview.yaml);
      expect(readdirSync(own)).toEqual(['OWN1.yaml']);
      if (process.platform !== 'win32') expect(statSync(preview.file).mode & 0o777).toBe(0o600);
      const [found] = await ownIn(book);
      expect(found).toMatchObject({
        origin: 'own',
        gotcha: { ...DRAFT, id: 'OWN1', coverage: null },
        own: { file: preview.file, digest: preview.plan.digest },
      });
      expect(await keep(book, DRAFT)).toEqual({ ok: true, value: 'OWN2' });
      expect(shippedNow()).toBe(shipped);
    }));

  it('is not written when it is not what was looked at', () =>
    withBook(async (book, own) => {
      const { plan } = await previewOf(book, DRAFT);
      const { plan: newer } = await previewOf(book, { ...DRAFT, title: 'Another' });
      expect(await book.keep(plan)).toMatchObject({ error: { code: 'plan-gone' } });
      expect(await book.keep({ ...newer, digest: plan.digest })).toMatchObject({
        error: { code: 'plan-changed' },
      });
      // Its id was given away meanwhile, so the text would be another one.
      mkdirSync(own);
      writeFileSync(join(own, 'OWN1.yaml'), 'not of this Leasehold');
      expect(await book.keep(newer)).toMatchObject({ error: { code: 'plan-changed' } });
      expect(readFileSync(join(own, 'OWN1.yaml'), 'utf8')).toBe('not of this Leasehold');
      expect(readdirSync(own)).toEqual(['OWN1.yaml']);
    }));

  it('says what it lacks, field by field, and that the three questions are open', () =>
    withBook(async (book) => {
      const lacking = { ...DRAFT, cause: ' ', fix: [], signs: ['abc'], answers: null };
      const answer = await book.preview(lacking, null);
      if (!answer.ok || answer.value.kind !== 'incomplete') throw new Error('it was complete');
      expect(answer.value.faults.map(({ field }) => field).sort()).toEqual(
        ['answers', 'cause', 'fix', 'signs.0'].sort(),
      );
      expect((await book.preview({ ...DRAFT, answers: null }, null)).ok).toBe(true);
    }));

  it('never shows or writes a secret, and says out of which fields one was taken', () =>
    withBook(async (book, own) => {
      const leaky = { ...DRAFT, fix: [`export HF_TOKEN=${TOKEN}`], incident: `saw ${TOKEN}` };
      const preview = await previewOf(book, leaky);
      expect(preview.redacted).toEqual(['fix', 'incident']);
      await book.keep(preview.plan);
      const { id: _id, ...shown } = preview;
      expect(JSON.stringify(shown)).not.toContain(TOKEN);
      expect(readFileSync(join(own, 'OWN1.yaml'), 'utf8')).not.toContain(TOKEN);
      // What a secret stood for in a sign differs from time to time, so the sign still finds it.
      const signed = await previewOf(book, { ...DRAFT, signs: ['HF_TOKEN=… was lost'] });
      expect(signed).toMatchObject({ redacted: [] });
      expect(signed.yaml).toContain('HF_TOKEN=… was lost');
      const draft = await book.draft({
        ...incidentOfLog(`requests.HTTPError: 401 for ${TOKEN}`, `token=${TOKEN}`),
        beside: `Command: serve --token ${TOKEN}`,
      });
      expect(draft.incident).toContain('Command: serve');
      expect(JSON.stringify(draft)).not.toContain(TOKEN);
    }));

  it('takes no number that a broken file has, and uses the rest beside it', () =>
    withBook(async (book, own) => {
      mkdirSync(own);
      writeFileSync(join(own, 'OWN7.yaml'), 'format: 1\nentries:\n  - id: OWN7\n');
      expect((await previewOf(book, DRAFT)).id).toBe('OWN8');
      await keep(book, DRAFT);
      const { faults } = await book.list();
      expect(faults.every(({ file, line }) => file.endsWith('OWN7.yaml') && line === 3)).toBe(true);
      expect((await ownIn(book)).map(({ gotcha }) => gotcha.id)).toEqual(['OWN8']);
    }));

  it('is changed and deleted as long as nobody else changed it', () =>
    withBook(async (book, own) => {
      await keep(book, DRAFT);
      const seen = (await ownIn(book))[0]?.own?.digest ?? '';
      const editing = { id: 'OWN1', digest: seen };
      const better = { ...DRAFT, title: 'A better title' };
      expect(await keep(book, better, editing)).toEqual({ ok: true, value: 'OWN1' });
      // The digest is of what was there before.
      for (const refused of [await keep(book, DRAFT, editing), await book.remove(editing)]) {
        expect(refused).toMatchObject({ ok: false, error: { code: 'gotcha-not-kept' } });
      }
      const [now] = await ownIn(book);
      expect(now?.gotcha.title).toBe('A better title');
      expect(await book.remove({ id: 'OWN1', digest: now?.own?.digest ?? '' })).toEqual({
        ok: true,
        value: null,
      });
      expect(readdirSync(own)).toEqual([]);
    }));

  it('is left alone where the person wrote the file by hand, or it is shipped', () =>
    withBook(async (book, own) => {
      mkdirSync(own);
      const preview = await previewOf(book, DRAFT);
      const two = preview.yaml.replace(/^ {2}- id: OWN1[\s\S]*$/m, (entry) =>
        [entry.trimEnd(), entry.replace('OWN1', 'OWN2')].join('\n'),
      );
      writeFileSync(join(own, 'OWN1.yaml'), two);
      const digests = (await ownIn(book)).map(({ own: at }) => at?.digest);
      expect(digests).toEqual([null, null]);
      for (const id of ['U23', 'MY-1', 'OWN01', 'OWN1/../../x']) {
        expect((await book.remove({ id, digest: 'x' })).ok).toBe(false);
        expect((await book.preview(DRAFT, { id, digest: 'x' })).ok).toBe(false);
      }
    }));

  it('is changed where an earlier Leasehold wrote it, and has its names from then on', () =>
    withBook(async (book, own) => {
      const told = { ...DRAFT, probes: [{ probe: 'ls /scratch', means: 'it is empty' }] };
      await keep(book, told);
      const file = join(own, 'OWN1.yaml');
      const kept = readFileSync(file, 'utf8');
      expect(kept).toContain('    probes:\n');
      const older = kept.replace('    probes:\n', '    evidence:\n');
      writeFileSync(file, older);
      expect(readDraft('x.yaml', older)).toEqual({ ok: true, value: told });
      const [entry] = await ownIn(book);
      expect(entry?.gotcha.probes).toEqual(told.probes);
      await keep(book, told, { id: 'OWN1', digest: entry?.own?.digest ?? '' });
      expect(readFileSync(file, 'utf8')).toBe(kept);
    }));

  it('is exported with its answers and as an entry that the catalog takes', () =>
    withBook(async (book) => {
      await keep(book, DRAFT);
      const exported = await book.export('OWN1');
      if (!exported.ok) throw new Error(exported.error.message);
      const { markdown, yaml } = exported.value;
      expect(markdown).toContain('# The scratch mount is swept on Sundays');
      expect(markdown).toContain('no, but the mechanism is known');
      expect(markdown).toContain(yaml.trimEnd());
      const read = readDraft('x.yaml', yaml);
      expect(read).toEqual({ ok: true, value: DRAFT });
      expect((await book.export('OWN9')).ok).toBe(false);
      expect((await book.export('U23')).ok).toBe(true);
    }));

  it('leaves nothing behind on a full disk, and says so', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(64, async ({ folder, fill, free }) => {
      const own = join(folder, 'gotchas');
      const book = new GotchaBook({ shipped: SHIPPED_GOTCHAS, own }, redactText);
      await keep(book, DRAFT);
      fill(0);
      const long = {
        ...DRAFT,
        symptom: 'x'.repeat(1900),
        cause: 'y'.repeat(1900),
        incident: 'z'.repeat(1900),
      };
      const refused = await keep(book, long);
      expect(refused).toMatchObject({ ok: false, error: { code: 'disk-full' } });
      expect(readdirSync(own)).toEqual(['OWN1.yaml']);
      free();
      expect((await keep(book, long)).ok).toBe(true);
    });
  });

  it('says that the folder cannot be written to', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may write anywhere');
    await withBook(async (book, own) => {
      mkdirSync(own);
      chmodSync(own, 0o500);
      const refused = await keep(book, DRAFT);
      chmodSync(own, 0o700);
      expect(refused).toMatchObject({ ok: false, error: { code: 'folder-read-only' } });
    });
  });
});

describe('the text of an entry', () => {
  it('reads back as what it was made of, whatever a person or a box wrote', () => {
    const words = fc
      .oneof(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.constantFrom(
          '- a: b',
          '#',
          '"',
          "'",
          '|',
          '>',
          '*x',
          '&y',
          '!z',
          'null',
          'yes',
          '1e3',
          '2026-06',
          '~',
          '{}',
          'a: b\n  c',
          '---',
          '%YAML',
        ),
      )
      .map((text) => text.trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(
        words,
        words,
        fc.array(words, { minLength: 1, maxLength: 4 }),
        (title, cause, fix) => {
          const entry = { ...DRAFT, id: 'OWN1', title, cause, fix, incident: fix.join('\n') };
          expect(entryYaml(entry, 'x.yaml')).toContain('format: 1');
        },
      ),
      { numRuns: 60 },
    );
  });
});
