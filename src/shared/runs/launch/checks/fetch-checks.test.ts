import { describe, expect, it } from 'vitest';
import { fetchPrograms, judgeFetch, judgeFetchPrograms } from './fetch-checks.ts';

const judged = (...runs: readonly string[]) =>
  judgeFetch({ fetch: runs.map((run) => ({ into: 'data', run })) });

describe('steps that fetch data', () => {
  it.each([
    ['wget https://a.example/x.tar', 'wget -c'],
    ['wget -nc https://a.example/c.tar', 'wget -c'],
    ['wget -q --no-clobber https://a.example/x', 'wget -c'],
    ['curl -fLO https://a.example/x', 'curl -C -'],
    ['aws s3 cp s3://b/x . --recursive', 'aws s3 sync'],
    ['cd x && scp host:y .', 'rsync --partial'],
    ['rsync -az host:y .', 'rsync --partial'],
    ['rsync -ae sshP host:y .', 'rsync --partial'],
    ['wget -Ocat.tar https://a.example/x', 'wget -c'],
    ['wget -qnc https://a.example/x', 'wget -c'],
    ['A=b timeout 60 /usr/bin/wget -q https://a.example/x', 'wget -c'],
    ['cat urls | xargs -n 1 wget -q', 'wget -c'],
    ["bash -lc 'cd x && wget a'", 'wget -c'],
    ['x=$(curl -s a)', 'curl -C -'],
  ])('are a warning where %s begins anew, with the form that goes on', (run, better) => {
    const found = judged(run);
    expect(found).toMatchObject({ answer: 'warn', gotcha: 'GEN3' });
    expect(found?.says).toContain(better);
  });

  it.each([
    'wget -c https://a.example/x',
    'wget -qc https://a.example/x',
    'wget --continue https://a.example/x',
    'curl -L -C - -O https://a.example/x',
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

  it('are no question where there are none, and each of them is named', () => {
    expect(judgeFetch({})).toBeNull();
    expect(judged('wget -c a', 'wget b; curl -O c')?.says).toMatch(
      /“wget b” and “curl -O c” begin/,
    );
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
