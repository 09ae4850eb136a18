import { CARDS, type Phase } from './healthy-week.ts';
import { busOf, uuidOf } from '../gpu/gpu-box.ts';
import { bits } from '../gpu/cards.ts';
import {
  boxClock,
  cardLines,
  diskSections,
  HOST,
  kernelText,
  memoryText,
  notebookText,
  waitersText,
} from './healthy-box.ts';

type Working = Exclude<Phase, 'cut'>;

export const MARK = 'healthy';
const RUN_LOG = '/root/work/train.log';
const UPTIME_S = 400_000;
const HOLDING: ReadonlySet<Working> = new Set(['train', 'save', 'validate', 'stall']);

type Section = (name: string, text: string) => string;
const sectionsOf =
  (mark: string): Section =>
  (name, text) =>
    `\n${mark} begin ${name}\n${text}\n${mark} end ${name} 0\n`;

function machine(section: Section, second: number, more: readonly string[] = []): string {
  return section(
    'machine',
    [
      'boot_id 0f0e64a8-1111-4222-8333-444455556666',
      `uptime ${(UPTIME_S + second).toFixed(2)} 1.0`,
      'init_start 512',
      'tick 100',
      `now ${boxClock(second)}`,
      'container yes',
      'tool nvidia-smi',
      ...more,
    ].join('\n'),
  );
}

function cpu(section: Section, second: number, usedS: number): string {
  const periods = Math.round((UPTIME_S + second) * 10);
  return section(
    'cpu',
    [
      `uptime ${(UPTIME_S + second).toFixed(2)} 1.0`,
      'total 0 0 0 0 0 0 0',
      'cpus 128',
      'load 14.20 13.00 12.80 12/2400 991',
      'group',
      'max 3200000 100000',
      `stat usage_usec ${Math.round(usedS * 1e6)}`,
      `stat nr_periods ${periods}`,
      `stat nr_throttled ${Math.round(periods * 0.03)}`,
      'stat throttled_usec 1',
      'pids 220',
      'pressure-cpu some avg10=1.00 avg60=2.40 avg300=1.00 total=5',
    ].join('\n'),
  );
}

/** What gpu-facts.sh answers on a box that is well. */
export function factsText(phase: Working, second: number, usedS: number): string {
  const section = sectionsOf(MARK);
  const isHeld = HOLDING.has(phase);
  const usedMiB = isHeld ? 62_000 : phase === 'load' ? 24_000 : 4;
  const reasons =
    phase === 'idle' || phase === 'pause' ? bits(1) : bits(second % 210 === 0 ? 4 : 0);
  const rows = Array.from({ length: CARDS }, (_none, index) =>
    [
      index,
      uuidOf(index),
      busOf(index),
      'NVIDIA H100 80GB HBM3',
      '590.48.01',
      '81559 MiB',
      `${usedMiB} MiB`,
      '479 MiB',
      '700.00 W',
      '700.00 W',
      '700.00 W',
      '1980 MHz',
      reasons,
      'Enabled',
      0,
      0,
      'No',
      'No',
      'None',
      5,
      5,
      16,
      16,
      'Disabled',
    ].join(', '),
  );
  const apps = isHeld
    ? Array.from(
        { length: CARDS },
        (_none, index) => `${4711 + index}, /usr/bin/python3, 61400 MiB, ${uuidOf(index)}`,
      )
    : [];
  return [
    machine(section, second),
    cpu(section, second, usedS),
    section(
      'dmesg',
      '[    0.000000] Linux version 6.8.0-60-generic\n[   12.1] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  590.48.01',
    ),
    section('gpus', [FIELDS, ...rows].join('\n')),
    section('apps', ['pid, process_name, used_gpu_memory [MiB], gpu_uuid', ...apps].join('\n')),
    section('processes', ''),
    section('whole', ''),
  ].join('');
}

const FIELDS =
  'index, uuid, pci.bus_id, name, driver_version, memory.total [MiB], memory.used [MiB], memory.reserved [MiB], power.limit [W], power.default_limit [W], enforced.power.limit [W], clocks.max.sm [MHz], clocks_event_reasons.active, ecc.mode.current, ecc.errors.uncorrected.volatile.total, ecc.errors.corrected.volatile.total, remapped_rows.pending, remapped_rows.failure, gpu_recovery_action, pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max, mig.mode.current';

export const pidOf = (run: number): number => 4000 + run;

interface PatrolMoment {
  readonly phase: Working;
  readonly run: number;
  readonly second: number;
  readonly usedS: number;
  /** Logs that were asked for by their paths. */
  readonly logs: readonly string[];
  readonly mark: string;
}

