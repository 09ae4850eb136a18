// An app that launches a sweep over two boxes, until the first of them has its share: it tells so and stands still, for whoever kills it.
import type { TestSshd } from '../../ssh/sshd.fixture.ts';
import type { TcpProxy } from '../../ssh/tcp-proxy.fixture.ts';
import { tell } from '../../storage/disk.fixture.ts';
import { RunBox, value } from '../run-box.fixture.ts';
import { SteppedScripts } from '../stepped-scripts.fixture.ts';
import { draft, shares, SweepApp } from './sweep-app.fixture.ts';

export interface LaunchingSweep {
  readonly boxes: readonly {
    readonly home: string;
    readonly sshd: Pick<TestSshd, 'user' | 'privateKey'>;
    readonly port: number;
  }[];
  readonly command: string;
}

async function launch({ boxes, command }: LaunchingSweep): Promise<void> {
  const [a, b] = boxes.map(({ home, sshd, port }) => {
    const box = new RunBox(home);
    box.sshd = sshd as TestSshd;
    box.proxy = { port } as TcpProxy;
    return box;
  });
  if (a === undefined || b === undefined) throw new Error('two boxes are needed');
  await Promise.all([a.start(), b.start()]);
  let launched = 0;
  const scripts = new SteppedScripts((step) => {
    if (step === 'before run-launch.sh') launched += 1;
    if (step === 'after run-launch.sh') tell('one has it');
    const isHeld =
      step === 'after run-launch.sh' || (step === 'before run-launch.sh' && launched > 1);
    return isHeld ? new Promise(() => undefined) : Promise.resolve('goes on');
  });
  const app = new SweepApp(a, b, scripts);
  const plan = value(
    await app.sweepLauncher.plan(draft(command, '1, 2, 3, 4'), shares([0, 2], [1, 3])),
  );
  await app.launch(plan);
}

void launch(JSON.parse(process.argv[2] ?? '') as LaunchingSweep);
