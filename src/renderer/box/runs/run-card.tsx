import { Suspense, useId } from 'react';
import type { SeenLog, SeenRun } from '../../../shared/patrol/patrol-state.ts';
import { plainLine } from '../../../shared/questions/hostile-text.ts';
import { runTitle } from '../../../shared/runs/run-title.ts';
import { Age, Elapsed } from '../../ui/age.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatBytes, formatDate, UNKNOWN } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { AttachButton } from './attach-button.tsx';
import { Fact } from './run-fact.tsx';
import { RunMoney } from './run-money.tsx';
import styles from './runs.module.css';

const PushAction = lazyPart(async () => (await import('./push/push-action.tsx')).PushAction);
const TellMe = lazyPart(async () => (await import('./sentinels/tell-me.tsx')).TellMe);

const MAX_COMMAND_CHARS = 300;
const MAX_PATH_CHARS = 300;
const MAX_TITLE_CHARS = 80;
const MAX_LINE_CHARS = 300;

/** What a run is called: the box's own words, on one line. */
export function commandOf({
  command,
  pid,
}: {
  readonly command: string | null;
  readonly pid: number;
}): string {
  const words = command === null ? '' : plainLine(command, MAX_COMMAND_CHARS);
  return words === '' ? `process ${String(pid)}` : words;
}

/** What a person calls it, where that is not its command. */
export function titleOf(run: Pick<SeenRun, 'command' | 'tmuxSession'>): string | null {
  const title = runTitle(run);
  const words = title === null ? '' : plainLine(title, MAX_TITLE_CHARS);
  return words === '' ? null : words;
}

interface RunNamesProps {
  readonly run: Pick<SeenRun, 'command' | 'tmuxSession' | 'pid'>;
  readonly titleId: string;
}

/** Its name, and its command once: beside the name, or as the name. */
export function RunNames({ run, titleId }: RunNamesProps) {
  const title = titleOf(run);
  const command = commandOf(run);
  if (title === null) {
    return (
      <h3 id={titleId} className={classNames(styles['command'], 'mono selectable')} title={command}>
        {command}
      </h3>
    );
  }
  return (
    <h3 id={titleId} className={styles['names']}>
      <span className={classNames(styles['name'], 'selectable')}>{title}</span>{' '}
      <span className={classNames(styles['command'], 'mono selectable')} title={command}>
        {command}
      </span>
    </h3>
  );
}

export function pathOf(path: string | null): string {
  return path === null ? UNKNOWN : plainLine(path, MAX_PATH_CHARS);
}

/** A run as the last look saw it. */
export function RunCard({ boxId, run }: { readonly boxId: string; readonly run: SeenRun }) {
  const titleId = useId();
  const { pid, user, folder, sinceMs, log, checkpoint } = run;
  return (
    <article className={styles['run']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <RunNames run={run} titleId={titleId} />
        <GpuMark run={run} />
        <SurvivalMark run={run} />
      </div>
      <dl className={classNames(styles['facts'], 'figures')}>
        <Fact name="Running for">
          {sinceMs === null ? (
            UNKNOWN
          ) : (
            <span title={`since ${formatDate(sinceMs)}`}>
              <Elapsed sinceMs={sinceMs} />
            </span>
          )}
        </Fact>
        <RunMoney boxId={boxId} run={run} />
        <Fact name="Process">
          {pid}
          {user !== null && ` of ${plainLine(user, 40)}`}
        </Fact>
        <Fact name="Folder" isPath>
          {pathOf(folder)}
        </Fact>
        {checkpoint !== null && (
          <Fact name="Checkpoint" isPath>
            <span title={pathOf(checkpoint.path)}>{fileName(checkpoint.path)}</span>
            <span className={styles['muted']}>
              {' '}
              written <Age atMs={checkpoint.writtenAtMs} />
            </span>
          </Fact>
        )}
        <Fact name="Log" isPath>
          {log === null ? (
            'none that could be read'
          ) : (
            <LogLine log={log} isUnbuffered={run.isUnbuffered} />
          )}
        </Fact>
      </dl>
      <LastLines lines={log?.lastLines ?? []} />
      <div className={styles['tell']}>
        {run.tmuxSession !== null && <AttachButton boxId={boxId} session={run.tmuxSession} />}
        <Suspense fallback={null}>
          <TellMe boxId={boxId} run={run} />
        </Suspense>
        <Suspense fallback={null}>
          <PushAction boxId={boxId} run={run} />
        </Suspense>
      </div>
    </article>
  );
}

/** How its log ends. */
export function LastLines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <pre
      className={classNames(styles['line'], 'mono selectable')}
      role="group"
      aria-label="Last lines of its log"
    >
      {lines.map((line) => plainLine(line, MAX_LINE_CHARS)).join('\n')}
    </pre>
  );
}

function LogLine({
  log,
  isUnbuffered,
}: {
  readonly log: SeenLog;
  readonly isUnbuffered: boolean | null;
}) {
  return (
    <>
      <span title={pathOf(log.path)}>{fileName(log.path)}</span>
      <span className={styles['muted']}>
        {' · '}
        {formatBytes(log.bytes)} · written <Age atMs={log.writtenAtMs} />
        {log.isDeleted && ' · deleted or moved away while it is written to'}
        {isUnbuffered === false && (
          <>
            {' · buffered, so it lags ('}
            <a href="#U43">Handbook</a>
            {')'}
          </>
        )}
      </span>
    </>
  );
}

export function fileName(path: string): string {
  return pathOf(path.slice(path.lastIndexOf('/') + 1));
}

function GpuMark({ run }: { readonly run: SeenRun }) {
  if (!run.holdsGpu) return null;
  return <span className={styles['mark']}>holds a GPU</span>;
}

interface Survival {
  readonly tone: Tone;
  readonly words: string;
  readonly title: string;
}

function SurvivalMark({ run }: { readonly run: SeenRun }) {
  const { tone, words, title } = survivalOf(run);
  return (
    <span className={classNames(styles['mark'], styles[tone])} title={title}>
      <Glyph tone={tone} />
      {words}
    </span>
  );
}

function survivalOf({ tmuxSession, survivesHangup }: SeenRun): Survival {
  if (tmuxSession !== null) {
    return {
      tone: 'ok',
      words: 'in tmux',
      title: `It runs in the tmux session “${plainLine(tmuxSession, 60)}” and outlives the SSH session.`,
    };
  }
  if (survivesHangup === null) {
    return {
      tone: 'unknown',
      words: 'may end with its SSH session',
      title: 'The box does not tell whether it hears the hang-up signal of its SSH session.',
    };
  }
  return survivesHangup
    ? { tone: 'ok', words: 'detached', title: 'It outlives the SSH session that started it.' }
    : {
        tone: 'warn',
        words: 'would die with its SSH session',
        title:
          'It was started without nohup, setsid or tmux: a dropped connection would end it (GEN2).',
      };
}
