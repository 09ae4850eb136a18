import { join } from 'node:path';
import { loginOf } from '../../shared/boxes/box-login.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { formatCountdown } from '../../shared/clocks/when.ts';
import { severities, type Found, type LineSource } from '../../shared/detectors/finding.ts';
import { isoTime } from '../../shared/meter/ledger-csv.ts';
import { judgeUnreachable } from '../../shared/patrol/judge-look.ts';
import type { MissingRun } from '../../shared/patrol/judge-vanished.ts';
import type { LookJudgement } from '../../shared/patrol/look-detector.ts';
import type { RunLook } from '../../shared/patrol/patrol-look.ts';
import { memoryShareOf } from '../../shared/patrol/select-seen.ts';
import { problem } from '../../shared/problem.ts';
import { toMarkdown } from '../../shared/recovery/page.ts';
import { err } from '../../shared/result.ts';
import { openHostKeys } from '../known-hosts/host-keys.ts';
import { openKnownHosts, usualKnownHostsFiles } from '../known-hosts/user-files.ts';
import type { Log } from '../log/log.ts';
import { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { readMemory } from '../patrol/memory-file.ts';
import { patrolBox } from '../patrol/patrol-box.ts';
import type { Tick } from '../patrol/tick.ts';
import { writeHandbookFile } from '../recovery/handbook-file.ts';
import { withConnection } from '../patrol/with-connection.ts';
import { gatherCredentials } from '../ssh/credentials.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import type { Command, CommandContext } from './command.ts';
import { printable } from './printable.ts';
import { keptHandbook } from './recovery.ts';

const CONNECT_TIMEOUT_MS = 60_000;

const nothing = (): void => undefined;
const quiet: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: () => quiet,
};

export const patrol: Command = {
  name: 'patrol',
  summary: 'looks at a box once: what runs, what is gone and why, and what is about to end it',
  operands: ['<box>'],
  flags: {},
  details: [
    'For cron and the like: one read-only round trip, without the window and without a question. The box is one that was',
    'added in Leasehold, by its name; its host key must be trusted there, and its key must need no passphrase.',
    'What was seen is kept in the data folder for the next look, and the recovery handbook is written anew.',
    'Exit code 1: the box did not answer, a run is gone without a proof that it finished, a check found something that asks for',
    'a person, or what was seen could not be kept.',
  ],
  async run({ operands: [name = ''], isJson }, context) {
    const folder = dataFolder(context.env, context.platform);
    const { database, isKept, problems } = openDatabase({ folder });
    try {
      if (!isKept) return { refused: problems.map(({ message }) => message).join(' ') };
      const listed = database.boxes.list();
      const boxes = listed.ok ? listed.value.rows.filter((box) => box.name === name) : [];
      const [box] = boxes;
      if (box === undefined || boxes.length > 1) {
        return {
          refused: `${boxes.length === 0 ? 'No box is' : 'Several boxes are'} called ${printable(name)}.`,
        };
      }
      return await patrolAlone(box, { database, folder, context, isJson });
    } finally {
      database.close();
    }
  },
};

interface Around {
  readonly database: Database;
  readonly folder: string;
  readonly context: CommandContext;
  readonly isJson: boolean;
}

