import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SweepFile } from '../../../shared/runs/sweep/sweep-schema.ts';
import { type BOX_SHELLS } from '../../onbox/onbox-scripts.fixture.ts';
import { programsOf } from '../programs.fixture.ts';
import { RunBox } from '../run-box.fixture.ts';
import { digestOf } from './roster-digest.ts';

export async function openBoxes(shell?: (typeof BOX_SHELLS)[number]): Promise<[RunBox, RunBox]> {
  const boxes: [RunBox, RunBox] = [new RunBox(), new RunBox()];
  for (const box of boxes) {
    // Two machines have no tmux server in common.
    const env = { TMUX_TMPDIR: box.home };
    const path = shell === undefined ? null : programsOf(shell.shell);
    await box.open({ env, ...(path === null ? {} : { path }) });
  }
  return boxes;
}

/** What a box can write that wants its commands to run elsewhere: a run folder with everything a launch leaves there, digest and all. */
export function forge(
  box: RunBox,
  like: string,
  { sweep, run, command }: Readonly<Record<'sweep' | 'run' | 'command', string>>,
): string {
  const file = JSON.parse(box.read(like, 'sweep')) as SweepFile;
  const about = JSON.parse(box.read(like, 'about')) as object;
  execFileSync('cp', ['-R', box.place(like), box.place(run)]);
  const cells = file.roster.cells.map((cell) => ({
    ...cell,
    command: `${command}${cell.results}`,
  }));
  const roster = { ...file.roster, id: sweep, cells };
  const all = cells.map((_, at) => at);
  const shared = [{ run, place: 'elsewhere', cells: all }];
  writeFileSync(box.place(run, 'sweep'), JSON.stringify({ version: 1, roster, shares: shared }));
  const ref = { id: sweep, digest: digestOf(roster) };
  writeFileSync(
    box.place(run, 'about'),
    JSON.stringify({ ...about, id: run, queue: run, sweep: ref }),
  );
  return sweep;
}

export const work = ({ home }: RunBox, file: string): string => join(home, 'work', file);
export const gate = ({ home }: RunBox, name: string): void => {
  execFileSync('mkfifo', [join(home, 'work', name)]);
};
