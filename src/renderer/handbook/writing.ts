import { create } from 'zustand';
import {
  incidentOfLog,
  MAX_CLUE_CHARS,
  MAX_HEADLINE_CHARS,
  MAX_INCIDENT_CHARS,
  type EntryDraft,
  type EntryFault,
  type EntryPreview,
  type Incident,
} from '../../shared/gotchas/entry-draft.ts';
import type { EntryAnswers, LoadedGotcha } from '../../shared/gotchas/gotcha.ts';
import { endOfText } from '../../shared/gotchas/log-text.ts';
import { planRefOf } from '../../shared/plan/plan.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { actionFailed, handbookChosen } from '../state/view.ts';
import { gotchasChanged } from './gotchas.ts';

/** An entry of the person's own that changes, as it was when they began. */
type Editing = { readonly id: string; readonly digest: string };

export interface Writing {
  readonly draft: EntryDraft;
  /** Null: a new one. */
  readonly editing: Editing | null;
  /** The questions that are answered so far; all three make the draft's answers. */
  readonly given: Partial<EntryAnswers>;
  /** The box on which it was seen; null: not known. */
  readonly boxId: string | null;
  readonly faults: readonly EntryFault[];
  readonly problem: Problem | null;
  /** What would be written, for as long as nothing is changed; null: not looked at. */
  readonly preview: EntryPreview | null;
  readonly isBusy: boolean;
}

/** The one entry that is being written; it waits while the person reads others. */
export const useWriting = create<{ readonly writing: Writing | null }>(() => ({ writing: null }));

const set = (writing: Writing | null): void => useWriting.setState({ writing });

function begin(draft: EntryDraft, editing: Editing | null, boxId: string | null): void {
  const nothing = { faults: [], problem: null, preview: null, isBusy: false };
  set({ draft, editing, boxId, given: draft.answers ?? {}, ...nothing });
  handbookChosen(null);
}

/** "Save to Handbook…": main drafts an entry from what was seen, without its secrets. */
export async function newEntryBegun(seen: Incident, boxId: string | null): Promise<void> {
  const answer = await call('gotchas:draft', {
    ...seen,
    text: endOfText(seen.text, MAX_CLUE_CHARS),
    headline: seen.headline?.slice(0, MAX_HEADLINE_CHARS) ?? null,
    beside: seen.beside.slice(0, MAX_INCIDENT_CHARS),
  });
  if (answer.ok) begin(answer.value, null, boxId);
  else actionFailed(answer.error);
}

/** One of which nothing was seen here. */
export const emptyEntryBegun = (): Promise<void> => newEntryBegun(incidentOfLog(''), null);

/** Only what Leasehold wrote itself; the rest is the person's to edit in its file. */
export function editBegun({ gotcha, own }: LoadedGotcha): void {
  const { id, coverage: _ours, ...draft } = gotcha;
  if (own?.digest !== undefined && own.digest !== null)
    begin(draft, { id, digest: own.digest }, null);
}

export function draftChanged(part: Partial<EntryDraft>): void {
  const { writing } = useWriting.getState();
  if (writing === null) return;
  const changed = new Set(Object.keys(part));
  const faults = writing.faults.filter(({ field }) => !changed.has(field.split('.')[0] ?? ''));
  // What was looked at is not what would be written any more.
  set({ ...writing, draft: { ...writing.draft, ...part }, faults, preview: null, problem: null });
}

export function answered(part: Partial<EntryAnswers>): void {
  const { writing } = useWriting.getState();
  if (writing === null) return;
  const given = { ...writing.given, ...part };
  set({ ...writing, given });
  const { rootCaused, reproduced, general } = given;
  const isWhole = rootCaused !== undefined && reproduced !== undefined && general !== undefined;
  draftChanged({ answers: isWhole ? { rootCaused, reproduced, general } : null });
}

export function writingDropped(): void {
  set(null);
}

export function previewLeft(): void {
  const { writing } = useWriting.getState();
  if (writing !== null) set({ ...writing, preview: null });
}

export async function previewAsked(): Promise<void> {
  const asked = startWork();
  if (asked === null) return;
  const { draft, editing } = asked;
  const answer = await call('gotchas:preview', { draft: forMain(draft), editing });
  endWork(asked, (writing) => {
    if (!answer.ok) return { ...writing, problem: answer.error };
    if (answer.value.kind === 'ready') return { ...writing, preview: answer.value, faults: [] };
    return { ...writing, faults: answer.value.faults };
  });
}

/** Writes what the preview shows; main refuses anything else. */
export async function keepAsked(): Promise<void> {
  const asked = startWork();
  if (asked?.preview === null || asked === null) return;
  const answer = await call('gotchas:keep', { plan: planRefOf(asked.preview.plan) });
  if (!answer.ok) {
    endWork(asked, (writing) => ({ ...writing, problem: answer.error, preview: null }));
    return;
  }
  set(null);
  await gotchasChanged();
  handbookChosen(answer.value);
}

/** What the person learned is kept as a note where it belongs to one box or project only. */
export async function noteAsked(): Promise<void> {
  const asked = startWork();
  if (asked === null) return;
  const { boxId, draft } = asked;
  const before = await call('note:read', { boxId });
  const text = before.ok ? [before.value.text.trimEnd(), noteOf(draft)].join('\n\n').trim() : '';
  const kept = before.ok ? await call('note:keep', { boxId, text }) : before;
  if (kept.ok && kept.value.kind === 'kept') {
    set(null);
    return;
  }
  endWork(asked, (writing) => ({
    ...writing,
    problem: kept.ok
      ? {
          code: 'bad-input',
          message: 'The note was not kept: something in it looks like a secret.',
          nextStep: 'Write where it lies instead of what it is, then keep it again.',
        }
      : kept.error,
  }));
}

function noteOf({ title, symptom, cause, fix }: EntryDraft): string {
  return [title, symptom, cause === '' ? '' : `Cause: ${cause}`, ...fix.map((step) => `- ${step}`)]
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Empty lines are where the person goes on typing, and no steps. */
function forMain(draft: EntryDraft): EntryDraft & {
  fix: string[];
  signs: string[];
  related: string[];
  probes: { probe: string; means: string }[];
} {
  const filled = (lines: readonly string[]): string[] =>
    lines.map((line) => line.trim()).filter((line) => line !== '');
  return {
    ...draft,
    fix: filled(draft.fix),
    signs: filled(draft.signs),
    related: filled(draft.related).map((id) => id.toUpperCase()),
    probes: [...draft.probes],
    incident: draft.incident?.trim() === '' ? null : draft.incident,
  };
}

function startWork(): Writing | null {
  const { writing } = useWriting.getState();
  if (writing === null || writing.isBusy) return null;
  const busy = { ...writing, isBusy: true, problem: null };
  set(busy);
  return busy;
}

/** What the person changed while main worked is theirs: the answer to what they no longer have is dropped. */
function endWork(asked: Writing, change: (writing: Writing) => Writing): void {
  const { writing } = useWriting.getState();
  if (writing === null) return;
  const isSame = writing.draft === asked.draft;
  set({ ...(isSame ? change(writing) : writing), isBusy: false });
}
