import type { Connection } from 'ssh2';
import { command, flooding, type Printing } from './hostile-commands.fixture.ts';
import { HOSTILE_FILES, servesFiles } from './hostile-files.fixture.ts';
import {
  hostileHandshakes,
  startHostileServer,
  type HostileHandshake,
} from './hostile-handshake.fixture.ts';
import { startLoginServer, type LoginScript } from './login-server.fixture.ts';
import { number, pour, sendRaw, socketOf } from './raw-packets.fixture.ts';
import { field } from './wire-fields.ts';

/** How far main goes with it. */
export type Step = 'before trust' | 'at the log-in' | 'once we are in';
/** What main does with a box that has let it in. */
export type Does = 'runs' | 'patrols' | 'looks through its files';

export interface HostileServerKind {
  readonly step: Step;
  readonly does: Does;
  /** Codes of the problems that it may end with, or "well". */
  readonly endsAs: readonly string[];
  start(): Promise<{ readonly port: number; stop(): Promise<unknown> }>;
}

/** Of so many bytes at most. */
const text = (bytes: number, unit = 'x'): string =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
/** What ssh2 takes in one packet is a little more. */
const LARGE = 34_000;
/** How many packets that carry nothing, and how many large ones, are a flood. */
export interface Flood {
  readonly small: number;
  readonly large: number;
}
/** Turns the text around, then colours it, then hides the rest. */
const UNSEEN = '\u202e\u001b[31m\u2066\u0007';

const NO = Buffer.of(0);
const YES = Buffer.of(1);
const packet = (type: number, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.of(type), ...parts]);
const round = (...rest: readonly Buffer[]): Buffer =>
  packet(60, field(''), field(''), field(''), ...rest);
const refusal = (methods: string): Buffer => packet(51, field(methods), NO);
const banner = (words: string): Buffer => packet(53, field(words), field(''));
const data = (channel: number): Buffer => packet(94, number(channel), field(text(32_000)));
const NOTHING = packet(2, field(''));
const SERVICE = packet(6, field('ssh-userauth'));
const FAREWELL = packet(1, number(2), field(text(LARGE, UNSEEN)), field(''));
const ABILITIES = packet(7, number(1), field('server-sig-algs'), field(text(LARGE - 99, 'a,')));
const OWN_KEYS = packet(
  80,
  field('hostkeys-00@openssh.com'),
  YES,
  field(`-----BEGIN RSA PRIVATE KEY-----\n${text(LARGE - 200, 'a:b\n')}`),
);
const REQUEST = packet(80, field('keepalive@openssh.com'), YES);
const ON_CHANNEL = packet(98, number(0), field('keepalive@openssh.com'), YES);
const OPENING = packet(
  90,
  field('x11'),
  ...[1, 2 ** 20, 2 ** 15].map(number),
  field('127.0.0.1'),
  number(1),
);

const only = ({ open }: { readonly open: ReadonlySet<Connection> }): Connection => [...open][0]!;

const ofEach = (payload: Buffer): number => (payload.length > 1000 ? 50 : 500);

/** Sends this first where the client asks to be let in at all; every request is refused. */
function pouring(payload: Buffer, times: number): LoginScript {
  return (context, server) => {
    const poured = context.method === 'none' && pour(only(server), payload, times, ofEach(payload));
    void Promise.resolve(poured).then(() => context.reject(['password']));
  };
}

/** What the client is asked in place of a password. Whoever has borne all of it is let in, whatever was answered. */
function asking(payload: Buffer, times: number): LoginScript {
  return (context, server) => {
    if (context.method !== 'keyboard-interactive') context.reject(['keyboard-interactive']);
    else void pour(only(server), payload, times, ofEach(payload)).then(() => context.accept());
  };
}

const sending =
  (payload: Buffer, times: number): Printing =>
  (_channel, client) =>
    pour(client, payload, times, ofEach(payload));

