import type { EndOnRecord } from '../../../shared/boxes/archived.ts';
import type { Box } from '../../../shared/boxes/box.ts';
import { noSuchBox } from '../../../shared/boxes/no-such-box.ts';
import { endNews, type OpenEnd } from '../../../shared/news/kinds/end-news.ts';
import { wholeCost } from '../../../shared/meter/whole-cost.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import { listArchive, endOnRecord, stopsMachine } from '../../teardown/archive.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { findOrders, noteOrder } from '../../teardown/box-orders.ts';
import { everSeenOn } from '../../teardown/ever-seen.ts';
import { findOutside, placesToLook } from '../../teardown/find-outside.ts';
import { knownOfOthers, type KnownOfOthers } from '../../teardown/known-of-others.ts';
import { findQueues } from '../../teardown/find-queues.ts';
import { findSweeps } from '../../teardown/find-sweeps.ts';
import { trustedKeyOf } from '../../teardown/inspect-box.ts';
import { ProviderAccounts } from '../../teardown/provider-accounts.ts';
import { ProviderLinks } from '../../teardown/provider-links.ts';
import { EndReminders } from '../../teardown/end-reminders.ts';
import { TeardownRecords } from '../../teardown/teardown-records.ts';
import { SecretsOfBoxes } from '../../teardown/secrets-of-boxes.ts';
import type { TeardownsOptions } from '../../teardown/teardowns-options.ts';
import { Teardowns } from '../../teardown/teardowns.ts';
import { LinkedVerbs, VerbsByHand } from '../../teardown/teardown-verbs.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { done } from '../ipc-router.ts';
import type { Access } from './access.ts';
import type { FilesWing } from './files.ts';
import type { MoneyWing } from './money.ts';
import type { ResultsWing } from './results.ts';
import type { RunsWing } from './runs.ts';
import type { Watching } from './watching.ts';
import type { GatedChannel, Ground, Wing } from './wing.ts';

const NOT_CONNECTED = problem('not-connected', 'The box is not connected.');

export interface TeardownWing extends Wing {
  /** Which box is which machine of which provider. */
  readonly links: ProviderLinks;
  /** Who takes boxes out of the list and into it from now on. Returns how to end that. */
  readonly archivesBy: (archive: TeardownsOptions['archive']) => () => void;
  /** Whether a box is gone, as the evidence has it. */
  readonly endOnRecord: (box: Box) => Result<EndOnRecord, Problem>;
  /** Whether the evidence has an end of this box begun, and not over. What cannot be read may be one. */
  readonly isUnderWay: TeardownRecords['isUnderWay'];
  /** For a verb that ends work on a box or deletes there, and whose handler stands in a wing behind this one. */
  readonly change: Teardowns['change'];
  readonly handlers: Pick<
    LateHandlers,
    Extract<keyof LateHandlers, `teardown:${string}`> | GatedChannel
  >;
}

