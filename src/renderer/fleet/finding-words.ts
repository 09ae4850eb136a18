import type { BoxFindings } from '../../shared/detectors/box-findings.ts';
import {
  detectorIds,
  type DetectorId,
  type Finding,
  type Severity,
  type Subject,
} from '../../shared/detectors/finding.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import type { Tone } from '../ui/glyph.tsx';

export const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = {
  critical: 'danger',
  warn: 'warn',
  info: 'info',
};

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  warn: 'Warning',
  info: 'Note',
};

/** What the id beside a finding stands for. */
export function idWords(id: DetectorId, title: string): string {
  return `${title}. One of the ${detectorIds.length} checks that Leasehold makes (${id}).`;
}

export function subjectWords(subject: Subject): string {
  switch (subject.kind) {
    case 'box':
      return 'whole box';
    case 'gpu':
      return `GPU ${subject.index}`;
    case 'mount':
      return plainLine(subject.path, MAX_PATH_CHARS);
    case 'run':
      return `process ${subject.pid}${subject.command === null ? '' : ` ${plainLine(subject.command, MAX_COMMAND_CHARS)}`}`;
  }
}
const MAX_PATH_CHARS = 120;
const MAX_COMMAND_CHARS = 200;

/** The whole of it, for a tooltip. */
export function findingTooltip({
  severity,
  detector,
  headline,
  means,
  notSeenBecause,
}: Finding): string {
  const now = notSeenBecause === null ? '' : `\nNot seen now: ${notSeenBecause}.`;
  return `${SEVERITY_WORDS[severity]}: ${headline}\n${means}${now}\n${detector}`;
}

export interface ChecksCount {
  readonly looked: number;
  /** A check that misses one card of several could not look. */
  readonly blind: number;
}

export function countChecks({ unknown }: BoxFindings): ChecksCount {
  const blind = new Set(unknown.map(({ detector }) => detector)).size;
  return { looked: detectorIds.length - blind, blind };
}
