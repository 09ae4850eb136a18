import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patrolMemory, type PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import { fileProblem } from '../storage/file-problem.ts';

const FOLDER = 'patrol';
const fileOf = (dataFolder: string, boxId: string): string =>
  join(dataFolder, FOLDER, `${boxId}.json`);

/** Null: there was no patrol before. A file that cannot be read says why: a run that it held would be forgotten. */
export async function readMemory(
  dataFolder: string,
  boxId: string,
): Promise<{ readonly memory: PatrolMemory | null; readonly fault: string | null }> {
  let text: string;
  try {
    text = await readFile(fileOf(dataFolder, boxId), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { memory: null, fault: null };
    return { memory: null, fault: String(cause) };
  }
  try {
    return { memory: patrolMemory.parse(JSON.parse(text)), fault: null };
  } catch {
    return { memory: null, fault: `${fileOf(dataFolder, boxId)} is not a patrol's memory` };
  }
}

export async function writeMemory(
  dataFolder: string,
  boxId: string,
  memory: PatrolMemory,
): Promise<Result<null, Problem>> {
  const file = fileOf(dataFolder, boxId);
  try {
    await mkdir(join(dataFolder, FOLDER), { recursive: true, mode: 0o700 });
    await replaceFile(file, JSON.stringify(memory));
    return ok(null);
  } catch (cause) {
    const failed = 'What was seen was not kept for the next look';
    return err(fileProblem(cause, { failed, file, otherwise: 'folder-read-only' }));
  }
}
