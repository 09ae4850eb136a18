import type { Box } from '../boxes/box.ts';
import type { HostKey } from '../boxes/host-key.ts';
import { sshCommandOf } from '../boxes/ssh-command-of.ts';
import type { Clock } from '../clocks/clock.ts';
import type { Catalog } from '../detectors/alert-words.ts';
import { vanishCauses } from '../patrol/judge-vanished.ts';
import type { PatrolMemory } from '../patrol/patrol-memory.ts';
import type { Profile } from '../profiles/profile.ts';
import { plainLine, plainText } from '../questions/hostile-text.ts';
import { causeTitle, causeWords } from './cause-words.ts';
import { ageWords, clockRow, sizeWords, utc } from './handbook-words.ts';
import { mapTexts, type Block, type Inline } from './page.ts';
import { runBlocks } from './run-blocks.ts';

/** All that a handbook is written from. Null: not known, which the handbook says. */
export interface RecoveryKnowledge {
  readonly box: Box;
  /** That the person trusts; null: none yet. */
  readonly hostKey: HostKey | null;
  readonly profile: Profile | null;
  /** What the last patrol left; null: none has looked yet, or nothing of it can be read. */
  readonly memory: PatrolMemory | null;
  /** What of it cannot be read, as a sentence. */
  readonly memoryFault: string | null;
  readonly clocks: readonly Clock[];
  /** What these clocks cannot know here; null: nothing. */
  readonly clocksLack: string | null;
  readonly catalog: Catalog;
  readonly atMs: number;
}

/** More would bury what matters: the newest are what a run goes on from. */
const MAX_ARTEFACTS = 20;
/** Of one text; what a box tells is bounded already. */
const MAX_CHARS = 4000;

/**
 * What a person needs who has only this file: how to reach the box, what ran there, how to go on, and what runs out.
 * SECURITY: `redact` takes out what has the shape of a secret, of every text; what a box wrote loses all that cannot be seen.
 */
export function writeHandbook(
  known: RecoveryKnowledge,
  redact: (text: string) => string,
): readonly Block[] {
  const blocks: readonly Block[] = [
    ...opening(known),
    ...reach(known),
    ...firstCommand(known),
    ...runs(known, redact),
    ...gone(known),
    ...artefacts(known),
    ...clocks(known),
    ...vanished(known),
    ...storage(known),
  ];
  return blocks.map((block) =>
    mapTexts(block, (each, mayHaveLines) => clean(redact(each), mayHaveLines)),
  );
}

/** A blank at either end is part of a sentence that goes on in code. */
function clean(text: string, mayHaveLines: boolean): string {
  let [from, to] = [0, text.length];
  while (text[from] === ' ') from += 1;
  while (to > from && text[to - 1] === ' ') to -= 1;
  const inner = text.slice(from, to);
  const plain = mayHaveLines ? plainText(inner, MAX_CHARS) : plainLine(inner, MAX_CHARS);
  return `${text.slice(0, from)}${plain}${text.slice(to)}`;
}

const heading = (text: string, level: 2 | 3 = 2): Block => ({ kind: 'heading', level, text });
const text = (...parts: readonly Inline[]): Block => ({ kind: 'text', text: parts });
const code = (what: string, ...lines: readonly string[]): Block => ({
  kind: 'code',
  what,
  text: lines.join('\n'),
});
const list = (...items: readonly (readonly Inline[])[]): Block => ({ kind: 'list', items });

function opening({ box, profile, memory, memoryFault, atMs }: RecoveryKnowledge): readonly Block[] {
  const looked =
    memory !== null
      ? `The runs are those that the check saw at ${utc(memory.atMs)}, ${ageWords(memory.atMs, atMs)} before this was written. What came after that is not in here.`
      : memoryFault !== null
        ? 'Which runs are on it is not known.'
        : 'This box has not been checked: which runs are on it is not known.';
  return [
    { kind: 'heading', level: 1, text: `Recovery handbook: ${box.name}` },
    text(
      `Written by Leasehold at ${utc(atMs)}. ${looked}${memoryFault === null ? '' : ` ${memoryFault}`} Ages are as of then.`,
    ),
    list(
      ['Box: ', { code: box.name }, ' (Leasehold’s id ', { code: box.id }, ')'],
      [
        `Platform: ${profile?.name ?? `${box.platform}, of which no facts are known`}`,
        ...(box.tags.length === 0 ? [] : [`. Tags: ${box.tags.join(', ')}`]),
      ],
      ['No secret stands in here; where one stood, it was taken out.'],
    ),
  ];
}

