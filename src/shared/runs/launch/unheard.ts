import { commandsIn, program, type Command } from './shell-commands.ts';

/** A command whose failure nobody hears of, so that the run is called done all the same. */
export interface Unheard {
  /** As it stands there. */
  readonly said: string;
  /** `goes-on`: another one follows it, whose exit code counts; `piped`: that of tee counts. */
  readonly why: 'goes-on' | 'piped';
  /** All of it, of which this is a part. */
  readonly command: string;
}

const MAX_CHARS = 20_000;
/** What says itself what is done about a failure, or where only a shell could tell what follows what. */
const IS_OPEN = /\$\?|<<|(?:^|[\s;&])(?:trap|eval)\s|\bfunction\s|[\w-]\s*\(\)/;
const IS_STRICT = /(?:^|[;&\n'"])[ \t]*set[ \t]+(?:-[a-z]*e|(?:-\w+[ \t]+)*-o[ \t]+errexit)/;
const OF_THE_SHELL =
  /^(?:(?:if|for|while|until|case|select|then|do|done|else|elif|fi|esac|coproc)(?:\s|$)|[({!})])/;
/** What sets something up, looks, or makes room: what comes of its failure shows in what follows. */
const IS_ASIDE = new RegExp(
  [
    String.raw`^$|^#`,
    String.raw`^(?:cd|pushd|popd|export|source|\.|set|unset|ulimit|umask|alias|shopt|module|ml|spack|conda|mamba|micromamba)(?:\s|$)`,
    String.raw`^(?:echo|printf|date|hostname|pwd|ls|env|nvidia-smi|rocm-smi|sleep|which|type|command|true|:|mkdir|rm|touch|chmod|wait|exit|kill|clear)(?:\s|$)`,
  ].join('|'),
);

const IS_ASSIGNMENT = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"])*(?:\s+|$))+$/;
/** What comes behind it depends on an answer, and no failure is meant by a no. */
const ASKS = /^(?:test|\[\[?)\s/;

/** The first of them; null: there is none, or that is not sure. */
export function unheardIn(command: string): Unheard | null {
  const text = command.slice(0, MAX_CHARS);
  if (IS_OPEN.test(text)) return null;
  const all = commandsIn(text).filter(({ said, then }) => !isEmpty(said) || then === '&');
  const isOdd = ({ said, then }: Command): boolean =>
    OF_THE_SHELL.test(said) || then === '$(' || then === '`';
  if (all.some(isOdd)) return null;
  const isStrict = IS_STRICT.test(text);
  const hasPipefail = /\bpipefail\b/.test(text);
  let list: Command[] = [];
  for (const [at, each] of all.entries()) {
    list.push(each);
    if (/^(?:&&|\|\||\|)$/.test(each.then)) continue;
    const isLast = at === all.length - 1;
    const found = unheardOf(list, { isLast, isStrict, hasPipefail });
    if (found !== null) return { ...found, command };
    list = [];
  }
  return null;
}

const isEmpty = (said: string): boolean => said === '' || said.startsWith('#');

/** Of what hangs together by "&&" and "|". Where there is a "||", somebody has thought of a failure. */
function unheardOf(
  list: readonly Command[],
  { isLast, isStrict, hasPipefail }: Record<'isLast' | 'isStrict' | 'hasPipefail', boolean>,
): Pick<Unheard, 'said' | 'why'> | null {
  const asks = ASKS.test(list[0]?.said ?? '');
  if (asks || list.some(({ then }) => then === '||') || list.at(-1)?.then === '&') return null;
  for (const [at, { said, then }] of list.entries()) {
    if (IS_ASSIGNMENT.test(said) || IS_ASIDE.test(program(said))) continue;
    if (then === '|') {
      const isToTee = program(list[at + 1]?.said ?? '').startsWith('tee ');
      if (isToTee && !hasPipefail) return { said, why: 'piped' };
      // What else stands behind a pipe ends as it likes.
      return null;
    }
    if (!isLast && !isStrict) return { said, why: 'goes-on' };
  }
  return null;
}
