import { expect, it } from 'vitest';
import { checkOf } from './preflight.fixture.ts';
import { unheardIn } from './unheard.ts';

const GOES_ON: readonly (readonly [command: string, said: string])[] = [
  ['python train.py\npython eval.py', 'python train.py'],
  ['python train.py; python eval.py', 'python train.py'],
  ['python train.py --out "a b; c"\necho DONE', 'python train.py --out "a b; c"'],
  ['cd x && A=1 torchrun t.py\n# why\n\nls', 'A=1 torchrun t.py'],
  ['source a/bin/activate\nexport A=1\npip install -r r.txt\npython t.py', 'pip install -r r.txt'],
  ['python a.py \\\n  --deep\npython b.py', 'python a.py \\\n  --deep'],
  ["bash -c 'python a.py; python b.py'", 'python a.py'],
  ['tensorboard --logdir . &\npython a.py\npython b.py', 'python a.py'],
  ['python a.py | grep loss && python b.py; python c.py; ls', 'python c.py'],
];

it.each(GOES_ON)('nobody hears of a failure in %j', (command, said) => {
  expect(unheardIn(command)).toEqual({ command, said, why: 'goes-on' });
});

it.each(['python a.py 2>&1 | tee log', 'cd x && python a.py | tee -a log; ls'])(
  'nobody hears of a failure in front of tee in %j',
  (command) => {
    expect(unheardIn(command)).toMatchObject({ why: 'piped' });
  },
);

it.each([
  'python train.py',
  'python train.py;\n',
  'cd x && python train.py && python eval.py',
  'cd x\nsource .venv/bin/activate\n. ./env.sh\nexport A=1 B=2\nA="x y"\nulimit -n 9\npython train.py',
  '# one\nmkdir -p out; nvidia-smi; date\npython train.py # two; three',
  'set -e\npython train.py\npython eval.py',
  'set -euo pipefail; python a.py | tee log; python b.py',
  'set -o errexit\npython train.py\npython eval.py',
  'python train.py || exit 1\npython eval.py',
  'python train.py\ncode=$?\ncp log /x\nexit $code',
  'python - <<END\nimport a\nimport b\nEND\npython b.py',
  'for s in 1 2; do python t.py $s; done\npython b.py',
  'if python a.py; then python b.py; fi\npython c.py',
  'run() { python a.py; python b.py; }\nrun',
  '(python a.py; python b.py)\npython c.py',
  'D=$(date +%s)\npython a.py $D',
  'tensorboard --logdir . &\npython train.py',
  'python a.py &\nwait',
  'trap x EXIT\npython a.py\npython b.py',
  'yes | python a.py',
  '[ -f a ] && cp a b\npython train.py',
  '',
])('nothing is said of %j', (command) => {
  expect(unheardIn(command)).toBeNull();
});

it('is a warning, unless a text of success tells of it that the command itself does not print', () => {
  const check = (command: string, successLine: string | null = null) =>
    checkOf('unheard', { request: { command, successLine } });
  const two = 'python train.py --key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789\npython eval.py';
  expect(check(two)).toMatchObject({
    answer: 'warn',
    says: expect.stringMatching(
      /^If “python train\.py [^”]*” fails, the run goes on, and is called done if what follows works\. Put “set -e” in front, or “&&” between them\.$/,
    ) as string,
  });
  expect(check(two)?.says).not.toContain('abcdefghij');
  expect(check(two, 'trained')).toBeNull();
  expect(check('python train.py\necho DONE', 'DONE')).toMatchObject({ answer: 'warn' });
  expect(check('python train.py | tee log')?.says).toContain('set -o pipefail');
  expect(check('python train.py && python eval.py')).toBeNull();
});
