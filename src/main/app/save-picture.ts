import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { PictureOutcome } from '../../shared/telemetry/history.ts';
import { writePicture } from '../telemetry/history-export.ts';
import type { SavedKind } from './choose-file.ts';

/** A name that people or boxes gave may hold anything; a file name may not. */
export function fileNameOf(name: string, otherwise: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '') || otherwise;
}

/** Asks where to, then writes a picture that the window painted. */
export async function savePicture(
  chooseFile: (suggested: string, kind: SavedKind) => Promise<string | null>,
  suggested: string,
  png: Uint8Array,
): Promise<Result<PictureOutcome, Problem>> {
  const file = await chooseFile(suggested, 'png');
  if (file === null) return ok({ kind: 'cancelled' });
  const written = await writePicture(file, png);
  return written.ok ? ok({ kind: 'saved', file, bytes: written.value.bytes }) : written;
}