/** As much as a socket hands over at once, and then the end of the connection. */
const endingBehind =
  (payload: Buffer): Printing =>
  (_channel, client) => {
    const socket = socketOf(client);
    socket.cork();
    for (let bytes = 0; bytes < 2 ** 17; bytes += payload.length + 32) sendRaw(client, payload);
    socket.uncork();
    socket.end();
  };

/** A script's answer may have 512 KiB. */
const HOSTILE_CHARS = 470_000;
/** Every run would be compared with each process and each terminal. */
const RUNS_AND_PANES = `MARK begin runs
${text(150_000, 'pid 12\nstart 1\n')}
MARK end runs 0
MARK begin tmux
${text(100_000, '$0 1 1 0 0 a\n')}
MARK end tmux 0
MARK begin table
`;
/** The end of the log of the one run. */
const LOG = 'log-41-1';
/** Answers a patrol: a run whose log ends like this, or one section that is nothing else. */
const patrolled =
  (hostile: string, section: string): Printing =>
  (channel, _client, input) => {
    const mark = /leasehold-[0-9a-f]{24}/.exec(input)?.[0] ?? '';
    const part = (name: string, of: string): string =>
      `${mark} begin ${name}\n${of}\n${mark} end ${name} 0\n`;
    const run = 'pid 41\nstart 500\ncommand python train.py\nlog 1 900 100 7 1 /work/train.log';
    if (section === LOG) channel.write(part('runs', run));
    channel.write(part(section, hostile.replaceAll('MARK', mark).slice(0, HOSTILE_CHARS)));
    channel.write(part('whole', ''));
  };

