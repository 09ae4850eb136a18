import { expect, it } from 'vitest';
import { checkOf, LOOK } from '../preflight.fixture.ts';

const WANDB = { command: 'wandb agent x' };

it('asks for a key only where the run knows the tracker (U35)', () => {
  expect(checkOf('tracker')).toBeNull();
  expect(checkOf('tracker', { request: WANDB })).toMatchObject({ answer: 'warn', gotcha: 'U35' });
  const python = { version: '3.11.2', has: ['wandb'], torch: null, isLate: false };
  expect(checkOf('tracker', { look: { python } })).toMatchObject({ answer: 'warn' });
  expect(checkOf('tracker', { request: { env: { WANDB_PROJECT: 'x' } } })).toMatchObject({
    answer: 'warn',
  });
});

it('finds it in the environment, the login shell and ~/.netrc, and shows none of it', () => {
  const env = { WANDB_API_KEY: 'hunter2' };
  for (const check of [
    checkOf('tracker', { request: { ...WANDB, env } }),
    checkOf('tracker', { request: WANDB, look: { isSet: new Set(['WANDB_API_KEY']) } }),
    checkOf('tracker', { request: WANDB, look: { hasNetrc: true } }),
    checkOf('tracker', { request: { ...WANDB, env: { WANDB_MODE: 'offline' } } }),
  ]) {
    expect(check).toMatchObject({ answer: 'pass' });
    expect(check?.says).not.toContain('hunter2');
  }
});

it('does not know what it could not ask', () => {
  expect(checkOf('tracker', { request: WANDB, look: { isSet: null } })).toMatchObject({
    answer: 'unknown',
  });
  const isSet = new Set(['WANDB_MODE']);
  expect(checkOf('tracker', { request: WANDB, look: { isSet } })).toMatchObject({
    answer: 'unknown',
  });
});

it('says what the server of wandb does with the key, where the request names it (U35)', () => {
  const request = { tracker: 'wandb' as const, secrets: ['WANDB_API_KEY'] };
  const answers = {
    taken: 'pass',
    refused: 'warn',
    none: 'warn',
    offline: 'pass',
    unasked: 'unknown',
    unanswered: 'unknown',
  } as const;
  for (const [kind, answer] of Object.entries(answers)) {
    const trackerKey = { kind: kind as keyof typeof answers, host: 'api.wandb.ai' };
    const check = checkOf('tracker', { request, look: { trackerKey } });
    expect(check).toMatchObject({ answer, gotcha: 'U35' });
  }
  expect(checkOf('tracker', { request })).toMatchObject({ answer: 'unknown' });
  const env = { WANDB_MODE: 'offline' };
  expect(checkOf('tracker', { request: { ...request, env } })).toMatchObject({ answer: 'pass' });
});

it('warns of keys that the Pod has and a shell of sshd does not get (RP12)', () => {
  const profile = {
    name: 'RunPod',
    storage: [],
    watched: [],
    looks: ['pod-names' as const],
    clocks: [],
    needsChinaMirror: false,
    overrides: {
      DATA_DIR: null,
      DURABLE_DIR: null,
      PROXY_HOOK: null,
      CRED_FILE: null,
      HF_HOME: null,
      DETACH: null,
      SCRATCH: null,
      extra: null,
    },
  };
  const known = { platform: 'runpod', profile };
  const look = { podNames: ['HF_TOKEN', 'WANDB_API_KEY'] };
  expect(checkOf('pod-names', { look, known })).toMatchObject({
    answer: 'warn',
    gotcha: 'RP12',
    says: expect.stringContaining('HF_TOKEN and WANDB_API_KEY') as string,
  });
  const isSet = new Set(['HF_TOKEN']);
  const request = { env: { WANDB_API_KEY: 'x' } };
  expect(checkOf('pod-names', { look: { ...look, isSet }, request, known })).toMatchObject({
    answer: 'pass',
  });
  const secrets = ['HF_TOKEN', 'WANDB_API_KEY'];
  expect(checkOf('pod-names', { look, request: { secrets }, known })).toMatchObject({
    answer: 'pass',
  });
  expect(checkOf('pod-names', { look: LOOK, known })).toMatchObject({ answer: 'unknown' });
  expect(checkOf('pod-names', { look })).toBeNull();
});
