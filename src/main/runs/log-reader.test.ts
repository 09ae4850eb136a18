import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FINDS } from '../../shared/runs/launch/log-part.ts';
import { BOX_SHELLS, onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { LogReader } from './log-reader.ts';
import { programsOf } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';

const deskOf = ({ roster }: RunBox): LogReader =>
  new LogReader({
    roster,
    scripts: onboxScripts,
    redact: (text) => text.replaceAll('hunter2', '[hidden]'),
  });

/** A run that is over, with this log. */
async function withLog(box: RunBox, text: string): Promise<{ readonly runId: string }> {
  const { id } = await box.launch({ command: 'true' });
  await box.until(id, 'done');
  writeFileSync(box.place(id, 'log'), text);
  return { runId: id };
}

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'a whole log on a box with $name',
  ({ shell, isInstalled }) => {
    let box: RunBox;
    let reader: LogReader;
    beforeEach(async () => {
      box = new RunBox();
      await box.open({ path: programsOf(shell) });
      reader = deskOf(box);
    });
    afterEach(async () => {
      reader.close();
      await box.close();
    });

    it.skipIf(!isInstalled)('is read part by part, with no line twice or less', async () => {
      const lines = Array.from(
        { length: 3000 },
        (_, at) => `zeile ${String(at)} ä${'.'.repeat(at % 90)}`,
      );
      const text = `${lines.join('\n')}\nhunter2 is no end`;
      const log = await withLog(box, text);
      const size = Buffer.byteLength(text);
      const parts = [];
      for (let at = 0; at < size; at = parts.at(-1)?.to ?? size) {
        parts.push(
          value(await reader.read(BOX.id, log, { from: at, until: Math.min(size, at + 50_000) })),
        );
      }
      expect(parts.length).toBeGreaterThan(3);
      expect(parts.map((part) => part.text).join('')).toBe(text.replace('hunter2', '[hidden]'));
      expect(parts.at(-1)).toMatchObject({ to: size, size });
      // From the middle of a line: from the next one on.
      const inside = value(await reader.read(BOX.id, log, { from: 3, until: 1000 }));
      expect(inside).toMatchObject({ from: Buffer.byteLength(`${lines[0] ?? ''}\n`) });
      expect(inside.text.startsWith(`${lines[1] ?? ''}\n`)).toBe(true);
      expect(inside.text.endsWith('\n')).toBe(true);
      truncateSync(box.place(log.runId, 'log'), 10);
      expect(await reader.read(BOX.id, log, { from: 50_000, until: 90_000 })).toMatchObject({
        error: { message: expect.stringContaining('shorter than it was') as string },
      });
    });

    it.skipIf(!isInstalled)('is searched for a text and for its first error', async () => {
      const text = `start\n- a LOSS of *.[x]\nloss 2\nerror_rate: 0.5\n--help loss\n${'b'.repeat(3000)}Loss\nTraceback (most recent call last):\n  x\nValueError: no\n`;
      const log = await withLog(box, text);
      const find = async (wanted: string) =>
        value(await reader.find(BOX.id, log, { kind: 'text', text: wanted }));
      const places = (...beginnings: readonly string[]) =>
        beginnings.map((each) => text.indexOf(`\n${each}`) + 1);
      expect(await find('loss')).toEqual({
        size: text.length,
        lines: 4,
        at: places('- a', 'loss 2', '--help', 'bbb'),
      });
      expect(await find('*.[x]')).toMatchObject({ at: places('- a') });
      expect(await find('--help')).toMatchObject({ at: places('--help') });
      expect(await find('$HOME `x` "')).toMatchObject({ lines: 0, at: [] });
      expect(value(await reader.find(BOX.id, log, { kind: 'first-error' }))).toMatchObject({
        lines: 1,
        at: places('Traceback'),
      });
      writeFileSync(box.place(log.runId, 'log'), 'a loss of 1\n'.repeat(MAX_FINDS + 5));
      const many = await find('LOSS');
      expect([many.lines, many.at.length, many.at.at(-1)]).toEqual([
        MAX_FINDS + 5,
        MAX_FINDS,
        (MAX_FINDS - 1) * 12,
      ]);
      expect(value(await reader.find(BOX.id, log, { kind: 'first-error' }))).toMatchObject({
        lines: 0,
        at: [],
      });
    });

    it.skipIf(!isInstalled)('is searched no further once nobody waits', async () => {
      const log = await withLog(box, '');
      const file = box.place(log.runId, 'log');
      // A log without an end: whoever has it open is read to until the test lets go of it.
      rmSync(file);
      execFileSync('mkfifo', [file]);
      const finding = reader.find(BOX.id, log, { kind: 'text', text: 'not there' });
      // Nobody can write before somebody reads.
      const end = await vi.waitFor(() => openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
      try {
        writeSync(end, 'one line of many\n');
        reader.stop(BOX.id);
        expect(await finding).toMatchObject({ error: { code: 'aborted' } });
        await vi.waitFor(() => expect(box.pids()).toEqual([]));
      } finally {
        closeSync(end);
      }
    });
  },
);
