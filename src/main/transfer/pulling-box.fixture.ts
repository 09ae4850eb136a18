import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ok } from '../../shared/result.ts';
import type { PullProgress, PullReport } from '../../shared/transfer/pull.ts';
import { manifestsBelow } from '../manifest/manifests.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { pathWith } from '../runs/programs.fixture.ts';
import { value } from '../runs/run-box.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { startSshd, type SshdOptions, type TestSshd } from '../ssh/sshd.fixture.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers, type WorkerHost } from '../workers/workers.ts';
import type { CarrierBounds } from './pull-carrier.ts';
import { connectTo, runWith } from './pulling-link.fixture.ts';
import { ResultPuller } from './result-puller.ts';

/** What a reader that needs too much memory does to its worker. Real ones would take the test along: V8 ends a thread's process too. */
export const DEADLY = 'deadly.json';

function fragileWorker(): WorkerHost {
  const host = sourceWorker();
  return {
    ...host,
    post: (request) => {
      if (request.kind === 'prove-file' && request.input.name === DEADLY) host.kill();
      else host.post(request);
    },
  };
}

export interface PullWays {
  readonly to?: string;
  readonly onProgress?: (progress: PullProgress) => void;
  readonly signal?: AbortSignal;
  readonly connect?: () => Promise<SshConnection>;
  readonly waitsMs?: readonly number[];
  readonly onWait?: (goOn: () => void) => void;
}

/** A box with a results folder, and an app that brings it home. */
export class PullingBox {
  readonly home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-box-'));
  readonly here = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-here-'));
  readonly run = runWith(join(this.home, 'out'));
  readonly workers = new Workers(fragileWorker);
  readonly targets: string;
  readonly puller: ResultPuller;
  sshd!: TestSshd;
  connection!: SshConnection;

  /** `targets`: of the app; another box of the same app has the same. */
  constructor(carrierBounds?: CarrierBounds, targets?: string) {
    this.targets = targets ?? join(this.home, '.targets');
    this.puller = new ResultPuller({
      ...{ scripts: onboxScripts, workers: this.workers },
      manifests: manifestsBelow(this.home, this.workers),
      targets: this.targets,
      ...(carrierBounds === undefined ? {} : { carrierBounds }),
    });
  }

  /** `programs`: scripts of a hostile or odd box, in place of its own. */
  async open(
    programs: Readonly<Record<string, string>> = {},
    server: SshdOptions = {},
  ): Promise<void> {
    mkdirSync(join(this.home, 'out'));
    const isOwn = Object.keys(programs).length === 0;
    const path = isOwn ? {} : { path: pathWith(join(this.home, 'bin'), programs) };
    this.sshd = await startSshd({ ...server, home: this.home, ...path });
    await this.connect();
  }

  async connect(port = this.sshd.port, keepaliveEveryS?: number): Promise<SshConnection> {
    this.connection = await connectTo(this.sshd, port, keepaliveEveryS);
    return this.connection;
  }

  write(path: string, bytes: string | Buffer): this {
    mkdirSync(dirname(join(this.home, 'out', path)), { recursive: true });
    writeFileSync(join(this.home, 'out', path), bytes);
    return this;
  }

  async pull(ways: PullWays = {}): Promise<PullReport> {
    return value(await this.tryPull(ways));
  }

  async tryPull({
    to = this.here,
    onProgress,
    onWait,
    signal,
    connect,
    waitsMs = [],
  }: PullWays = {}) {
    const { connection } = this;
    const kept = value(await this.puller.plan(connection, this.run, to));
    const again = connect ?? (() => Promise.resolve(connection));
    return this.puller.pull(
      kept,
      { connection, connect: async () => ok(await again()), waitsMs },
      {
        boxId: 'a box',
        signal: signal ?? new AbortController().signal,
        onProgress: onProgress ?? (() => undefined),
        onWait: onWait ?? (() => undefined),
      },
    );
  }

  /** What Leasehold itself has left here. */
  left(): readonly string[] {
    const names = readdirSync(this.here, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.includes('leasehold'));
  }

  async close(): Promise<void> {
    this.workers.close();
    this.connection.close();
    await this.connection.closed;
    await this.sshd.stop();
    for (const folder of [this.home, this.here]) rmSync(folder, { recursive: true, force: true });
  }
}
