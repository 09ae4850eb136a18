import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunNeeds } from '../../../shared/runs/launch/run-needs.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import { runRequest } from '../../../shared/runs/launch/run-request-schema.ts';
import { cellListText, readCellList } from '../../../shared/runs/queue/cell-list.ts';
import { activeCells, type QueueRequest } from '../../../shared/runs/queue/queue-cell.ts';
import { TRACKERS } from '../../../shared/runs/launch/tracker.ts';
import type { WantedRun } from '../../../shared/runs/request/wanted-run.ts';
import { requestJsonSchema } from '../../../shared/runs/request/request-file-schema.ts';
import { run, ROOT } from '../../cli/cli.fixture.ts';
import { faultSentence } from '../../yaml/schema-faults.ts';
import { newRequestText } from './new-request.ts';
import { readRequest } from './read-request.ts';
import { makeCells } from '../../../shared/runs/sweep/make-cells.ts';
import { value } from '../run-box.fixture.ts';
import { RequestFiles } from './request-files.ts';
import { requestText } from './write-request.ts';

const FIELDS = Object.keys(requestJsonSchema()['properties'] as object)
  .filter((name) => name !== '$schema')
  .join(', ');
const LEAST = 'name: a run\ncommand: echo hello\nfolder: ~/work\n';
const QUEUE = `name: a grid
folder: ~/work
stop_at_failure: true
cells:
  - {name: one, command: run 1}
  - {name: ml, command: "for i in 1 2; do \\n\\n  echo $i\\ndone\\n"}
  # a note
  - {name: later, command: '', left_out: true}
`;

const SWEEP = `name: rates
folder: ~/work
sweep:
  command: python train.py --lr {lr} --seed {seed} --out {results}
  grid:
    lr: 1e-3, 1e-4
    seed: 0, 1, 2
  results: results/{cell}
  boxes: [alpha, 'beta 2']
`;

/** Each fault as a person reads it, without the file’s name. */
function faultsOf(text: string): readonly string[] {
  const read = readRequest('f', text);
  return read.ok ? [] : read.error.map((each) => faultSentence(each).slice(2));
}

function wanted(text: string): WantedRun {
  const read = readRequest('/p/f', text);
  if (!read.ok) throw new Error(read.error.map(faultSentence).join('\n'));
  return read.value;
}

