// Boxes that look forgotten, runs that a lost connection would end, what a command tells everybody, and disks that are wiped.
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunBox } from '../runs/run-box.ts';
import type { LookIncident } from '../runs/run-incident.ts';
import { at, endsSaying, HOUR_S, nothing, says, TRAINS, WAITS } from './words.ts';

const idleFor = (hours: number) => ({ remembered: { workedAgoMs: hours * HOUR_S * 1000 } });

/** CPU time that the box's own group has used so far. */
const usesCpu = (box: RunBox, seconds: number): void =>
  box.tells('cgroup/cpu.stat', `usage_usec ${String(seconds * 1e6)}\n`);

const forgottenBoxes: readonly LookIncident[] = [
  {
    id: 'GEN1',
    label: 'found',
    what: 'training ended last night, and the image’s notebook server is still there',
    also: ['U3'],
    ...idleFor(13),
    run: WAITS,
    happens: async (box) => {
      await endsSaying()(box);
      await box.startBeside(
        `exec >"$PWD/jupyter.log" 2>&1; exec bash -c 'exec -a jupyter-lab sleep 1000'`,
      );
    },
  },
  {
    id: 'GEN1',
    label: 'found',
    what: 'it ended as it should, three hours ago, and only a shell is open',
    ...idleFor(3),
    run: { script: 'echo "epoch 9"; wait_here; touch "$work/run.done"' },
    happens: async (box) => {
      usesCpu(box, 9001);
      await box.goOnToItsEnd();
      await box.startBeside('exec sleep 1000');
    },
  },
  {
    id: 'GEN1',
    label: 'clear',
    what: 'a long lunch: it ended an hour and a half ago',
    also: ['U3'],
    ...idleFor(1.5),
    run: WAITS,
    happens: endsSaying(),
  },
  {
    id: 'GEN1',
    label: 'clear',
    what: 'the next run has begun, after a night',
    also: ['U3'],
    ...idleFor(11),
    run: WAITS,
    happens: async (box) => {
      await endsSaying()(box);
      await box.startBeside('exec >"$PWD/next.log" 2>&1; echo begins; sleep 600; :');
    },
  },
  {
    id: 'GEN1',
    label: 'clear',
    what: 'for five hours a data set is made, and says so on the terminal',
    also: ['U3'],
    ...idleFor(5),
    prepare: (box) => usesCpu(box, 9000),
    run: WAITS,
    happens: async (box) => {
      usesCpu(box, 9000 + 300 * 7);
      await endsSaying()(box);
      await box.startBeside('exec sleep 1000');
    },
  },
];

/** The incident's own run is one that stays; what it starts hears the hang-up again. */
const below = (login: string, keeper: string, inner = 'sh'): string =>
  `trap '' HUP; cp "$(command -v bash)" "$work/${login}"; cp "$(command -v bash)" "$work/${keeper}"; ` +
  `env --default-signal=HUP "$work/${login}" -c '"$work/${keeper}" -c "${inner} -c \\"echo begins; sleep 600; :\\" >\\"$work/inner.log\\" 2>&1; :"; :' & ${TRAINS}`;

const onTerminal = (script: string): LookIncident['run'] => ({ how: 'terminal', script });

const loginShells: readonly LookIncident[] = [
  {
    id: 'GEN2',
    label: 'found',
    what: 'in the foreground of a login, where sessions have their own program',
    agedS: HOUR_S,
    run: onTerminal(below('sshd-session', 'zsh')),
    happens: nothing,
  },
  {
    id: 'GEN2',
    label: 'found',
    what: 'below the small SSH server of an image, by a script',
    agedS: HOUR_S,
    run: onTerminal(below('dropbear', 'run-all')),
    happens: nothing,
  },
  {
    id: 'GEN2',
    label: 'clear',
    what: 'with nohup below a login',
    agedS: HOUR_S,
    run: onTerminal(below('sshd', 'bash', 'nohup sh')),
    happens: nothing,
  },
  {
    id: 'GEN2',
    label: 'clear',
    what: 'in tmux, which somebody started in a login',
    agedS: HOUR_S,
    run: onTerminal(below('sshd', 'tmux')),
    happens: nothing,
  },
  {
    id: 'GEN2',
    label: 'clear',
    what: 'somebody tries it out for a moment in a login',
    run: onTerminal(below('sshd', 'bash')),
    happens: nothing,
  },
  {
    id: 'GEN2',
    label: 'unknown',
    what: 'in the terminal of a notebook server',
    agedS: HOUR_S,
    run: onTerminal(below('jupyter-lab', 'bash')),
    happens: nothing,
  },
];

