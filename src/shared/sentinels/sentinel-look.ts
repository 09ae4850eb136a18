import { readMachine } from '../probes/machine-lines.ts';
import { readMarkedSections } from '../probes/marked-sections.ts';
import { readPairs, whole, type Pairs } from '../probes/word-lines.ts';
import type { MachineFacts } from '../telemetry/gpu-facts.ts';

/** What one look of resources/onbox/sentinel.sh brought. */
export interface SentinelLook {
  /** This machine's time when the box had answered. */
  readonly atMs: number;
  readonly machine: Pick<MachineFacts, 'bootId' | 'initStartTicks' | 'clockOffsetMs'>;
  /** False: the box tells of no process, so none that is missing is gone. */
  readonly hasProcesses: boolean;
  /** In the order of the question; null: not told to its end. Every word in it is the box's. */
  readonly answers: readonly (Pairs | null)[];
  /** False: the output ended in the middle. */
  readonly isWhole: boolean;
}

/** `asked`: how many were asked for. `clock`: this machine's time when the box was asked and when it had answered. */
export function readSentinels(
  stdout: string,
  mark: string,
  asked: number,
  clock: { readonly askedAtMs: number; readonly answeredAtMs: number },
): SentinelLook {
  const sections = readMarkedSections(stdout, mark);
  const machine = readPairs(sections.text('machine') ?? '');
  return {
    atMs: clock.answeredAtMs,
    machine: readMachine(machine, clock),
    hasProcesses: machine.get('table')?.[0] === 'yes',
    answers: Array.from({ length: asked }, (_none, n) => {
      const text = sections.text(`s-${String(n)}`);
      return text === null ? null : readPairs(text);
    }),
    isWhole: sections.text('whole') !== null,
  };
}

export type PathAnswer =
  | {
      readonly kind: 'there';
      readonly modifiedAtS: number;
      readonly bytes: number;
      readonly inode: string;
      readonly type: string;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unread'; readonly because: string };

const TOO_SLOW = 'it did not answer in time';

export function pathAnswer(answer: Pairs): PathAnswer {
  const told = answer.get('path')?.[0] ?? '';
  if (told === 'absent') return { kind: 'absent' };
  if (told === 'silent') return { kind: 'unread', because: TOO_SLOW };
  const [, modified, bytes, inode = '', type = ''] =
    /^there (\d{1,12}) (\d{1,18}) (\d{1,20}) (.{1,60})$/.exec(told) ?? [];
  if (modified !== undefined) {
    return {
      kind: 'there',
      modifiedAtS: Number(modified),
      bytes: Number(bytes),
      inode,
      type,
    };
  }
  const because = /^because (.+)$/.exec(told)?.[1];
  return { kind: 'unread', because: because ?? 'the box did not say' };
}

/** What a search through a folder could not do; null: it saw all of it. */
export function unreadOf(answer: Pairs): string | null {
  if (answer.get('cut')?.[0] === 'yes') return 'more than 10,000 files are there';
  const code = whole(answer.get('code')?.[0]);
  if (code === 0) return null;
  return code === 137 ? TOO_SLOW : 'a part of it could not be read';
}

/** Whether a search through bytes of a file did not get all of them. 141: the reader had more than was listened to. */
export function isReadFault(answer: Pairs): boolean {
  const code = answer.get('code')?.[0];
  if (code === undefined) return false;
  return (code !== '0' && code !== '141') || answer.get('searched')?.[0] !== 'yes';
}
