import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { MAX_FINDS, type LogFinds } from '../../shared/runs/launch/log-part.ts';

/** Longer than any line of log-find.sh: the beginning of a line, as much as was asked for, behind its place. */
const MAX_LINE_CHARS = 1000;

/**
 * What log-find.sh prints. `fits` null: every line that it tells counts; else it reads on until one does, and answers that one. Linear
 * in what comes, and keeps no more than the places.
 */
export async function readLogFinds(
  stdout: AsyncIterable<Buffer>,
  mark: string,
  fits: ((line: string) => boolean) | null,
): Promise<Result<LogFinds, Problem>> {
  let size: number | null = null;
  let lines: number | null = null;
  const at: number[] = [];
  let half = '';
  for await (const piece of stdout) {
    const parts = (half + piece.toString('latin1')).split('\n');
    half = (parts.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of parts) {
      if (line.startsWith(`${mark} `)) {
        const [, word, figure] = / (size|lines) (\d{1,15})$/.exec(line) ?? [];
        if (word === 'size') size = Number(figure);
        else if (word === 'lines') lines = Number(figure);
        continue;
      }
      const [, place, text = ''] = /^(\d{1,15}):(.*)$/.exec(line) ?? [];
      if (size === null || place === undefined) continue;
      if (fits === null) {
        if (at.length < MAX_FINDS) at.push(Number(place));
      } else if (fits(text)) return ok({ size, lines: 1, at: [Number(place)] });
    }
  }
  if (size === null || lines === null) {
    return err(problem('runs-not-read', 'The box could not search the whole log.'));
  }
  return ok({ size, lines: fits === null ? lines : 0, at });
}
