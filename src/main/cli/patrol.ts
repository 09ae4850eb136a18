import { formatCountdown } from '../../shared/clocks/when.ts';
import { alertWords, titleOf, type Catalog } from '../../shared/detectors/alert-words.ts';
import { severities, type Found, type LineSource } from '../../shared/detectors/finding.ts';
import { isoTime } from '../../shared/meter/ledger-csv.ts';
import { judgeUnreachable } from '../../shared/patrol/judge-look.ts';
import type { MissingRun } from '../../shared/patrol/judge-vanished.ts';
import type { LookJudgement } from '../../shared/patrol/look-detector.ts';
import { endedInTheMiddle, type RunInLook } from '../../shared/patrol/patrol-look.ts';
import type { LookRuleId } from '../../shared/patrol/patrol-state.ts';
import { memoryShareOf } from '../../shared/patrol/select-seen.ts';
import { rulesAlike, toldOnce, type ToldRun } from '../../shared/patrol/told-once.ts';
import { VANISH_WORDS, VERDICT_WORDS } from '../../shared/patrol/remediation.ts';
import { watchedOn } from '../../shared/profiles/places.ts';
import { toMarkdown } from '../../shared/recovery/page.ts';
import { processRefOf } from '../../shared/runs/process-ref.ts';
import { readMemory } from '../patrol/memory-file.ts';
import { patrolBox } from '../patrol/patrol-box.ts';
import type { Tick } from '../patrol/tick.ts';
import { writeHandbookFile } from '../recovery/handbook-file.ts';
import type { Command } from './command.ts';
import { catalogFor } from './gotchas-common.ts';
import { overItsLink, REACHES_A_BOX, withNamedBox, type NamedBox } from './named-box.ts';
import { printable } from './printable.ts';
import { profilesFor, tellFaults } from './profiles-common.ts';
import { keptHandbook } from './recovery.ts';

export const patrol: Command = {
  name: 'patrol',
  summary: 'checks a box once: what runs, what is gone and why, and what is about to end it',
  operands: ['<box>'],
  flags: {},
  details: [
    'For cron and the like: one read-only round trip.',
    ...REACHES_A_BOX,
    'What was seen is kept in the data folder for the next check, and the recovery handbook is refreshed.',
    'Exit code 1: the box did not answer, a run is gone without a proof that it finished, a check found something that asks for',
    'a person, or what was seen could not be kept.',
  ],
  run: ({ operands: [name = ''], isJson }, context) =>
    withNamedBox(name, context, (known) => patrolAlone(known, isJson)),
};

async function patrolAlone(known: NamedBox, isJson: boolean): Promise<0 | 1> {
  const { box, database, folder, scripts, context } = known;
  const { out, err: errors } = context;
  const profiles = await profilesFor(context);
  await tellFaults(profiles, context);
  const watched = watchedOn(
    box.platform,
    profiles.all.map(({ profile }) => profile),
  );
  const ticked = await overItsLink(known, (connection) =>
    patrolBox(
      // Nobody reads the cards meanwhile.
      {
        connection,
        boxId: box.id,
        beside: { ...watched, isGpuWorking: null },
        fellIdleAtMs: null,
        hasAlerts: false,
      },
      { scripts, dataFolder: folder },
    ),
  );
  const catalog = await catalogFor(context);
  if (!ticked.ok) {
    // Unreachable is a state of its own: nothing is known of the runs, so nothing is forgotten of them.
    const { code, message, detail } = ticked.error;
    if (isJson)
      await out.json({
        box: box.name,
        state: 'unreachable',
        problem: { code, message, detail },
        runs: null,
        judged: inWords(
          judgeUnreachable((await readMemory(folder, box.id)).memory, ticked.error, Date.now()),
          catalog,
        ),
      });
    else
      await out.lines([
        printable(`${box.name} · not reached · ${message} Of its runs nothing is known now.`),
      ]);
    return 1;
  }
  const { notKept, fault } = ticked.value;
  if (fault !== null) await errors.lines([printable(fault.message)]);
  if (notKept !== null) await errors.lines([printable(notKept.message)]);
  const { blocks } = await keptHandbook(box, { database, folder, context });
  const written = await writeHandbookFile(folder, box.id, toMarkdown(blocks));
  if (!written.ok) await errors.lines([printable(written.error.message)]);
  if (isJson) await out.json({ box: box.name, state: 'looked', ...asJson(ticked.value, catalog) });
  else await out.lines(describe(box.name, ticked.value, catalog).map(printable));
  return notKept !== null || needsAPerson(ticked.value) ? 1 : 0;
}

function needsAPerson({ look, missing, judged }: Tick): boolean {
  const isUncertain = ({ judgement }: MissingRun): boolean => judgement.kind !== 'gone';
  return !look.isWhole || missing.some(isUncertain) || foundIn(judged).some(isUrgent);
}

interface FoundHere {
  readonly told: LookJudgement;
  readonly found: Found;
}

/** The worst first. */
function foundIn(judged: readonly LookJudgement[]): readonly FoundHere[] {
  return judged
    .flatMap((told) => (told.answer.kind === 'found' ? [{ told, found: told.answer }] : []))
    .sort((a, b) => severities.indexOf(a.found.severity) - severities.indexOf(b.found.severity));
}