/** Without what gives way, of the limit; a validation keeps some figures of all samples. */
const MEMORY_SHARE: Readonly<Record<Working, number>> = {
  idle: 0.24,
  pause: 0.24,
  load: 0.4,
  train: 0.56,
  save: 0.6,
  stall: 0.56,
  validate: 0.7,
};
/** Beside the training, on CPUs alone; it says a line every nine minutes. */
const evalPidOf = (run: number): number => 50_000 + run;
const EVAL_LOG = '/root/eval/eval.log';
const EVAL_SAYS_EVERY_S = 540;

/** What patrol.sh answers: a training and a long evaluation, whose logs each run begins anew. */
export function patrolText(moment: PatrolMoment): string {
  const { phase, run, second, usedS, logs, mark } = moment;
  const section = sectionsOf(mark);
  const isRunning = phase !== 'idle' && phase !== 'pause';
  const [pid, evalPid] = [pidOf(run), evalPidOf(run)];
  const start = run * 1000;
  const bytes = 1000 + run * 7 + (second % 3600);
  const logOf: Readonly<Record<string, string>> = {
    [RUN_LOG]: `${Math.max(0, boxClock(second - 4))} ${isRunning ? bytes + 10_000 : bytes + 20_000} ${77_000 + run} 1 ${RUN_LOG}`,
    [EVAL_LOG]: `${boxClock(second - (second % EVAL_SAYS_EVERY_S))} 900 ${99_000 + run} 1 ${EVAL_LOG}`,
  };
  const words = `epoch ${second % 90} step ${second} loss 2.1\n${phase === 'validate' ? 'Validating: 3%\n' : ''}val: recovered from OSError: [Errno 5], retrying\n${'step\n'.repeat(8)}`;
  const lastWords = isRunning
    ? words
    : `${words}Traceback (most recent call last):\nKeyboardInterrupt\n`;
  const endOf: Readonly<Record<string, string>> = {
    [RUN_LOG]: lastWords,
    [EVAL_LOG]: 'eval 3% of 90000 samples\n',
  };
  const runText = (
    id: number,
    command: string,
    folder: string,
    log: string,
    isUnbuffered: boolean,
  ): string =>
    `pid ${id}\nstart ${start}\nuser root\nprogram /usr/bin/python3\ncommand ${command}\ncwd ${folder}\nignores 0000000000000001\nunbuffered ${isUnbuffered ? 1 : 0}\nproxy none\ntracker none\nlog 1 ${logOf[log] ?? ''}`;
  return [
    machine(section, second, [cardLines()]),
    cpu(section, second, usedS),
    section('memory', memoryText(MEMORY_SHARE[phase])),
    section('host', HOST),
    section(
      'table',
      [
        `1 0 1 1 0 S 10 10 1 512 900 tail`,
        `880 1 880 880 0 S ${second} 90 24 900 9000 python`,
        ...(isRunning
          ? [
              `${pid} 1 ${pid} ${pid} 0 S ${second} 90 24 ${start} 9000 python`,
              `${evalPid} 1 ${evalPid} ${evalPid} 0 S ${second} 90 24 ${start} 9000 python`,
            ]
          : []),
      ].join('\n'),
    ),
    section('open', isRunning ? `gpu ${pid}` : ''),
    section('kernel', kernelText(UPTIME_S + second, second)),
    diskSections(section, mark, second),
    section('waiters', waitersText(second, isRunning ? pid : null, RUN_LOG)),
    section(
      'runs',
      [
        ...(isRunning
          ? [
              runText(pid, 'python train.py', '/root/work', RUN_LOG, true),
              runText(evalPid, 'python eval.py', '/root/eval', EVAL_LOG, false),
            ]
          : []),
        notebookText(second),
      ].join('\n'),
    ),
    ...(isRunning
      ? [
          section(`log-${pid}-1`, lastWords),
          section(`start-${pid}-1`, ''),
          section(`log-${evalPid}-1`, endOf[EVAL_LOG] ?? ''),
          section(`start-${evalPid}-1`, ''),
        ]
      : []),
    section(
      'artefacts',
      `${Math.max(0, boxClock(second - 200))} 900000000 5 /root/work/step-${second}.pt`,
    ),
    ...logs.flatMap((path, at) => [
      section(`known-${at}`, `log ${logOf[path] ?? ''}`),
      section(`known-end-${at}`, endOf[path] ?? ''),
    ]),
    section('tmux', 'no server running on /tmp/tmux-0/default'),
    section('whole', ''),
  ].join('');
}
