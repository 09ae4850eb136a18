import { expect, it } from 'vitest';
import { readEvents, sample } from '../metric-files/event-files.fixture.ts';
import { figuresInParts, fileOfCell, readCellFiles } from './cell-files.ts';

const reading = {
  redact: (text: string) => text.replace('hunter2', '[redacted]'),
  decode: (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8'),
};
const part = (text: string, from = 0) => ({ from, bytes: Buffer.from(text) });
const table = (...parts: Parameters<typeof part>[]) =>
  figuresInParts(
    { kind: 'csv' },
    parts.map((each) => part(...each)),
    reading,
  );

it('finds the newest values of an event file in its end, wherever that begins', () => {
  const whole = sample('torch-resumed');
  const { read } = readEvents(whole);
  const last = read.get('lr')?.values.at(-1);
  for (const from of [whole.length >> 1, (whole.length >> 1) + 1, whole.length - 300]) {
    const parts = [{ from, bytes: whole.subarray(from) }];
    expect(figuresInParts({ kind: 'tensorboard' }, parts, reading)['lr']).toBe(last);
  }
  const noise = { from: 9, bytes: Buffer.alloc(4000, 7) };
  expect(figuresInParts({ kind: 'tensorboard' }, [noise], reading)).toEqual({});
});

it('takes no half line of a table for a row', () => {
  expect(table(['step,loss\n1,0.5\n2,0'])).toEqual({ loss: 0.5 });
  expect(table(['step,loss\n1,0.5\n'], ['2,9\n3,0.25\n4,0.1', 5000])).toEqual({ loss: 0.25 });
});

it('names no figure by a secret', () => {
  const lines = part('{"step": 1, "hunter2": 3, "loss": 2}\n');
  expect(figuresInParts({ kind: 'jsonl' }, [lines], reading)).toEqual({ loss: 2 });
});

it('takes the newest event file of a cell, or what is named like figures, and no other table', () => {
  const file = (path: string, seconds: number) => ({ path, bytes: 9, modifiedAtMs: seconds });
  expect(fileOfCell([file('data.csv', 9)])).toBeNull();
  expect(fileOfCell([file('data.csv', 9), file('metrics.jsonl', 1)])?.path).toBe('metrics.jsonl');
  const events = ['tb/events.out.tfevents.1.h', 'tb/events.out.tfevents.2.h'];
  expect(fileOfCell(events.map((path) => file(path, 1)))?.path).toBe(events[1]);
});

it('reads names of files that hold anything, and nothing of a list that is not whole', () => {
  const told = '\nM cell 2\nf 9 8 a\nb.csv\0f 7 6 half\nM whole\n';
  expect(readCellFiles(told, 'M')?.get(1)).toEqual([
    { path: 'a\nb.csv', bytes: 9, modifiedAtMs: 8000 },
  ]);
  expect(readCellFiles(told.replace('whole', 'who'), 'M')).toBeNull();
  expect(readCellFiles('\nM refused cut-off\n', 'M')).toBeNull();
});
