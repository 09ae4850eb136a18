import type { PullFile, PullPlan } from './pull.ts';

/** Files of a plan that a person leaves on the box, and why. */
export interface LeftFiles {
  readonly because: string;
  readonly paths: readonly string[];
}

type Shown = Omit<PullPlan, 'plan'>;

/**
 * The plan without what the person leaves on the box; a sentence: why it is none. Nothing is left that was not shown, and what
 * cannot be brought home keeps its own reason.
 */
export function withoutLeft(shown: Shown, left: readonly LeftFiles[]): Shown | string {
  if (left.length === 0) return shown;
  const reasons = new Map<string, string>();
  for (const { because, paths } of left) {
    for (const path of paths) {
      if (reasons.has(path)) return 'A file was left on the box twice.';
      reasons.set(path, because);
    }
  }
  const files = shown.files.map((file): PullFile => {
    const because = reasons.get(file.path);
    if (because === undefined || file.refused !== null) return file;
    reasons.delete(file.path);
    return { ...file, refused: leftWords(because), left: because, missingBytes: 0 };
  });
  if (reasons.size > 0) return 'A file was left on the box that was not shown.';
  const wanted = files.filter(({ refused }) => refused === null);
  if (wanted.length === 0) return 'All of it would be left on the box.';
  return { ...shown, files, ...sumOf(wanted) };
}

export const leftWords = (because: string): string => `Left on the box: ${because}`;

export function sumOf(files: readonly PullFile[]): Pick<PullPlan, 'bytes' | 'missingBytes'> {
  const sum = (bytesOf: (file: PullFile) => number): number =>
    files.reduce((all, file) => all + bytesOf(file), 0);
  return { bytes: sum(({ bytes }) => bytes), missingBytes: sum((file) => file.missingBytes) };
}
