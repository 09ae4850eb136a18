import { NO_FINDINGS, type BoxFindings } from '../detectors/box-findings.ts';
import type { Finding } from '../detectors/finding.ts';
import { gpuKeyOf } from './gpu-facts.ts';
import type { TelemetryMark } from './mark.ts';

/**
 * What was found before and is found no longer, as marks where it began and where it ended: an open finding stands on the
 * axis by itself, one that is over would leave no trace there.
 */
export function marksOfEnded(before: BoxFindings, after: BoxFindings): readonly TelemetryMark[] {
  if (before === NO_FINDINGS) return [];
  const open = new Set(after.findings.map(nameOf));
  return before.findings
    .filter((finding) => !open.has(nameOf(finding)))
    .flatMap((finding) => {
      const { detector, headline, subject, sinceMs } = finding;
      const gpu = subject.kind === 'gpu' ? gpuKeyOf(subject.index, subject.uuid) : null;
      const rest = { gpu, code: null, evidence: null };
      return [
        { ...rest, kind: 'alert', atMs: sinceMs, text: `${detector}: ${headline}` },
        {
          ...rest,
          kind: 'alert-over',
          atMs: after.atMs,
          text: `${detector}: no longer so. It was: ${headline}`,
        },
      ] as const;
    });
}

function nameOf({ detector, subject }: Finding): string {
  return subject.kind === 'box' ? detector : `${detector} ${gpuKeyOf(subject.index, subject.uuid)}`;
}
