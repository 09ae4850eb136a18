// An app that plans and launches a run, until it comes to a step at which it tells so and stands still, for whoever kills it there.
import type { TestSshd } from '../ssh/sshd.fixture.ts';
import type { TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { tell } from '../storage/disk.fixture.ts';
import { BOX, RunBox, request, value } from './run-box.fixture.ts';
import { SteppedScripts } from './stepped-scripts.fixture.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import type { QueueRequest } from '../../shared/runs/queue/queue-cell.ts';

export interface LaunchingApp {
  readonly home: string;
  readonly sshd: Pick<TestSshd, 'user' | 'privateKey'>;
  readonly port: number;
  readonly request: Partial<RunRequest>;
  /** Absent: the command of the request is all that runs. */
  readonly queue?: QueueRequest;
  /** The last step. */
  readonly until: string;
}

async function launch(app: LaunchingApp): Promise<void> {
  const box = new RunBox(app.home);
  let isLaunching = false;
  box.scripts = new SteppedScripts((step) => {
    if (!isLaunching || step !== app.until) return Promise.resolve('goes on');
    tell(step);
    return new Promise(() => undefined);
  });
  box.sshd = app.sshd as TestSshd;
  box.proxy = { port: app.port } as TcpProxy;
  await box.start();
  const plan = value(await box.launcher.plan(BOX.id, request(app.request), app.queue));
  isLaunching = true;
  await box.launcher.launch(BOX.id, plan.plan);
}

void launch(JSON.parse(process.argv[2] ?? '') as LaunchingApp);
