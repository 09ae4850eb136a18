import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DemoBoxFault } from '../../shared/demo/faults.ts';
import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import { LIVE } from '../../shared/detectors/cases.fixture.ts';
import type { DetectorId } from '../../shared/detectors/finding.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import { compareCpu, type CpuCounters } from '../../shared/telemetry/cpu-look.ts';
import { eventually, FAST, startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { DEFAULT_PACE } from '../demo/trainer.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { lookAtFacts } from '../telemetry/facts-probe.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';

// What the tools of a real demo box print, over real SSH, judged by all rules. Only the time is not real: a look takes the
// place of many seconds, so that ten idle minutes pass in two.

const SIGNAL = new AbortController().signal;
const CAPPED: DetectorId = 'power-cap';
/** One look stands for so many seconds of the same. */
const STEP_S = 30;
/** While nothing can happen, for many more, so that the look before is still one that rules compare with. */
const QUIET_STEP_S = 90;

/** The cards rest for a moment while a checkpoint is written, and one look would make half a minute of that. */
const NEVER_SAVES = { epochs: 1, stepsPerEpoch: 10_000 };
/** Ten seconds pass before the first save, which is what these two faults strike. */
const SAVES = { epochs: 100, stepsPerEpoch: 100 };
const STRIKE_A_SAVE: ReadonlySet<DemoBoxFault> = new Set(['disk-full', 'inodes-full']);

let working: DemoBox;
let saving: DemoBox;
/** The one that the test is about. */
let box: DemoBox;
beforeAll(async () => {
  working = await startPaced(NEVER_SAVES);
  saving = await startPaced(SAVES);
});
afterAll(async () => {
  await working.stop();
  await saving.stop();
});

/** No loader keeps a card waiting now and then for a moment: one row would make half a minute of it. */
const STEADY = (): number => 0.5;

function startPaced(epochs: typeof SAVES): Promise<DemoBox> {
  const pace = { ...DEFAULT_PACE, ...FAST.pace, ...epochs };
  return startTestBox({ tuning: { ...FAST, pace, random: STEADY } });
}

async function connect(): Promise<SshConnection> {
  const opened = await openConnection({
    address: box.address,
    credentials: [{ kind: 'key', privateKey: box.clientKey }],
    judgeHostKey: () => 'accept',
    signal: SIGNAL,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

/** All rules over one box, in a time that the test makes pass. */
class Watched {
  #connection: SshConnection;
  readonly #detectors = new BoxDetectors();
  #cpu: CpuCounters | null = null;
  #atS = 0;

  private constructor(connection: SshConnection) {
    this.#connection = connection;
    this.#detectors.useTelemetry(LIVE);
  }

  static async open(): Promise<Watched> {
    return new Watched(await connect());
  }

  /** Goes on over another connection with what is believed so far, as the app does. */
  async reopen(): Promise<void> {
    await this.#connection.closed;
    this.#connection = await connect();
  }

  /** Beside the note on its capped card, which the demo box has from the first look on. */
  get found(): readonly DetectorId[] {
    return this.#all.filter((detector) => detector !== CAPPED);
  }

  get isCapped(): boolean {
    return this.#all.includes(CAPPED);
  }

  get #all(): readonly DetectorId[] {
    return [...new Set(this.#detectors.findings.findings.map(({ detector }) => detector))].sort();
  }

  async pass(seconds: number, stepS = STEP_S): Promise<void> {
    const untilS = this.#atS + seconds;
    while (this.#atS < untilS) {
      await this.#look();
      await this.#readRow(stepS);
    }
  }

  async #readRow(seconds: number): Promise<void> {
    const ran = await this.#connection.run('nvidia-smi dmon -s pucvmet -c 1');
    if (!ran.ok) throw new Error(ran.error.message);
    const { readings } = parseDmon(ran.value.stdout);
    for (let i = 0; i < seconds; i += 1) {
      this.#atS += 1;
      this.#detectors.useReadings(this.#atS * 1000, readings);
      this.#detectors.judge(this.#atS * 1000);
    }
  }

  async #look(): Promise<void> {
    const looked = await lookAtFacts(this.#connection, onboxScripts, {
      refused: [],
      isFirst: false,
      isSuspect: false,
      signal: SIGNAL,
    });
    if (!looked.ok) throw new Error(looked.error.message);
    const atMs = this.#atS * 1000;
    const cpu = compareCpu(this.#cpu, looked.value.cpu, atMs);
    this.#cpu = looked.value.cpu;
    this.#detectors.useFacts({ facts: { ...looked.value.facts, cpu, atMs }, problem: null });
    this.#detectors.useCpu(cpu);
  }

  async close(): Promise<void> {
    this.#connection.close();
    await this.#connection.closed;
  }
}

/** The run works on every card. */
const runWorks = (): Promise<void> => loadsAre((smPct) => smPct > 80);
const runIsGone = (): Promise<void> => loadsAre((smPct) => smPct === 0);

async function loadsAre(isSo: (smPct: number) => boolean): Promise<void> {
  const connection = await connect();
  await eventually(
    async () => connection.run('nvidia-smi dmon -s u -c 1'),
    (ran) => ran.ok && parseDmon(ran.value.stdout).readings.every(({ smPct }) => isSo(smPct ?? -1)),
  );
  connection.close();
  await connection.closed;
}

/** The faults that end every connection. */
const CUTS: ReadonlySet<DemoBoxFault> = new Set(['link-drop', 'host-key-change', 'reboot']);

interface Expectation {
  /** How long a person would wait for it, and some more. */
  readonly withinS: number;
  readonly stepS?: number;
  readonly found: readonly DetectorId[];
}

const RUN_IS_GONE: Expectation = {
  withinS: 690,
  stepS: QUIET_STEP_S,
  found: ['idle'],
};
/** The link's own states tell of these; the cards go on. */
const LINK_ONLY: Expectation = { withinS: 0, found: [] };

/** What each fault is to the rules about GPUs. A fault without a line does not compile. */
const EXPECTED: Readonly<Record<DemoBoxFault, Expectation>> = {
  throttle: { withinS: 120, found: ['U23'] },
  'disk-full': RUN_IS_GONE,
  'inodes-full': RUN_IS_GONE,
  'cgroup-oom': RUN_IS_GONE,
  'run-killed': RUN_IS_GONE,
  'vram-zombie': { withinS: 180, found: ['U11'] },
  'link-drop': LINK_ONLY,
  'half-open-link': LINK_ONLY,
  'frozen-log': { withinS: 120, found: [] },
  'host-key-change': LINK_ONLY,
  'noisy-login': { withinS: 60, found: [] },
  'no-sftp': LINK_ONLY,
  'xid-79': { withinS: 60, found: ['U22'] },
  reboot: RUN_IS_GONE,
};

it.each(Object.entries(EXPECTED) as [DemoBoxFault, Expectation][])(
  '%s is found for what it is, and clears',
  async (fault, { withinS, stepS, found }) => {
    box = STRIKE_A_SAVE.has(fault) ? saving : working;
    await runWorks();
    const watched = await Watched.open();
    await watched.pass(90);
    expect(watched.isCapped).toBe(true);
    expect(watched.found).toEqual([]);
    expect(await box.setFault(fault, true)).toMatchObject({ ok: true });
    if (CUTS.has(fault)) await watched.reopen();
    if (found.includes('idle') || fault === 'vram-zombie') await runIsGone();
    if (withinS > 0) await watched.pass(withinS, stepS);
    expect(watched.found).toEqual(found);
    expect(await box.setFault(fault, false)).toMatchObject({ ok: true });
    if (fault === 'host-key-change') await watched.reopen();
    await runWorks();
    await watched.pass(180);
    expect(watched.found).toEqual([]);
    await watched.close();
  },
);
