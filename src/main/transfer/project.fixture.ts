import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';

/** A folder of this machine. */
export class Project {
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-project-'));

  write(path: string, text: string | Buffer, mode = 0o644): this {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text, { mode });
    return this;
  }
  git(...words: string[]): this {
    const who = ['-c', 'user.name=n', '-c', 'user.email=e@example.org'];
    execFileSync('git', [...who, ...words], {
      cwd: this.folder,
      stdio: 'ignore',
    });
    return this;
  }
  push(more: Partial<PushRequest> = {}): PushRequest {
    return {
      from: this.folder,
      ignore: [],
      delete: false,
      fixLineEnds: false,
      rehash: false,
      ...more,
    };
  }
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
