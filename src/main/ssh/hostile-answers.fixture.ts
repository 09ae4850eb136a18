import { MARK } from '../linear.fixture.ts';
import { HOSTILE_BYTES, type Bytes } from './hostile-bytes.fixture.ts';
import { command, flooding, type Printing } from './hostile-commands.fixture.ts';
import {
  HOSTILE_READERS,
  RUN,
  STILL_HERE,
  type HostileReader,
  type HostileReaderName,
} from './hostile-readers.fixture.ts';
import { startLoginServer } from './login-server.fixture.ts';

/** What a script may answer with; and the room that the frames take. */
const [USUAL_CHARS, FRAME_CHARS] = [512 * 1024, 4096];
const BLOCK_CHARS = 32_768;
/** In the place of the bytes while a frame is cut in two. */
const HERE = '<here>';

/** Everything that a reader is given, by what it is; those of the last two have no end. */
export function answersTo(name: HostileReaderName): Readonly<Record<string, Bytes>> {
  return { ...HOSTILE_BYTES, ...(HOSTILE_READERS[name] as HostileReader).rows };
}
export const ENDLESS: Readonly<Record<string, string>> = {
  'lines without end': 'no line of it\n',
  'one line without end': 'x',
};

export interface HostileAnswers {
  /** Bytes of one answer at most; a reader that takes more is not given more in a test. */
  readonly most: number;
  /** Blocks of 32 KiB are "without end". With `Infinity` of them, everything that the box answers has none. */
  readonly blocks: number;
  /** One more of them was taken. */
  readonly onBlock?: () => void;
}

/** A box that lets everybody in, and answers one reader of main with this. */
export function startAnswering(
  name: HostileReaderName,
  what: string,
  bounds: HostileAnswers,
): ReturnType<typeof startLoginServer> {
  return startLoginServer((context) => context.accept(), command(answering(name, what, bounds)));
}

function answering(
  name: HostileReaderName,
  what: string,
  { most, blocks, onBlock }: HostileAnswers,
): Printing {
  const {
    frames,
    takes = USUAL_CHARS,
    asksThis = () => true,
  }: HostileReader = HOSTILE_READERS[name];
  let asked = 0;
  return async (channel, client, input, line) => {
    if (line.includes('( true )')) return void channel.write(STILL_HERE);
    const mark = /leasehold-[0-9a-f]{24}/.exec(input)?.[0] ?? '';
    const marked = (text: string): string => text.replaceAll(MARK, mark);
    if (!asksThis(input)) return void channel.write(marked(BESIDE));
    asked += 1;
    const [before = '', after = ''] = marked(
      (frames[(asked - 1) % frames.length] ?? String)(HERE),
    ).split(HERE);
    channel.write(before);
    const unit = ENDLESS[what];
    const bytesOf = (length: number): string =>
      marked((answersTo(name)[what] ?? String)(length)).replaceAll('ROUND', String(asked));
    if (unit === undefined && blocks < Infinity) {
      const length = Math.min(takes, most) - FRAME_CHARS;
      const bytes = bytesOf(length);
      const isText = /[^\0-\u00ff]/.test(bytes);
      channel.write(
        Buffer.from(bytes.slice(0, isText ? length / 3 : length), isText ? 'utf8' : 'latin1'),
      );
    } else {
      const block = unit?.repeat(BLOCK_CHARS / unit.length) ?? wholeLines(bytesOf(BLOCK_CHARS));
      await flooding(blocks, (stream) => stream, block, onBlock)(channel, client, input, line);
    }
    channel.write(after);
  };
}

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

/** Which tools the box has, and that one run goes on there. */
const BESIDE = [
  ...['begin machine\ntool nvidia-smi', 'end machine 0', 'begin whole\n', 'end whole 0'],
  ...['table yes', 'home /h', 'now 9', 'life a/1', `run ${RUN}`, 'older 0', 'whole'],
]
  .map((line) => `${MARK} ${line}\n`)
  .join('');
