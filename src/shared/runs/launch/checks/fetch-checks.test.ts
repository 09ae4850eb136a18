import { describe, expect, it } from 'vitest';
import {
  fetchPrograms,
  judgeFetch,
  judgeFetchFailures,
  judgeFetchPlaces,
  judgeFetchPrograms,
} from './fetch-checks.ts';

const judged = (...runs: readonly string[]) =>
  judgeFetch({ fetch: runs.map((run) => ({ into: 'data', run })) });

describe('steps that fetch data', () => {
  it.each([
    ['wget https://a.example/x.tar', 'wget -c'],
    ['wget -nc https://a.example/c.tar', 'wget -c'],
    ['wget -q --no-clobber https://a.example/x', 'wget -c'],
    ['curl -fLO https://a.example/x', 'wget -c'],
    ['aws s3 cp s3://b/x . --recursive', 'aws s3 sync'],
    ['cd x && scp host:y .', 'rsync --partial'],
    ['rsync -az host:y .', 'rsync --partial'],
    ['rsync -ae sshP host:y .', 'rsync --partial'],
    ['wget -Ocat.tar https://a.example/x', 'wget -c'],
    ['wget -qnc https://a.example/x', 'wget -c'],
    ['A=b timeout 60 /usr/bin/wget -q https://a.example/x', 'wget -c'],
    ['cat urls | xargs -n 1 wget -q', 'wget -c'],
    ["bash -lc 'cd x && wget a'", 'wget -c'],
    ['x=$(curl -s a)', 'wget -c'],
    // Once the file is whole it fails, and the run that is resumed with it.
    ['curl -fL -C - -O https://a.example/x', 'wget -c'],
    ['curl -fL -C - -O a; [ -e a ] || b', '[ -e <file> ] ||'],
  ])('are a warning where %s begins anew, with the form that goes on', (run, better) => {
    const found = judged(run);
    expect(found).toMatchObject({ answer: 'warn', gotcha: 'GEN3' });
    expect(found?.says).toContain(better);
  });

  it('send nobody from one file of S3 to what takes folders, and brings nothing of a file', () => {
    const found = judged('aws s3 cp s3://b/x.tar .');
    expect(found).toMatchObject({ answer: 'warn', gotcha: 'GEN3' });
    expect(found?.says).toMatch(/begins from the start\.$/);
  });

  it.each([
    'wget -c https://a.example/x',
    'wget -qc https://a.example/x',
    'wget --continue https://a.example/x',
    'curl -L -C - -O https://a.example/x',
    '[ -e x ] || { curl -fL -C - -o y https://a.example/x && mv y x; }',
    'aws s3 sync s3://b/x .',
    'rsync -aP host:y .',
    'rsync -a --partial host:y .',
    'hf download org/model --local-dir .',
    'python fetch.py',
    'wget -cO x.tar https://a.example/x',
    'wget -nvc https://a.example/x',
    'rsync -avPh host:y .',
    'pip install wget',
    'command -v wget',
    'echo "then wget a"',
    'wget "https://a.example/x?a=1&b=2" -c',
    "wget 'https://a.example/x;y' -c",
    'wget x.example >log 2>&1 -c',
  ])('pass where %s goes on', (run) => {
    expect(judged(run)).toMatchObject({ answer: 'pass' });
  });

  it.each(['hf download org/model --local-dir .', 'aws s3 sync s3://b/x .'])(
    'pass with how far %s goes on',
    (run) => {
      expect(judged(run)?.says).toContain(`“${run}” goes on with what is not there whole.`);
    },
  );

  it('are no question where there are none, and each of them is named', () => {
    expect(judgeFetch({})).toBeNull();
    expect(judged('wget -c a', 'wget b; curl -O c')?.says).toMatch(
      /“wget b” and “curl -O c” begin/,
    );
  });
});

it('no check of downloads repeats a key', () => {
  const key = `hf_${'aB3'.repeat(12)}`;
  const fetch = [
    {
      into: 'data',
      run: `wget --header "Authorization: Bearer ${key}" a; hf download b --token ${key}; aws s3 sync s3://b/x?token=${key}/y.tar .`,
    },
  ];
  for (const told of [
    judgeFetch({ fetch }),
    judgeFetchFailures({ fetch }),
    judgeFetchPlaces({ fetch }),
  ]) {
    expect(told).toMatchObject({ answer: 'warn' });
    expect(told?.says).not.toContain(key.slice(0, 12));
    expect(told?.says).toContain('[redacted]');
  }
});