describe('a request file', () => {
  it('with the least that a run needs is a request', () => {
    expect(readRequest('f', LEAST)).toEqual({
      ok: true,
      value: {
        request: {
          name: 'a run',
          command: 'echo hello',
          folder: '~/work',
          activate: null,
          env: {},
          results: null,
          successLine: null,
        },
        queue: null,
      },
    });
  });

  it('takes numbers of the environment as they are written, and a script of several lines', () => {
    const text = `${LEAST.replace('echo hello', '|\n  a\n  b')}env: {A: 8, B: "0.10"}\nsuccess_line: fine\n`;
    expect(readRequest('f', text)).toMatchObject({
      value: {
        request: { command: 'a\nb', env: { A: '8', B: '0.10' }, successLine: 'fine' },
      },
    });
  });

  it.each([
    [
      'a text that is a number',
      LEAST.replace('a run', '12'),
      '1:1 name cannot be used. Expected a text, not a number; put it in quotes.',
    ],
    [
      'a missing field',
      LEAST.replace(/folder.*\n/, ''),
      '1:1 folder is missing. Add it: a run cannot do without.',
    ],
    [
      'a slip',
      `${LEAST}succes_line: x\n`,
      '4:1 succes_line is not a field of a request. Did you mean success_line? Otherwise remove it.',
    ],
    [
      'a field of another tool',
      `${LEAST}partition: gpu\n`,
      `4:1 partition is not a field of a request. Remove it, or use one of: ${FIELDS}.`,
    ],
    [
      'a field without a value',
      `${LEAST}activate:\n`,
      '4:1 activate cannot be used. It is empty: give it a value, or remove the line.',
    ],
    [
      'a path of nowhere',
      LEAST.replace('~/work', 'work'),
      '3:1 folder cannot be used. Write a path on the box that begins with / or ~/.',
    ],
    [
      'a list',
      `${LEAST}env:\n  - A=1\n`,
      '4:1 env cannot be used. Expected fields below it, one “name: value” a line, not a list.',
    ],
    [
      'a name of the environment',
      `${LEAST}env:\n  1A: x\n`,
      '5:3 env.1A cannot be used. A name has letters, digits and _, and begins with no digit.',
    ],
    [
      'a value of the environment',
      `${LEAST}env:\n  A: 0.1\n`,
      '5:3 env.A cannot be used. Write one line of text or a whole number; put anything else in quotes.',
    ],
    [
      'carriage returns (U26)',
      LEAST.replace('echo hello', '"a\\r\\nb"'),
      '2:1 command cannot be used. Use line feeds only, no carriage returns (U26).',
    ],
    [
      'an anchor',
      `${LEAST}results: &a x\n`,
      '4:13 uses an anchor, an alias or a tag. Write the value out where it is needed.',
    ],
    [
      'a pattern of progress with an unknown brace',
      `${LEAST}progress:\n  - 'step {step}'\n  - 'loss {Loss}'\n`,
      '6:5 progress.1 cannot be used. “{Loss}” is no placeholder. Expected {step}, {total}, {epoch}, {epochs}, {*} or a name of a–z, digits and _.',
    ],
    [
      'more patterns of progress than are tried',
      `${LEAST}progress: ['1{a}', '2{a}', '3{a}', '4{a}', '5{a}', '6{a}']\n`,
      '4:1 progress cannot be used. Use at most 5 patterns.',
    ],
    [
      'a kind of GPU that is no list',
      `${LEAST}gpus:\n  names: A100\n`,
      '5:3 gpus.names cannot be used. Expected a list, one “- …” a line, not a text.',
    ],
    [
      'a platform’s own name for a machine',
      `${LEAST}gpus:\n  sku: gpu_1x_a100\n`,
      '5:3 gpus.sku is not a field of a request. Remove it, or use one of: names, count, gib, cells.',
    ],
    [
      'a secret with its value',
      `${LEAST}secrets:\n  - WANDB_API_KEY=abc\n`,
      '5:5 secrets.0 cannot be used. A name has letters, digits and _, begins with no digit, and is the name of a variable: no value.',
    ],
    [
      'another tracker',
      `${LEAST}tracker: mlflow\n`,
      '4:1 tracker cannot be used. Write one of wandb, trackio, tensorboard, none.',
    ],
    [
      'an address that is a command',
      `${LEAST}internet:\n  - https://a.b/$(id)\n`,
      '5:5 internet.0 cannot be used. Write an address such as https://huggingface.co or huggingface.co.',
    ],
    ['no time', `${LEAST}hours: 0\n`, '4:1 hours cannot be used. Write a number of hours above 0.'],
    [
      'half of the workers',
      `${LEAST}workers:\n  count: 8\n`,
      '5:3 workers.gib is missing. Add it: a run cannot do without.',
    ],
    [
      'neither a command nor cells',
      LEAST.replace(/command.*\n/, ''),
      '1:1 command is missing. Add it, or cells or a sweep in its place: a run cannot do without.',
    ],
    [
      'a command and cells',
      `${LEAST}cells:\n  - {name: a, command: x}\nstop_at_failure: true\n`,
      '4:1 cells cannot be used. A request has a command or cells, not both: remove one.',
    ],
    [
      'a command that starts again',
      `${LEAST}starts_again: true\n`,
      '4:1 starts_again cannot be used. Only a queue has this setting, and the request has a single command. Remove it.',
    ],
    [
      'a command that stops at a failure',
      `${LEAST}stop_at_failure: true\n`,
      '4:1 stop_at_failure cannot be used. Only a queue has this setting, and the request has a single command. Remove it.',
    ],
    [
      'a queue with a line of success',
      `${QUEUE}success_line: fine\n`,
      '9:1 success_line cannot be used. A queue has none: each cell has its exit code. Remove it.',
    ],
    [
      'a queue with a copy of what all cells share',
      `${QUEUE}results: out\ncopy:\n  to: durable\n`,
      '9:1 results cannot be used. Write {cell} into the results folder, such as results/{cell}: each cell of a queue copies its own.',
    ],
    [
      'a queue that begins behind its last cell',
      `${QUEUE}start_index: 3\n`,
      '9:1 start_index cannot be used. No cell would run: the last that is not left out is cell 2.',
    ],
    [
      'a results folder of cells that is no text',
      `${QUEUE}results: 5\ncopy: {to: durable}\n`,
      '9:1 results cannot be used. Expected a text, not a number; put it in quotes.',
    ],
    [
      'a command that begins at a cell',
      `${LEAST}start_index: 2\n`,
      '4:1 start_index cannot be used. Only a queue has this setting, and the request has a single command. Remove it.',
    ],
    [
      'two cells that would save into one folder',
      `${QUEUE}  - {name: ONE, command: x}\nresults: out/{cell}\n`,
      '10:1 results cannot be used. “one” and “ONE” would save into one folder: give one another name.',
    ],
    [
      'two cells of one name',
      `${QUEUE}  - name: one\n    command: x\n`,
      '9:5 cells.3.name cannot be used. “one” is the name of cell 1 already.',
    ],
    [
      'a cell without a command',
      `${QUEUE}  - name: two\n`,
      '9:5 cells.3.command is missing. Add it: a run cannot do without.',
    ],
    [
      'a cell whose command is empty',
      `${QUEUE}  - {name: two, command: ''}\n`,
      '9:17 cells.3.command cannot be used. The cell has no command.',
    ],
    [
      'a cell whose name a list cannot hold',
      `${QUEUE}  - {name: 'a: b', command: x}\n`,
      '9:6 cells.3.name cannot be used. A name has no “: ” in it, and no “#” in front.',
    ],
    [
      'a cell with carriage returns (U26)',
      `${QUEUE}  - {name: a, command: "x\\r\\ny"}\n`,
      '9:15 cells.3.command cannot be used. Remove the carriage returns from the command.',
    ],
    [
      'a slip in a cell',
      `${QUEUE}  - {name: a, comand: x, command: x}\n`,
      '9:15 cells.3.comand is not a field of a request. Did you mean command? Otherwise remove it.',
    ],
    [
      'a name of a cell that is a number',
      `${QUEUE}  - {name: 1, command: x}\n`,
      '9:6 cells.3.name cannot be used. Expected a text, not a number; put it in quotes.',
    ],
    [
      'cells that are no list',
      'name: q\nfolder: ~/w\ncells: a\n',
      '3:1 cells cannot be used. Expected a list, one “- …” a line, not a text.',
    ],
    [
      'cells that are all left out',
      'name: q\nfolder: ~/w\ncells:\n  - {name: a, command: x, left_out: true}\n',
      '3:1 cells cannot be used. Every cell is left out.',
    ],
    [
      'no cells',
      'name: q\nfolder: ~/w\ncells: []\n',
      '3:1 cells cannot be used. List at least one cell.',
    ],
    [
      'a sweep beside a command',
      `${SWEEP}command: x\n`,
      '3:1 sweep cannot be used. A request has a command, cells or a sweep: remove all but one.',
    ],
    [
      'a sweep with a folder for all',
      `${SWEEP}results: out\n`,
      '10:1 results cannot be used. In a sweep each cell has a folder of its own: write it as results below sweep.',
    ],
    [
      'a sweep of nothing',
      'name: s\nfolder: ~/w\nsweep:\n  boxes: [a]\n',
      '4:3 sweep.grid is missing. Add it, or cells in its place: a sweep cannot do without.',
    ],
    [
      'a grid without a command',
      SWEEP.replace(/ {2}command.*\n/, ''),
      '4:3 sweep.command is missing. Add it: it is what each cell of the grid runs.',
    ],
    [
      'a grid and cells',
      `${SWEEP}  cells:\n    - {name: a, command: 'x {results}'}\n`,
      '10:3 sweep.cells cannot be used. A sweep has a grid or cells, not both: remove one.',
    ],
    [
      'a parameter that the command does not use',
      SWEEP.replace('--seed {seed}', ''),
      '4:3 sweep.command cannot be used. The command does not use {seed}: write it as in --seed {seed}.',
    ],
    [
      'a command that names no folder',
      SWEEP.replace('{results}', 'out'),
      '4:3 sweep.command cannot be used. Write {results} where the folder of a cell goes, as in --out {results}: each cell saves into its own.',
    ],
    [
      'a number that YAML would write anew',
      SWEEP.replace('0, 1, 2', '0.10'),
      '7:5 sweep.grid.seed cannot be used. Write the values as one text with commas between, such as 1e-3, 1e-4; a single one with a decimal point needs quotes.',
    ],
    [
      'a value that is there twice',
      SWEEP.replace('0, 1, 2', '0, 1, 0'),
      '7:5 sweep.grid.seed cannot be used. “0” is there twice.',
    ],
    [
      'a name of a parameter',
      SWEEP.replace('seed: 0, 1, 2', '0x: 1, 2'),
      '7:5 sweep.grid.0x cannot be used. A name has letters, digits, _, . and -, and begins with a letter or _.',
    ],
    [
      'a grid that is too large',
      SWEEP.replace('0, 1, 2', Array.from({ length: 6000 }, (_, at) => String(at)).join(', ')),
      expect.stringMatching(
        /^\d+:\d+ sweep\.grid cannot be used\. These are 12000 cells; /,
      ) as string,
    ],
    [
      'cells that would save into one folder',
      SWEEP.replace('results/{cell}', 'results/{lr}'),
      expect.stringMatching(
        /^8:3 sweep\.results cannot be used\. .* would both save in results\/1e-3\. /,
      ) as string,
    ],
    [
      'a cell of a sweep that names no folder',
      'name: s\nfolder: ~/w\nsweep:\n  cells:\n    - {name: a, command: "x {results}"}\n    - {name: b, command: y}\n',
      '6:17 sweep.cells.1.command cannot be used. Write {results} where the folder of a cell goes, as in --out {results}: each cell saves into its own.',
    ],
    [
      'a slip in a sweep',
      SWEEP.replace('boxes', 'box'),
      '9:3 sweep.box is not a field of a request. Did you mean boxes? Otherwise remove it.',
    ],
    ['no fields', '- a\n', '1:1 holds no fields. Begin with “name: …” and “command: …”.'],
    ['nothing', '', '1:1 holds no fields. Begin with “name: …” and “command: …”.'],
  ])('names the place of %s and what was expected', (_what, text, said) => {
    expect(faultsOf(text)).toEqual([said]);
  });

  it('tells every fault, and where YAML itself breaks', () => {
    expect(faultsOf('nam: x\ncommand: [a]\nfolder: ~/w\n')).toHaveLength(3);
    expect(faultsOf('folder: w\ncells:\n  - {name: "", command: x}\nsuccess_line: y\n')).toEqual([
      expect.stringContaining('name is missing'),
      expect.stringContaining('cells.0.name cannot be used'),
      expect.stringContaining('folder cannot be used'),
      expect.stringContaining('success_line cannot be used'),
    ]);
    expect(faultsOf('name: a\n  b: c: d\n')).toEqual([
      expect.stringMatching(/^1:\d+ is not plain YAML: /),
    ]);
  });

  it('is written as what reads back as the very same request', () => {
    const oneLine = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .map((text) => text.replace(/[\0\r\n]/g, ' ').trim());
    const filled = oneLine.filter((text) => text !== '');
    const orNull = fc.option(filled, { nil: null });
    const command = fc
      .array(filled, { minLength: 1, maxLength: 4 })
      .map((lines) => lines.join('\n'));
    const env = fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), oneLine);
    const patterns = fc.array(fc.stringMatching(/^[*a-z][*.a-z: #'"-]{0,20}[a-z]$/), {
      minLength: 1,
      maxLength: 3,
    });
    const gib = fc.integer({ min: 1, max: 1000 }).map((tenths) => tenths / 10);
    const count = fc.integer({ min: 1, max: 64 });
    const needs: fc.Arbitrary<RunNeeds> = fc.record(
      {
        gpus: fc.record({ names: patterns, count, gib }, { requiredKeys: [] }),
        checkpoints: fc.record({ names: patterns, gib, kept: count }, { requiredKeys: [] }),
        files: count,
        workers: fc.record({ count, gib }),
        secrets: fc.array(fc.stringMatching(/^[A-Z_]{1,8}$/), { minLength: 1, maxLength: 3 }),
        tracker: fc.constantFrom(...TRACKERS),
        rehearsal: filled,
        internet: fc.array(fc.constantFrom('huggingface.co', 'https://a.b:8/c/d.e'), {
          minLength: 1,
          maxLength: 3,
        }),
        hours: gib,
        platforms: fc.constant(['runpod', 'vastai']),
        profile: fc.boolean(),
        evidence: patterns,
        scratch: patterns,
        progress: fc.constantFrom(['step {step}/{total}, loss={loss}'], ['{a} b', 'e: {epoch}#']),
      },
      { requiredKeys: [] },
    );
    const requests: fc.Arbitrary<RunRequest> = fc
      .record({
        name: filled.filter((text) => text.length <= 80),
        command,
        folder: filled.map((text) => `~/${text}`),
        activate: orNull,
        env,
        results: orNull,
        successLine: orNull,
      })
      .chain((least) => needs.map((more) => ({ ...least, ...more })));
    fc.assert(
      fc.property(requests, (request) => {
        const sent = { request: runRequest.parse(request), queue: null };
        expect(readRequest('/p/f', value(requestText(sent, '/p/f')))).toEqual({
          ok: true,
          value: sent,
        });
      }),
    );
  });

  it('holds a queue: its cells, those that are left out, whether a failure ends it, and whether it starts again', () => {
    const { request, queue } = wanted(`${QUEUE}starts_again: true\n`);
    expect(request).toMatchObject({ name: 'a grid', command: 'run 1', successLine: null });
    expect(queue).toEqual({
      cells: [
        { name: 'one', command: 'run 1', isCommented: false },
        { name: 'ml', command: 'for i in 1 2; do\n\n  echo $i\ndone', isCommented: false },
        { name: 'later', command: '', isCommented: true },
      ],
      stopsAtFailure: true,
      startsAgain: true,
    });
  });

  it('keeps a queue byte for byte: from the form to the file, and from the file to the form', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'ä', ' ', ':', '#', '-', "'", '"', '\\', '\t', '$', '{', '\n'),
      maxLength: 200,
    });
    const cells = fc.uniqueArray(
      fc.record({ name: text, command: text, isCommented: fc.boolean() }),
      {
        selector: ({ name }) => name,
        minLength: 1,
        maxLength: 6,
      },
    );
    const { request } = wanted(QUEUE);
    let read = 0;
    fc.assert(
      fc.property(cells, fc.boolean(), fc.boolean(), (typed, stopsAtFailure, startsAgain) => {
        const list = readCellList(cellListText(typed));
        if (list.faults.length > 0 || activeCells(list.cells).length === 0) return;
        read += 1;
        const queue = { cells: list.cells, stopsAtFailure, startsAgain };
        const file = value(requestText({ request, queue }, '/p/f'));
        const again = wanted(file);
        expect(again.queue).toEqual(queue);
        expect(value(requestText(again, '/p/f'))).toBe(file);
        expect(readCellList(cellListText(list.cells))).toEqual(list);
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(20);
  });

  it('holds a sweep: its grid or cells, the folder of each and the boxes that it names', () => {
    const read = wanted(SWEEP);
    expect(read).toMatchObject({
      queue: null,
      request: {
        ...{ name: 'rates', results: null, successLine: null },
        command: 'python train.py --lr 1e-3 --seed 0 --out results/lr=1e-3-seed=0',
      },
      sweep: {
        source: {
          kind: 'grid',
          command: 'python train.py --lr {lr} --seed {seed} --out {results}',
          parameters: 'lr: 1e-3, 1e-4\nseed: 0, 1, 2',
        },
        pattern: 'results/{cell}',
        boxes: ['alpha', 'beta 2'],
      },
    });
    expect(wanted(SWEEP.replace(/ {2}results.*\n {2}boxes.*\n/, '')).sweep).toMatchObject({
      pattern: 'results/{cell}',
      boxes: null,
    });
    const list = 'name: s\nfolder: ~/w\nsweep:\n  cells:\n';
    expect(
      wanted(
        `${list}    - {name: a, command: "x {results}"}\n    - {name: b, command: '', left_out: true}\n`,
      ).sweep?.source,
    ).toEqual({ kind: 'list', text: 'a: x {results}\n# b' });
  });

  it('keeps a sweep: from the form to the file, and from the file to the form', () => {
    const { request } = wanted(SWEEP);
    const part = fc.string({
      unit: fc.constantFrom(
        'a',
        'ä',
        '1',
        '.',
        'e',
        '-',
        ' ',
        ':',
        '#',
        "'",
        '"',
        '\\',
        '$',
        '{',
        '\n',
      ),
      maxLength: 12,
    });
    const grids = fc.record({
      kind: fc.constant('grid' as const),
      command: part.map((text) => `run {lr} ${text} {results}`),
      parameters: fc
        .uniqueArray(part, { minLength: 1, maxLength: 4 })
        .map((values) => `lr: ${values.join(',')}`),
    });
    const lists = fc.record({
      kind: fc.constant('list' as const),
      text: fc
        .uniqueArray(fc.tuple(part, part), {
          selector: ([name]) => name,
          minLength: 1,
          maxLength: 4,
        })
        .map((rows) => rows.map(([name, text]) => `${name}: run {results} ${text}`).join('\n')),
    });
    const boxes = fc.option(fc.constant(['alpha', '- beta']), { nil: null });
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(grids, lists), boxes, (source, named) => {
        const typed = { source, pattern: 'out/{cell}', boxes: named };
        const made = makeCells(source, typed.pattern);
        if (made.cells.length === 0) return;
        read += 1;
        const file = value(requestText({ request, queue: null, sweep: typed }, '/p/f'));
        const again = wanted(file);
        // Not letter by letter, since blanks around a value say nothing: what is made of it is the same.
        expect(again.sweep && makeCells(again.sweep.source, again.sweep.pattern)).toEqual(made);
        expect(again.sweep?.boxes).toEqual(named);
        expect(value(requestText(again, '/p/f'))).toBe(file);
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(20);
  });

  it('is never written longer than it may be read', () => {
    const { request } = wanted(QUEUE);
    const queue = (count: number): QueueRequest => ({
      cells: Array.from({ length: count }, (_, at) => ({
        name: `cell-${String(at)}`,
        command: 'x'.repeat(1000),
        isCommented: false,
      })),
      stopsAtFailure: false,
      startsAgain: false,
    });
    expect(requestText({ request, queue: queue(200) }, '/p/f').ok).toBe(true);
    expect(requestText({ request, queue: queue(300) }, '/p/f')).toMatchObject({
      ok: false,
      error: { message: 'The file would be longer than 256 KiB, and could not be opened again.' },
    });
  });
});

