import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';
import { isSecretName, REDACTED, redactText } from '../../shared/secrets/redact-text.ts';

// Made up, in the shapes that the real ones have; joined, so that no scanner takes this file for a leak.
const HEX40 = '0123456789abcdef0123456789abcdef01234567';
const HEX64 = `${HEX40}89abcdef0123456789abcdef`;
const ALNUM40 = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d';
const KEY = (type: string): string =>
  `-----BEGIN ${type}PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAAB3NzaC1yc2EA\n-----END ${type}PRIVATE KEY-----`;

describe('redactText', () => {
  it.each<[string, string]>([
    // keys
    [KEY('OPENSSH '), REDACTED],
    [KEY('RSA '), REDACTED],
    [KEY(''), REDACTED],
    [KEY('ENCRYPTED '), REDACTED],
    [`before\n${KEY('EC ')}\nafter`, `before\n${REDACTED}\nafter`],
    [`${KEY('RSA ')} and ${KEY('')}`, `${REDACTED} and ${REDACTED}`],
    [JSON.stringify(KEY('OPENSSH ')), `"${REDACTED}"`],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAA', REDACTED],
    [
      '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----',
      REDACTED,
    ],
    [
      '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAA\n---- END SSH2 ENCRYPTED PRIVATE KEY ----',
      REDACTED,
    ],
    ['Private-Lines: 1\nAAAAgQCs\nPrivate-MAC: 12', `${REDACTED}Private-MAC: 12`],
    // names
    ['password=hunter2', `password=${REDACTED}`],
    ['PASSWORD = hunter2', `PASSWORD = ${REDACTED}`],
    ['password: hunter2', `password: ${REDACTED}`],
    ['password="two words"', `password=${REDACTED}`],
    ["password='two words' next", `password=${REDACTED} next`],
    ['password="with \\" quote" next', `password=${REDACTED} next`],
    ['password=a,b;c}d)e next', `password=${REDACTED} next`],
    ['{"password":"x y","port":22}', `{"password":${REDACTED},"port":22}`],
    [
      '{"detail":"{\\"token\\":\\"abc def\\",\\"n\\":1}"}',
      `{"detail":"{\\"token\\":${REDACTED},\\"n\\":1}"}`,
    ],
    ['passphrase: correct horse', `passphrase: ${REDACTED} horse`],
    ['root_password=x1', `root_password=${REDACTED}`],
    [`WANDB_API_KEY=${HEX40}`, `WANDB_API_KEY=${REDACTED}`],
    [`export VAST_API_KEY=${HEX64}`, `export VAST_API_KEY=${REDACTED}`],
    ['HF_TOKEN=abc', `HF_TOKEN=${REDACTED}`],
    ['JUPYTER_TOKEN: 0f1e2d', `JUPYTER_TOKEN: ${REDACTED}`],
    ['aws_secret_access_key = wJalrXUt/K7MDENG+b', `aws_secret_access_key = ${REDACTED}`],
    ['apiKey: "k"', `apiKey: ${REDACTED}`],
    ['client.secret=abc', `client.secret=${REDACTED}`],
    ['X-Api-Key: abc', `X-Api-Key: ${REDACTED}`],
    [
      'http://127.0.0.1:8888/lab?token=abc123&x=1',
      `http://127.0.0.1:8888/lab?token=${REDACTED}&x=1`,
    ],
    ['https://api.example/v0/?api_key=abc', `https://api.example/v0/?api_key=${REDACTED}`],
    ['mysql --password hunter2 -h x', `mysql --password ${REDACTED} -h x`],
    ['tool --api-key=abc', `tool --api-key=${REDACTED}`],
    ['tool --hf-token abc', `tool --hf-token ${REDACTED}`],
    ['//registry.example/:_authToken=abc', `//registry.example/:_authToken=${REDACTED}`],
    [
      `machine api.wandb.ai\n  login user\n  password ${HEX40}`,
      `machine api.wandb.ai\n  login user\n  password ${REDACTED}`,
    ],
    [`wandb login ${HEX40}`, `wandb login ${REDACTED}`],
    [`wandb login --relogin ${HEX40}`, `wandb login --relogin ${REDACTED}`],
    // headers
    ['Authorization: Bearer abc.def', `Authorization: ${REDACTED}`],
    ['Authorization: Basic dXNlcjpwYXNz', `Authorization: ${REDACTED}`],
    ['authorization: raw-token', `authorization: ${REDACTED}`],
    ['{"Authorization":"Bearer abc"}', `{"Authorization":"${REDACTED}"}`],
    ['curl -H "Authorization: Bearer abc" x', `curl -H "Authorization: ${REDACTED}" x`],
    ['sent Bearer a1b2c3d4e5f6', `sent Bearer ${REDACTED}`],
    ['Cookie: a=b; c=d', `Cookie: ${REDACTED}`],
    ['Set-Cookie: session=1; Path=/\nnext', `Set-Cookie: ${REDACTED}\nnext`],
    // shapes
    [`use hf_${ALNUM40} now`, `use ${REDACTED} now`],
    [`sk-${ALNUM40}`, REDACTED],
    [`sk-proj-${ALNUM40}-x_y`, REDACTED],
    [`sk-ant-api03-${ALNUM40}`, REDACTED],
    [`ghp_${ALNUM40}`, REDACTED],
    [`github_pat_${ALNUM40}`, REDACTED],
    [`glpat-${ALNUM40}`, REDACTED],
    ['AKIAIOSFODNN7EXAMPLE', REDACTED],
    [`rpa_${ALNUM40}`, REDACTED],
    [`wb_at_${ALNUM40}`, REDACTED],
    [`npm_${ALNUM40.slice(0, 36)}`, REDACTED],
    [`pypi-${ALNUM40}${ALNUM40}`, REDACTED],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_', REDACTED],
    [`sk_live_${ALNUM40}`, REDACTED],
    [`r8_${ALNUM40}`, REDACTED],
    [`gsk_${ALNUM40}`, REDACTED],
    [`ya29.${ALNUM40}`, REDACTED],
    [`dckr_pat_${ALNUM40}`, REDACTED],
    [`dop_v1_${HEX64}`, REDACTED],
    [`tskey-auth-${ALNUM40}`, REDACTED],
    [`AGE-SECRET-KEY-1${ALNUM40.toUpperCase()}`, REDACTED],
    [`bot 123456789:${ALNUM40.slice(0, 35)}`, `bot ${REDACTED}`],
    [`AccountKey=${ALNUM40}==`, `AccountKey=${REDACTED}`],
    [`--wandb_api_key ${HEX40} --lr 1`, `--wandb_api_key ${REDACTED} --lr 1`],
    // URLs
    [
      `https://hooks.slack.com/services/T0/B0/${ALNUM40}`,
      `https://hooks.slack.com/services/${REDACTED}`,
    ],
    [
      `https://discord.com/api/webhooks/1234/${ALNUM40}`,
      `https://discord.com/api/webhooks/1234/${REDACTED}`,
    ],
    ['https://b.example/x?sig=aB3%3D&sv=2', `https://b.example/x?sig=${REDACTED}&sv=2`],
    ['https://user:pa55@host/x', `https://user:${REDACTED}@host/x`],
    ['https://user:p@ss@host/x', `https://user:${REDACTED}@host/x`],
    ['http://:pa55@proxy:3128', `http://:${REDACTED}@proxy:3128`],
    [`https://${ALNUM40}@git.example/x.git`, `https://${REDACTED}@git.example/x.git`],
    ['postgres+ssl://u:p@db', `postgres+ssl://u:${REDACTED}@db`],
  ])('takes the secret out of %j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it.each([
    'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDLVYSpBpPzHBv8xqY',
    'host key ssh-ed25519 SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA changed',
    'AAAAC3NzaC1lZDI1NTE5AAAAIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC',
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    `commit ${HEX40}`,
    `sha256 ${HEX64}  model.safetensors`,
    'GPU-8f3b2a1c-5d6e-7f80-91a2-b3c4d5e6f708',
    '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
    'task-runner-and-other-long-words-that-go-on',
    'risk-assessment-model-training-pipeline',
    'hf_transfer and hf_hub_download are functions',
    'ghp_short',
    'step 12345678:9 of 10',
    'task-key-of-a-long-name, desk_live_view',
    'max_tokens=512 tokens_per_sec: 1200 n_tokens = 3',
    'tokenizer: LlamaTokenizer, tokens: 4096',
    'pad_token=<pad> eos_token: </s> tokenizer.bos_token="<s>" mask_token=x',
    'password authentication failed for user',
    'Permission denied (publickey,password).',
    'bearer authentication failed',
    'wandb login failed',
    'secretary: Ann, passwordless: yes',
    'ssh://root@203.0.113.5:22001/path@x',
    'ssh root@203.0.113.5 -p 22001 -i ~/.ssh/id_ed25519',
    'git@github.com:owner/repo.git',
    'http://127.0.0.1:6006/data/plugin/scalars?run=a&tag=loss@1',
    'https://host:8443/a@b',
    'time=12:30:45 key=value public_key: abc host-key: x keyboard=us',
    '  0  gpu 97 12 0 0 45 - 310 1980',
    'author: A. Token-Ring <a@b.example>',
    '--no-token-check --tokenizer x --password-stdin',
    '--pad_token x --eos_token </s> --api_key_file x',
    'AKIASHORT',
    'eyJ.not.token',
  ])('leaves %j as it is', (text) => {
    expect(redactText(text)).toBe(text);
  });

  // Each would take minutes or more with a pattern that tries every beginning against every end.
  it.each([
    ['a name without end', 'a'.repeat(200_000)],
    ['dotted names', 'a.'.repeat(100_000)],
    ['dashes', '-'.repeat(200_000)],
    ['flags', '--a'.repeat(70_000)],
    ['flags with underscores', `--${'a_'.repeat(100_000)}`],
    ['key beginnings', '-----BEGIN '.repeat(20_000)],
    ['open keys', '-----BEGIN PRIVATE KEY-----'.repeat(8_000)],
    ['schemes', 'a://'.repeat(50_000)],
    ['schemes with users', 'a://b:'.repeat(35_000)],
    ['spaces after a name', `password${' '.repeat(200_000)}x`],
    ['quotes', `password="${'\\'.repeat(200_001)}`],
    ['names', 'token'.repeat(40_000)],
    ['token dots', 'eyJaaaaaaaa.'.repeat(17_000)],
    ['vocabulary', 'pad_token.'.repeat(20_000)],
    ['machines', 'machine a login b '.repeat(11_000)],
    ['wandb flags', `wandb login ${'--a '.repeat(50_000)}`],
    ['bearers', 'bearer '.repeat(28_000)],
  ])('stays linear on %s', (_what, text) => {
    expect(redactText(text).length).toBeGreaterThan(0);
  });
});

