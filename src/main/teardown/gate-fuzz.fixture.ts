import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { channels, ipcInputs, type Channel } from '../../shared/ipc/contract.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { ResultList } from '../../shared/runs/launch/launched-run.ts';
import { isUnderWay, type Act, type GateState } from '../../shared/teardown/gate.ts';
import { pictureOf } from '../../shared/teardown/judge-gone.ts';
import type { EndFacts, FoundOnBox } from '../../shared/teardown/found-on-box.ts';
import type { BoxClocks } from '../../shared/streams/meter-stream.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import type { Core } from '../app/core.ts';
import { makeDataFolder, openDoor, WINDOW } from '../app/door.fixture.ts';
import type { Services } from '../app/services.ts';
import { createRandom } from '../demo/random.ts';
import { forged, inputFor, tamed } from './fuzz-input.fixture.ts';
import { FuzzBox } from './fuzz-world.fixture.ts';
import type { LinkedInstance, ProviderLink } from './provider-links.ts';

const FOREIGN = { ...WINDOW, isTrusted: false, url: 'https://example.com/' };
const VERB = 'provider stop or destroy';
/** The one of the two boxes that a provider ends. */
const LINKED = 'train-b';
const KEPT_MESSAGES = 300;
const TOLD = 40;
/** The evidence only grows, and all of it is read at each look. */
const STORY_MESSAGES = 1000;

export interface FuzzCounts {
  messages: number;
  accepted: number;
  refused: number;
  approved: number;
  acting: number;
  /** Of these, by a provider. */
  ordered: number;
  stories: number;
}

interface Message {
  readonly channel: unknown;
  readonly input: unknown;
  readonly isForeign?: boolean;
}

export interface Clock {
  /** Besides what passes by itself. */
  monoMs: number;
  wallMs: number;
}

/** Sends messages to the whole door of Leasehold, and has a judge look at each end that it begins. */
export class GateFuzz {
  readonly counts: FuzzCounts = {
    ...{ messages: 0, accepted: 0, refused: 0, approved: 0, acting: 0, ordered: 0, stories: 0 },
  };
  /** Messages that have no answer yet. */
  readonly waiting = new Set<string>();
  /** How often each channel answered. */
  readonly answered = new Map<string, number>();
  readonly #random: () => number;
  readonly #clock: Clock;
  readonly #endShare: number;
  readonly #told: string[] = [];
  readonly #sent: Message[] = [];
  readonly #boxes = new Map<string, FuzzBox>();
  readonly #linked = new Map<string, LinkedInstance>();
  #cores: Core[] = [];
  #rosters: readonly Services['roster'][] = [];
  #folder = '';
  #fault: string | null = null;

  /** `endShare`: how many of the steps are a person’s who would end a box. */
  constructor(seed: number, clock: Clock, endShare: number) {
    this.#endShare = endShare;
    this.#random = createRandom(seed);
    this.#clock = clock;
  }

