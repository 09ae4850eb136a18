import { expect, it } from 'vitest';
import type { SweepRoster } from '../../../shared/runs/sweep/sweep-roster.ts';
import { digestOf } from './roster-digest.ts';

/** As JSON, which gives a variable any name. */
const ROSTER = `{
  "name": "rates",
  "id": "s-20260101-000000-0badcafe",
  "cells": [
    { "results": "out/b", "name": "b \\" é", "command": "echo b\\nexit 1" },
    { "name": "a", "command": "echo a", "results": "out/a" }
  ],
  "base": {
    "folder": "~/work",
    "env": { "Z": "1", "10": "2", "9": "3", "__proto__": "4", "A": "" },
    "activate": null
  }
}`;
const read = (text: string): SweepRoster => JSON.parse(text) as SweepRoster;

it('gives a roster the digest that it has on every box and in every version', () => {
  expect(digestOf(read(ROSTER))).toBe(
    '8e911da2a60877754981965ec2fe449f087fcf82607c6a40cd5ba06f20aaa0f9',
  );
});

it.each([
  ['a command', 'echo a', 'echo b'],
  ['a variable whose name means something to JavaScript', '"4"', '"5"'],
  ['a folder', 'out/a', 'out/c'],
])('gives another one to a roster with another %s', (_what, before, after) => {
  const other = read(ROSTER.replace(before, after));
  expect(digestOf(other)).not.toBe(digestOf(read(ROSTER)));
});
