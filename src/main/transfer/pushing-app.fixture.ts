// An app that pushes a folder until so much is sent; then it tells so and stands still, for whoever kills it there.
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { openConnection } from '../ssh/ssh-connection.ts';
import { standStill, tell } from '../storage/disk.fixture.ts';
import { CodePusher } from './code-pusher.ts';

/** As JSON, in one word: the private key of the test's sshd would be too much for a command line of its own. */
export interface PushingApp {
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  readonly from: string;
  readonly to: string;
  readonly untilBytes: number;
}

async function push({ port, user, privateKey, from, to, untilBytes }: PushingApp): Promise<void> {
  const opened = await openConnection({
    address: { host: '127.0.0.1', port, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const pusher = new CodePusher(onboxScripts);
  const request = {
    from,
    ignore: [],
    delete: false,
    fixLineEnds: false,
    rehash: false,
  };
  const planned = await pusher.plan(opened.value, request, to);
  if (!planned.ok) throw new Error(planned.error.message);
  await pusher.push(opened.value, planned.value.kept, {
    onProgress: ({ stage, doneBytes }) => {
      if (stage !== 'sending' || doneBytes <= untilBytes) return;
      tell('so much is sent');
      standStill();
    },
  });
  opened.value.close();
}

void push(JSON.parse(process.argv[2] ?? '') as PushingApp);
