import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './cli.fixture.ts';

interface Silent {
  readonly gpu: number;
  readonly sinceMs: number;
  readonly untilMs: number | null;
  readonly rows: string;
}

interface Judged {
  readonly silent: readonly Silent[];
  readonly recordedS: number;
}

const HEAD = '# gpu pwr gtemp sm mem mclk pclk pviol tviol\n# Idx W C % % MHz MHz % bool\n';
const DATED_HEAD = '#Date Time gpu pwr sm\n#YYYYMMDD HH:MM:SS Idx W %\n';
const good = (gpu: number) => `${String(gpu)} 320 60 98 60 9501 1800 0 0\n`;
const empty = (gpu: number) => `${String(gpu)} - - - - - - - -\n`;
const cycle = good(0) + good(1);

/** Each call prints one cycle of these rows, `stepS` after the one before. */
function dated(stepS: number, startMs = Date.UTC(2026, 10, 20, 12)) {
  let atMs = startMs;
  return (...rows: readonly string[]): string => {
    const [date = '', time = ''] = new Date(atMs).toISOString().split(/[T.]/);
    atMs += stepS * 1000;
    return rows.map((row) => `${date.replaceAll('-', '')} ${time} ${row}\n`).join('');
  };
}
const times = (count: number, text: () => string): string =>
  Array.from({ length: count }, text).join('');

/** As many answers of the looped query, about one card. */
const queryOf =
  (answers: number) =>
  (gpu: number): string => {
    const row = `${String(gpu)}, GPU-${String(gpu)}, NVIDIA A100, 98 %\n`;
    return `index, uuid, name, utilization.gpu [%]\n${row.repeat(answers)}`;
  };

async function detect(...texts: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'detect-'));
  try {
    const files = texts.map((_, i) => join(folder, `${String(i)}.txt`));
    await Promise.all(files.map((file, i) => writeFile(file, texts[i] ?? '')));
    const { out } = await run(['detect', ...files]);
    const json = await run(['detect', ...files, '--json']);
    const { silent, recordedS } = JSON.parse(json.out) as Judged;
    return { code: json.code, out, silent, recordedS };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a card that stops reporting at the end of a recording', () => {
  it('is told however short that end is', async () => {
    const lost = HEAD + cycle.repeat(120) + (good(0) + empty(1)).repeat(10);
    const { code, out, silent } = await detect(lost);
    expect(silent).toEqual([{ gpu: 1, sinceMs: 120_000, untilMs: null, rows: 'empty' }]);
    expect(out).toContain('Nothing found in what was reported.');
    expect(code).toBe(1);
    const read = await run(['read', 'dmon', '-'], { stdin: [lost] });
    expect(read.out).toContain('GPU 1: from about 2 min of the recording to its end');
    expect(read.code).toBe(1);
    const last = await detect(HEAD + cycle.repeat(120) + good(0) + empty(1));
    expect(last.silent).toMatchObject([{ gpu: 1, sinceMs: 120_000, untilMs: null }]);
  });

  it('is told of a last cycle without any figure, a minute after the one before', async () => {
    const at = dated(60);
    const rows = times(10, () => at('0 320 98', '1 320 98'));
    const { silent } = await detect(DATED_HEAD + rows + at('0 - -', '1 - -'));
    expect(silent).toMatchObject([
      { gpu: 0, sinceMs: 600_000, untilMs: null, rows: 'empty' },
      { gpu: 1, sinceMs: 600_000, untilMs: null, rows: 'empty' },
    ]);
  });

  it('counts the time for which the last cycle stands', async () => {
    const missing = await detect(HEAD + cycle.repeat(120) + good(0).repeat(10));
    expect(missing.silent).toMatchObject([{ gpu: 1, untilMs: null, rows: 'missing' }]);
    const shorter = await detect(HEAD + cycle.repeat(120) + good(0).repeat(9));
    expect(shorter).toMatchObject({ silent: [], code: 0 });
  });

  it('is not a recording that was ended in the middle of a cycle, whatever its step', async () => {
    const at = dated(60);
    const rows = times(10, () => at('0 320 98', '1 320 98'));
    expect(await detect(DATED_HEAD + rows + at('0 320 98'))).toMatchObject({ silent: [], code: 0 });
    expect(await detect(HEAD + cycle.repeat(120) + good(0))).toMatchObject({ silent: [], code: 0 });
  });
});

