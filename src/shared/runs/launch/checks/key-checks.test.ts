import { expect, it } from 'vitest';
import { REQUEST } from '../preflight.fixture.ts';
import type { RunRequest } from '../run-request.ts';
import { holdsKey, judgeCellKeys, judgeKeys } from './key-checks.ts';

const NOW_MS = Date.parse('2024-05-06T12:00:00Z');
const KEY = `hf_${'aB3'.repeat(12)}`;
const judge = (more: Partial<RunRequest>) => judgeKeys({ ...REQUEST, ...more }, NOW_MS);
const fetching = (run: string) => ({ fetch: [{ into: 'data', run }], secrets: ['HF_TOKEN'] });

it.each([
  [{ command: `python x.py --token ${KEY}` }, 'The command holds'],
  [{ name: `token=${KEY}` }, 'The name holds'],
  [{ rehearsal: `HF_TOKEN=${KEY} pytest` }, '“rehearsal” holds'],
  [{ activate: `export HF_TOKEN=${KEY}` }, '“activate” holds'],
  [{ env: { HF_TOKEN: KEY } }, 'HF_TOKEN holds'],
  [fetching(`hf download a --token ${KEY}`), 'The download into data holds'],
])('blocks a key in %j, and does not repeat it (U34)', (more: Partial<RunRequest>, says) => {
  const judged = judge(more);
  expect(judged).toMatchObject({ answer: 'block', gotcha: 'U34' });
  expect(judged?.says).toContain(says);
  expect(JSON.stringify(judged)).not.toContain(KEY);
});

it.each(['wget -c --header="Authorization: Bearer $HF_TOKEN" x', 'curl -fH "A: ${HF_TOKEN}" x'])(
  'warns of a secret that the words of a program show: %s',
  (run) => {
    expect(judge(fetching(run))).toMatchObject({ answer: 'warn', gotcha: 'U34' });
  },
);

// Joined, so that no scanner takes this file for a leak.
const AWS_ID = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');

it.each([';', '|', ',', ')'])('warns of a signed address that ends at %s', (sign) => {
  const command = `wget https://h/f?se=2024-05-07\\&sig=${SIG}${sign}python x`;
  expect(judge({ command })).toMatchObject({ answer: 'warn' });
});

it('warns of an address that is signed for a time, and shows none of it', () => {
  const at = `https://b.example/x.tar?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${AWS_ID}%2F20240506%2Fus-east-1&X-Amz-Security-Token=${'aB3'.repeat(20)}&X-Amz-Signature=${'0a1'.repeat(21)}`;
  const told = judge(fetching(`wget -c '${at}'`));
  expect(told).toMatchObject({ answer: 'warn', gotcha: 'U34' });
  expect(told?.says).toContain('The download into data has a signed address');
  expect(told?.says).not.toContain('0a10a1');
  const beside = judge(fetching(`wget -c '${at}' --header "Authorization: Bearer ${KEY}"`));
  expect(beside).toMatchObject({ answer: 'block' });
});

const HEX40 = '3f9a1c07be42d85f6a0913ce7d24b8f01a6c5e93';
/** As CloudFront has it in an address. */
const policyUntil = (seconds: number) =>
  btoa(`{"Statement":[{"Condition":{"DateLessThan":{"AWS:EpochTime":${String(seconds)}}}}]}`)
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~');
const SIG = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d%2BeF4%3D';
it.each([
  `https://a.blob.core.example/c/x.tar?sv=2022-11-02&st=2024-05-06T00%3A00%3A00Z&se=2024-05-07T00%3A00%3A00Z&sr=b&sp=r&sig=${SIG}`,
  `https://d1.example/x.tar?Expires=1715000000&Signature=${SIG}&Key-Pair-Id=APKAIOSFODNN7EXAMPLE`,
  `https://d1.example/x.tar?Policy=${policyUntil(1715000000)}&Signature=${SIG}&Key-Pair-Id=APKAIOSFODNN7EXAMPLE`,
  `https://g.example/b/x.tar?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=me%40p.iam.example&X-Goog-Date=20240506T000000Z&X-Goog-Expires=900&X-Goog-SignedHeaders=host&X-Goog-Signature=${'0a1b'.repeat(64)}`,
  `https://b.example/x.tar?AWSAccessKeyId=${AWS_ID}&Expires=1715000000&Signature=${SIG}`,
  `https://c.example/x.tar?q-sign-algorithm=sha1&q-sign-time=1715000000%3B1715003600&q-signature=${'0a1b'.repeat(10)}`,
  `https://o.example/x.tar?OSSAccessKeyId=LTAI5tExample0123456789A&Expires=1715000000&Signature=${SIG}`,
])('warns of an address that is signed for a time as other stores do it: %s', (at) => {
  const told = judge(fetching(`wget -c '${at}'`));
  expect(told).toMatchObject({ answer: 'warn', gotcha: 'U34' });
  expect(told?.says).toContain('The download into data has a signed address');
});

