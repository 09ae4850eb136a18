import { ok, err, type Result } from '../../shared/result.ts';
import { sweepBaseOf } from '../../shared/runs/request/wanted-sweep.ts';
import { makeCells } from '../../shared/runs/sweep/make-cells.ts';
import { readRequestFile } from '../runs/request/read-request.ts';
import { newSweepId } from '../runs/sweep/plan-share.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { Flag } from './command.ts';
import { printable } from './printable.ts';
import type { SweepWish } from './sweep-boxes.ts';

export const BOXES: Flag = {
  value: 'names',
  help: 'the boxes, with commas between; without it, those of the file',
};

/** The sweep of a request file and the boxes that it is for, or why there is none. */
export async function readSweepWish(
  file: string,
  flags: ReadonlyMap<string, string>,
  id: string = newSweepId(),
): Promise<Result<{ readonly wish: SweepWish; readonly names: readonly string[] }, string>> {
  const wanted = await readRequestFile(file);
  if (!wanted.ok) {
    return err(wanted.error.map((fault) => printable(faultSentence(fault))).join('\n'));
  }
  const { request, sweep } = wanted.value;
  if (sweep === undefined) {
    return err(`${printable(file)} is no sweep: “request plan” tells what it does.`);
  }
  const named =
    flags
      .get('boxes')
      ?.split(',')
      .map((name) => name.trim()) ??
    sweep.boxes ??
    [];
  const names = [...new Set(named.filter((name) => name !== ''))];
  if (names.length === 0) return err('the file names no boxes: give them with --boxes.');
  const { cells } = makeCells(sweep.source, sweep.pattern);
  const roster = { id, name: request.name, base: sweepBaseOf(request), cells };
  return ok({ wish: { roster, push: request.push ?? null, given: null }, names });
}