function reach({ box, hostKey, profile }: RecoveryKnowledge): readonly Block[] {
  return [
    heading('Reach it'),
    code('Connect', sshCommandOf(box)),
    hostKey === null
      ? text(
          'Its host key was never confirmed. Compare it with the platform’s page before you log in.',
        )
      : text(
          `Its host key is ${hostKey.type} `,
          { code: hostKey.fingerprint },
          '. If another one answers, it is another machine or somebody in between: do not log in.',
        ),
    ...(profile === null || profile.ssh.note === null ? [] : [text(profile.ssh.note)]),
  ];
}

/** All of it only looks. What can wait for a dead file server comes last. */
function firstCommand({ memory }: RecoveryKnowledge): readonly Block[] {
  const pids = memory?.runs.map(({ pid }) => String(pid)).join(',') ?? '';
  const { bootId = null, uptimeS = null } = memory?.machine ?? {};
  return [
    heading('First command on reconnect'),
    text('It changes nothing. Read it before you start anything: what looks dead may run.'),
    code(
      'First command on reconnect',
      'date -u; uptime; cat /proc/sys/kernel/random/boot_id',
      'tmux ls',
      ...(pids === '' ? [] : [`ps -o pid,lstart,etime,stat,args -p ${pids}`]),
      'grep oom_kill /sys/fs/cgroup/memory.events',
      'nvidia-smi',
      'df -h; df -i',
    ),
    bootId === null
      ? text('The boot id was not told, so a reboot shows only in how long the box has been up.')
      : text(
          'The boot id was ',
          { code: bootId },
          uptimeS === null || memory === null
            ? '. Another one means that the machine was rebooted.'
            : `, up since about ${utc(memory.atMs - uptimeS * 1000)}. Another boot id means that the machine was rebooted.`,
        ),
    ...(memory === null || memory.oomKills === null
      ? []
      : [
          text(
            `oom_kill stood at ${String(memory.oomKills)}. A higher number: the kernel ended something.`,
          ),
        ]),
  ];
}

function runs(
  { memory, profile, atMs }: RecoveryKnowledge,
  redact: (text: string) => string,
): readonly Block[] {
  if (memory === null) return [heading('Runs'), text('Not known: no check has reported any.')];
  if (memory.runs.length === 0) {
    return [
      heading('Runs'),
      text(
        'The check saw none. A run is a process that writes its output to a file or holds a GPU; what does neither is not seen.',
      ),
    ];
  }
  return [
    heading('Runs'),
    text(
      'To resume is to give the original command again: a good run loads its own last checkpoint. Make sure first that it does not run any more.',
      ...(profile === null
        ? []
        : [` What outlives an SSH session here: ${profile.detach.primitive}.`]),
    ),
    ...memory.runs.flatMap((run, index) => runBlocks(run, index + 1, { memory, atMs, redact })),
  ];
}

function gone({ memory, catalog }: RecoveryKnowledge): readonly Block[] {
  return (memory?.gone ?? []).flatMap(({ pid, lastSeenMs, missedMs, cause, command, folder }) => [
    heading(`Gone: process ${String(pid)}, last seen ${utc(lastSeenMs)}`, 3),
    list(
      [`Noticed ${utc(missedMs)}.`],
      ['Command: ', command === null ? 'not known' : { code: command }],
      ['Folder: ', folder === null ? 'not known' : { code: folder }],
      cause === null
        ? ['Cause unknown. See “If a run is gone” below.']
        : [
            `Confirmed: ${[`${causeTitle(cause)}.`, causeWords(catalog, cause).first ?? ''].join(' ').trim()}`,
          ],
    ),
  ]);
}

