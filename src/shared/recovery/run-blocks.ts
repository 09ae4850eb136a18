import type { RunInLook } from '../patrol/patrol-look.ts';
import type { PatrolMemory } from '../patrol/patrol-memory.ts';
import { shellWord } from '../shell-word.ts';
import { ageWords, sizeWords, utc } from './handbook-words.ts';
import type { Block, Inline } from './page.ts';
import { isWholeText, resumeCommand } from './resume-command.ts';

interface Around {
  readonly memory: PatrolMemory;
  readonly atMs: number;
  readonly redact: (text: string) => string;
}

/** One run as the patrol saw it last, and how it goes on. */
export function runBlocks(run: RunInLook, number: number, around: Around): readonly Block[] {
  const { command, pid } = run;
  const [program = ''] = command?.split(' ') ?? [];
  const name = program.slice(program.lastIndexOf('/') + 1) || 'command not known';
  return [
    { kind: 'heading', level: 3, text: `Run ${String(number)}: ${name}, process ${String(pid)}` },
    { kind: 'list', items: facts(run, around) },
    ...resume(run, around),
    ...logCommand(run),
  ];
}

function facts(run: RunInLook, { memory, atMs }: Around): readonly (readonly Inline[])[] {
  const { user, ageS, folder, program, holdsGpu, survivesHangup, tmuxSession, logs } = run;
  const startedAtMs = ageS === null ? null : memory.atMs - ageS * 1000;
  return [
    [
      startedAtMs === null
        ? 'Started: not known'
        : `Started: about ${utc(startedAtMs)}, ${ageWords(startedAtMs, atMs)} before this was written`,
      `. By: ${user ?? 'not known'}. ${holdsGpu ? 'Held a GPU.' : 'Held no GPU.'}`,
    ],
    folder === null ? ['Folder: not known'] : ['Folder: ', { code: folder }],
    program === null ? ['Program: not known'] : ['Program: ', { code: program }],
    [
      survivesHangup === null
        ? 'Whether it outlives its SSH session is not known.'
        : survivesHangup
          ? 'It outlives its SSH session.'
          : 'It ends with its SSH session.',
      ...(tmuxSession === null ? [] : [' tmux session: ', { code: tmuxSession }]),
    ],
    ...(logs.length === 0 ? [['Log: none, or it could not be read in time']] : []),
    ...logs.map(({ stream, path, bytes, modifiedAtS, isDeleted }): readonly Inline[] => [
      `Log${stream === 'errors' ? ' (errors)' : ''}: `,
      { code: path },
      `, ${sizeWords(bytes)}, last written ${utc(modifiedAtS * 1000)}${isDeleted ? '; moved or deleted since' : ''}`,
    ]),
  ];
}

function resume(run: RunInLook, { redact }: Around): readonly Block[] {
  const resumed = resumeCommand(run, redact);
  if (resumed.kind === 'not-known') {
    const { because, seen } = resumed;
    return [
      {
        kind: 'text',
        text: [
          `Resume command: not known: ${because}.`,
          ...(seen === null ? [] : [' As the process table had it: ', { code: seen }]),
        ],
      },
    ];
  }
  const output = run.logs.find(
    ({ stream, isDeleted, path }) => stream === 'output' && !isDeleted && isWholeText(path),
  );
  const session =
    run.tmuxSession !== null && isWholeText(run.tmuxSession)
      ? run.tmuxSession
      : `resume-${String(run.pid)}`;
  return [
    {
      kind: 'text',
      text: [
        'Resume command. Its environment (what was exported or activated before) is not in it',
        output === undefined
          ? '.'
          : '; what it prints is added to its log, so that nothing old is lost.',
      ],
    },
    {
      kind: 'code',
      what: `Resume process ${String(run.pid)}`,
      text: [
        `tmux new-session -A -s ${shellWord(session)}`,
        ...(run.folder === null ? [] : [`cd ${shellWord(run.folder)}`]),
        `${resumed.command}${output === undefined ? '' : ` >>${shellWord(output.path)} 2>&1`}`,
      ].join('\n'),
    },
  ];
}

function logCommand({ logs }: RunInLook): readonly Block[] {
  const paths = logs
    .filter(({ isDeleted, path }) => !isDeleted && isWholeText(path))
    .map(({ path }) => shellWord(path));
  return paths.length === 0
    ? []
    : [{ kind: 'code', what: 'Its last words', text: `tail -n 40 ${paths.join(' ')}` }];
}