const isUrgent = ({ found: { severity } }: FoundHere): boolean => severity !== 'info';

function asJson(
  { look, missing, judged }: Tick,
  catalog: Catalog,
): Readonly<Record<string, unknown>> {
  const { knownLogs: _logs, keptEnds: _ends, processes: _table, ...told } = look;
  return { ...told, missing, judged: inWords(judged, catalog) };
}

/** Each answer with what is said of it. */
function inWords(judged: readonly LookJudgement[], catalog: Catalog): readonly unknown[] {
  return judged.map(({ answer, ...each }) => ({
    ...each,
    title: titleOf(catalog, each.detector),
    answer:
      answer.kind === 'found'
        ? { ...answer, ...alertWords(catalog, each.detector, answer) }
        : answer,
  }));
}

/** A status line, even where nothing has changed: silence would read as a dead watch. */
function describe(name: string, ticked: Tick, catalog: Catalog): readonly string[] {
  const { look, missing, judged } = ticked;
  const share = memoryShareOf(look);
  const { uptimeS } = look.machine;
  const status = [
    name,
    new Date(look.atMs).toISOString(),
    uptimeS === null ? 'up for an unknown time' : `up ${span(uptimeS)}`,
    `${String(look.runs.length)} ${look.runs.length === 1 ? 'run' : 'runs'}${look.isCut ? ' and more' : ''}`,
    share === null ? 'memory unknown' : `memory ${String(Math.round(share * 100))} %`,
    ...(look.isWhole ? [] : [`the answer ${endedInTheMiddle(look)}`]),
  ].join(' · ');
  return [
    status,
    ...look.runs.map((run) => `  ${describeRun(run, look.atMs)}`),
    ...missing.flatMap((each) => describeMissing(each, rulesAlike(each, judged), catalog)),
    ...foundIn(
      toldOnce(
        judged,
        missing.flatMap((each) => asTold(each, judged)),
      ),
    )
      .filter(({ told }) => told.detector !== 'U3')
      .flatMap((each) => describeFound(each, catalog)),
    ...describeUnknown(judged, catalog),
  ];
}

/** A run that is gone is told here whether it came back or not. */
function asTold(missing: Tick['missing'][number], judged: Tick['judged']): readonly ToldRun[] {
  const { run, judgement } = missing;
  if (judgement.kind !== 'gone') return [];
  const alike = rulesAlike(missing, judged);
  return [{ ...processRefOf(run), failure: judgement.failure, alike }];
}

/** U3 is told with each run that is gone. */
function describeFound({ told, found }: FoundHere, catalog: Catalog): readonly string[] {
  const { headline, caveat } = alertWords(catalog, told.detector, found);
  return [
    `  ${found.severity}: ${headline} (${told.detector})`,
    ...found.clues.map((each) =>
      each.kind === 'line'
        ? `    ${each.line}${sourceWords(each)}`
        : `    ${each.label}: ${String(each.value)} ${each.unit}`,
    ),
    ...(caveat === null ? [] : [`    ${caveat}`]),
  ];
}

/** " (/work/train.log, 2026-11-22T06:12:03.000Z)", as far as it is known. */
function sourceWords({ file, atMs }: LineSource): string {
  const known = [
    ...(file === undefined ? [] : [file]),
    ...(atMs === undefined ? [] : [isoTime(atMs)]),
  ];
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

/** "Could not look" is not "all clear". */
function describeUnknown(judged: readonly LookJudgement[], catalog: Catalog): readonly string[] {
  const reasons = judged.flatMap(({ detector, answer }) =>
    answer.kind === 'unknown'
      ? [`  not known: ${titleOf(catalog, detector)} (${detector}): ${answer.because}`]
      : [],
  );
  return [...new Set(reasons)];
}

function describeRun(run: RunInLook, atMs: number): string {
  const [log] = run.logs;
  const lastLine = log?.end?.trimEnd().split('\n').at(-1) ?? '';
  return [
    `${String(run.pid)} ${run.command ?? 'command unknown'}`,
    run.ageS === null ? 'age unknown' : `for ${span(run.ageS)}`,
    run.holdsGpu ? 'holds a GPU' : 'no GPU',
    log === undefined
      ? 'no log'
      : `log written ${span(Math.max(0, atMs / 1000 - log.modifiedAtS))} ago: ${lastLine.slice(0, 200)}`,
  ].join(' · ');
}

function describeMissing(
  { run, judgement }: Tick['missing'][number],
  alike: readonly LookRuleId[],
  catalog: Catalog,
): readonly string[] {
  const what = `  gone: ${String(run.pid)} ${run.command ?? 'command unknown'}`;
  if (judgement.kind !== 'gone') {
    return [`${what} · perhaps: ${judgement.kind === 'unknown' ? judgement.because : 'it runs'}`];
  }
  const cause = judgement.cause === null ? 'cause unknown' : VANISH_WORDS[judgement.cause];
  return [
    `${what} · ${cause}`,
    ...alike.slice(0, 1).map((id) => `    ${titleOf(catalog, id)} (${id})`),
    ...judgement.steps.map(
      (step) => `    ${VERDICT_WORDS[step.verdict]}: ${VANISH_WORDS[step.cause]} (${step.because})`,
    ),
  ];
}

const span = (seconds: number): string => formatCountdown(seconds * 1000);
