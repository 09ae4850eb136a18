import type { Client, ClientChannel } from 'ssh2';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';

const ANSWER_TIMEOUT_MS = 10_000;
const MAX_DETAIL_CHARS = 300;

// draft-ietf-secsh-filexfer-02, which is what OpenSSH speaks: length, type, version
const INIT = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]);
const VERSION = 2;
const HEAD_BYTES = 5;
const MAX_PACKET_BYTES = 256 * 1024;

/**
 * Opens the file channel, says hello and closes it again. By hand, because what a broken one says first (a start-up file's
 * greeting) is the evidence, and ssh2's own reader keeps it to itself.
 */
export function checkSftp(
  client: Client,
  closed: Promise<Problem>,
): Promise<Result<null, Problem>> {
  return new Promise((resolve) => {
    let channel: ClientChannel | null = null;
    let isOver = false;
    const settle = (answer: Result<null, Problem>): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      channel?.close();
      resolve(answer);
    };
    const timer = setTimeout(() => {
      settle(err(problem('command-timeout', 'The box’s file channel did not answer in time.')));
    }, ANSWER_TIMEOUT_MS);
    void closed.then((reason) => settle(err(reason)));
    try {
      client.subsys('sftp', (cause, opened) => {
        if (cause) {
          settle(err(refused(cause)));
          return;
        }
        channel = opened;
        opened.on('error', () => undefined); // followed by its close
        if (isOver) opened.close();
        else hear(opened, settle);
      });
    } catch (cause) {
      settle(err(refused(cause))); // ssh2 throws "Not connected" here
    }
  });
}

function hear(channel: ClientChannel, settle: (answer: Result<null, Problem>) => void): void {
  let heard = Buffer.alloc(0);
  let said = '';
  let code: number | null = null;
  channel.on('exit', (exitCode: number | null) => (code = exitCode));
  channel.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(0, MAX_DETAIL_CHARS);
  });
  channel.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
    if (heard.length < HEAD_BYTES) return;
    const isVersion = heard.readUInt32BE(0) <= MAX_PACKET_BYTES && heard[4] === VERSION;
    settle(isVersion ? ok(null) : err(garbled(heard)));
  });
  channel.once('close', () => {
    if (heard.length > 0) settle(err(garbled(heard)));
    else settle(err(ended(code, said)));
  });
  channel.write(INIT);
}

function garbled(heard: Buffer): Problem {
  return problem('sftp-garbled', 'The box’s file channel does not begin with SFTP.', {
    detail: plainText(heard.subarray(0, MAX_DETAIL_CHARS).toString('utf8'), MAX_DETAIL_CHARS),
  });
}

function ended(code: number | null, said: string): Problem {
  const how = `The SFTP server ended with exit code ${String(code ?? 'unknown')}.`;
  return problem('sftp-refused', 'The box’s SFTP server does not start.', {
    detail: plainText(`${how}\n${said}`, MAX_DETAIL_CHARS),
  });
}

function refused(cause: unknown): Problem {
  const { message, reason } = cause as { message?: unknown; reason?: unknown };
  const detail = String(message ?? cause).slice(0, MAX_DETAIL_CHARS);
  // A reason comes with a channel that was refused; nobody has asked for SFTP on it yet.
  return reason === undefined && detail !== 'Not connected'
    ? problem('sftp-refused', 'The box has no SFTP.', { detail })
    : problem('channel-refused', 'The box has no room for another channel right now.', { detail });
}
