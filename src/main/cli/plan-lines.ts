import type { PlannedFile } from '../../shared/plan/planned-file.ts';
import type { LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import type { QueuePlan } from '../../shared/runs/queue/queue-plan.ts';
import { atOnceWords } from '../../shared/runs/queue/workload.ts';
import { beforehandWords, costWords, type Outlook } from '../../shared/runs/launch/outlook.ts';
import type { FileList, PlannedPush } from '../../shared/transfer/planned-push.ts';
import { sizeWords } from '../../shared/recovery/handbook-words.ts';
import { checkLines } from './box-plan.ts';

type ShownPlan = Omit<LaunchPlan, 'plan'>;

/** A plan as a person reads it in a terminal. `isWhole`: each file to the letter. */
export function planLines(box: string, plan: ShownPlan, isWhole: boolean): readonly string[] {
  const { request, queue, after, push, outlook, files, folder, startLine, byHand, reboot } = plan;
  return [
    ...checkLines(box, plan.checks),
    '',
    'What runs',
    ...rows([
      ['name', request.name],
      ...some('goes on after', after ?? ''),
      ...(queue === undefined ? [['command', ...request.command.split('\n')]] : cellRows(queue)),
      ['folder', request.folder],
      ...(request.activate === null ? [] : [['before it', request.activate]]),
      ...some('environment', Object.keys(request.env).join(', ')),
      ...some('secrets', (request.secrets ?? []).join(', ')),
      ...(request.fetch ?? []).map(({ into, run }) => ['fetched first', `into ${into}: ${run}`]),
      ...some('smoke command', request.smoke ?? ''),
      [
        'succeeded when',
        queue !== undefined
          ? 'every cell exits with code 0'
          : request.successLine === null
            ? 'it exits with code 0'
            : `it exits with code 0 and its log says “${request.successLine}”`,
      ],
      ...some('tracker', request.tracker ?? ''),
      ...some('told at its end', request.notify?.end === true ? 'by the box itself' : ''),
      ...some('told of the text', request.notify?.line ?? ''),
      ...beforehandWords(outlook, request).map(([name, words]) => [name.toLowerCase(), words]),
      ['cost', costWords(outlook)],
    ]),
    ...(push === null ? [] : ['', 'Code that is pushed', ...pushRows(push)]),
    '',
    'Where it is stored',
    ...rows(outlook.lands.map(({ what, path, stays }) => [what.toLowerCase(), path, stays])),
    ...settingLines(outlook),
    '',
    'How it is started',
    `  ${startLine}`,
    ...(reboot === undefined
      ? []
      : ['How it starts again after a restart: the first line of your crontab', `  ${reboot}`]),
    'How to end it by hand',
    `  ${byHand}`,
    '',
    `What is put on the box, into ${folder}`,
    ...files.flatMap((file) => fileLines(file, isWhole)),
  ];
}

/** A name in front of the first line of each. */
function rows(told: readonly (readonly string[])[]): readonly string[] {
  const width = Math.max(...told.map(([name = '']) => name.length));
  return told.flatMap(([name = '', ...lines]) =>
    lines.map((line, at) => `  ${(at === 0 ? name : '').padEnd(width)}  ${line}`),
  );
}

/** Each cell that would run, with its number. */
function cellRows({
  cells,
  slots,
  finished,
  commented,
  stopsAtFailure,
}: QueuePlan): readonly (readonly string[])[] {
  const told = (count: number, one: string, many: string): readonly string[] =>
    count === 0 ? [] : [`${String(count)} ${count === 1 ? one : many}`];
  const rest = [
    ...told(finished, 'has finished and does not run again', 'have finished and do not run again'),
    ...told(commented, 'is left out (#)', 'are left out (#)'),
  ];
  return [
    [
      'cells',
      ...cells.flatMap(({ index, name, command, isInterrupted, isCopyOnly }) => {
        const again = isCopyOnly
          ? ' (has succeeded: only its results are copied)'
          : isInterrupted
            ? ' (interrupted: from its beginning)'
            : '';
        const [first = '', ...more] = command.split('\n');
        return [
          `${String(index)}  ${name}${again}: ${first}`,
          ...more.map((line) => `     ${line}`),
        ];
      }),
    ],
    ['at once', atOnceWords(slots)],
    ...(stopsAtFailure === null
      ? []
      : [
          [
            'at a failure',
            stopsAtFailure ? 'no further cell begins' : 'the next cell begins all the same',
          ],
        ]),
    ...some('others', rest.join(', ')),
  ];
}

const some = (name: string, text: string): readonly (readonly string[])[] =>
  text === '' ? [] : [[name, text]];

function pushRows(push: PlannedPush): readonly string[] {
  const { from, to, commit, isDirty, files, bytes, send, replaced, gone, isDeleting } = push;
  return rows([
    ['from', `${from}, ${countWords(files)}, ${sizeWords(bytes)}`],
    ['to', to],
    [
      'commit',
      commit === null
        ? 'not known: no git commit'
        : `${commit.slice(0, 12)}, ${isDirty ? 'with changes that are in no commit' : 'without changes'}`,
    ],
    [
      'to send',
      send.count === 0
        ? 'nothing: the box has all of it'
        : `${countWords(send.count)}, ${sizeWords(send.bytes)}`,
      ...firstOf(send),
    ],
    ...listed('replaced', replaced),
    ...listed(isDeleting ? 'to delete' : 'stays there', gone),
    ...listed('kept there', push.kept),
    ...listed('line ends', push.fixed),
    ...listed('large files', push.large),
    ...(push.leftOut.length === 0
      ? []
      : [['left out', ...push.leftOut.map(({ path, because }) => `${path}: ${because}`)]]),
    ['tree', push.tree],
  ]);
}

const countWords = (count: number): string => (count === 1 ? '1 file' : `${String(count)} files`);

const listed = (name: string, list: FileList): readonly (readonly string[])[] =>
  list.count === 0 ? [] : [[name, countWords(list.count), ...firstOf(list)]];

function firstOf({ count, first }: FileList): readonly string[] {
  const more = count > first.length ? [`and ${String(count - first.length)} more`] : [];
  return [...first, ...more].map((path) => `  ${path}`);
}

function settingLines({ settings }: Outlook): readonly string[] {
  if (settings === null) return [];
  return [
    '',
    `From the profile of ${settings.of}`,
    ...settings.used.map(({ what }) => `  ${what}`),
    ...settings.unused.map(({ name, because }) => `  not used: ${name}. ${because}`),
  ];
}

function fileLines({ name, what, text }: PlannedFile, isWhole: boolean): readonly string[] {
  if (text === null) return [`  ${name}: ${what}`];
  const head = `  ${name} (${sizeWords(new TextEncoder().encode(text).length)}): ${what}`;
  // What runs is always shown; the rest is the same for every run.
  const isShown = isWhole || name.startsWith('job.sh');
  return isShown
    ? [
        head,
        ...text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `    ${line}`),
      ]
    : [head];
}
