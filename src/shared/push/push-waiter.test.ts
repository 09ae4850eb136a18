import { describe, expect, it } from 'vitest';
import { isDelivered, postWords, readPost } from './post-outcome.ts';
import {
  maskTarget,
  runWords,
  testLines,
  waiterLines,
  withoutMarks,
  type PushSubject,
  type PushTarget,
} from './push-message.ts';
import { parsePushLook } from './push-waiter.ts';

const MARK = 'leasehold-00ff';
const NOW_MS = 1_800_000_000_000;
const ID = 'p-41-5000-0a1b2c3d';

function look(lines: readonly string[], rest: readonly string[] = ['whole']) {
  const all = ['tool curl', 'table yes', 'now 1000', ...lines, ...rest];
  const text = all.map((line) => `${MARK} ${line}`).join('\n');
  return parsePushLook(`banner\n${text}\n`, MARK, NOW_MS);
}

describe('a look at the waiters', () => {
  it('tells times by this machine’s clock, whatever the box believes', () => {
    const told = look([`waiter ${ID} alive same`, `about ${ID} 3600 curl 900`]);
    expect(told?.waiters).toEqual([
      {
        id: ID,
        process: { pid: 41, startTicks: 5000 },
        armedAtMs: NOW_MS - 100_000,
        untilMs: NOW_MS + 3_500_000,
        state: { kind: 'waiting' },
      },
    ]);
  });

  it.each([
    ['alive same', { kind: 'waiting' }],
    ['alive unknown', { kind: 'waiting' }],
    ['dead same', { kind: 'lost', because: 'ended' }],
    ['dead other', { kind: 'lost', because: 'restart' }],
    ['dead unknown', { kind: 'lost', because: 'unknown' }],
  ])('judges %s', (standing, state) => {
    expect(look([`waiter ${ID} ${standing}`])?.waiters).toMatchObject([
      { state, armedAtMs: null, untilMs: null },
    ]);
  });

  it('believes a result more than a process', () => {
    const lines = [`waiter ${ID} alive same`, `about ${ID} 60 wget 900`];
    const told = look([...lines, `result ${ID} ended failed 000 4 990`]);
    expect(told?.waiters[0]?.state).toEqual({
      kind: 'fired',
      because: 'ended',
      isDelivered: false,
      post: { tool: 'wget', status: null, exitCode: 4 },
      atMs: NOW_MS - 10_000,
    });
  });

  it.each([
    ['a cut answer', look([`waiter ${ID} alive same`], [])],
    ['an empty one', parsePushLook('', MARK, NOW_MS)],
    ['another mark', parsePushLook('x tool curl\nx table yes\nx now 1\nx whole', MARK, NOW_MS)],
    [
      'a tool that nobody knows',
      parsePushLook(
        `${MARK} tool nc\n${MARK} table yes\n${MARK} now 1\n${MARK} whole`,
        MARK,
        NOW_MS,
      ),
    ],
  ])('is not read from %s', (_what, told) => {
    expect(told).toBeNull();
  });

  it('takes nothing that no waiter of ours could be', () => {
    const told = look([
      'waiter p-1-2-zz alive same',
      'waiter ../../x alive same',
      'waiter p-99999999999-1-0a1b2c3d alive same',
      `about ${ID} 1 curl 1`,
      `result ${ID} ended delivered 200 0 1`,
      `waiter ${ID} undead same`,
      'cut',
    ]);
    expect(told).toMatchObject({ waiters: [], isCut: true });
  });
});

describe('what came of a post', () => {
  it.each([
    ['curl', '204', '0', 'accepted with HTTP 204'],
    ['curl', '301', '0', 'leads elsewhere'],
    ['curl', '401', '0', 'access token'],
    ['curl', '404', '0', 'nothing takes messages'],
    ['curl', '500', '0', 'answered with HTTP 500'],
    ['curl', '000', '6', 'could not find out where'],
    ['curl', '000', '28', 'no answer came in time'],
    ['curl', '000', '60', 'not trusted'],
    ['curl', '000', '99', 'curl ended with 99'],
    ['wget', '000', '4', 'could not connect'],
    ['wget', '000', '5', 'not trusted'],
    ['wget', '000', '137', 'in time'],
  ] as const)('%s, %s, %s', (tool, status, code, words) => {
    const outcome = readPost(tool, status, code);
    if (outcome === null) throw new Error('not read');
    expect(postWords(outcome)).toContain(words);
    expect(isDelivered(outcome)).toBe(status === '204');
  });

  it('is nothing but numbers', () => {
    expect(readPost('curl', '20', '0')).toBeNull();
    expect(readPost('curl', '200', '-1')).toBeNull();
    expect(readPost('curl', '200 ', '0')).toBeNull();
  });
});

describe('what a box is sent', () => {
  const subject: PushSubject = {
    id: ID,
    boxName: 'a\n<!channel> "b"',
    pid: 41,
    command: null,
    run: null,
    maxHours: 36,
  };
  const targets: readonly PushTarget[] = [
    { kind: 'ntfy', address: 'https://ntfy.sh/', topic: 'sesame', authorization: 'Bearer sesame' },
    {
      kind: 'slack',
      address: 'https://hooks.slack.com/sesame?x=sesame',
      topic: '',
      authorization: null,
    },
    {
      kind: 'json',
      address: 'http://10.0.0.1:8/#sesame',
      topic: '',
      authorization: 'Basic sesame',
    },
  ];
  it.each(targets)(
    'is a line for each part, and nothing secret in what is shown: $kind',
    (target) => {
      for (const lines of [waiterLines(target, subject), testLines(target, subject, 'now')]) {
        expect(lines.join()).not.toContain('\n');
        expect(lines.at(-1)).toBe('end');
        for (const body of lines.slice(2, -1)) expect(JSON.parse(body)).toBeTypeOf('object');
      }
      const shown = waiterLines(maskTarget(target), subject);
      expect(shown).toHaveLength(5);
      expect(shown.join()).not.toContain('sesame');
      expect(shown[0]).toMatch(/^https?:\/\/[\w.:]+\/••••$/);
      expect(shown[3]).toContain('after 36 hours');
    },
  );

  it('leaves to the box how a launched run ended, and nothing of the kind in other messages', () => {
    const [, , json] = targets;
    if (json === undefined) throw new Error('no target');
    const run = { id: 'r-20270115-080000-0a1b2c3d', name: 'base "line"' };
    const [, , ended = '', expired = ''] = waiterLines(json, { ...subject, run });
    expect(JSON.parse(ended)).toMatchObject({
      run: 'base "line"',
      outcome: '@outcome@',
      exitCode: '@code@',
      body: 'Run “base "line"” has ended: @outcome@; exit code @code@. Told by the box itself at @when@.',
    });
    expect(JSON.parse(expired)).toMatchObject({
      run: 'base "line"',
      outcome: null,
      exitCode: null,
    });
    const [, , plain = ''] = waiterLines(json, subject);
    expect(JSON.parse(plain)).toMatchObject({ run: null, outcome: null, exitCode: null });
    expect(withoutMarks(runWords({ ...subject, run }, 'ended').body)).not.toContain('@');
  });

  it('calls no channel in Slack', () => {
    const [, slack] = targets;
    if (slack === undefined) throw new Error('none');
    expect(waiterLines(slack, subject)[2]).toContain('&lt;!channel&gt;');
  });
});
