import type { GateState } from '../../../shared/teardown/gate.ts';
import {
  openBlockers,
  type Blocker,
  type GateStage,
  type Inspection,
} from '../../../shared/teardown/inspection.ts';
import { isWholeLook, type SecretsView } from '../../../shared/teardown/secrets-found.ts';
import type { TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';

export const teardownSteps = [
  'inventory',
  'pulled',
  'proven',
  'left',
  'secrets',
  'costs',
  'approve',
  'gone',
] as const;
export type TeardownStepId = (typeof teardownSteps)[number];

export interface StepLine {
  readonly id: TeardownStepId;
  readonly title: string;
  /** What is done, or what is missing, in a few words. */
  readonly says: string;
  readonly isDone: boolean;
}

export const STEP_TITLES: Readonly<Record<TeardownStepId, string>> = {
  inventory: 'What is there',
  pulled: 'Bring it home',
  proven: 'Prove it',
  left: 'What stays behind',
  secrets: 'Secrets',
  costs: 'What it costs',
  approve: 'Approve',
  gone: 'Gone',
};

export const inspectionOf = (gate: GateState): Inspection | null =>
  gate.kind === 'shut' || gate.kind === 'approved' ? gate.inspection : null;

export const isUnderWay = (gate: GateState): boolean =>
  gate.kind === 'acting' || gate.kind === 'unconfirmed';

/** How far each step is. What nobody has looked at is not done. */
export function stepLines({
  gate,
  secrets,
}: Pick<TeardownView, 'gate' | 'secrets'>): readonly StepLine[] {
  const inspection = inspectionOf(gate);
  const isOver = isUnderWay(gate) || gate.kind === 'gone';
  const line = (id: TeardownStepId, says: string, isDone: boolean): StepLine => ({
    ...{ id, title: STEP_TITLES[id], says, isDone: isDone || (isOver && id !== 'gone') },
  });
  const isUnseen = inspection?.blockers.some(({ kind }) => kind === 'not-looked') === true;
  const stage = (id: Exclude<GateStage, 'effect'>, fine: string): StepLine => {
    if (isOver) return line(id, 'Done', true);
    if (inspection === null) return line(id, 'Not checked', false);
    if (isUnseen && id !== 'inventory') return line(id, 'Check it first', false);
    const all = openBlockers(inspection);
    const open = all.filter((each) => each.stage === id);
    // What is not here cannot have been proven.
    if (id === 'proven' && open.length === 0 && all.some((each) => each.stage === 'pulled')) {
      return line(id, 'After download', false);
    }
    if (open.length > 0) return line(id, `${formatCount(open.length, 'thing')} to settle`, false);
    const accepted = acceptedCount(blockersOf(inspection, id));
    return line(
      id,
      accepted === 0 ? fine : formatCount(accepted, 'accepted loss', 'accepted losses'),
      true,
    );
  };
  const isOpen = inspection !== null && openBlockers(inspection).length === 0;
  const left = inspection === null ? [] : leftLines(inspection);
  return [
    stage('inventory', inspection === null ? '' : sizeWords(inspection)),
    stage('pulled', 'Nothing is missing'),
    stage('proven', hasCopies(inspection) ? 'Copies read again' : 'Nothing to prove'),
    line(
      'left',
      isOver ? 'Done' : isUnseen ? 'Check it first' : leftWords(inspection, left.length),
      isOpen,
    ),
    line('secrets', isOver ? 'Done' : secretsWords(secrets), areSettled(secrets)),
    line('costs', isOver ? 'Done' : 'Now and afterwards', isOpen),
    line(
      'approve',
      isOver || gate.kind === 'approved' ? 'Approved' : 'Type the box’s name',
      gate.kind === 'approved',
    ),
    line('gone', goneWords(gate), gate.kind === 'gone'),
  ];
}

/** Where a person goes on. */
export function currentStep(view: Pick<TeardownView, 'gate' | 'secrets'>): TeardownStepId {
  const { gate } = view;
  if (isUnderWay(gate) || gate.kind === 'gone') return 'gone';
  if (gate.kind === 'approved') return 'approve';
  return stepLines(view).find(({ isDone }) => !isDone)?.id ?? 'approve';
}

/** What goes with the box although somebody has looked at it: left with a reason, and accepted losses. */
export function leftLines({ left, blockers }: Inspection): readonly (readonly [string, string])[] {
  return [
    ...left.map(({ path, runName, files, bytes, because, shows }) => {
      const names = files === 1 ? (shows[0] ?? '') : formatCount(files, 'file');
      const what = `${names} · ${runName} · ${formatBytes(bytes)}`;
      return [files === 0 ? path : what, because] as const;
    }),
    ...blockers.flatMap(({ says, accepted }) =>
      accepted === null ? [] : [[says, accepted.because] as const],
    ),
  ];
}

/** How many losses a person has accepted. */
export const acceptedCount = (blockers: readonly Blocker[]): number =>
  blockers.filter(({ kind, accepted }) => accepted !== null && kind !== 'elsewhere').length;

/** What the box can be ended for, in one sentence. */
export function whyItMayEnd({ runs, blockers }: Inspection): string {
  const given = acceptedCount(blockers);
  if (given > 0) {
    return `you accepted ${formatCount(given, 'loss', 'losses')}, and nothing else is missing.`;
  }
  return runs.some(({ files, away }) => files > 0 || away !== undefined)
    ? 'what its runs left is here and proven.'
    : 'its runs left nothing.';
}

const hasCopies = (inspection: Inspection | null): boolean =>
  inspection?.runs.some(({ homeFiles, away }) => homeFiles > 0 || (away?.files ?? 0) > 0) === true;

export const blockersOf = (inspection: Inspection, stage: GateStage): readonly Blocker[] =>
  inspection.blockers.filter((each) => each.stage === stage);

/** They stand in the way of nothing: a person says that they stay, or goes on. */
const areSettled = ({ look, stayed, isLeft }: SecretsView): boolean =>
  isLeft || (look?.found.length === 0 && isWholeLook(look) && stayed.length === 0);

function secretsWords({ look, removed, stayed, isLeft }: SecretsView): string {
  if (look === null) return 'Not looked for';
  const there = look.found.length;
  if (there > 0) return `${formatCount(there, 'file')} ${isLeft ? 'left there' : 'there'}`;
  if (stayed.length > 0) return `${formatCount(stayed.length, 'file')} not known to be removed`;
  if (!isWholeLook(look)) return 'Not searched completely';
  return removed.length > 0 ? `${formatCount(removed.length, 'file')} removed` : 'None found';
}

function goneWords(gate: GateState): string {
  if (gate.kind === 'gone') return gate.act.aim === 'gone' ? 'Gone' : 'Stopped';
  return isUnderWay(gate) ? 'Not confirmed' : 'Confirmed twice';
}

function leftWords(inspection: Inspection | null, count: number): string {
  if (inspection === null) return 'Not checked';
  return count === 0 ? 'Nothing' : formatCount(count, 'thing');
}

function sizeWords({ runs }: Inspection): string {
  const files = runs.reduce((all, run) => all + run.files, 0);
  const bytes = runs.reduce((all, run) => all + run.bytes, 0);
  return `${formatCount(files, 'file')}, ${formatBytes(bytes)}`;
}
