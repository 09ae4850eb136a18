import { stat } from 'node:fs/promises';
import { findProgram, firstLineOf } from './find-program.ts';

export type KeyringCheck =
  | { readonly kind: 'found'; readonly detail: string }
  | { readonly kind: 'missing'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

const BUS = 'org.freedesktop.DBus';
const PATH = '/org/freedesktop/DBus';
/** Who keeps secrets on a Linux desktop: the common service, and KDE's own by generation. */
const KEEPERS = ['org.freedesktop.secrets', 'org.kde.kwalletd6', 'org.kde.kwalletd5'];

/** The tools that can ask the session bus, and how. Asking who owns a name starts nothing. */
const ASKERS: readonly (readonly [program: string, args: (name: string) => readonly string[]])[] = [
  [
    'gdbus',
    (name) =>
      `call --session --dest ${BUS} --object-path ${PATH} --method ${BUS}.NameHasOwner ${name}`.split(
        ' ',
      ),
  ],
  ['busctl', (name) => `--user call ${BUS} ${PATH} ${BUS} NameHasOwner s ${name}`.split(' ')],
  [
    'dbus-send',
    (name) =>
      `--session --print-reply=literal --dest=${BUS} ${PATH} ${BUS}.NameHasOwner string:${name}`.split(
        ' ',
      ),
  ],
];

/** Whether this system keeps secrets for us, found out without Electron and without touching a secret. */
export async function checkKeyring(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<KeyringCheck> {
  if (platform === 'darwin') return { kind: 'found', detail: 'macOS Keychain' };
  if (platform === 'win32') return { kind: 'found', detail: 'Windows DPAPI' };
  const bus = await sessionBus(env);
  if (bus === null) return { kind: 'missing', detail: 'there is no session bus to reach one by' };
  // With the address given, none of the tools tries to start a bus of its own.
  const busEnv = { ...env, DBUS_SESSION_BUS_ADDRESS: bus };
  for (const [program, args] of ASKERS) {
    const found = await findProgram(program, env, platform);
    if (found.kind !== 'found') continue;
    const answers: (string | null)[] = [];
    for (const name of KEEPERS) answers.push(await firstLineOf(found.path, args(name), busEnv));
    const owner = KEEPERS.find((_, i) => /\btrue\b/.test(answers[i] ?? ''));
    if (owner !== undefined) return { kind: 'found', detail: owner };
    if (answers.every((answer) => /\bfalse\b/.test(answer ?? ''))) {
      return { kind: 'missing', detail: 'nothing on the session bus keeps secrets' };
    }
  }
  return { kind: 'unknown', detail: 'the session bus could not be asked' };
}

async function sessionBus(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const address = env['DBUS_SESSION_BUS_ADDRESS'];
  if (address !== undefined && address !== '') return address;
  const folder = env['XDG_RUNTIME_DIR'];
  if (folder === undefined || folder === '') return null;
  try {
    return (await stat(`${folder}/bus`)).isSocket() ? `unix:path=${folder}/bus` : null;
  } catch {
    return null; // no such socket: no bus
  }
}