  /** What is wrong, with the last messages before it; null: nothing is. */
  async run(messages: number): Promise<string | null> {
    try {
      while (this.counts.messages < messages && this.#fault === null) {
        await this.#begin();
        const end = Math.min(messages, this.counts.messages + STORY_MESSAGES);
        while (this.counts.messages < end && this.#fault === null) {
          await this.#step();
          if (this.#isLost()) break;
        }
        await this.#end();
      }
    } finally {
      await this.#end();
    }
    return this.#fault === null ? null : [...this.#told, this.#fault].join('\n');
  }

  /** In the place of who looks at a box over SSH. */
  look(boxId: string, facts: EndFacts | null): Result<FoundOnBox, Problem> {
    const box = this.#boxes.get(boxId);
    if (box === undefined) throw new Error('nobody may look at that');
    return box.look(facts, this.#linked.get(boxId)?.instance ?? null);
  }

  list(boxId: string): Result<ResultList, Problem> {
    const box = this.#boxes.get(boxId);
    if (box === undefined) throw new Error('nobody may list that');
    return ok(box.list());
  }

  /** By whom a box is ended that is not ended by hand; null: it is. */
  linkOf(boxId: string): LinkedInstance | null {
    return this.#linked.get(boxId) ?? null;
  }

  /** A provider that takes every order, and says nothing of what came of it. */
  #linkTo(boxId: string): LinkedInstance {
    const act: ProviderLink['act'] = (_instance, pass) => {
      this.counts.ordered += 1;
      this.acts(boxId, pass.act);
      const kind = pass.take() ? 'accepted' : 'refused';
      return Promise.resolve({ kind, says: kind });
    };
    const silent = () => Promise.reject(new Error('no answer'));
    const link = {
      provider: 'Acme',
      verbs: [VERB],
      act,
      look: silent,
      list: silent,
      price: silent,
    };
    return { link, instance: `i-${boxId}` };
  }

  /** Somebody is ending a box, by a pass that the gate gave out. */
  acts(boxId: string, act: Act): void {
    this.counts.acting += 1;
    const wrong = this.#boxes.get(boxId)?.judge(act, performance.now());
    if (wrong !== null) this.#fault ??= `ended although ${wrong ?? 'no such box is there'}`;
  }

  async #begin(): Promise<void> {
    this.counts.stories += 1;
    this.#folder = mkdtempSync(join(tmpdir(), 'leasehold-gate-fuzz-'));
    makeDataFolder(join(this.#folder, 'data'));
    this.#sent.length = 0;
    this.#boxes.clear();
    this.#linked.clear();
    const first = await this.#open();
    for (const name of ['train-a', LINKED]) {
      const address = { host: '127.0.0.1', port: 1, user: name };
      const added = await first.route(WINDOW, 'box:add', {
        ...{ name, connection: { address, ...USUAL_WAY } },
      });
      if (!added.ok) throw new Error(added.error.message);
      const { id: boxId } = added.value as { readonly id: string };
      await first.route(WINDOW, 'box:set-platform', { boxId, platform: 'generic-ssh' });
      const nameOf = (app: number): string | null => this.#rosters[app]?.boxOf(boxId)?.name ?? null;
      this.#boxes.set(boxId, new FuzzBox(join(this.#folder, 'copies', boxId), nameOf));
      if (name === LINKED) this.#linked.set(boxId, this.#linkTo(boxId));
    }
    this.#cores = [first, await this.#open()];
    await this.#listBoxes();
  }

  async #end(): Promise<void> {
    const cores = this.#cores;
    this.#cores = [];
    for (const core of cores) await core.close();
    if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = '';
  }

  async #listBoxes(): Promise<void> {
    const services = await Promise.all(this.#cores.map((core) => core.services()));
    this.#rosters = services.map(({ roster }) => roster);
  }

  #open(): Promise<Core> {
    return openDoor(join(this.#folder, 'data'));
  }

  /** A box went out of the list: its story is over. */
  #isLost(): boolean {
    return [...this.#boxes.values()].some((box) => [0, 1].some((app) => box.name(app) === null));
  }

  readonly #pick = (below: number): number => Math.floor(this.#random() * below);

  async #step(): Promise<void> {
    const roll = this.#random();
    const boxId = [...this.#boxes.keys()][this.#pick(2)] ?? '';
    const box = this.#boxes.get(boxId);
    if (box === undefined) return;
    if (roll < 0.02) box.happens(this.#pick(6));
    else if (roll < 0.03) this.#setClock();
    else if (roll < 0.035) box.spoil(this.#pick(2) === 0);
    else if (roll < 0.0355) await this.#restart();
    else if (roll < 0.0355 + this.#endShare) await this.#towardsAnEnd(boxId, box);
    else if (this.#pick(8) === 0) await this.#together();
    else await this.#send(this.#message());
  }

  #setClock(): void {
    this.#clock.monoMs += [0, 60_000, 600_000, 3_700_000][this.#pick(4)] ?? 0;
    this.#clock.wallMs = (this.#random() - 0.5) * 1e10;
  }

  async #restart(): Promise<void> {
    const at = this.#pick(2);
    await this.#cores[at]?.close();
    this.#cores[at] = await this.#open();
    await this.#listBoxes();
    for (const box of this.#boxes.values()) box.restarted(at);
  }

  /** Several at once, as two windows and a slow box bring about. */
  async #together(): Promise<void> {
    const both = Array.from({ length: 2 + this.#pick(3) }, () => this.#send(this.#message()));
    if (this.#pick(4) === 0) [...this.#boxes.values()][this.#pick(2)]?.happens(this.#pick(6));
    await Promise.all(both);
  }

  #message(): Message {
    const boxIds = [...this.#boxes.keys()];
    const roll = this.#random();
    const earlier = this.#sent[this.#pick(this.#sent.length)];
    const pool = this.#pool();
    if (earlier !== undefined && roll < 0.25) return { ...earlier, isForeign: roll < 0.03 };
    if (earlier !== undefined && roll < 0.4) {
      return { channel: earlier.channel, input: forged(earlier.input, this.#pick, pool) };
    }
    if (roll < 0.42) return { channel: pool[this.#pick(pool.length)], input: null };
    if (roll < 0.55) {
      const channel = TEARDOWN[this.#pick(TEARDOWN.length)];
      return { channel, input: { boxId: boxIds[this.#pick(2)] } };
    }
    const channel = channels[this.#pick(channels.length)] ?? 'app:info';
    return { channel, input: inputFor(ipcInputs[channel], this.#pick, pool) };
  }

  /** What a forger may know, and what nobody takes. */
  #pool(): readonly string[] {
    const known = [...this.#boxes].flatMap(([id, box]) => [id, id, box.name(0) ?? '']);
    return [
      ...[...known, VERB, 'base', 'r-0', 'generic-ssh', '/w/out', '', 'x', '../..', '__proto__'],
      ...[randomUUID(), 'f'.repeat(64), 'https://127.0.0.1:9/', 'constructor', 'teardown:act'],
    ];
  }

  async #send(message: Message, at = this.#pick(2)): Promise<boolean> {
    const core = this.#cores[at];
    if (core === undefined || NEVER.has(String(message.channel))) return false;
    const { channel, isForeign = false } = message;
    const input = tamed(message.input);
    const line = `${isForeign ? 'foreign ' : ''}${String(channel)} ${textOf(input)}`;
    this.#told.push(line);
    if (this.#told.length > TOLD) this.#told.shift();
    this.counts.messages += 1;
    this.waiting.add(line);
    const answer = await core.route(isForeign ? FOREIGN : WINDOW, channel, input);
    this.waiting.delete(line);
    this.answered.set(String(channel), (this.answered.get(String(channel)) ?? 0) + 1);
    this.counts[answer.ok ? 'accepted' : 'refused'] += 1;
    if (answer.ok && isForeign) this.#fault ??= 'a foreign page was answered';
    if (!answer.ok && answer.error.code === 'internal') {
      this.#fault ??= `${String(channel)} broke: ${answer.error.detail ?? answer.error.message}`;
    }
    if (answer.ok) this.#took(at, String(channel), input);
    if (this.#sent.length >= KEPT_MESSAGES) this.#sent[this.#pick(KEPT_MESSAGES)] = message;
    else this.#sent.push(message);
    return answer.ok;
  }

  /** What the judge hears of: what a person did, and that Leasehold took it. */
  #took(app: number, channel: string, input: unknown): void {
    const said = input as Record<string, string>;
    const box = this.#boxes.get(said?.['boxId'] ?? '');
    if (box === undefined) return;
    const text = (key: string): string => said[key] ?? '';
    if (channel === 'teardown:approve') {
      this.counts.approved += 1;
      box.approved(app, {
        ...{ verb: text('verb'), typed: text('typed'), monoMs: performance.now() },
      });
    } else if (channel === 'teardown:accept') box.accepted(text('id'), text('loss'));
    else if (channel === 'teardown:read-copies') box.copiesRead(app, performance.now());
    else if (channel === 'teardown:withdraw') box.takenBack(app);
    else if (channel === 'teardown:call-off') box.isOver();
    else if (channel === 'teardown:begin-again') box.gone();
  }

  /** What a person does who would end a box: each step may be disturbed. */
  async #towardsAnEnd(boxId: string, box: FuzzBox): Promise<void> {
    const app = this.#pick(2);
    const core = this.#cores[app];
    if (core === undefined) return;
    const send = (channel: Channel, more: object = {}): Promise<boolean> =>
      this.#send({ channel, input: { boxId, ...more } }, app);
    const disturb = async (): Promise<void> => {
      const roll = this.#pick(40);
      if (roll === 0) box.happens(this.#pick(6));
      else if (roll === 1) box.spoil(false);
      else if (roll === 2) this.#setClock();
      else if (roll < 5) await this.#send(this.#message());
    };
    if (box.isActing) {
      await send('teardown:begin');
      if (this.#pick(8) === 0) {
        await send('teardown:confirm', { saidTo: this.#picture(core, boxId) });
      }
      await send('teardown:begin-again');
      this.#checkClock(core, boxId);
      if (await send('teardown:call-off')) this.#checkClock(core, boxId);
      return;
    }
    if (this.#pick(4) > 0) box.calms();
    if (this.#pick(4) > 0) box.pull();
    await disturb();
    await send('teardown:read-copies');
    for (const { id, loss, accepted } of this.#view(core, boxId, box)) {
      if (loss === null || accepted !== null || this.#pick(30) === 0) continue;
      await send('teardown:accept', { id, loss, because: 'x' });
    }
    await disturb();
    const digest = this.#digest;
    this.#view(core, boxId, box);
    await send('teardown:approve', {
      ...{ verb: VERB, digest: this.#pick(8) === 0 ? digest : this.#digest },
      typed: this.#pick(16) === 0 ? 'x' : (box.name(app) ?? ''),
    });
    if (this.#pick(4) === 0) await this.#refusesChanges(core, boxId);
    // What may come between a yes and the end, each of which has to end the yes.
    const between: readonly (() => unknown)[] = [
      () => box.happens(this.#pick(6)),
      // Nothing is in the way of the end then: it is only not what the yes was to.
      () => box.happens(1),
      () => box.happens(1),
      () => box.spoil(this.#pick(2) === 0),
      () => (this.#clock.monoMs += [599_000, 600_000, 3_700_000][this.#pick(3)] ?? 0),
      () => send('box:rename', { name: `train-${String(this.#pick(1000))}` }),
      () => send('teardown:withdraw'),
      () => this.#restart(),
      () => this.#send(this.#message()),
    ];
    if (this.#pick(2) === 0) await between[this.#pick(between.length)]?.();
    if (this.#pick(8) === 0) await Promise.all([send('teardown:begin'), send('teardown:begin')]);
    else if (await send('teardown:begin')) this.#checkClock(core, boxId);
  }

  /** While a yes stands, no verb that ends work on the box or deletes there comes to the box. */
  async #refusesChanges(core: Core, boxId: string): Promise<void> {
    if (this.#gate(core, boxId)?.kind !== 'approved') return;
    for (const [channel, more] of CHANGES) {
      const answer = await core.route(WINDOW, channel, { boxId, ...more });
      if (answer.ok || answer.error.code !== 'teardown-refused') {
        this.#fault ??= `${channel} was let through to a box whose end is approved`;
      }
    }
  }

  /** The clock of an end is there with the answer that begins it, and goes with the answer that calls it off. */
  #checkClock(core: Core, boxId: string): void {
    const gate = this.#gate(core, boxId);
    const shown = this.#shown(core, 'clocks', boxId) as BoxClocks | undefined;
    const clocks = shown?.clocks ?? [];
    const has = clocks.some(({ id }) => id === 'yours.end');
    if (gate !== undefined && has !== isUnderWay(gate)) {
      this.#fault ??= `a box that is ${gate.kind} has ${has ? 'a' : 'no'} clock of its end`;
    }
  }

  #digest = '';

  /** What a person reads who says that it is done; null: there is nothing to say that to. */
  #picture(core: Core, boxId: string): string | null {
    const gate = this.#gate(core, boxId);
    return gate !== undefined && isUnderWay(gate) ? pictureOf(gate) : null;
  }

  #gate(core: Core, boxId: string): GateState | undefined {
    return (this.#shown(core, 'teardowns', boxId) as TeardownView | undefined)?.gate;
  }

  #shown(core: Core, stream: 'teardowns' | 'clocks', boxId: string): unknown {
    const opened = core.hub.open(WINDOW.clientId, stream, '');
    if (!opened.ok) return undefined;
    core.hub.close(WINDOW.clientId, opened.value.subscription);
    return (opened.value.state as { boxes: Record<string, unknown> }).boxes[boxId];
  }

  /** What the window shows of the box. */
  #view(core: Core, boxId: string, box: FuzzBox) {
    const gate = this.#gate(core, boxId);
    if (gate === undefined || !('inspection' in gate) || gate.inspection === null) return [];
    const { digest, blockers } = gate.inspection;
    this.#digest = digest;
    box.shows(blockers);
    return blockers;
  }
}

const TEARDOWN = channels.filter((channel) => channel.startsWith('teardown:'));
/** They end what is under test. */
const NEVER: ReadonlySet<string> = new Set(['app:quit']);

const PLAN = { plan: { id: randomUUID(), digest: 'f'.repeat(64) } };
/** Verbs that end work on a box, or delete there, each with an input that its schema takes. */
const CHANGES: readonly (readonly [Channel, object])[] = [
  ['runs:end', { id: 'r-20260101-000000-00000001' }],
  ['gpu-holders:end', { ...PLAN, signal: 'TERM', pids: [7] }],
  ['tmux:kill', { session: { id: '$1', createdAtS: 1 } }],
  ['files:delete', PLAN],
  ['secret:remove-from-box', { path: '~/token' }],
  ['teardown:remove-secrets', PLAN],
];

const textOf = (input: unknown): string => (JSON.stringify(input) ?? 'undefined').slice(0, 300);
