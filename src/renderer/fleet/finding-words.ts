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

/** Where there is no room for the headline. */
const SHORT_WORDS: Readonly<Record<DetectorId, string>> = {
  U3: 'run gone',
  U6: 'disk space',
  U7: 'inodes, cache',
  U9: 'host memory',
  U10: 'VRAM tight',
  U11: 'VRAM held',
  U16: 'old waiters',
  U21: 'underfed',
  U22: 'GPU error',
  U23: 'throttled',
  U24: 'starved',
  U31: 'no GPU',
  U35: 'not tracked',
  U37: 'image too large',
  U38: 'CPU-bound',
  U40: 'thread storm',
  U41: 'busy host',
  U43: 'silent log',
  GEN6: 'restarted',
  GEN7: 'shared card',
  AD4: 'inodes',
  AD5: 'cache on disk',
  AD8: 'memory jump',
  FZ3: 'cloud quota',
  GS2: 'proxy left on',
  MP1: 'snapshots',
  RP11: 'container disk',
  GEN1: 'forgotten',
  GEN2: 'not detached',
  U26: 'line endings',
  U28: 'driver, CUDA',
  U33: 'sync failed',
  U34: 'key in command',
  MN1: 'fabric down',
  MN3: 'rank waits',
  MN5: 'began anew',
  MN6: 'waits for workers',
  SLURM4: 'job memory',
  AD1: 'no proxy',
  AD2: 'download stalls',
  AD9: 'torch replaced',
  PS11: 'old driver',
  RP9: 'old driver',
  VAST5: 'old driver',
  NB3: 'no GPU, no net',
  CN1: 'not durable',
  NB4: 'not durable',
  SLURM5: 'not durable',
  VAST10: 'disk space',
  RP1: 'no GPU',
  RP12: 'key missing',
  LAM8: 'two torches',
  LAM11: 'no cuDNN',
  U2: 'script changed',
  PS13: 'checks',
  driver: 'driver broken',
  ecc: 'memory errors',
  idle: 'idle, bills',
  pcie: 'slow PCIe',
  'power-cap': 'power capped',
  straggler: 'GPU lags',
};

export function shortWords({ detector }: Finding): string {
  return SHORT_WORDS[detector];
}

/** What the id beside a finding stands for. */
export function idWords(id: DetectorId, title: string): string {
  return `${id}: ${title}. One of the ${detectorIds.length} checks that Leasehold makes.`;
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
  const now = notSeenBecause === null ? '' : `\nNot seen at present: ${notSeenBecause}.`;
  return `${SEVERITY_WORDS[severity]}, ${detector}: ${headline}\n${means}${now}`;
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
