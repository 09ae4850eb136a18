import { describe, expect, it } from 'vitest';
import {
  EMPTY_REQUEST,
  formOf,
  readRequestForm,
  secretNamesOf,
  type RequestField,
  type RequestForm,
} from './request-form.ts';
import { EMPTY_NEEDS, type NeedsTexts } from './needs-form.ts';
import { runRequest } from './run-request-schema.ts';

const GOOD: RequestForm = {
  ...EMPTY_REQUEST,
  name: ' baseline ',
  command: 'python train.py\n--lr 0.1 ',
  folder: '~/work',
};
const read = (part: Partial<RequestForm>) => readRequestForm({ ...GOOD, ...part });
const errorOf = (part: Partial<RequestForm>, field: RequestField): string | undefined => {
  const answer = read(part);
  return answer.kind === 'errors' ? answer.errors[field] : undefined;
};

describe('the form of a launch', () => {
  it('makes a request of what was typed, and the form again of the request', () => {
    const answer = read({ env: 'A=1\n\n B = two = 2 \r\nC=', results: 'out', successLine: 'ok' });
    expect(answer).toEqual({
      kind: 'request',
      request: {
        name: 'baseline',
        command: 'python train.py\n--lr 0.1',
        folder: '~/work',
        activate: null,
        env: { A: '1', B: 'two = 2', C: '' },
        results: 'out',
        successLine: 'ok',
      },
    });
    if (answer.kind === 'request') {
      expect(readRequestForm(formOf(answer.request))).toEqual(answer);
    }
  });

  it('takes code, data, disk and a smoke command, and gives them back', () => {
    const push = {
      from: '/work/p',
      ignore: '*.ckpt\n\n data/ ',
      delete: true,
      fixLineEnds: false,
      rehash: false,
    };
    const answer = read({
      push,
      fetch: 'data: wget -c a:b\n~/x: y',
      smoke: 'true',
      disk: '40,5',
      results: 'out',
      copyTo: ' durable',
      prune: 'tmp/*\n',
    });
    expect(answer).toMatchObject({
      request: {
        push: {
          from: '/work/p',
          ignore: ['*.ckpt', 'data/'],
          delete: true,
          fixLineEnds: false,
          rehash: false,
        },
        fetch: [
          { into: 'data', run: 'wget -c a:b' },
          { into: '~/x', run: 'y' },
        ],
        smoke: 'true',
        copy: { to: 'durable', prune: ['tmp/*'] },
        diskGib: 40.5,
      },
    });
    if (answer.kind === 'request') {
      expect(runRequest.parse(answer.request)).toEqual(answer.request);
      expect(readRequestForm(formOf(answer.request))).toEqual(answer);
    }
    expect(errorOf({ push: { ...push, ignore: '!keep' } }, 'ignore')).toContain('“!”');
    expect(errorOf({ copyTo: 'durable' }, 'copyTo')).toContain('results folder');
    expect(errorOf({ copyTo: 'x', results: 'out' }, 'copyTo')).toContain('durable');
    expect(errorOf({ prune: '*', results: 'out', copyTo: '/x' }, 'prune')).toContain('pattern');
    expect(errorOf({ prune: 'a*', results: 'out' }, 'prune')).toContain('copied');
    expect(errorOf({ disk: '-1' }, 'disk')).toContain('GiB');
    expect(errorOf({ fetch: 'wget x' }, 'fetch')).toBe('Line 1: write it as folder: command.');
  });

  it('takes what the run needs of a box, and gives it back', () => {
    const needs = {
      ...EMPTY_NEEDS,
      gpuNames: 'A100, H100 ',
      gpuCount: '2',
      gpuGib: '40',
      gpuCells: '3',
      checkpointNames: '*.ckpt',
      checkpointGib: '2,5',
      checkpointsKept: '3',
      files: '20000',
      workers: '0',
      workerGib: '2',
      secrets: 'WANDB_API_KEY,HF_TOKEN',
      rehearsal: ' python -m pytest -q',
      internet: 'huggingface.co',
      hours: '6',
      platforms: 'runpod, vastai',
      evidence: 'metrics.csv',
      scratch: '*.tmp',
      progress: ' step {step}, loss {loss}\n\nepoch {epoch}\r\n',
      tracker: 'wandb',
      usesProfile: false,
    } as const;
    const answer = read({ needs });
    expect(answer).toMatchObject({
      request: {
        gpus: { names: ['A100', 'H100'], count: 2, gib: 40, cells: 3 },
        checkpoints: { names: ['*.ckpt'], gib: 2.5, kept: 3 },
        files: 20_000,
        workers: { count: 0, gib: 2 },
        secrets: ['WANDB_API_KEY', 'HF_TOKEN'],
        rehearsal: 'python -m pytest -q',
        internet: ['huggingface.co'],
        hours: 6,
        platforms: ['runpod', 'vastai'],
        evidence: ['metrics.csv'],
        scratch: ['*.tmp'],
        progress: ['step {step}, loss {loss}', 'epoch {epoch}'],
        tracker: 'wandb',
        profile: false,
      },
    });
    if (answer.kind === 'request') {
      expect(runRequest.parse(answer.request)).toEqual(answer.request);
      expect(readRequestForm(formOf(answer.request))).toEqual(answer);
    }
  });

  it.each<[keyof NeedsTexts, string, string]>([
    ['gpuCount', '0', 'from 1 to 64'],
    ['gpuCount', '1.5', 'from 1 to 64'],
    ['gpuGib', '-1', 'above 0'],
    ['secrets', 'A=hunter2', 'no value'],
    ['internet', 'https://a b', 'such as https://huggingface.co'],
    ['platforms', 'RunPod', 'such as runpod'],
    ['hours', 'long', 'above 0'],
    ['workers', '8', 'both'],
    ['workerGib', '8', 'both'],
    ['evidence', 'x'.repeat(81), '80'],
    ['scratch', Array.from({ length: 17 }, (_, at) => `f${String(at)}`).join(), 'at most 16'],
  ])('says what is wrong with %s: %s', (name, text, words) => {
    const answer = read({ needs: { ...EMPTY_NEEDS, [name]: text } });
    const told = answer.kind === 'errors' ? Object.values(answer.errors).join(' ') : '';
    expect(told).toContain(words);
  });

  it('names all that is wrong, each at its field', () => {
    expect(readRequestForm(EMPTY_REQUEST)).toEqual({
      kind: 'errors',
      errors: {
        name: 'Enter a name.',
        command: 'Enter the command to run.',
        folder: 'Enter a folder on the box.',
      },
    });
    expect(errorOf({ folder: 'work' }, 'folder')).toContain('/ or ~/');
    expect(errorOf({ name: 'x'.repeat(81) }, 'name')).toContain('80');
    expect(errorOf({ command: 'a\rb' }, 'command')).toContain('carriage returns');
    expect(errorOf({ results: 'a\nb' }, 'results')).toContain('single line');
    for (const [env, words] of [
      ['A=1\nexport B=2', 'Line 2: leave out “export”.'],
      ['A', 'Line 1: write it as NAME=value.'],
      ['1A=2', 'does not start with a digit'],
      ['A B=2', 'letters, digits'],
      ['=2', 'letters, digits'],
      ['__proto__=2', 'letters, digits'],
      ['A=1\nA=2', 'A is already set above.'],
      [`A=${'x'.repeat(2001)}`, 'too long'],
      ['A=b\0', 'no plain text'],
    ] as const) {
      expect(errorOf({ env }, 'env')).toContain(words);
    }
  });

  it.each<Partial<RequestForm>>([
    {},
    { folder: '~' },
    { folder: '/a b/ü' },
    { folder: 'a' },
    { folder: '~a' },
    { name: '' },
    { name: 'x'.repeat(80) },
    { name: 'x'.repeat(81) },
    { name: 'a\nb' },
    { name: '\u00a0' },
    { command: ' \n ' },
    { command: 'a\rb' },
    { command: 'a\0b' },
    { command: 'x'.repeat(20_001) },
    { activate: 'x'.repeat(2001) },
    { activate: 'a\0' },
    { env: 'A=1\nb_2=' },
    { env: 'constructor=1' },
    { env: `A${'b'.repeat(99)}=1` },
    { env: `A${'b'.repeat(100)}=1` },
    { results: '../x', successLine: 'done' },
  ])('agrees with what main takes: %j', (part) => {
    const form = { ...GOOD, ...part };
    const answer = readRequestForm(form);
    const env = Object.fromEntries(
      form.env
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const orNull = (text: string) => (text === '' ? null : text);
    const { name, command, folder } = form;
    const direct = runRequest.safeParse({
      name,
      command,
      folder,
      env,
      activate: orNull(form.activate),
      results: orNull(form.results),
      successLine: orNull(form.successLine),
    });
    expect(answer.kind === 'request').toBe(direct.success);
    if (answer.kind === 'request') expect(answer.request).toEqual(direct.data);
  });

  it('sees which values are probably secrets', () => {
    const env = 'WANDB_API_KEY=x\nHF_TOKEN=\nLR=1\n DB_PASSWORD = y\nTOKENIZERS=z\nSECRET_FILE=/a';
    expect(secretNamesOf(env)).toEqual(['WANDB_API_KEY', 'DB_PASSWORD', 'TOKENIZERS']);
  });
});
