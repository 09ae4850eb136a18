import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

type Edit = (file: string) => void;
const EDITS: Readonly<Record<string, Edit>> = {
  'is gone': () => undefined,
  'is empty': (file) => writeFileSync(file, ''),
  'has other words': (file) => writeFileSync(file, 'done 0 soon no\nrunning $(touch x)\n'),
  'has no text': (file) => writeFileSync(file, Buffer.from([0, 27, 91, 51, 49, 109, 255, 10, 0])),
  'is long': (file) => writeFileSync(file, 'done 0 '.repeat(100_000)),
  'is a folder': (file) => mkdirSync(file),
  'leads elsewhere': (file) => symlinkSync('/etc/passwd', file),
  'is a pipe': (file) => void execFileSync('mkfifo', [file]),
};
const FILES = ['about', 'launcher', 'go', 'job', 'end', 'ran', 'copied', 'log', 'next', 'cut'];

describe.skipIf(!hasSshd || process.platform !== 'linux')('run folders edited by hand', () => {
  let box: RunBox;
  beforeEach(async () => {
    box = new RunBox();
    await box.open();
  });
  afterEach(() => box.close());

  it('are done only where the end still says so, are never shown as alive, and hold up nothing', async () => {
    const done = await box.launch({ command: 'echo hello' });
    await box.until(done.id, 'done');
    const edited = new Map<string, string>();
    for (const file of FILES) {
      for (const [how, edit] of Object.entries(EDITS)) {
        const id = `${done.id.slice(0, -8)}${edited.size.toString(16).padStart(8, '0')}`;
        cpSync(box.place(done.id), box.place(id), { recursive: true });
        const about = readFileSync(box.place(id, 'about'), 'utf8');
        writeFileSync(box.place(id, 'about'), about.replaceAll(done.id, id));
        rmSync(box.place(id, file), { force: true });
        edit(box.place(id, file));
        edited.set(id, `${file} ${how}`);
      }
    }
    const seen = value(await box.watch.look(BOX.id));
    for (const [id, what] of edited) {
      const { kind } = box.in(seen, id).status;
      const file = what.split(' ')[0] ?? '';
      const expected =
        file === 'about' ? ['unreadable'] : file === 'end' ? ['unreadable', 'lost'] : ['done'];
      expect(expected, `${what}: ${kind}`).toContain(kind);
    }
    expect(readdirSync(join(box.home, 'work'))).toEqual([]);
    // The next launch looks at all of them, too.
    await box.until((await box.launch({ results: 'out' })).id, 'done');
  });
});