/** The end of boxes, and of what is on them, behind the gate. */
export function openTeardown(
  { hub, roster, database, profiles, scripts, settings, log, news, reportProblem }: Ground,
  { sentSecrets }: Access,
  { patrols, gpuHolders }: Watching,
  { meter, clocks, alarmsKnow, clocksKnow }: MoneyWing,
  { watch, sweeps, end: endRun }: RunsWing,
  { runs, home, pulled, behindOf }: ResultsWing,
  { delete: deleteFiles }: FilesWing,
): TeardownWing {
  const closer = new Closer();
  const links = new ProviderLinks();
  let archive: TeardownsOptions['archive'] = noSuchBox;
  const records = new TeardownRecords(database.evidence);
  const accounts = new ProviderAccounts({
    ...{ links, redact: log.redactor.redact },
    nameOf: (boxId) => roster.boxOf(boxId)?.name ?? null,
  });
  const platformOf = (boxId: string): string | null => roster.boxOf(boxId)?.platform ?? null;
  const profileOf = (boxId: string): Profile | null => {
    const platform = platformOf(boxId);
    return platform === null ? null : profiles.profileOf(platform);
  };
  const connected = <T>(
    boxId: string,
    ask: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> => {
    const connection = roster.connectionOf(boxId);
    return connection === null ? Promise.resolve(err(NOT_CONNECTED)) : ask(connection);
  };
  /** What other boxes of the same platform are known to keep, where no shell has to say what a path means. */
  const othersOf = (boxId: string): KnownOfOthers => {
    const others = roster.living.filter(
      ({ box }) => box.id !== boxId && box.platform === platformOf(boxId),
    );
    return knownOfOthers(
      others.map(({ box }) => ({
        ...{ boxName: box.name, seen: watch.seenOf(box.id), folders: runs.folders(box.id) },
      })),
    );
  };
  const secrets = new SecretsOfBoxes({
    records,
    onProblem: reportProblem,
    ...{ scripts, connected },
    folders: async (boxId, connection) => {
      const looked = await runs.look(boxId);
      if (!looked.ok) return looked;
      const profile = profileOf(boxId);
      const places = await placesToLook(connection, looked.value.runs, { scripts, profile });
      return ok(places.folders);
    },
    sentTo: (boxId) => {
      const sent = database.sentSecrets.list(boxId);
      return sent.ok ? ok(sent.value.rows.map(({ path }) => path)) : sent;
    },
  });
  closer.add(() => secrets.close());
  const verbs = new LinkedVerbs({
    ...{ links, redact: log.redactor.redact },
    byHand: new VerbsByHand(platformOf, profiles.profileOf),
  });
  const teardowns = new Teardowns({
    ...{ hub, roster, runs, home },
    everSeenOn: (boxId) =>
      everSeenOn(boxId, {
        ...{ evidence: database.evidence, records },
        seen: (id) => watch.everSeenOn(id),
      }),
    patrol: (boxId) => patrols.afresh(boxId),
    seenOn: (boxId) => patrols.seenOn(boxId),
    queues: (boxId, launched) =>
      connected(boxId, (connection) =>
        findQueues(connection, launched, { scripts, redact: log.redactor.redact }),
      ),
    orders: (boxId, machine) =>
      connected(boxId, (connection) =>
        findOrders(boxId, connection, machine, { scripts, records, look: verbs.look.bind(verbs) }),
      ),
    noteOrder: async (boxId, order, isOver) => {
      const connection = roster.connectionOf(boxId);
      // What stays there of one that is over only makes another computer ask once more.
      if (isOver && connection === null) return ok({ others: [], unnoted: null });
      return noteOrder(boxId, connection, { scripts, records }, order, isOver);
    },
    sweeps: (boxId, launched) =>
      findSweeps(boxId, launched, {
        ...{ sweeps, proof: runs.proof },
        nameOf: (id) => roster.boxOf(id)?.name ?? 'another box',
      }),
    outside: (boxId, launched, results, walk) =>
      connected(boxId, (connection) =>
        findOutside(connection, launched, results, {
          ...{ scripts, profile: profileOf(boxId), others: othersOf(boxId), ...walk },
        }),
      ),
    hostKeyOf: (boxId) => trustedKeyOf(database.hostKeys, boxId),
    instanceOf: (boxId) => links.of(boxId)?.instance ?? null,
    factsOf: profileOf,
    proofHoldsMs: () => settings.current().proofHoldsMin * 60_000,
    proofNeeds: () => settings.current().proofNeeds,
    ...{ records, secrets },
    verbs,
    costOf: (boxId) => {
      const metered = meter.metered().find((each) => each.boxId === boxId);
      return metered === undefined ? null : wholeCost(metered.ledger);
    },
    archive: (boxId, atMs) => archive(boxId, atMs),
    onGone: (boxId, act) => {
      // Nobody answers there, and another machine may once that address is given away.
      const left = roster.disconnect(boxId);
      if (!left.ok) reportProblem(left.error);
      if (!stopsMachine(act.verb, profileOf(boxId))) return;
      const set = meter.setPhase(boxId, act.aim === 'stopped' ? 'stopped' : 'destroyed');
      if (!set.ok) reportProblem(set.error);
    },
    onAgain: (boxId, isAnother) => {
      // A machine that was only stopped has what it had.
      if (isAnother) watch.isAnotherMachine(boxId);
      const set = meter.setPhase(boxId, 'running');
      if (!set.ok) reportProblem(set.error);
    },
    onProblem: reportProblem,
  });
  closer.add(() => teardowns.close());
  const openEndOf = (box: Box): OpenEnd | null => {
    const act = teardowns.underWay(box.id);
    return act === null ? null : { box, act, provider: verbs.providerOf(box.id, act.verb) };
  };
  const reminders = new EndReminders({
    openEnds: () => roster.living.flatMap(({ box }) => openEndOf(box) ?? []),
    entries: database.entries,
    onReminder: (end) => news.tell(endNews, end),
    onProblem: reportProblem,
  });
  closer.add(() => reminders.close());
  closer.add(
    clocksKnow((boxId) => {
      const box = roster.boxOf(boxId);
      const end = box === null ? null : openEndOf(box);
      if (end === null) return null;
      const { verb, approvedAtMs } = end.act;
      return { verb, approvedAtMs, remindsAtMs: reminders.nextAtMs(end) };
    }),
  );
  /** The clock of an end is shown, or goes, with the answer and not at the next look. */
  const thenClocks = async <T>(answer: Promise<T>): Promise<T> => {
    const given = await answer;
    clocks.look();
    return given;
  };
  closer.add(links.follow((boxId) => teardowns.relinked(boxId)));
  closer.add(alarmsKnow(behindOf));
  closer.add(pulled.follow(({ boxId }) => teardowns.cameHome(boxId)));
  return {
    links,
    change: (...wanted) => teardowns.change(...wanted),
    archivesBy: (by) => {
      archive = by;
      return () => (archive = noSuchBox);
    },
    endOnRecord: (box) => endOnRecord(box.id, records, profiles.profileOf(box.platform)),
    isUnderWay: (boxId) => records.isUnderWay(boxId),
    handlers: {
      'teardown:archive': () => listArchive(records, roster),
      'teardown:inspect': ({ boxId }) => teardowns.inspect(boxId),
      'teardown:read-copies': ({ boxId }) => teardowns.readCopies(boxId),
      'teardown:stop': ({ boxId }) => done(() => teardowns.stop(boxId)),
      'teardown:accept': ({ boxId, ...loss }) => teardowns.accept(boxId, loss),
      'teardown:look-for-secrets': ({ boxId }) =>
        teardowns.meanwhile(boxId, { kind: 'looking-for-secrets' }, () => secrets.of(boxId).look()),
      'teardown:plan-secrets': ({ boxId, keys }) => secrets.of(boxId).plan(keys),
      'teardown:remove-secrets': ({ boxId, plan }) =>
        teardowns.change(boxId, { does: 'delete', about: plan.digest }, (pass) =>
          secrets.of(boxId).remove(plan, pass),
        ),
      'teardown:leave-secrets': ({ boxId }) =>
        teardowns.meanwhile(boxId, { kind: 'looking-for-secrets' }, () =>
          secrets.of(boxId).leave(),
        ),
      'teardown:approve': ({ boxId, ...yes }) => teardowns.approve(boxId, yes),
      'teardown:withdraw': ({ boxId }) => teardowns.withdraw(boxId),
      'teardown:begin': ({ boxId }) => thenClocks(teardowns.begin(boxId)),
      'teardown:confirm': ({ boxId, saidTo }) => thenClocks(teardowns.confirm(boxId, saidTo)),
      'teardown:begin-again': ({ boxId }) => teardowns.beginAgain(boxId),
      'teardown:call-off': ({ boxId }) => thenClocks(Promise.resolve(teardowns.callOff(boxId))),
      'runs:end': ({ boxId, id }) =>
        teardowns.change(boxId, { does: 'end-work', about: id }, (pass) => endRun(boxId, id, pass)),
      'gpu-holders:end': ({ boxId, ...wanted }) =>
        teardowns.change(boxId, { does: 'end-work', about: wanted.plan.digest }, (pass) =>
          gpuHolders.end(boxId, wanted, pass),
        ),
      'files:delete': ({ boxId, plan }) =>
        teardowns.change(boxId, { does: 'delete', about: plan.digest }, (pass, signal) =>
          deleteFiles(boxId, plan, pass, signal),
        ),
      'secret:remove-from-box': ({ boxId, path }) =>
        teardowns.change(
          boxId,
          { does: 'delete', about: path },
          (pass) => sentSecrets.remove(boxId, path, pass),
          // One that leaked waits for no hour of reading.
          false,
        ),
      'teardown:account': async ({ boxId }) => ok(await accounts.ask(boxId)),
    },
    wake: () => reminders.look(),
    close: () => closer.close(),
  };
}