it.each([
  `wget -c 'https://a.blob.core.example/c/x.tar?sv=2022-11-02&sr=b&sig=${SIG.slice(0, 40)}'`,
  `wget -c 'https://d1.example/x.tar?Expires=1715000000&Signature=${SIG}&api_key=3f9a1c07be42d85f'`,
  `azcopy copy x --sas-token '?se=2024-05-07&sig=${SIG.slice(0, 40)}'`,
  // As stores write them, with percent signs, also broken ones, and in the place where an address has none.
  `wget 'https://a.blob.core.example/c/x.tar?sv=2022-11-02&si=pol&sig=${SIG}'`,
  `wget 'https://b.example/x.tar?AWSAccessKeyId=x&Signature=aB3dE5fG7h%2FkL1mN3pQ5rS7tU9v%3D'`,
  `wget https://a.blob.core.example/c/x.tar?sig=${SIG}\\&sv=2022-11-02`,
  `wget 'https://b.example/x.tar?sig=${SIG}&x=%E0%A4%A%'`,
  `AZURE_STORAGE_SAS_TOKEN=sv=2022-11-02&sig=${SIG} azcopy copy x`,
  `AZURE_STORAGE_SAS_TOKEN=sig=${SIG}&sv=2022-11-02 azcopy copy x`,
  `azcopy copy x '?sv=2022-11-02&se=2024-05-07&sig=${SIG}'`,
  // What follows an address in the shell is no part of it.
  ...[';', '|', ',', ')', '&&', '\\;'].map(
    (sign) => `wget https://h/f?se=2024-05-07\\&sig=${SIG}${sign}WANDB_API_KEY=${HEX40} python x`,
  ),
  // Signed for years, or until nobody knows when.
  `wget 'https://h/f?sv=2022-11-02&ss=b&srt=sco&se=2099-01-01T00:00:00Z&sig=${SIG}'`,
  `wget 'https://h/f?se=2024-05-07&se=2099-01-01&sig=${SIG}'`,
  `wget 'https://h/f?se=soon&sig=${SIG}'`,
  `wget 'https://h/f?Expires=4070908800&Signature=${SIG}'`,
  `wget 'https://h/f?Policy=${policyUntil(4070908800)}&Signature=${SIG}'`,
  `wget 'https://h/f?Policy=eyJTdGF0ZW1lbnQiOlt7&Signature=${SIG}'`,
  `wget 'https://h/f?q-sign-time=1715000000;4070908800&q-signature=${'0a1b'.repeat(10)}'`,
])('blocks a signature without an end, and a key beside one: %s', (run) => {
  expect(judge(fetching(run))).toMatchObject({ answer: 'block', gotcha: 'U34' });
});

const RANDOM = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d';
it.each([
  `python x.py --key sk-ant-api03-${RANDOM}-${RANDOM}`,
  `python x.py --key sk-proj-${RANDOM}_${RANDOM}`,
  `python x.py --key sk-or-v1-${HEX40}${HEX40.slice(0, 24)}`,
  `python x.py --key sk-${RANDOM}`,
  `x --token ghp_${RANDOM.slice(0, 36)}`,
  `x ${AWS_ID}`,
  `WANDB_API_KEY=${HEX40} python x.py`,
  `wandb login ${HEX40}`,
  `x --api_key ${HEX40.slice(0, 32)}`,
  `x --api_key ${HEX40.slice(0, 16)}`,
  'x --token 7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
  'x --totp-secret JBSWY3DPEHPK3PXP',
  `x --aws-secret-access-key ${['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY1'].join('/')}`,
  'wget https://me:hunter2@h/x',
  "wget https://me:'hunter2'@h/x",
])('blocks a real key: %s', (command) => {
  expect(judge({ command })).toMatchObject({ answer: 'block' });
});

it.each([
  'python x.py --resume_token run_2024-05-06_12-13-14_abcd1234',
  'python x.py --exp sk-proj-ablation-lr-1e4-bs32',
  'python x.py --draft_token=meta-llama-3.1-8B-Instruct-v2',
  'python x.py --trigger_token=sksdog0001photo01x',
  'GOOGLE_APPLICATION_CREDENTIALS=gcp-key-12345678901abc.json python x.py',
  "wget https://x:'$TOK'@h/y",
  'wget https://x:"$TOK"@h/y',
])('blocks nothing that only looks like one: %s', (command) => {
  expect(judge({ command })).toBeNull();
});

it.each([
  { env: { CUDA_VISIBLE_DEVICES: '0', WANDB_PROJECT: 'a-b-c' } },
  { command: 'python x.py --token "$HF_TOKEN"', secrets: ['HF_TOKEN'] },
  fetching('hf download a'),
  fetching('printf %s "$HF_TOKEN" | hf auth login --token -; hf download a'),
  fetching("wget -c '$HF_TOKEN'"),
  fetching('wget -c $HF_TOKENIZER'),
])('has nothing to say of %j', (more: Partial<RunRequest>) => {
  expect(judge(more)).toBeNull();
});

it('blocks a key in any cell of a queue, names the first that have one, and does not repeat it (U34)', () => {
  const cell = (name: string, command: string, isCommented = false) => ({
    ...{ name, command, isCommented },
  });
  const judgeAll = (...cells: ReturnType<typeof cell>[]) =>
    judgeCellKeys(cells.filter((each) => holdsKey(each, NOW_MS)));
  const shown = `python x.py --token ${KEY}`;
  const [told, ...more] = judgeAll(
    cell('a', 'python x.py'),
    cell('b', shown),
    cell(`token=${KEY}`, 'python x.py'),
    cell('d', shown, true),
    cell('e', shown),
  );
  expect(more).toEqual([]);
  expect(told).toMatchObject({ id: 'cell-keys', answer: 'block', gotcha: 'U34' });
  expect(told?.says).toContain('Cells “b”, “token=[redacted]” and 2 more hold');
  expect(JSON.stringify(told)).not.toContain(KEY.slice(0, 12));
  expect(judgeAll(cell('b', shown))[0]?.says).toContain('Cell “b” holds');
  expect(judgeAll(cell('a', 'python x.py --lr 1'))).toEqual([]);
});
