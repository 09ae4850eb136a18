import { err, ok, type Result } from '../../../shared/result.ts';
import type { SweepRef } from '../../../shared/runs/sweep/sweep-roster.ts';
import { sweepFile, type SweepFile } from '../../../shared/runs/sweep/sweep-schema.ts';
import { digestOf } from './roster-digest.ts';

/** What a box says of a sweep, or why nothing of it is believed. For ten thousand cells this takes a tenth of a second and more. */
export function checkSweepText(text: string, { id, digest }: SweepRef): Result<SweepFile, string> {
  const file = sweepFile.safeParse(parsed(text));
  if (!file.success)
    return err('The file of the sweep on the box is not one that a launch writes.');
  const { roster } = file.data;
  return roster.id === id && digestOf(roster) === digest
    ? ok(file.data)
    : err('The file of the sweep on the box was changed since its launch.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // judged by the schema
  }
}