describe('isSecretName', () => {
  it.each([
    'password',
    'Password',
    'rootPassword',
    'jupyter_token',
    'apiKey',
    'api-key',
    'X-Api-Key',
    'passphrase',
    'clientSecret',
    'privateKey',
    'Authorization',
    'cookie',
    'credentials',
    'aws_secret_access_key',
  ])('is %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    'tokens',
    'maxTokens',
    'tokenCount',
    'publicKey',
    'hostKey',
    'key',
    'fingerprint',
    'pad_token',
    'secretary',
    'author',
    'passwordLength',
  ])('is not %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('createRedactor', () => {
  it('replaces registered values wherever they stand, in the forms in which they travel', () => {
    const { register, redact } = createRedactor();
    const secret = 'p4ss wörd/"x"+1';
    expect(redact(`a ${secret} b`)).toBe(`a ${secret} b`);
    register(secret);
    expect(redact(`a ${secret} b${secret}`)).toBe(`a ${REDACTED} b${REDACTED}`);
    expect(redact(JSON.stringify({ a: secret }))).toBe(`{"a":"${REDACTED}"}`);
    expect(redact(`?x=${encodeURIComponent(secret)}`)).toBe(`?x=${REDACTED}`);
    expect(redact(Buffer.from(secret).toString('base64'))).toMatch(/^\[redacted\]=*$/);
  });

  it('takes characters that mean something in a pattern as they are', () => {
    const { register, redact } = createRedactor();
    register('a.b*c+(d)[e]{2}|^$\\/-');
    expect(redact('x a.b*c+(d)[e]{2}|^$\\/- y')).toBe(`x ${REDACTED} y`);
    expect(redact('aXbbbc')).toBe('aXbbbc');
  });

  it('replaces the longer of two that overlap, in whatever order they came', () => {
    const { register, redact } = createRedactor();
    register('secret1');
    register('secret1-and-more');
    expect(redact('x secret1-and-more y secret1')).toBe(`x ${REDACTED} y ${REDACTED}`);
  });

  it('ignores values that are too short to be told from ordinary words, and half a character', () => {
    const { register, redact } = createRedactor();
    register('root');
    register('');
    register('half a pair \ud800');
    expect(redact('root logs in')).toBe('root logs in');
  });
});
