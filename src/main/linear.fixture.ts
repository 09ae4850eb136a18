// Whatever reads bytes of a box takes four times as long for four times as many, whatever they are. Measured in CPU time, of
// which a busy machine takes none away.

export const [SMALL, FOURTH, WHOLE] = [64 * 1024, 256 * 1024, 1024 * 1024];
/** Of four times as much: 4 where it is linear, 16 where it grows with the square. A loaded machine's collector brought it to 7.3. */
export const MAX_RATIO = 9;
export const MAX_TRIES = 9;
/** Beside this the collector of memory counts for more than the reader. */
export const GRAIN_MS = 1;
const TOO_LONG_MS = 400;

/** What it answers is not looked at; where that is a promise, it is waited for. */
export type Reader = (text: string) => unknown;

/** Of the answers that the hostile texts pretend to be. */
export const MARK = 'MARK';

export const again =
  (unit: string) =>
  (length: number): string =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

export const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  'carriage returns': again('\r'),
  newlines: again('\n'),
  'blank lines': again(' \r\n'),
  'a repeated word': again('word '),
  'many short lines': again('pid 12\n'),
  digits: again('0'),
  numbers: again('1/2 '),
  'a name of many parts': again('a.'),
  colons: again('a:'),
  'opening brackets': again('[{('),
  quotes: again('\\"'),
  'escape sequences': again('\u001b[31m'),
  'orders that do not end': again('\u001b['),
  'half a token': again('eyJ-'),
  'other half tokens': again('sk-proj-hf_'),
  'half a key': again('-----BEGIN PRIVATE KEY'),
  addresses: again('a+://b:'),
  'words before a secret': again('bearer cookie:authorization '),
  'beginnings of tracebacks': again('Traceback (most recent call last):\n'),
  'short lines that may tell of an error': again('Bus\n'),
  'lines of a library that fails at times': again('NCCL INFO default\n'),
  'a broken traceback': (length) =>
    `Traceback (most recent call last):\n${again('  File "a.py", line 1\n')(length)}`,
  'half a progress bar': again('10%| epoch 1 step '),
  'figures of a training': again('step 10/100 loss=0.5, '),
  'lines of a training': again('epoch 1 step 10 loss 0.5\n'),
  'marks of our own': again(`${MARK} note a\n`),
  'sections that do not end': again(`${MARK} begin a\nx\n`),
  'half an Xid': again('NVRM: Xid ('),
  tags: again('<a '),
  'a process of nvidia-smi with a name of blanks': (length) =>
    again(`|    0   N/A  N/A    12      C${' '.repeat(length / 1024)}x |\n`)(length),
  'a command with options without end': (length) =>
    again(`pid 1\nstart 1\ncommand python -${again('u')(length / 16)}\n`)(length),
  'half a list': again('{"a":['),
  'a table': again('| '),
};

/** What a text costs, the least of so many tries. */
export type Cost = (text: string, tries: number) => number | Promise<number>;

/** CPU time of one reading. */
export const costOf =
  (read: Reader) =>
  async (text: string, tries: number): Promise<number> => {
    let best = Infinity;
    for (let n = 0; n < tries; n += 1) {
      const before = process.cpuUsage();
      await read(text);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  };

/**
 * How many times longer four times as much takes; null where that is as it should be. What is suspicious at a fourth of the size is
 * measured at the whole; what grows with the square so fast that this would take minutes is measured no further.
 */
export async function excess(cost: Cost, make: (length: number) => string): Promise<number | null> {
  const ratioOf = async (less: number, more: number, tries: number): Promise<number> =>
    (await cost(make(more), tries)) / (await cost(make(less), tries));
  const fourthMs = await cost(make(FOURTH), 1);
  if (fourthMs <= MAX_RATIO * Math.max(GRAIN_MS, await cost(make(SMALL), 1))) return null;
  const sizes = fourthMs > TOO_LONG_MS ? ([SMALL, FOURTH] as const) : ([FOURTH, WHOLE] as const);
  let ratio = Infinity;
  for (let tries = 1; tries <= MAX_TRIES && ratio > MAX_RATIO; tries *= 3) {
    ratio = await ratioOf(...sizes, tries);
  }
  if (ratio <= MAX_RATIO || sizes[1] !== WHOLE) return ratio > MAX_RATIO ? ratio : null;
  // Whatever makes much that is garbage soon is cheaper while it is small. What grows with the square goes far beyond that.
  const sixteenfold = await ratioOf(SMALL, WHOLE, MAX_TRIES);
  return sixteenfold > MAX_RATIO ** 2 ? ratio : null;
}

/** Those of these readers that take too long, each with the text and the ratio. */
export async function slowOf(
  readers: Readonly<Record<string, Reader>>,
  texts: Readonly<Record<string, (length: number) => string>> = HOSTILE,
): Promise<readonly string[]> {
  const slow: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    for (const [what, make] of Object.entries(texts)) {
      const ratio = await excess(costOf(read), make);
      if (ratio !== null) slow.push(`${name}: ${what} (${ratio.toFixed(1)})`);
    }
  }
  return slow;
}
