import { isoUtcSeconds } from '../iso-time.ts';
import type { Clue, Finding } from '../detectors/finding.ts';
import { clueText } from '../detectors/clue-text.ts';
import { plainLine, plainText } from '../questions/hostile-text.ts';

const MAX_LINE_CHARS = 500;
const MAX_CLUE_CHARS = 8000;

export interface ReportedBox {
  readonly name: string;
  /** What its platform is called. */
  readonly platform: string;
}

/** What was seen of a machine, for those who rent it out: the times in UTC, the clues as they were, nothing that was guessed. */
export function alertReport({ name, platform }: ReportedBox, finding: Finding): string {
  const { detector, title, headline, means, subject, sinceMs, lastSeenMs, clues } = finding;
  const card = subject.kind === 'gpu' ? [`GPU: ${gpuWords(subject.index, subject.uuid)}`] : [];
  return [
    `${plainLine(headline, MAX_LINE_CHARS)} (${detector}: ${title})`,
    '',
    `Machine: ${plainLine(name, MAX_LINE_CHARS)}, ${plainLine(platform, MAX_LINE_CHARS)}`,
    ...card,
    `First seen: ${isoUtcSeconds(sinceMs)}`,
    `Last seen: ${isoUtcSeconds(lastSeenMs)}`,
    '',
    plainText(means, MAX_LINE_CHARS),
    ...(clues.length === 0 ? [] : ['', 'Clues:', cluesOf(clues)]),
    '',
  ].join('\n');
}

const gpuWords = (index: number, uuid: string | null): string =>
  uuid === null ? String(index) : `${String(index)}, ${plainLine(uuid, MAX_LINE_CHARS)}`;

const cluesOf = (clues: readonly Clue[]): string =>
  plainText(clues.map(clueText).join('\n'), MAX_CLUE_CHARS);