const hex = (count: number): string => 'a1b2c3d4e5'.repeat(count);
const started = (command: string): LookIncident['run'] => ({ script: `: ${command}; ${TRAINS}` });
const commands = (
  label: 'found' | 'clear',
  stories: Readonly<Record<string, string>>,
): readonly LookIncident[] =>
  Object.entries(stories).map(([what, command]) => ({
    id: 'U34',
    label,
    what,
    run: started(command),
    happens: nothing,
  }));

const commandLines: readonly LookIncident[] = [
  ...commands('found', {
    'a tracker’s key in front of the command': `env WANDB_API_KEY=${hex(4)} python train.py`,
    'a tracker’s key as an option of the script': `python train.py --wandb_api_key ${hex(4)}`,
    'a hub’s token as an option': `python get.py --token ${['hf', 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z'].join('_')}`,
    'a login that was put into the script': `wandb login ${hex(4)}`,
    'the password of the sweep’s database':
      'python sweep.py --storage postgresql://optuna:Kiefer7@10.0.0.4/sweeps',
    'a password as an option': "python push.py --user anna --password 'Kiefer7-Wald'",
    'the key of a bucket, with a slash in it': `rclone sync out s3:b --s3-secret-access-key ${'aB3/x'.repeat(8)}`,
    'a header with a bearer': `curl -H 'Authorization: Bearer ${hex(5)}' https://files.example/weights`,
    'the signed address of a bucket': `curl 'https://b.example/w.pt?X-Amz-Expires=600&X-Amz-Signature=${hex(6)}'`,
  }),
  ...commands('clear', {
    'a token by a variable': `python get.py --token '$HF_TOKEN' --api-key '\${OPENAI_API_KEY}'`,
    'files in which keys lie':
      'python get.py --token-file /root/.hf/token-2024 --password-file=/run/secrets/db1password2',
    'words that a model learns':
      'python dreambooth.py --placeholder_token my_concept_style_v2 --instance_token photo_of_sks_dog_01',
    'tokens of a vocabulary':
      "python sft.py --max_tokens 4096 --pad_token '<|reserved_special_token_250|>' --num_tokens=1000000000",
    'the hash of a commit, and that of data': `python train.py --revision ${hex(4)} --data-sha256 ${hex(6)}abcd`,
    'an image of a container by its digest': `apptainer exec docker://ubuntu:22.04@sha256:${hex(6)}abcd python train.py`,
    'a login that asks': 'python push.py --user anna --password prompt --use-password true',
    'where ranks meet':
      'torchrun --rdzv_endpoint tcp://10.0.0.4:29500 --rdzv_id 8f1c2d3e4f5a6b7c train.py',
    'a database without a password':
      'python sweep.py --storage postgresql://optuna@10.0.0.4/sweeps --notify anna@example.org',
  }),
];

const CKPT = 'head -c 9000 /dev/zero >step-1.pt';
const savesIn = (folder: string): LookIncident['run'] => ({
  folder,
  script: `mkdir -p ${folder}; cd ${folder}; ${CKPT}; ${TRAINS}`,
});

const lastingDisks: readonly LookIncident[] = [
  {
    id: 'CN1',
    label: 'found',
    what: 'the netdisk is there, and it saves in /root/out',
    platform: 'gpushare',
    mounts: { disks: [{ path: '/hy-netdisk', size: { kib: 65_536 } }] },
    run: savesIn('/root/out'),
    happens: nothing,
  },
  {
    id: 'CN1',
    label: 'found',
    what: 'of a server that is returned, outside of what its owner keeps',
    platform: 'featurize',
    mounts: { disks: [{ path: '/home/featurize', size: { kib: 65_536 } }] },
    run: savesIn('/opt/work/out'),
    happens: nothing,
  },
  {
    id: 'CN1',
    label: 'clear',
    what: 'on the netdisk',
    platform: 'gpushare',
    mounts: { disks: [{ path: '/hy-netdisk', size: { kib: 65_536 } }] },
    run: savesIn('/hy-netdisk/out'),
    happens: nothing,
  },
  {
    id: 'CN1',
    label: 'clear',
    what: 'below /mnt, where the disk of the account is',
    platform: 'matpool',
    mounts: { disks: [{ path: '/mnt', size: { kib: 65_536 } }] },
    run: savesIn('/mnt/out'),
    happens: nothing,
  },
  {
    id: 'CN1',
    label: 'clear',
    what: 'the weights it began with lie beside its code since yesterday, and nothing is saved there',
    platform: 'gpushare',
    run: WAITS,
    happens: at((box) => {
      const file = join(box.work, 'model.safetensors');
      writeFileSync(file, 'weights');
      const yesterday = Date.now() / 1000 - 24 * HOUR_S;
      utimesSync(file, yesterday, yesterday);
    }),
  },
  {
    id: 'CN1',
    label: 'unknown',
    what: 'what was written cannot be looked for',
    platform: 'gpushare',
    run: WAITS,
    happens: at((box) => box.doesNotReturn('find', 'work')),
  },
  {
    id: 'CN1',
    label: 'clear',
    what: 'figures for TensorBoard, and no checkpoint',
    platform: 'lanrui',
    run: WAITS,
    happens: at((box) => writeFileSync(join(box.work, 'events.out.tfevents.1.box'), 'figures')),
  },
];

