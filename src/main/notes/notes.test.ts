import { describe, expect, it } from 'vitest';
import { MAX_NOTE_CHARS } from '../../shared/notes/note.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { flaggedLines } from './flagged-lines.ts';
import { Notes } from './notes.ts';

// In shapes that are known, put together so that no scanner takes this file for a leak.
const TOKEN = ['hf_', 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'].join('');
const KEY = [
  '-----BEGIN OPENSSH ',
  'PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----',
].join('');

describe('a note', () => {
  it.each([
    'HF_TOKEN is in /root/.hf_token',
    'HF_TOKEN: /root/.hf_token',
    'token=~/.config/leasehold/HF_TOKEN, sent on Monday',
    'password: /etc/lab/password.',
    'export WANDB_API_KEY="$WANDB"\nno secret here'.replace('"$WANDB"', '/run/keys/wandb'),
    'port 6006, data on /data, never touch /scratch',
    'SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA',
    'host key SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA',
    'key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGnRlZ2hZ1p2b3c4d5e6f7g8h9i0jKlM me@host',
    'the ssh key is id_ed25519, the password is the same as on train-a',
    'pass: 3 epochs, key: train-a-2',
    'image pytorch:2.1.0-cuda12@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b is the one that trains',
    'wandb project is at https://wandb.ai/lab/a-rather-long-project-name-2026-for-everybody',
  ])('may say where a secret lies: %s', (text) => {
    expect(flaggedLines(text, redactText)).toEqual([]);
  });

  it.each([
    [`first\n${TOKEN}`, 2, '[redacted]'],
    ['password: hunter22', 1, 'password: [redacted]'],
    ['a\nb\nexport VAST_API_KEY=0123456789abcdef', 3, 'export VAST_API_KEY=[redacted]'],
    [`it is in /data/${TOKEN}/x`, 1, 'it is in /data/[redacted]/x'],
    [`token: /data/${TOKEN}`, 1, 'token: [redacted]'],
    ['password: /aB3$xyz', 1, 'password: [redacted]'],
    [`one\n${KEY}`, 2, '[redacted]'],
  ])('is flagged where it holds one: %s', (text, line, shown) => {
    expect(flaggedLines(text, redactText)).toEqual([{ line, shown }]);
  });

  const hex = (length: number): string => '0f1e2d3c4b5a69788796a5b4'.repeat(3).slice(0, length);
  it.each([
    `my wandb key is ${hex(40)}`,
    `wandb: ${hex(40)}`,
    `vast.ai ${hex(64)}`,
    'pw: hunter22',
    'the password is hunter22, the port 41022',
    '密码：hunter22',
    'ssh root:hunter22@1.2.3.4 -p 41022',
    `the secret is ${['wJalrXUtnFEMI/K7MDENG', '/bPxRfiCYEXAMPLEKEY'].join('')}`,
    `https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/${hex(24)}`,
    `https://discord.com/api/webhooks/123456789012345678/${hex(60)}`,
    `bot 123456789:${'AAbc-1'.repeat(6).slice(0, 35)}`,
    `AccountKey=${hex(60)}==`,
    `https://x.blob.core.windows.net/c?sv=2020&sig=${hex(40)}`,
    `${['dckr', 'pat'].join('_')}_${hex(27)}`,
  ])('is flagged where a person wrote one in their own words: %s', (text) => {
    expect(flaggedLines(`before\n${text}`, redactText)).toMatchObject([{ line: 2 }]);
    expect(flaggedLines(text, redactText)[0]?.shown).toContain('[redacted]');
  });

  it('is flagged where it holds a value that was stored as a secret', () => {
    const redact = (text: string): string => text.replaceAll('correct-horse', '[redacted]');
    expect(flaggedLines('it is correct-horse', redact)).toHaveLength(1);
  });
});

describe('notes', () => {
  const withNotes = (check: (notes: Notes, boxId: string, forget: () => void) => void): void => {
    const database = openTemporaryDatabase();
    const box = newBox(1);
    expect(database.boxes.add(box).ok).toBe(true);
    check(new Notes({ table: database.notes, redact: redactText, now: () => 7 }), box.id, () =>
      database.boxes.forget(box.id),
    );
    database.close();
  };

  it('are kept per box and for the project, and a box’s goes with it', () => {
    withNotes((notes, boxId, forget) => {
      expect(notes.read(boxId)).toEqual({ ok: true, value: { text: '', savedAtMs: null } });
      expect(notes.keep(boxId, 'data on /data')).toEqual({
        ok: true,
        value: { kind: 'kept', savedAtMs: 7 },
      });
      notes.keep(null, 'seed 7');
      notes.keep(boxId, 'data on /data2');
      expect(notes.read(boxId)).toMatchObject({ value: { text: 'data on /data2', savedAtMs: 7 } });
      forget();
      expect(notes.read(boxId)).toMatchObject({ value: { text: '' } });
      expect(notes.read(null)).toMatchObject({ value: { text: 'seed 7' } });
    });
  });

  it('keep nothing of a text with a secret, and what was there stays', () => {
    withNotes((notes, boxId) => {
      notes.keep(boxId, 'before');
      expect(notes.keep(boxId, `x\n${TOKEN}`)).toMatchObject({ value: { kind: 'flagged' } });
      expect(notes.read(boxId)).toMatchObject({ value: { text: 'before' } });
    });
  });

  it('are bounded, and none is kept of a box that is not there', () => {
    withNotes((notes, boxId) => {
      const long = 'a '.repeat(MAX_NOTE_CHARS / 2);
      expect(notes.keep(boxId, long)).toMatchObject({ value: { kind: 'kept' } });
      expect(notes.keep(boxId, `${long}!`)).toMatchObject({ error: { code: 'bad-input' } });
      const gone = '00000000-0000-4000-8000-000000000000';
      expect(notes.keep(gone, 'x')).toMatchObject({ ok: false, error: { code: 'no-such-box' } });
    });
  });
});
