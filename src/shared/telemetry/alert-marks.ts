import type { Alert } from '../alerts/alert.ts';
import { gpuKeyOf } from './gpu-facts.ts';
import type { TelemetryMark } from './mark.ts';

/**
 * An alert that is over, as marks where it began this time and where it ended. One that is not over stands on the axis by
 * itself, and is kept with its beginning.
 */
export function marksOfLastSpan({ finding, stage, spans }: Alert): readonly TelemetryMark[] {
  const span = spans.at(-1);
  if (span === undefined || span.toMs === null || stage.kind !== 'resolved') return [];
  const { headline, subject } = finding;
  const gpu = subject.kind === 'gpu' ? gpuKeyOf(subject.index, subject.uuid) : null;
  const rest = { gpu, code: null, clue: null };
  const end = stage.by === 'check' ? 'No longer so' : 'Marked as resolved';
  return [
    { ...rest, kind: 'alert', atMs: span.fromMs, text: headline },
    {
      ...rest,
      kind: 'alert-over',
      atMs: span.toMs,
      text: `${end}: ${headline}`,
    },
  ];
}