async function patrolAlone(
  box: Box,
  { database, folder, context, isJson }: Around,
): Promise<0 | 1> {
  const { env, platform, root, out, err: errors } = context;
  const scripts = new OnboxScripts(join(root, 'resources', 'onbox'));
  const ticked = await withConnection(
    {
      box,
      hostKeys: openHostKeys({
        table: database.hostKeys,
        knownElsewhere: openKnownHosts(usualKnownHostsFiles(env, platform)),
        onChange: () => undefined,
      }),
      proxyPassword: () =>
        err(
          problem(
            'proxy-password-missing',
            'The password of the proxy is known to the window only.',
          ),
        ),
      log: quiet,
      gatherCredentials: (machine, signal) =>
        gatherCredentials({
          boxName: machine.name,
          login: loginOf(machine, null),
          env,
          platform,
          person: null,
          signal,
        }),
    },
    CONNECT_TIMEOUT_MS,
    (connection) =>
      patrolBox(
        // Nobody reads the cards meanwhile.
        {
          connection,
          boxId: box.id,
          beside: { platform: box.platform, isGpuWorking: null },
          hasAlerts: false,
        },
        { scripts, dataFolder: folder },
      ),
  );
  if (!ticked.ok) {
    // Unreachable is a state of its own: nothing is known of the runs, so nothing is forgotten of them.
    const { code, message, detail } = ticked.error;
    if (isJson)
      await out.json({
        box: box.name,
        state: 'unreachable',
        problem: { code, message, detail },
        runs: null,
        judged: judgeUnreachable(
          (await readMemory(folder, box.id)).memory,
          ticked.error,
          Date.now(),
        ),
      });
    else
      await out.lines([
        printable(`${box.name} · not reached · ${message} Of its runs nothing is known now.`),
      ]);
    return 1;
  }
  const { notKept, fault } = ticked.value;
  if (fault !== null) await errors.lines([printable(`What was seen before is lost: ${fault}`)]);
  if (notKept !== null) await errors.lines([printable(notKept.message)]);
  const { blocks } = await keptHandbook(box, { database, folder, context });
  const written = await writeHandbookFile(folder, box.id, toMarkdown(blocks));
  if (!written.ok) await errors.lines([printable(written.error.message)]);
  if (isJson) await out.json({ box: box.name, state: 'looked', ...asJson(ticked.value) });
  else await out.lines(describe(box.name, ticked.value).map(printable));
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

function asJson({ look, missing, judged }: Tick): Readonly<Record<string, unknown>> {
  const { knownLogs: _logs, processes: _table, ...told } = look;
  return { ...told, missing, judged };
}

/** A status line, even where nothing has changed: silence would read as a dead watch. */
function describe(name: string, ticked: Tick): readonly string[] {
  const { look, missing, judged } = ticked;
  const share = memoryShareOf(look);
  const { uptimeS } = look.machine;
  const status = [
    name,
    new Date(look.atMs).toISOString(),
    uptimeS === null ? 'up for an unknown time' : `up ${span(uptimeS)}`,
    `${String(look.runs.length)} ${look.runs.length === 1 ? 'run' : 'runs'}${look.isCut ? ' and more' : ''}`,
    share === null ? 'memory unknown' : `memory ${String(Math.round(share * 100))} %`,
    ...(look.isWhole ? [] : ['the answer ended in the middle']),
  ].join(' · ');
  return [
    status,
    ...look.runs.map((run) => `  ${describeRun(run, look.atMs)}`),
    ...missing.flatMap(describeMissing),
    ...foundIn(judged)
      .filter(({ told }) => told.detector !== 'U3')
      .flatMap(describeFound),
    ...describeUnknown(judged),
  ];
}

/** U3 is told with each run that is gone. */
function describeFound({ told, found }: FoundHere): readonly string[] {
  return [
    `  ${found.severity}: ${told.detector} ${found.headline}`,
    ...found.evidence.map((each) =>
      each.kind === 'line'
        ? `    ${each.line}${sourceWords(each)}`
        : `    ${each.label}: ${String(each.value)} ${each.unit}`,
    ),
    ...(found.caveat === null ? [] : [`    ${found.caveat}`]),
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
function describeUnknown(judged: readonly LookJudgement[]): readonly string[] {
  const reasons = judged.flatMap(({ detector, answer }) =>
    answer.kind === 'unknown' ? [`  not known: ${detector} (${answer.because})`] : [],
  );
  return [...new Set(reasons)];
}

function describeRun(run: RunLook, atMs: number): string {
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

function describeMissing({ run, judgement }: Tick['missing'][number]): readonly string[] {
  const what = `  gone: ${String(run.pid)} ${run.command ?? 'command unknown'}`;
  if (judgement.kind !== 'gone') {
    return [`${what} · perhaps: ${judgement.kind === 'unknown' ? judgement.because : 'it runs'}`];
  }
  const cause = judgement.cause ?? 'not proven';
  return [
    `${what} · ${cause}`,
    ...judgement.steps.map((step) => `    ${step.verdict}: ${step.cause} (${step.because})`),
  ];
}

const span = (seconds: number): string => formatCountdown(seconds * 1000);
