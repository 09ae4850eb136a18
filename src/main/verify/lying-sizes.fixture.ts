import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tell } from '../storage/disk.fixture.ts';
import { Damaged, NotLoadable } from './damage.ts';
import { formatNamed, readingOf } from './formats.ts';

// `<format> …`: loads specimens of each format with a number at every place of their first and last bytes made as large as it gets, in
// a process of its own, so that the most that it ever held can be told: "<format> <how many were loaded> <MiB at most so far>".

const SPECIMENS = fileURLToPath(new URL('./specimens/', import.meta.url));
const STATUS = '/proc/self/status';
const PLACES = 200;
const FILES = 3;
const LIES = ['ffffff7f', '7fffffff', '0000004000000000', '0000000000004000'].map((each) =>
  Buffer.from(each, 'hex'),
);

async function load(name: string, bytes: Buffer): Promise<void> {
  const source = {
    sizeBytes: bytes.length,
    read: (at: number, length: number) => bytes.subarray(at, at + length),
  };
  try {
    const reading = readingOf(name, source)?.open();
    await reading?.take(bytes, 0);
    await reading?.end();
  } catch (cause) {
    if (!(cause instanceof Damaged) && !(cause instanceof NotLoadable)) throw cause;
  }
}

/** The smallest ones of a format, which are loaded soonest. */
function specimensOf(format: string): readonly (readonly [name: string, bytes: Buffer])[] {
  return readdirSync(SPECIMENS, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path).includes('--') && formatNamed(path) === format)
    .map((path) => [basename(path), readFileSync(`${SPECIMENS}${path}`)] as const)
    .sort(([, one], [, other]) => one.length - other.length)
    .slice(0, FILES);
}

/** Linux counts in `maxRSS` what the parent held when it began this process; its own account of this one does not. */
function mostMiB(): number {
  const { maxRSS } = process.resourceUsage();
  const kiB = existsSync(STATUS)
    ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8'))?.[1]
    : maxRSS;
  return Math.ceil(Number(kiB) / 1024);
}

for (const format of process.argv.slice(2)) {
  let loads = 0;
  for (const [name, whole] of specimensOf(format)) {
    const isLooked = (at: number): boolean => at < PLACES || at >= whole.length - PLACES;
    for (const at of Array.from(whole, (_, no) => no).filter(isLooked)) {
      const lying = Buffer.from(whole);
      lying.set((LIES[at % LIES.length] ?? whole).subarray(0, whole.length - at), at);
      await load(name, lying);
      loads += 1;
    }
  }
  tell(`${format} ${String(loads)} ${String(mostMiB())}`);
}
