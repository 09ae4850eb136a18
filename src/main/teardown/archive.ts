import { isArchived, type EndOnRecord } from '../../shared/boxes/archived.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { ArchivedBox } from '../../shared/teardown/archived-box.ts';
import type { Act } from '../../shared/teardown/gate.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { KeptStep, TeardownRecords } from './teardown-records.ts';

/** Whether a verb that is done leaves no box to reach: of a job that is over, say, the machine goes on. */
export function endsBox(
  { aim, verb }: Pick<Act, 'aim' | 'verb'>,
  profile: Pick<Profile, 'actions'> | null,
): boolean {
  return aim === 'gone' && stopsMachine(verb, profile);
}

/** What the profile does not tell is taken for the machine's end, of which there are two witnesses. */
export const stopsMachine = (verb: string, profile: Pick<Profile, 'actions'> | null): boolean =>
  profile?.actions.find((each) => each.verb === verb)?.stopsCompute !== false;

/** An older Leasehold did not write what the end came to: there only a verb that the profile knows still tells. */
export function endOnRecord(
  boxId: string,
  records: Pick<TeardownRecords, 'newest'>,
  profile: Pick<Profile, 'actions'> | null,
): Result<EndOnRecord, Problem> {
  const newest = records.newest(boxId);
  if (!newest.ok || newest.value === null) return newest.ok ? ok(null) : newest;
  const { step, atMs } = newest.value;
  if (step.step !== 'gone') return ok(null);
  if (step.ends !== null) return ok(step.ends ? atMs : null);
  const isKnown = profile?.actions.some(({ verb }) => verb === step.verb) === true;
  return ok(isKnown && endsBox(step, profile) ? atMs : 'unsaid');
}

/** The boxes that are archived, and those whose end is in the evidence and that were forgotten since; the last one first. */
export function listArchive(
  records: Pick<TeardownRecords, 'all'>,
  roster: Pick<BoxRoster, 'boxOf'>,
): Result<readonly ArchivedBox[], Problem> {
  const kept = records.all();
  if (!kept.ok) return kept;
  const bySeq = new Map(kept.value.map((each) => [each.seq, each]));
  const newest = new Map(kept.value.map((each) => [each.boxId, each]));
  const ends = new Map(
    kept.value.flatMap((each) => (each.step.step === 'gone' ? [[each.boxId, each] as const] : [])),
  );
  // Of a box that is archived its last end counts, whatever was written behind that: it is in no other list.
  const shown = [...ends.values()].filter(
    (each) => roster.boxOf(each.boxId) !== null || newest.get(each.boxId) === each,
  );
  const gone = shown.flatMap((each) => archivedBox(each, bySeq, roster) ?? []);
  return ok(gone.sort((a, b) => b.receipt - a.receipt));
}

function archivedBox(
  { boxId, seq, atMs, step }: KeptStep & { readonly boxId: string },
  bySeq: ReadonlyMap<number, KeptStep>,
  roster: Pick<BoxRoster, 'boxOf'>,
): ArchivedBox | null {
  const box = roster.boxOf(boxId);
  if (step.step !== 'gone' || (box !== null && !isArchived(box))) return null;
  const approved = bySeq.get(step.approval)?.step;
  const [runs, typed] =
    approved?.step === 'approved' ? [approved.runs, approved.boxName] : [null, ''];
  return {
    ...{ boxId, boxName: box?.name ?? typed, goneAtMs: atMs, receipt: seq },
    ...{ verb: step.verb, aim: step.aim, by: step.by.kind, cost: step.cost },
    ...{ runs, isKept: box !== null },
  };
}
