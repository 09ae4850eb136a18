import { FindingsWatch } from '../../src/main/detectors/findings-watch.ts';
import { shippedCatalog } from '../../src/main/gotchas/gotchas.fixture.ts';
import { silentLog } from '../../src/main/demo/demo-box.fixture.ts';
import { onboxScripts } from '../../src/main/onbox/onbox-scripts.fixture.ts';
import { openConnection } from '../../src/main/ssh/ssh-connection.ts';
import { openTemporaryDatabase } from '../../src/main/storage/database.ts';
import { BoxRoster } from '../../src/main/boxes/box-roster.ts';
import { Source } from '../../src/main/streams/source.ts';
import { StreamHub } from '../../src/main/streams/stream-hub.ts';
import { Telemetry } from '../../src/main/telemetry/telemetry.ts';
import type { Box } from '../../src/shared/boxes/box.ts';
import { USUAL_WAY } from '../../src/shared/boxes/usual-way.ts';
import type { BoxFindings } from '../../src/shared/detectors/box-findings.ts';
import { detectorIds } from '../../src/shared/detectors/finding.ts';
import type { Answers, Label } from '../incident.ts';
import { aMoment, stopTheClock, untilReally } from './fast-clock.ts';
import { cycleText, type GpuBox } from './gpu-box.ts';
import type { GpuBoxState, GpuIncident } from './gpu-incident.ts';
import { WatchedConnection } from './watched-connection.ts';

const BOX: Box = {
  id: 'b7b7f0de-1111-4222-8333-444455556666',
  name: 'incident',
  platform: 'generic-ssh',
  address: { host: '127.0.0.1', port: 22, user: 'root' },
  ...USUAL_WAY,
  tags: [],
  addedAtMs: 0,
};

/** Lets an incident happen to a box that the app watches, and tells what the app says at its end. */
export async function playGpu(machine: GpuBox, incident: GpuIncident): Promise<Answers> {
  await machine.become(incident.box, 0);
  // From the start on: a timer of the one time is not ended by the other.
  const clock = stopTheClock();
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: machine.sshd.port, user: machine.sshd.user },
    credentials: [{ kind: 'key', privateKey: machine.sshd.privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) {
    clock.restore();
    throw new Error(opened.error.message);
  }
  const database = openTemporaryDatabase();
  const hub = new StreamHub();
  const roster = new BoxRoster(hub);
  const telemetry = new Telemetry({
    hub,
    table: database.history,
    refusals: database.refusals,
    scripts: onboxScripts,
    log: silentLog,
    onProblem: (failed) => {
      throw new Error(failed.message);
    },
  });
  const watch = new FindingsWatch({
    hub,
    roster,
    readings: telemetry.readings,
    facts: telemetry.facts,
    patrols: new Source(),
    needCatalog: () => watch.useCatalog(shippedCatalog()),
  });
  roster.put({
    box: BOX,
    link: { kind: 'idle' },
    telemetry: { kind: 'off' },
    flavour: { kind: 'unknown' },
    gpus: null,
    load: null,
  });
  const followed = telemetry.follow({
    boxId: BOX.id,
    log: silentLog,
    onChange: (part) => roster.change(BOX.id, part),
  });
  const watched = new WatchedConnection(opened.value);
  try {
    const stage = new Stage(machine, watched, clock);
    const setLink = (isUp: boolean): void =>
      followed.useConnection(isUp ? watched.connection : null, isUp ? 'up' : 'waiting');
    await stage.play(incident, setLink);
    return answersOf(watch.state.boxes[BOX.id]);
  } finally {
    followed.useConnection(null, 'idle');
    followed.close();
    watch.close();
    telemetry.close();
    hub.dispose();
    opened.value.close();
    await opened.value.closed;
    machine.endPipe();
    database.close();
    clock.restore();
  }
}

/** What a box counts is looked at twice a minute at most. */
const COUNTERS_EVERY_S = 5;

/** Makes the box and the clock go on together, a second at a time. */
class Stage {
  readonly #machine: GpuBox;
  readonly #watched: WatchedConnection;
  readonly #clock: ReturnType<typeof stopTheClock>;
  #isFresh = true;

  constructor(machine: GpuBox, watched: WatchedConnection, clock: ReturnType<typeof stopTheClock>) {
    this.#machine = machine;
    this.#watched = watched;
    this.#clock = clock;
  }

  async play(
    { seconds, box, later = [] }: GpuIncident,
    setLink: (isUp: boolean) => void,
  ): Promise<void> {
    let state: GpuBoxState = box;
    let isUp = false;
    for (let second = 0; second <= seconds; second += 1) {
      const change = later.find(({ fromS }) => fromS === second);
      if (change !== undefined) {
        state = { ...state, ...change.box };
        await this.#machine.become(state, second);
        if (state.tool !== undefined) this.#machine.endPipe();
      } else if (second % COUNTERS_EVERY_S === 0) await this.#machine.passTo(state, second);
      if (isUp === (state.isLinkDown === true)) {
        isUp = !isUp;
        if (!isUp) this.#machine.endPipe();
        setLink(isUp);
      }
      this.#clock.pass(1000);
      await this.#settle();
      if (isUp) await this.#print(state, second);
    }
  }

  /** Until nothing is under way any more that the box would have done within this second. */
  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await aMoment();
      if (!this.#watched.isAnswering) continue;
      await untilReally('a command', () => !this.#watched.isAnswering);
      quiet = 0;
    }
  }

  async #print(state: GpuBoxState, second: number): Promise<void> {
    if (!this.#watched.hasStream || state.isStreamSilent === true) return;
    const hadReader = this.#machine.hasReader();
    await untilReally('dmon', () => this.#machine.hasReader() || !this.#watched.hasStream);
    if (!this.#watched.hasStream) {
      this.#machine.endPipe();
      this.#isFresh = true;
      return;
    }
    if (!hadReader) this.#isFresh = true;
    const text = cycleText(state, second, this.#isFresh);
    const wanted = this.#watched.taken + text.length;
    if (!this.#machine.print(text)) return;
    this.#isFresh = false;
    await untilReally('rows', () => this.#watched.taken >= wanted || !this.#watched.hasStream);
  }
}

function answersOf(findings: BoxFindings | undefined): Answers {
  const isBlind = (id: string): boolean =>
    findings === undefined || findings.unknown.some(({ detector }) => detector === id);
  const isFound = (id: string): boolean =>
    findings?.findings.some(
      ({ detector, notSeenBecause }) => detector === id && notSeenBecause === null,
    ) === true;
  return new Map(
    detectorIds.map((id): [string, Label] => [
      id,
      isFound(id) ? 'found' : isBlind(id) ? 'unknown' : 'clear',
    ]),
  );
}
