import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleGotcha } from './catalog.fixture.ts';
import { draftEntry, signFrom } from './draft-entry.ts';
import {
  incidentOfLog,
  MAX_INCIDENT_CHARS,
  type EntryDraft,
  type Incident,
} from './entry-draft.ts';
import { buildIndex } from './search.ts';
import { lastPlaceOf, parseSign } from './sign.ts';

const CATALOG = [
  sampleGotcha({ id: 'U10', theme: 'memory', signs: ['CUDA out of memory'] }),
  sampleGotcha({
    id: 'U3',
    alert: {
      short: 'run gone',
      commands: [],
      says: {},
      phrases: { 'answer-gpu-memory': 'Look who else holds the card.' },
    },
  }),
  sampleGotcha({ id: 'U6', theme: 'disk', title: 'Disk full in the middle of a save' }),
];
const around = {
  index: buildIndex(CATALOG),
  byId: new Map(CATALOG.map((gotcha) => [gotcha.id, gotcha])),
};
const hide = (text: string): string => text.replaceAll('hunter22', '[redacted]');

function draftOf(text: string, more: Partial<Incident> = {}): EntryDraft {
  const incident = { ...incidentOfLog(text), ...more };
  return draftEntry(incident, around, hide);
}

const TRACEBACK = `epoch 3 loss 2.1
Traceback (most recent call last):
  File "/root/run/train.py", line 22, in main
    tokenizer = load(path)
shmem.errors.StaleSegmentError: segment 0x7fe1 of /dev/shm/torch_8812 vanished after 3600 s
[2026-06-01 12:00:00,123] INFO wandb: waiting for files`;

describe('an entry drafted from what was seen', () => {
  it('takes what the log says where it went wrong, and leaves the cause to the person', () => {
    expect(draftOf(TRACEBACK)).toMatchObject({
      title: expect.stringContaining('StaleSegmentError: segment') as string,
      symptom: expect.stringContaining('The log says: shmem.errors.StaleSegmentError') as string,
      cause: '',
      severity: 'critical',
      scope: 'universal',
      source: 'own experience',
      answers: null,
      signs: ['shmem.errors.StaleSegmentError: segment … of … vanished after … s'],
    });
    expect(draftOf(TRACEBACK).incident).toContain('tokenizer = load(path)');
  });

  it('has signs that find its own incident again, and one with other numbers', () => {
    const { signs, incident } = draftOf(TRACEBACK);
    const place = (text: string): number => lastPlaceOf(parseSign(signs[0] ?? ''), text);
    expect(place((incident ?? '').toLowerCase())).toBeGreaterThanOrEqual(0);
    const again = 'shmem.errors.StaleSegmentError: segment 0x1 of /dev/shm/b vanished after 12 s';
    expect(place(again.toLowerCase())).toBe(0);
  });

  it('takes secrets out before anything is read, and the rest of a key that is cut off', () => {
    const draft = draftOf('x\nAuthError: login with hunter22 refused for user me', {
      headline: 'The run said hunter22',
    });
    expect(JSON.stringify(draft)).not.toContain('hunter22');
    expect(draft.symptom).toContain('[redacted]');
    const half = `${'QUJD'.repeat(16)}\n-----END OPENSSH PRIVATE KEY-----\nKeyError: 'labels'`;
    expect(JSON.stringify(draftOf(half))).not.toContain('QUJD');
    expect(draftOf(half).incident).toBe("KeyError: 'labels'");
  });

  it('names what is near it, with the answer of a known failure', () => {
    const draft = draftOf('RuntimeError: CUDA out of memory. Tried to allocate 2 GiB');
    expect(draft.related[0]).toBe('U10');
    expect(draft.theme).toBe('memory');
    expect(draft.fix[0]).toContain('Look who else holds the card');
  });

  it('believes an alert about how bad it is and what it is called', () => {
    const draft = draftOf('smi: clocks 210 MHz', {
      headline: 'The card runs at 210 MHz',
      severity: 'info',
      platform: 'runpod',
    });
    expect(draft).toMatchObject({
      title: 'The card runs at 210 MHz',
      severity: 'info',
      scope: 'runpod',
    });
    expect(draft.symptom).toBe('The card runs at 210 MHz. The log says: smi: clocks 210 MHz');
  });

  it('keeps what no log said, makes no sign of it, and names the entry that it was taken for first', () => {
    const draft = draftOf('', {
      headline: 'The card runs at 210 MHz',
      beside: 'SM clock: 210 MHz\nCommand: serve --key hunter22',
      takenFor: 'U6',
    });
    expect(draft).toMatchObject({
      symptom: 'The card runs at 210 MHz.',
      signs: [],
      incident: 'SM clock: 210 MHz\nCommand: serve --key [redacted]',
      theme: 'disk',
    });
    expect(draft.related[0]).toBe('U6');
    expect(draftOf('', { takenFor: 'GONE1' }).related).toEqual([]);
  });

  it('shows the log where it went wrong also beside much that no log said', () => {
    const draft = draftOf(TRACEBACK, { beside: 'GPU 0 SM: 3 %\n'.repeat(100) });
    expect(draft.incident).toContain('StaleSegmentError');
    expect((draft.incident ?? '').length).toBeLessThanOrEqual(MAX_INCIDENT_CHARS);
  });

  it('is empty, and no invention, where nothing was seen', () => {
    expect(draftOf('')).toMatchObject({
      title: '',
      symptom: '',
      signs: [],
      related: [],
      incident: null,
    });
  });

  it('keeps within its bounds and shows nothing invisible, whatever a box wrote', () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 3000 });
    fc.assert(
      fc.property(hostile, (text) => {
        const draft = draftOf(`${text}\n\u202eError: ${text.slice(0, 400)}`);
        expect((draft.incident ?? '').length).toBeLessThanOrEqual(MAX_INCIDENT_CHARS);
        expect(JSON.stringify([draft.title, draft.symptom, draft.incident])).not.toMatch(
          /[\u202a-\u202e\u0000-\u0008\u200b]/,
        );
        expect(draft.signs.every((sign) => sign.length <= 120)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a sign from a line', () => {
  it.each([
    ['2026-06-01 12:00:00,123 ERROR worker 7 lost its lease', 'worker … lost its lease'],
    [
      '[rank3]: ncclSystemError: connect to 10.0.0.4:41022 refused',
      'ncclSystemError: connect to … refused',
    ],
    ['OSError: cannot open /data/x/y.bin at 0xdeadbeef', 'OSError: cannot open … at'],
    ['lease of HF_TOKEN=[redacted] was lost', 'lease of … was lost'],
    ['token [redacted] was refused by the hub', 'token … was refused by the hub'],
    ['rc 137', null],
    ['12 34 56', null],
  ])('%s', (line, expected) => {
    expect(signFrom(line)).toBe(expected);
  });

  it('is cut at a word, and never longer than a sign may be', () => {
    const sign = signFrom('every word of this line counts '.repeat(9)) ?? '';
    expect(sign.length).toBeLessThanOrEqual(120);
    expect(sign.split(' ').every((word) => 'every word of this line counts'.includes(word))).toBe(
      true,
    );
    expect(sign).toMatch(/ (?:every|word|of|this|line|counts)$/);
  });
});