/** Every way that we know in which a server could make main work, keep or show what it should not. */
export function hostileServers({
  small,
  large,
}: Flood): Readonly<Record<string, HostileServerKind>> {
  const stranger = ([name, handshake]: [string, HostileHandshake]): [string, HostileServerKind] => [
    name,
    {
      step: 'before trust',
      does: 'runs',
      endsAs: [handshake.endsAs],
      start: () => startHostileServer(handshake),
    },
  ];
  const login = (script: LoginScript, ...endsAs: readonly string[]): HostileServerKind => ({
    step: 'at the log-in',
    does: 'runs',
    endsAs,
    start: () => startLoginServer(script),
  });
  const box = (print: Printing, ...endsAs: readonly string[]): HostileServerKind => ({
    step: 'once we are in',
    does: 'runs',
    endsAs,
    start: () => startLoginServer((context) => context.accept(), command(print)),
  });
  const patrol = (unit: string, section = LOG, first = ''): HostileServerKind => ({
    ...box(patrolled(first + text(HOSTILE_CHARS, unit), section), 'well'),
    does: 'patrols',
  });
  const files = ([name, [script, ...endsAs]]: [string, (typeof HOSTILE_FILES)[string]]): [
    string,
    HostileServerKind,
  ] => [
    name,
    {
      step: 'once we are in',
      does: 'looks through its files',
      endsAs,
      start: () =>
        startLoginServer(
          (context) => context.accept(),
          command(() => undefined, servesFiles(script)),
        ),
    },
  ];
  const longQuestion = Buffer.concat([field(text(3000, UNSEEN)), NO]);
  return {
    ...Object.fromEntries(Object.entries(hostileHandshakes()).map(stranger)),

    'banners without end': login(pouring(banner(text(LARGE)), large), 'auth-refused'),
    'small banners without end': login(pouring(banner(UNSEEN), small), 'auth-refused'),
    'lists of what it can sign': login(pouring(ABILITIES, large), 'auth-refused'),
    'packets that say nothing': login(pouring(NOTHING, small), 'auth-refused'),
    'refusals that nothing was sent for': login(
      pouring(refusal('password'), small),
      'login-garbled',
    ),
    'a list of 5000 ways to log in': login(
      (_context, server) => sendRaw(only(server), refusal(text(LARGE, `${UNSEEN}a,`))),
      'auth-refused',
    ),
    'its service again and again': login(pouring(SERVICE, small), 'login-garbled'),
    'its keys, which are key files': login(pouring(OWN_KEYS, 50), 'auth-refused'),
    'requests before anybody is in': login(pouring(REQUEST, small), 'link-lost'),
    'a farewell of 34 kB': login((_, server) => sendRaw(only(server), FAREWELL), 'link-lost'),
    'rounds of no questions': login(asking(round(number(0)), small), 'link-lost'),
    'a round of 33 million questions': login(
      asking(round(number(2 ** 25 - 1)), 1),
      'login-garbled',
    ),
    'a round of 6800 questions': login(
      asking(round(number(6800), Buffer.alloc(6800 * 5)), 1),
      'login-garbled',
    ),
    'ten long questions': login(
      asking(round(number(10), ...Array.from({ length: 10 }, () => longQuestion)), 1),
      'command-not-run',
    ),

    'requests that want a reply': box(sending(REQUEST, small), 'link-lost'),
    'requests whose replies it does not read': box((channel, client, input, line) => {
      socketOf(client).pause();
      return sending(REQUEST, small)(channel, client, input, line);
    }, 'link-lost'),
    'requests, and the end right behind them': box(endingBehind(REQUEST), 'link-lost'),
    'packets that say nothing, and the end right behind them': box(
      endingBehind(NOTHING),
      'link-lost',
    ),
    'requests on a channel': box(sending(ON_CHANNEL, small), 'link-lost'),
    channels: box(sending(OPENING, small), 'link-lost'),
    'its keys, once we are in': box(sending(OWN_KEYS, 50), 'well'),
    'room on a channel that is not there': box(
      sending(packet(93, number(99), number(1)), small),
      'well',
    ),
    'data on a channel that is not there': box(sending(data(99), large), 'well'),
    'more data than there is room for': box(
      sending(data(0), large),
      'link-lost',
      'output-too-large',
    ),
    'keys that are agreed on again and again': box(async (_channel, client) => {
      for (let n = 0; n < large / 10; n += 1) {
        await new Promise<void>((resolve) => {
          client.rekey(resolve);
        });
      }
    }, 'well'),
    'output without end': box(
      flooding(large, (channel) => channel),
      'output-too-large',
    ),
    'complaints without end': box(
      flooding(large, (channel) => channel.stderr),
      'well',
    ),

    'a log that ends in newlines': patrol('\n'),
    'a log of blank lines': patrol(' \r\n'),
    'a log of beginnings of errors': patrol('Traceback (most recent call last):\n'),
    'a log of figures': patrol('step 10/100 loss=0.5, '),
    'a log of one line': patrol('x'),
    'a word again and again': patrol('boot_id ', 'machine'),
    'lines of a word again and again': patrol('uptime 1\n', 'machine'),
    'processes again and again': patrol('pid 12\n', 'runs'),
    'one process with 26000 logs': patrol('log 1 900 1 7 1 /a\n', 'runs', 'pid 41\nstart 500\n'),
    'runs beside processes and terminals': patrol(
      '7 1 7 7 0 S 1 2 1 500 10 x\n',
      'table',
      RUNS_AND_PANES,
    ),
    'mounts again and again': patrol('36 35 98:0 / /m rw - ext4 /dev/sda rw\n', 'mounts'),
    'disks again and again': patrol('4096 1 1 1 1 1 /a\n', 'space'),
    'a kernel’s log of broken cards': patrol(
      'line [1.0] NVRM: Xid (PCI:0000:01:00): 79, x\n',
      'kernel',
    ),
    'control groups again and again': patrol('group\nmax 1\n', 'memory'),
    'marks again and again': patrol('MARK note a\n', 'machine'),
    'parts that do not end': patrol('MARK begin a\nx\n', 'machine'),

    ...Object.fromEntries(Object.entries(HOSTILE_FILES).map(files)),
  };
}