function artefacts({ memory, atMs }: RecoveryKnowledge): readonly Block[] {
  const found = memory?.artefacts ?? null;
  if (found === null) {
    return [heading('Markers and checkpoints'), text('Not known: no check has reported any.')];
  }
  if (found.length === 0) {
    return [
      heading('Markers and checkpoints'),
      text(
        'The check found none below the folders of the runs (.pt, .pth, .ckpt, .safetensors, event files, DONE…, FAILED…).',
      ),
    ];
  }
  return [
    heading('Markers and checkpoints'),
    text('The newest first. That a file is there does not say that it loads.'),
    {
      kind: 'table',
      head: ['What', 'File', 'Size', 'Last written', 'Age then'],
      rows: found
        .slice(0, MAX_ARTEFACTS)
        .map(({ kind, path, bytes, modifiedAtS }) => [
          [KIND_WORDS[kind]],
          [{ code: path }],
          [sizeWords(bytes)],
          [utc(modifiedAtS * 1000)],
          [ageWords(modifiedAtS * 1000, atMs)],
        ]),
    },
    ...(found.length > MAX_ARTEFACTS
      ? [text(`${String(found.length - MAX_ARTEFACTS)} older ones are left out.`)]
      : []),
  ];
}

const KIND_WORDS: Readonly<Record<NonNullable<PatrolMemory['artefacts']>[number]['kind'], string>> =
  {
    checkpoint: 'checkpoint',
    partial: 'half-written file',
    events: 'event file',
    tracker: 'folder of a tracked run',
    done: 'marker of success',
    failed: 'marker of failure',
  };

function clocks({ clocks: all, clocksLack, atMs }: RecoveryKnowledge): readonly Block[] {
  const running = all.filter(({ due }) => due.kind !== 'dormant' && due.kind !== 'uncounted');
  return [
    heading('Danger clocks'),
    running.length === 0
      ? text('None is known to run. That is not the same as none.')
      : {
          kind: 'table',
          head: ['What happens', 'When', 'At risk', 'How it is known', 'What stops it'],
          rows: running.map((clock) => clockRow(clock, atMs)),
        },
    ...(clocksLack === null ? [] : [text(clocksLack)]),
  ];
}

function vanished({ catalog }: RecoveryKnowledge): readonly Block[] {
  return [
    heading('If a run is gone'),
    text(
      'A poll that was lost is not a run that was lost: connect again and look first. Take the first cause that is confirmed; if none is, the cause is unknown, and that is the answer.',
    ),
    ...vanishCauses.flatMap((cause) => {
      const { shows, first, entries } = causeWords(catalog, cause);
      const said = [
        ...(shows === null ? [] : [[`Shows in: ${shows}`]]),
        ...(first === null ? [] : [[`Do: ${first}`]]),
      ];
      const fixes = entries.flatMap((id) => {
        const entry = catalog.get(id);
        return entry === undefined ? [] : [[`${id}, ${entry.title}: ${entry.fix.join('. ')}.`]];
      });
      return [heading(causeTitle(cause), 3), list(...said, ...fixes)] as const;
    }),
  ];
}

function storage({ profile }: RecoveryKnowledge): readonly Block[] {
  const tiers = profile?.storage ?? [];
  if (tiers.length === 0) return [];
  const word = (fact: boolean | string | null): Inline =>
    fact === null ? 'not known' : fact === true ? 'yes' : fact === false ? 'no' : fact;
  return [
    heading('What outlives what'),
    {
      kind: 'table',
      head: ['Place', 'Path', 'Outlives a stop', 'Outlives the box', 'Checked'],
      rows: tiers.map(({ name, path, survivesStop, survivesDestroy, verified }) => [
        [name],
        path === null ? ['not known'] : [{ code: path }],
        [word(survivesStop)],
        [word(survivesDestroy)],
        [verified ?? 'applies to any machine'],
      ]),
    },
  ];
}
