import { err, ok, type Result } from '../../shared/result.ts';
import type { WantedRun } from '../../shared/runs/request/wanted-run.ts';
import { readRequestFile } from '../runs/request/read-request.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import { printable } from './printable.ts';

/** What is to run on one box; or why the file cannot be used, for the person. */
export async function readRunFile(file: string): Promise<Result<WantedRun, string>> {
  const wanted = await readRequestFile(file);
  if (!wanted.ok) {
    return err(wanted.error.map((fault) => printable(faultSentence(fault))).join('\n'));
  }
  return wanted.value.sweep === undefined
    ? ok(wanted.value)
    : err(`${printable(file)} is a sweep, which is planned over its boxes by “sweep plan”.`);
}
