import type { Client, ClientChannel } from 'ssh2';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { describeEnd, exitOf, type ConnectionLife, type ExitStatus } from './exit-status.ts';
import { openSession, unanswered } from './open-session.ts';

const ANSWER_TIMEOUT_MS = 10_000;
const MAX_DETAIL_CHARS = 300;

// draft-ietf-secsh-filexfer-02, which is what OpenSSH speaks: length, type, version
const INIT = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]);
const VERSION = 2;
const HEAD_BYTES = 5;
const MAX_PACKET_BYTES = 256 * 1024;

/**
 * The file channel, as far as one hello. By hand, because what a broken one says first (a start-up file's greeting) is the
 * evidence, and ssh2's own reader keeps it to itself.
 */
export class SftpChannel {
  readonly #channel: ClientChannel;
  /** Settles when the channel is gone, however it went. Never rejects. */
  readonly ended: Promise<ExitStatus>;

  constructor(channel: ClientChannel, life: ConnectionLife) {
    this.#channel = channel;
    this.ended = exitOf(channel, life);
  }

  /** Sends the first packet of SFTP, reads the beginning of the answer and closes the channel. */
  async sayHello(): Promise<Result<null, Problem>> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Result<null, Problem>>((resolve) => {
      timer = setTimeout(() => {
        resolve(err(problem('command-timeout', 'The box’s file channel did not answer in time.')));
      }, ANSWER_TIMEOUT_MS);
    });
    const answer = await Promise.race([this.#hear(), late]);
    clearTimeout(timer);
    this.#channel.close();
    return answer;
  }

  #hear(): Promise<Result<null, Problem>> {
    const channel = this.#channel;
    let heard = Buffer.alloc(0);
    let said = '';
    channel.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(0, MAX_DETAIL_CHARS);
    });
    return new Promise((resolve) => {
      channel.on('data', (chunk: Buffer) => {
        if (heard.length >= HEAD_BYTES) return;
        heard = Buffer.concat([heard, chunk]);
        if (heard.length < HEAD_BYTES) return;
        const isVersion = heard.readUInt32BE(0) <= MAX_PACKET_BYTES && heard[4] === VERSION;
        resolve(isVersion ? ok(null) : err(garbled(heard)));
      });
      void this.ended.then((end) =>
        resolve(err(heard.length > 0 ? garbled(heard) : notStarted(end, said))),
      );
      channel.write(INIT);
    });
  }
}

export function openSftp(
  client: Client,
  life: ConnectionLife,
): Promise<Result<SftpChannel, Problem>> {
  return openSession(life, {
    ask: (take) => client.subsys('sftp', take),
    use: (channel) => new SftpChannel(channel, life),
    refused: { code: 'sftp-refused', message: 'The box has no SFTP.' },
    late: 'The box did not open its file channel in time.',
  });
}

function garbled(heard: Buffer): Problem {
  return problem('sftp-garbled', 'The box’s file channel does not begin with SFTP.', {
    detail: plainText(heard.subarray(0, MAX_DETAIL_CHARS).toString('utf8'), MAX_DETAIL_CHARS),
  });
}

function notStarted(end: ExitStatus, said: string): Problem {
  if (end.kind === 'unknown' && end.because !== null) return end.because;
  const how = `The SFTP server ended with ${describeEnd(end)}.`;
  if (end.kind === 'unknown' && said === '') return unanswered(how);
  return problem('sftp-refused', 'The box’s SFTP server does not start.', {
    detail: plainText(`${how}\n${said}`, MAX_DETAIL_CHARS),
  });
}
