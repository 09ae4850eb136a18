import { appendFileSync, rmSync, utimesSync } from 'node:fs';
import type { RunBox } from '../runs/run-box.ts';

export const TRAINS = 'echo "epoch 3 step 1200 loss 2.114"; wait_here; ';
export const WAITS = { script: TRAINS } as const;
export const HOUR_S = 3600;
export const GIB = 1024 ** 3;

type Happens = (box: RunBox) => Promise<void>;

export const nothing: Happens = () => Promise.resolve();

/** Something that is done at once. */
export const at =
  (act: (box: RunBox) => void): Happens =>
  (box) => {
    act(box);
    return Promise.resolve();
  };

/** Further lines of its log. */
export const says = (...lines: readonly string[]): Happens =>
  at((box) => appendFileSync(box.log, `${lines.join('\n')}\n`));

/** Its last lines, and it is gone. */
export const endsSaying =
  (...lines: readonly string[]): Happens =>
  async (box) => {
    appendFileSync(box.log, `${lines.join('\n')}\n`);
    await box.signal('SIGKILL');
  };

/** It is gone, and so is its log. */
export const endsWithItsLog: Happens = async (box) => {
  await box.signal('SIGKILL');
  rmSync(box.log);
};

/** The log's last word is so old. */
export function silence(box: RunBox, seconds: number): void {
  const moment = Date.now() / 1000 - seconds;
  utimesSync(box.log, moment, moment);
}

export const hidesMounts: Happens = at((box) => box.hideMounts());
