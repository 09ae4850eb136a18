import type { FindingsState } from '../../shared/streams/findings-stream.ts';
import { subjectKeyOf, type Finding } from '../../shared/detectors/finding.ts';

/** One critical finding that nobody was told of. */
export interface Alarm {
  readonly boxId: string;
  readonly finding: Finding;
}

/** Which of a box's critical findings were told. A finding that ends and comes back is news again. */
export type KeysSeen = ReadonlySet<string>;

export const keysOf = (state: FindingsState): KeysSeen =>
  new Set(criticalIn(state).map((alarm) => keyOf(alarm)));

export function selectNew(state: FindingsState, told: KeysSeen): readonly Alarm[] {
  return criticalIn(state).filter((alarm) => !told.has(keyOf(alarm)));
}

/** What a screen reader says: one in full, several as a number and the first. */
export function alarmWords(alarms: readonly Alarm[], nameOf: (boxId: string) => string): string {
  const [first, ...others] = alarms;
  if (first === undefined) return '';
  const said = `Critical: ${nameOf(first.boxId)}: ${first.finding.headline}`;
  if (others.length === 0) return said;
  const boxes = new Set(alarms.map(({ boxId }) => boxId)).size;
  return `${String(alarms.length)} new critical findings on ${String(boxes)} ${boxes === 1 ? 'box' : 'boxes'}. ${said}`;
}

function criticalIn({ boxes }: FindingsState): readonly Alarm[] {
  return Object.entries(boxes).flatMap(([boxId, { findings }]) =>
    findings
      .filter(({ severity }) => severity === 'critical')
      .map((finding) => ({ boxId, finding })),
  );
}

function keyOf({ boxId, finding: { detector, subject, sinceMs } }: Alarm): string {
  // A card's place: its UUID is learnt after its first reading.
  const where = subject.kind === 'gpu' ? String(subject.index) : subjectKeyOf(subject);
  return [boxId, detector, where, sinceMs].join(' ');
}