const MIRROR = 'https://hf-mirror.com/meta/llama/resolve/main/model-00007-of-00030.safetensors';
const XET = "HTTPSConnectionPool(host='cas-bridge.xethub.hf.co', port=443): Read timed out.";
const raised = (last: string): readonly string[] => [
  'Traceback (most recent call last):',
  '  File "get.py", line 8, in <module>',
  '    snapshot_download(name)',
  last,
];

const downloads: readonly LookIncident[] = [
  {
    id: 'AD2',
    label: 'found',
    what: 'a large shard never came through the mirror',
    also: ['U3', 'AD1'],
    platform: 'autodl',
    run: WAITS,
    happens: endsSaying(
      ...raised(
        "requests.exceptions.ReadTimeout: (ReadTimeoutError(\"HTTPSConnectionPool(host='hf-mirror.com', port=443): Read timed out. (read timeout=10)\"), '(Request ID: 1f)')",
      ),
    ),
  },
  {
    id: 'AD2',
    label: 'found',
    what: 'the other backend gave up',
    also: ['U3', 'AD1'],
    platform: 'autodl',
    run: WAITS,
    happens: endsSaying(
      ...raised(
        'RuntimeError: Data processing error: CAS service error : Reqwest Error: error sending request for url (https://cas-server.xethub.hf.co/reconstruction/9a)',
      ),
    ),
  },
  {
    id: 'AD2',
    label: 'found',
    what: 'it tries again, and stands at 12 % of a shard',
    platform: 'autodl',
    run: WAITS,
    happens: says(
      'model-00007-of-00030.safetensors:  12%|█▏        | 592M/4.98G [08:11<1:00:42, 1.20MB/s]',
      `Error while downloading from ${MIRROR}: ${XET}`,
      'Trying to resume download...',
    ),
  },
  {
    id: 'AD2',
    label: 'unknown',
    what: 'the run goes on, and its log is on a server that went away',
    platform: 'autodl',
    run: WAITS,
    happens: at((box) => box.doesNotReturn('tail', 'fd/1')),
  },
  {
    id: 'AD2',
    label: 'clear',
    what: 'a stall that it came over: the download is done, and it trains',
    platform: 'autodl',
    run: WAITS,
    happens: says(
      `Error while downloading from ${MIRROR}: ${XET}`,
      'Trying to resume download...',
      'model-00007-of-00030.safetensors: 100%|██████████| 4.98G/4.98G [31:02<00:00, 2.67MB/s]',
      ...Array.from({ length: 9 }, (_none, i) => `step ${String(i)} loss 2.${String(i)}`),
    ),
  },
  {
    id: 'AD2',
    label: 'clear',
    what: 'the mirror answers, and has had enough',
    also: ['U3', 'AD1'],
    platform: 'autodl',
    run: WAITS,
    happens: endsSaying(
      ...raised(
        'requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://hf-mirror.com/api/models/meta/llama',
      ),
    ),
  },
  {
    id: 'AD2',
    label: 'clear',
    what: 'the same words where no mirror is needed',
    also: ['U3'],
    platform: 'lambda',
    run: WAITS,
    happens: endsSaying(...raised(`requests.exceptions.ReadTimeout: ${XET}`)),
  },
];

export const runsToldApart: readonly LookIncident[] = [
  ...forgottenBoxes,
  ...loginShells,
  ...commandLines,
  ...lastingDisks,
  ...downloads,
];
