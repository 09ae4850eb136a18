import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { PictureOutcome } from '../../shared/telemetry/history.ts';
import { writeWhole } from '../telemetry/history-export.ts';
import type { SavedKind } from './choose-file.ts';

/** A name that people or boxes gave may hold anything; a file name may not. */
export function fileNameOf(name: string, otherwise: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '') || otherwise;
}

type ChooseFile = (suggested: string, kind: SavedKind) => Promise<string | null>;

/** Asks where to, then writes a picture that the window painted. */
export function savePicture(
  chooseFile: ChooseFile,
  name: string,
  png: Uint8Array,
): Promise<Result<PictureOutcome, Problem>> {
  return saveWhole(chooseFile, { name, kind: 'png' }, png);
}

/** Asks where to, then writes what is there at once. */
export async function saveWhole(
  chooseFile: ChooseFile,
  { name, kind }: { readonly name: string; readonly kind: SavedKind },
  content: Uint8Array,
): Promise<Result<PictureOutcome, Problem>> {
  const file = await chooseFile(name, kind);
  if (file === null) return ok({ kind: 'cancelled' });
  const written = await writeWhole(file, content);
  return written.ok ? ok({ kind: 'saved', file, bytes: written.value.bytes }) : written;
}