describe('the published schema', () => {
  it('is current: `cli -- request schema --write` makes it so', () => {
    const published: unknown = JSON.parse(
      readFileSync(join(ROOT, 'resources/schemas/request.schema.json'), 'utf8'),
    );
    expect(published).toEqual(JSON.parse(JSON.stringify(requestJsonSchema())));
  });
});

describe('on this disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-request-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const files = (file: string | null) =>
    new RequestFiles({
      chooseRequestFile: () => Promise.resolve(file),
      chooseFolder: () => Promise.resolve(null),
      chooseFile: () => Promise.resolve(file),
    });

  it('a new request can be used as it is and with every field; one that is there stays', async () => {
    const file = join(folder, 'leasehold.yaml');
    expect(await run(['request', 'new', file])).toMatchObject({ code: 0, err: '' });
    expect(await run(['request', 'check', file])).toMatchObject({ code: 0 });
    const all = readFileSync(file, 'utf8').replace(/^# (?=[a-z_]+:|  )/gm, '');
    // All at once are a command and a queue; each way has fields of its own.
    expect(faultsOf(all)).toEqual([
      expect.stringContaining('has a command, cells or a sweep: remove all but one'),
    ]);
    const without = (...names: readonly string[]): string =>
      all.replace(new RegExp(`^(?:${names.join('|')}):.*\\n(?:  .*\\n)*`, 'gm'), '');
    const ofAQueue = ['cells', 'stop_at_failure', 'starts_again', 'start_index'];
    expect(faultsOf(without(...ofAQueue, 'sweep'))).toEqual([]);
    expect(faultsOf(without('command', 'success_line', 'copy', 'sweep'))).toEqual([]);
    const notOfASweep = ['command', 'cells', 'success_line', 'copy', 'results', 'stop_at_failure'];
    expect(faultsOf(without(...notOfASweep, 'starts_again', 'start_index'))).toEqual([]);
    for (const field of Object.keys(requestJsonSchema()['properties'] as object)) {
      expect(all).toContain(field);
    }
    writeFileSync(file, 'mine');
    const again = await run(['request', 'new', file]);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('it is there already');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('`request check` answers 1 with each fault and its place, for people and for scripts', async () => {
    const file = join(folder, 'leasehold.yaml');
    writeFileSync(file, `${LEAST}partition: x\n`);
    expect(await run(['request', 'check', file])).toMatchObject({
      code: 1,
      out: `${file}:4:1 partition is not a field of a request. Remove it, or use one of: ${FIELDS}.\n`,
    });
    const { out } = await run(['request', 'check', file, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      request: null,
      faults: [{ file, line: 4, column: 1 }],
    });
    const missing = await run(['request', 'check', join(folder, 'none.yaml')]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.out).toContain('cannot be read (ENOENT)');
    expect(await run(['request', 'check'])).toMatchObject({ code: 2, out: '' });
  });

  it('what the form has is saved, and opened as the same; a file with faults fills nothing', async () => {
    const file = join(folder, 'leasehold.yaml');
    const read = readRequest('f', LEAST);
    if (!read.ok) throw new Error('not read');
    expect(await files(file).save(read.value)).toEqual({
      ok: true,
      value: { kind: 'saved', file },
    });
    expect(await files(file).open()).toEqual({
      ok: true,
      value: { kind: 'read', file, ...read.value },
    });
    writeFileSync(file, 'name: [');
    expect(await files(file).open()).toMatchObject({ ok: true, value: { kind: 'faults', file } });
    expect(await files(null).open()).toEqual({ ok: true, value: { kind: 'cancelled' } });
    expect(await files(null).save(read.value)).toEqual({ ok: true, value: { kind: 'cancelled' } });
    expect(await files(join(folder, 'no', 'where.yaml')).save(read.value)).toMatchObject({
      ok: false,
      error: { code: 'export-failed', nextStep: 'Choose another folder and save it again.' },
    });
  });

  it('lets nothing leave that was not chosen, and that does not lie in what was', async () => {
    const project = join(folder, 'project');
    mkdirSync(join(project, 'src'), { recursive: true });
    mkdirSync(join(folder, 'private'));
    symlinkSync('../private', join(project, 'innocent'));
    const file = join(project, 'leasehold.yaml');
    const wants = async (own: RequestFiles, from: string): Promise<boolean> => {
      const read = readRequest(file, `${LEAST}push:\n  from: ${from}\n`);
      // What leads out of the project by its words is no request at all.
      return read.ok && (await own.judge(read.value.request)).ok;
    };
    writeFileSync(file, LEAST);
    const own = files(file);
    expect(await wants(own, 'src')).toBe(false);
    await own.open();
    expect(await wants(own, '.')).toBe(true);
    expect(await wants(own, 'src')).toBe(true);
    expect(await wants(own, '../private')).toBe(false);
    expect(await wants(own, 'innocent')).toBe(false);
  });

  it('a copy of the schema lies beside a new request, renewed where it is ours and nothing else', async () => {
    const file = join(folder, 'leasehold.yaml');
    const copy = join(folder, 'leasehold.schema.json');
    const again = async (): Promise<unknown> => {
      rmSync(file, { force: true });
      const { code, out } = await run(['request', 'new', file, '--json']);
      expect(code).toBe(0);
      return (JSON.parse(out) as { readonly schema: unknown }).schema;
    };
    expect(await again()).toBe('written');
    const [line = ''] = readFileSync(file, 'utf8').split('\n');
    const [, schema = ''] = /\$schema=(.*)$/.exec(line) ?? [];
    expect(JSON.parse(readFileSync(join(folder, schema), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(requestJsonSchema())),
    );
    expect(await again()).toBe('current');
    writeFileSync(copy, JSON.stringify({ title: requestJsonSchema()['title'] }));
    expect(await again()).toBe('written');
    for (const foreign of ['{"title": "mine"}', 'no JSON']) {
      writeFileSync(copy, foreign);
      expect(await again()).toBe('foreign');
      expect(readFileSync(copy, 'utf8')).toBe(foreign);
    }
  });

  it('the first line of a new request leads an editor to the schema', () => {
    expect(newRequestText('file:///x.json')).toMatch(
      /^# yaml-language-server: \$schema=file:\/\/\/x\.json\n/,
    );
  });
});