describe('a download that fails', () => {
  const judge = (run: string) => judgeFetchFailures({ fetch: [{ into: 'data', run }] });

  it.each([
    ['wget -c a; wget -c b', '“wget -c a”', '|| exit 1'],
    ['wget -c a\ntar xf a', '“wget -c a”', '|| exit 1'],
    ['wget -c a && tar xf a; rm a', '“wget -c a”', '|| exit 1'],
    ['for u in a b; do wget -c "$u"; done', '“do wget -c "$u"”', '|| exit 1'],
    ['wget -c $(cat urls); tar xf a', '“wget -c”', '|| exit 1'],
    ['wget -qO- a | tar x', '“wget -qO- a”', 'pipefail'],
    ['wget -c a & wget -c b & wait', '“wget -c a” and “wget -c b”', 'background'],
    ["bash -c 'wget -c a; tar xf a'", '“wget -c a”', '|| exit 1'],
    ['curl -LO a', '“curl -LO a”', '“-f”'],
  ])('is a warning where %j goes on all the same', (run, told, advice) => {
    expect(judge(run)).toMatchObject({ answer: 'warn' });
    expect(judge(run)?.says).toContain(`where ${told} fail`);
    expect(judge(run)?.says).toContain(advice);
  });

  it.each([
    'wget -c a',
    'wget -c a;',
    'wget -c a; # and no more; really',
    'wget -c a # first; then',
    'wget -c a && tar xf a',
    'wget -c a || wget -c b',
    'wget -c a || exit 1; tar xf a',
    'for u in a b; do wget -c "$u" || exit 1; done',
    'set -e; wget -c a; wget -c b',
    'set -euo pipefail; wget -qO- a | tar x',
    'set -o pipefail; wget -qO- a | tar x',
    'if [ ! -e a ]; then wget -c a; fi',
    '[ -e a ] || { wget -c a; }',
    '(cd x && wget -c a)',
    'wget -c a; code=$?; tar xf a; exit $code',
    'case $x in a) wget -c a;; b) wget -c b;; esac',
    "bash -c 'wget -c a'",
    'curl -fLO a',
    'curl --fail -LO a',
    'python fetch.py; ls',
  ])('is none where %j ends with it', (run) => {
    expect(judge(run)).toBeNull();
  });
});

describe('downloads that leave nothing in the folder of their step', () => {
  const judge = (run: string) => judgeFetchPlaces({ fetch: [{ into: 'data', run }] });

  it('are told, with what to write', () => {
    expect(judge('hf download org/model')).toMatchObject({
      answer: 'warn',
      says: expect.stringContaining('not into data; with “--local-dir .” it does') as string,
    });
    expect(judge('hf download org/model --local-dir .')).toBeNull();
    expect(judge('hf download org/model --cache-dir x')).toBeNull();
    for (const run of [
      'aws s3 sync s3://b/x.tar .',
      'aws --endpoint-url e s3 sync "s3://b/x.tar" .',
    ])
      expect(judge(run)?.says, run).toContain('takes folders');
    for (const run of [
      'aws s3 sync s3://b/x .',
      'aws s3 sync . s3://b/x.tar',
      'aws s3 sync s3://b.x .',
    ])
      expect(judge(run), run).toBeNull();
  });
});

describe('the programs of downloads', () => {
  const judge = (run: string, programs: Readonly<Record<string, boolean>> = {}) =>
    judgeFetchPrograms(
      { fetch: [{ into: 'data', run }] },
      { programs: new Map(Object.entries(programs)) },
    );

  it('are those that a step begins a command with', () => {
    const run =
      'echo wget; FOO=1 hf download a && sudo /usr/bin/wget -c b | tar x; bash -c "aws s3 sync a b"';
    expect(fetchPrograms({ fetch: [{ into: 'd', run }] })).toEqual(['hf', 'wget', 'aws']);
    expect(judge('python fetch.py')).toBeNull();
  });

  it('block where one is missing, unless a step may bring it along', () => {
    expect(judge('hf download a', { hf: true })).toMatchObject({ answer: 'pass' });
    expect(judge('hf download a', { hf: false })).toMatchObject({
      answer: 'block',
      says: expect.stringContaining('no hf') as string,
    });
    for (const run of [
      'pip install -U huggingface_hub\nhf download a',
      'source env/bin/activate\nhf download a',
      'if command -v hf; then hf download a; fi',
      'hf download a || python fetch.py',
      'module load hub && hf download a',
      'ml hub; hf download a',
      'spack load hub && hf download a',
      'conda activate dl && hf download a',
      'micromamba activate dl && hf download a',
      'eval "$(micromamba shell hook)"; hf download a',
      'export PATH=$HOME/bin:$PATH; hf download a',
      '. env/bin/activate && hf download a',
      "bash -c 'source env/bin/activate; hf download a'",
      'if type hf; then hf download a; else python fetch.py; fi',
      'if [ -x /usr/bin/hf ]; then hf download a; fi',
      '[ -x /usr/bin/hf ] && hf download a',
      'test -d data && exit; hf download a',
    ]) {
      expect(judge(run, { hf: false }), run).toMatchObject({ answer: 'unknown' });
    }
    for (const run of ['cd x && hf download a/if --type model', 'hf download a --include "*.bin"'])
      expect(judge(run, { hf: false }), run).toMatchObject({ answer: 'block' });
  });

  it('are not known where the box did not tell', () => {
    expect(judge('hf download a')).toMatchObject({ answer: 'unknown' });
  });
});
