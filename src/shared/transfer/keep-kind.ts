import type { RunKeeps } from '../runs/launch/run-about.ts';
import { ignoredBy } from './ignore-rules.ts';
import type { KeepKind } from './pull.ts';

/** What the request of a run says that its files are for. Evidence counts first: it is never taken for scratch. */
export function keepKinds(keeps: RunKeeps | undefined): (path: string) => KeepKind {
  if (keeps === undefined) return () => 'unknown';
  const [isEvidence, isCheckpoint, isScratch] = [
    ignoredBy(keeps.evidence),
    ignoredBy(keeps.checkpoints),
    ignoredBy(keeps.scratch),
  ];
  return (path) => {
    if (isEvidence(path)) return 'evidence';
    if (isCheckpoint(path)) return 'checkpoint';
    return isScratch(path) ? 'scratch' : 'unknown';
  };
}
