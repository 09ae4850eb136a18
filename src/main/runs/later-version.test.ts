import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { BOX, request, RunBox, value } from './run-box.fixture.ts';
import { RunLauncher } from './run-launcher.ts';

const WAITS = 'until [ -e go-on ]; do sleep 0.1; done';
const NEWER = '# of a later version of Leasehold';

let box: RunBox;
let folder: string;
beforeEach(async () => {
  box = new RunBox();
  await box.open();
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-later-'));
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The app after an update: what it puts into run folders is another text. */
function laterLauncher(): RunLauncher {
  cpSync(fileURLToPath(new URL('../../../resources/onbox', import.meta.url)), folder, {
    recursive: true,
  });
  const launch = join(folder, 'run-launch.sh');
  const text = readFileSync(launch, 'utf8');
  writeFileSync(
    launch,
    text.replace(/<<'KEEPER'\n#!\/bin\/sh\n/, (head) => `${head}${NEWER}\n`),
  );
  return new RunLauncher({
    ...{ roster: box.roster, watch: box.watch, pushes: box.pushes },
    scripts: new OnboxScripts(folder),
    knownBox: () => box.known,
  });
}

describe.skipIf(!hasSshd || process.platform !== 'linux')('the scripts of a run that lives', () => {
  it('stay to the byte what they were when a later version launches beside it and ends runs (U2)', async () => {
    const running = await box.launch({ command: WAITS });
    const scripts = ['keeper.sh', 'job.sh', 'about'];
    const texts = () => scripts.map((name) => readFileSync(box.place(running.id, name), 'utf8'));
    const before = texts();
    const later = laterLauncher();
    const plan = value(await later.plan(BOX.id, request({ command: 'sleep 600' })));
    value(await later.launch(BOX.id, plan.plan));
    expect(readFileSync(box.place(plan.runId, 'keeper.sh'), 'utf8')).toContain(NEWER);
    expect(before.join('')).not.toContain(NEWER);
    value(await later.end(BOX.id, plan.runId, endPass(plan.runId)));
    expect(texts()).toEqual(before);
    writeFileSync(join(box.home, 'work/go-on'), '');
    await box.until(running.id, 'done');
    expect(texts()).toEqual(before);
    later.close();
  });

  it('are refused a second time: nobody launches into a folder that is there', async () => {
    const running = await box.launch({ command: WAITS });
    const before = readFileSync(box.place(running.id, 'keeper.sh'), 'utf8');
    const later = laterLauncher();
    const plan = value(await later.plan(BOX.id, request({ command: 'echo other' })));
    const { connection } = box;
    if (connection === null) throw new Error('not connected');
    const said = await new OnboxScripts(folder).runWithInput(
      connection,
      'run-launch.sh',
      {
        ...LAUNCH_VALUES,
        LEASEHOLD_ID: running.id,
        LEASEHOLD_DETACHER: plan.detacher,
        LEASEHOLD_START: plan.startLine,
      },
      '{}\n\ntrue\nend\n+saves\n+end\n',
    );
    expect(said.ok && said.value.stdout).toContain('exists');
    expect(readFileSync(box.place(running.id, 'keeper.sh'), 'utf8')).toBe(before);
    writeFileSync(join(box.home, 'work/go-on'), '');
    await box.until(running.id, 'done');
    later.close();
  });
});

const LAUNCH_VALUES = {
  LEASEHOLD_MARK: 'leasehold-test',
  LEASEHOLD_FOLDER: '~/work',
  LEASEHOLD_LINES: '1',
  LEASEHOLD_CELLS: '',
  LEASEHOLD_SLOTS: '',
  LEASEHOLD_GRACE: '',
  LEASEHOLD_SAVED: '',
  LEASEHOLD_COPY: '',
  LEASEHOLD_RESULTS: '',
  LEASEHOLD_PRUNE: '',
  LEASEHOLD_REBOOT: '',
  LEASEHOLD_SWEEP: '',
  LEASEHOLD_AFTER: '',
};