describe('a card that never told a figure', () => {
  it('is told from its first row on, and where there is no other nothing was reported', async () => {
    const { code, out, silent } = await detect(HEAD + empty(0).repeat(120));
    expect(silent).toEqual([{ gpu: 0, sinceMs: 0, untilMs: null, rows: 'empty' }]);
    expect(out).toContain('Nothing was reported that could be judged.');
    expect(code).toBe(1);
  });

  it('is told beside one that told, whatever was found of that one', async () => {
    const { code, out, silent } = await detect(HEAD + (good(0) + empty(1)).repeat(120));
    expect(silent).toEqual([{ gpu: 1, sinceMs: 0, untilMs: null, rows: 'empty' }]);
    expect(out).toContain('Nothing found in what was reported.');
    expect(code).toBe(1);
  });

  it('is none whose first row was too early for a figure', async () => {
    const late = await detect(HEAD + empty(0) + good(0).repeat(120));
    expect(late).toMatchObject({ silent: [], code: 0 });
  });
});

describe('a card that nobody asked any more', () => {
  it('is none that stopped reporting where each file is one of a card', async () => {
    const dmon = [0, 1].map((gpu) => HEAD + good(gpu).repeat(120));
    expect(await detect(...dmon)).toMatchObject({ silent: [], code: 0 });
    const query = [0, 1].map(queryOf(120));
    expect(await detect(...query)).toMatchObject({ silent: [], recordedS: 240 });
  });

  it('leaves one answer of each card one moment', async () => {
    const answers = [0, 1].map(queryOf(1));
    expect(await detect(...answers)).toMatchObject({ silent: [], recordedS: 0 });
  });

  it('is told of a file that it fell silent in, with the end of that file', async () => {
    const lost = HEAD + cycle.repeat(120) + (good(0) + empty(1)).repeat(5);
    const { silent, code } = await detect(lost, HEAD + good(0).repeat(120));
    expect(silent).toEqual([{ gpu: 1, sinceMs: 120_000, untilMs: 125_000, rows: 'empty' }]);
    expect(code).toBe(1);
  });

  it('is told as rows that are missing, with what asks for that', async () => {
    const appended = HEAD + cycle.repeat(120) + HEAD + good(0).repeat(60);
    const { out, silent } = await detect(appended);
    expect(silent).toEqual([{ gpu: 1, sinceMs: 120_000, untilMs: null, rows: 'missing' }]);
    expect(out).toMatch(/to its end: its rows are missing/);
    expect(out).toContain('`-i`');
    expect(out).not.toContain('MIG');
  });

  it('is none where a later run of the same log asks for another one', async () => {
    const [first, second] = [dated(1), dated(1, Date.UTC(2026, 10, 20, 13))];
    const log =
      DATED_HEAD +
      times(120, () => first('0 320 98', '1 320 98')) +
      DATED_HEAD +
      times(120, () => second('0 320 98'));
    expect(await detect(log)).toMatchObject({ silent: [], code: 0 });
  });

  it('is none where the log was ended in a cycle and begun again the next day', async () => {
    const [first, second] = [dated(1), dated(1, Date.UTC(2026, 10, 21, 12))];
    const log =
      DATED_HEAD +
      times(120, () => first('0 320 98', '1 320 98')) +
      first('0 320 98') +
      times(120, () => second('0 320 98', '1 320 98'));
    expect(await detect(log)).toMatchObject({ silent: [], code: 0 });
  });
});

describe('rows without figures', () => {
  it('are told after a pause as well: nvidia-smi may have hung on the card that was lost', async () => {
    const [first, second] = [dated(1), dated(1, Date.UTC(2026, 10, 20, 12, 3))];
    const log =
      DATED_HEAD +
      times(120, () => first('0 320 98', '1 320 98')) +
      times(5, () => second('0 320 98', '1 - -'));
    const { silent, code } = await detect(log);
    expect(silent).toEqual([{ gpu: 1, sinceMs: 180_000, untilMs: null, rows: 'empty' }]);
    expect(code).toBe(1);
  });

  it('are not said to be a lost card alone: MIG that was switched on looks like it', async () => {
    const head = '# gpu sm mem enc dec\n# Idx % % % %\n';
    const load = '0 98 60 0 0\n1 98 60 0 0\n'.repeat(120);
    const { out } = await detect(head + load + '0 98 60 0 0\n1 - - - -\n'.repeat(60));
    expect(out).toMatch(/its rows hold no figure/);
    expect(out).toMatch(/lost card.*MIG/);
    expect(out).not.toContain('`-i`');
  });
});
