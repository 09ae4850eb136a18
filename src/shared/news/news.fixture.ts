import { alertAt } from '../alerts/alert.fixture.ts';
import type { Box } from '../boxes/box.ts';
import { USUAL_WAY } from '../boxes/usual-way.ts';
import { problem } from '../problem.ts';
import { alertNews } from './kinds/alert-news.ts';
import { budgetNews } from './kinds/budget-news.ts';
import { clockNews } from './kinds/clock-news.ts';
import { endNews } from './kinds/end-news.ts';
import { continuousNews } from './kinds/continuous-news.ts';
import { linkNews } from './kinds/link-news.ts';
import { questionNews } from './kinds/question-news.ts';
import { runNews } from './kinds/run-news.ts';
import { sentinelNews } from './kinds/sentinel-news.ts';
import { makeNews, type News, type NewsKind } from './news.ts';

const AT_MS = 1_799_996_400_000;

export const NEWS_BOX: Box = {
  id: 'b7b7f0de-1111-4222-8333-444455556666',
  name: 'train-a',
  platform: 'generic-ssh',
  address: { host: '192.0.2.7', port: 22, user: 'root' },
  ...USUAL_WAY,
  tags: [],
  addedAtMs: 0,
};

/** A kind with one occasion of it. */
function sample<What>(kind: NewsKind<What>, what: What) {
  return {
    kind,
    /** Hands it to whoever tells: the type of what it is about stays within. */
    tellTo: (queue: { readonly tell: (kind: NewsKind<What>, what: What) => void }) =>
      queue.tell(kind, what),
    news: (stamp: Pick<News, 'id' | 'atMs'>): News => {
      const words = kind.words(what, stamp.atMs);
      if (words === null) throw new Error(`${kind.kind} is no news`);
      return makeNews(kind, stamp, words);
    },
  };
}

export const samples = {
  alert: sample(alertNews, { box: NEWS_BOX, alerts: [alertAt(AT_MS)] }),
  budget: sample(budgetNews, {
    budget: {
      id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
      scope: { kind: 'box', boxId: NEWS_BOX.id },
      per: 'day',
      limit: { micros: 10_000_000, currency: 'USD' },
    },
    boxName: NEWS_BOX.name,
    answer: { kind: 'over', spent: { micros: 12_000_000, currency: 'USD' }, share: 1.2 },
  }),
  clock: sample(clockNews, {
    box: NEWS_BOX,
    clock: {
      id: 'autodl.low-balance',
      danger: 'data',
      event: 'Forced stop',
      trigger: 'balance low',
      consequence: 'forced stop <!channel>',
      loses: [],
      due: { kind: 'at', atMs: AT_MS + 3_600_000, isEstimate: false },
      known: { kind: 'told' },
      readAt: 'console',
      stops: null,
      entry: null,
    },
    markMs: 3_600_000,
    behind: null,
  }),
  continuous: sample(continuousNews, {
    box: NEWS_BOX,
    pull: {
      runId: 'r-20261123-023000-1a2b3c4d',
      runName: 'llama <!channel>',
      failure: { sinceMs: AT_MS - 3_600_000, atMs: AT_MS, rounds: 12, says: 'The disk is full.' },
      last: null,
    },
  }),
  end: sample(endNews, {
    box: NEWS_BOX,
    act: {
      id: 'act-1',
      verb: 'Terminate <!channel>',
      aim: 'gone',
      approvedAtMs: AT_MS - 2 * 3_600_000,
    },
    provider: null,
  }),
  link: sample(linkNews, {
    box: NEWS_BOX,
    before: { kind: 'up', sinceMs: 0, latencyMs: 3 },
    after: { kind: 'down', sinceMs: 0, problem: problem('auth-refused', 'Refused.') },
  }),
  question: sample(questionNews, {
    id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b02',
    boxId: NEWS_BOX.id,
    boxName: NEWS_BOX.name,
    account: 'root@192.0.2.7',
    subject: { kind: 'password' },
    prompts: [],
    refusal: null,
    keeping: { kind: 'never' },
    isLoginLost: false,
    askedAtMs: AT_MS,
  }),
  run: sample(runNews, {
    box: NEWS_BOX,
    run: {
      id: 'r-20261123-023000-1a2b3c4d',
      name: 'llama <!channel>',
      command: 'python train.py',
      folder: '~/work',
      results: null,
      overridden: [],
      place: '/root/.local/state/leasehold/runs/r-20261123-023000-1a2b3c4d',
      detacher: 'tmux',
      launchedAtMs: AT_MS - 3_600_000,
      process: null,
      status: { kind: 'failed', exitCode: 137, atMs: AT_MS, lacksSuccessLine: false },
      log: null,
    },
  }),
  sentinel: sample(sentinelNews, {
    kind: 'over',
    box: NEWS_BOX,
    over: {
      id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b03',
      awaited: { kind: 'file', path: '/work/DONE' },
      armedAtMs: AT_MS,
      untilMs: AT_MS + 3_600_000,
      end: 'happened',
      atMs: AT_MS,
      before: null,
      seen: null,
      line: null,
      because: '',
      gap: null,
    },
  }),
};
