import type { ExitStatus } from './exit-status.ts';
import type { SshConnection } from './ssh-connection.ts';

/** Resizes a login shell's terminal to 99 × 33, lets the shell tell its size, and leaves it with code 5. */
export async function talkInTerminal(
  connection: SshConnection,
): Promise<{ readonly text: string; readonly status: ExitStatus }> {
  let text = '';
  const opened = await connection.openTerminal({
    size: { cols: 80, rows: 24 },
    inFlightBytes: 256 * 1024,
    onOutput: (bytes) => (text += bytes.toString('utf8')), // far less than may be on its way
  });
  if (!opened.ok) throw new Error(opened.error.detail ?? opened.error.message);
  const terminal = opened.value;
  terminal.resize({ cols: 99, rows: 33 });
  terminal.write(Buffer.from('stty size; exit 5\r'));
  return { status: await terminal.ended, text };
}
