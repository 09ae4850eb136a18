import type { Connection, ServerChannel, Session } from 'ssh2';
import type { SessionScript } from './login-server.fixture.ts';

export type Printing = (
  channel: ServerChannel,
  client: Connection,
  input: string,
  line: string,
) => unknown;

/** With it a script that goes on as long as somebody listens is whole, whose input stays open. */
const END_OF_SCRIPT = '\n#leasehold:end-of-script\n';

/** What a command on a box would be for main: between its marks, and ended well. */
export function command(
  print: Printing,
  also: (session: Session) => void = () => undefined,
): SessionScript {
  return (accept, _reject, client) => {
    const session = accept();
    also(session);
    session.on('exec', (acceptExec, _rejectExec, { command: line }) => {
      const [, first = '', second = ''] = /(leasehold[0-9a-f]+)""([0-9a-f]+x)/.exec(line) ?? [];
      const mark = first + second;
      const channel = acceptExec();
      channel.write(`${mark}\n`);
      channel.stderr.write(`${mark}\n`);
      let input = '';
      let isAnswered = false;
      const answer = (): void => {
        if (isAnswered) return;
        isAnswered = true;
        void Promise.resolve(print(channel, client, input, line)).then(() => {
          // A stream ends without a word of its own.
          if (line.includes('code=$?')) channel.write(`\n${mark} 0\n`);
          channel.exit(0);
          channel.end();
        });
      };
      channel.on('data', (chunk: Buffer) => {
        if (isAnswered) return;
        input += chunk.toString('latin1');
        if (input.includes(END_OF_SCRIPT)) answer();
      });
      channel.on('end', answer);
    });
  };
}

/** Writes this block as long as anybody takes it. */
export const flooding =
  (
    times: number,
    streamOf: (channel: ServerChannel) => NodeJS.WritableStream,
    block = 'x'.repeat(32_768),
    onBlock: () => void = () => undefined,
  ): Printing =>
  async (channel) => {
    let isClosed = false;
    const closed = new Promise<void>((resolve) => channel.once('close', resolve));
    void closed.then(() => (isClosed = true));
    const stream = streamOf(channel);
    for (let sent = 0; sent < times && !isClosed; sent += 1) {
      onBlock();
      if (stream.write(block)) continue;
      await Promise.race([closed, new Promise((resolve) => stream.once('drain', resolve))]);
    }
  };
