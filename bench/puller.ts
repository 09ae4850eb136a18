// What brings results home, in a process of Electron's own runtime, as main does.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { PullAnswer, PullOrder, PullSetUp } from './pull.runtime.ts';

export class Puller {
  readonly pid: number;
  readonly #runtime: ChildProcess;

  private constructor(runtime: ChildProcess) {
    this.#runtime = runtime;
    this.pid = runtime.pid ?? NaN;
  }

  /** `manifests`: where they are kept. `inWhat`: Electron, as the window; Node, as the command line. */
  static async start(
    { user, privateKey }: TestSshd,
    sshdPort: number,
    manifests: string,
    inWhat: 'electron' | 'node' = 'electron',
  ): Promise<Puller> {
    const runtime = await startRuntime('./pull.runtime.ts', { runtime: inWhat });
    const setUp: PullSetUp = {
      ...{ sshdPort, user, privateKey, manifests },
      scripts: fileURLToPath(new URL('../resources/onbox', import.meta.url)),
      worker: fileURLToPath(new URL('../out/main/worker.cjs', import.meta.url)),
    };
    const ready = once(runtime, 'message');
    runtime.send(setUp);
    await ready;
    return new Puller(runtime);
  }

  /** Rejects where the process ends instead. */
  async do(order: PullOrder): Promise<PullAnswer> {
    const stopper = new AbortController();
    const answer = once(this.#runtime, 'message', { signal: stopper.signal });
    const died = (): void => stopper.abort();
    this.#runtime.once('exit', died);
    this.#runtime.send(order);
    const [done] = (await answer) as [PullAnswer];
    this.#runtime.off('exit', died);
    return done;
  }

  async stop(): Promise<void> {
    if (this.#runtime.exitCode === null) {
      const gone = once(this.#runtime, 'exit');
      this.#runtime.send('end');
      await gone;
    }
    rmSync(BUNDLE, { recursive: true, force: true });
  }
}
