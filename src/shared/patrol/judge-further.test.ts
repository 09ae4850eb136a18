import { describe, expect, it } from 'vitest';
import { likeShipped } from '../profiles/places.fixture.ts';
import { lookDetectors } from './detectors/catalog.ts';
import { forecast, rememberDisks, type DiskLook } from './growth.ts';
import type { MissingRun } from './judge-vanished.ts';
import { judgeVanished } from './judge-vanished.ts';
import { judgeLook } from './judge-look.ts';
import { lookDetectorIds, type LookContext, type LookDetectorId } from './look-detector.ts';
import { goneLook, LOOK, mount, NOTHING_BESIDE, RUN, RUN_LOG, untold } from './look.fixture.ts';
import type { Artefact, PatrolLook, RunInLook } from './patrol-look.ts';
import { rememberLook, type PatrolMemory } from './patrol-memory.ts';
import { variants } from '../detectors/says.ts';
import { expectReported } from './reported.fixture.ts';
import { safeWorkers } from './safe-workers.ts';

const HOUR_MS = 3_600_000;
const LATER: PatrolLook = {
  ...LOOK,
  atMs: LOOK.atMs + 300_000,
  machine: { ...LOOK.machine, uptimeS: 9300 },
};
const BEFORE = rememberLook({ look: LOOK, before: null, alive: [], missing: [], judged: [] }, null);

interface Story {
  readonly id: LookDetectorId;
  readonly what: string;
  readonly answer: 'found' | 'clear' | 'unknown';
  readonly look?: Partial<PatrolLook>;
  readonly before?: PatrolMemory | null;
  readonly context?: Partial<LookContext>;
}

const run = (told: Partial<RunInLook>): Partial<PatrolLook> => ({ runs: [{ ...RUN, ...told }] });
const logged = (end: string | null, told: Partial<RunInLook> = {}): Partial<PatrolLook> =>
  run({ logs: [{ ...RUN_LOG, end }], ...told });
const on = (platform: string): Partial<LookContext> => ({ platform });

/** What the tick makes of a run that is not there any more. */
const gone = (
  end: string | null,
  {
    platform = null,
    look = {},
    told = {},
  }: {
    readonly platform?: string | null;
    readonly look?: Partial<PatrolLook>;
    readonly told?: Partial<RunInLook>;
  } = {},
) => {
  const now = { ...goneLook(end, look), atMs: LATER.atMs };
  const was = { ...RUN, ...told };
  const missing: MissingRun[] = [{ run: was, judgement: judgeVanished(was, LOOK, now, null) }];
  return { look: now, context: { missing, platform } };
};

const TRACEBACK = (last: string): string =>
  `Traceback (most recent call last):\n  File "t.py", line 3, in <module>\n    main()\n${last}\n`;
const NO_KERNEL = TRACEBACK(
  'RuntimeError: CUDA error: no kernel image is available for execution on the device',
);
const TOO_OLD = TRACEBACK(
  'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).',
);
const NETWORK = TRACEBACK(
  "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='api.wandb.ai', port=443)",
);
const XET = TRACEBACK(
  "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='cas-bridge.xethub.hf.co', port=443): Read timed out.",
);
const KEY_ERROR = TRACEBACK("KeyError: 'labels'");
const CUDNN = TRACEBACK(
  'ImportError: libcudnn.so.9: cannot open shared object file: No such file or directory',
);
const TORCH = TRACEBACK(
  'ImportError: /usr/lib/python3/dist-packages/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister',
);
const WATCHDOG =
  '[rank3]:[E] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1) ran for 1800021 milliseconds before timing out.\n';
const SECRET = `python train.py --api-key ${['sk', 'aB3dE5fG7hJ9kL1mN3pQ5r'].join('-')}`;
const HEX = 'a1b2c3d4e5'.repeat(4);
const NO_CARD = TRACEBACK('RuntimeError: No CUDA GPUs are available');
const WORKER_FAILED =
  'E1122 12:00:02.000 77 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 90) of binary: /opt/conda/bin/python\n';
const RESTART = '[default] Worker group FAILED. 2/3 attempts left; will restart worker group\n';

const login = (over: string, pid: number): PatrolLook['processes'] => ({
  isWhole: true,
  rows: LOOK.processes.rows.flatMap((row) => [
    { ...row, parentPid: 30 },
    { ...row, pid: 30, parentPid: pid, name: 'bash' },
    { ...row, pid, parentPid: 0, name: over },
  ]),
});
const attached = (over: string, told: Partial<RunInLook> = {}, pid = 20): Partial<PatrolLook> => ({
  ...run({ survivesHangup: false, ageS: 7200, ...told }),
  processes: login(over, pid),
});
const saved = (
  path: string,
  look: Partial<PatrolLook> = {},
  modifiedAtS = 950,
): Partial<PatrolLook> => {
  const artefact: Artefact = { kind: 'checkpoint', path, bytes: 1e9, modifiedAtS };
  return {
    ...run({ folder: path.slice(0, path.lastIndexOf('/')) }),
    artefacts: [artefact],
    ...look,
  };
};
/** The same file, older than the run. */
const brought = (path: string): Partial<PatrolLook> => ({
  artefacts: [{ kind: 'checkpoint', path, bytes: 1e9, modifiedAtS: LATER.atMs / 1000 - 9000 }],
});
const partial = (modifiedAtS: number): Artefact => ({
  kind: 'partial',
  path: '/work/weights.tmp',
  bytes: 9000,
  modifiedAtS,
});
const script = (modifiedAtS: number, told: object = {}): Partial<PatrolLook> => ({
  beside: {
    ...NOTHING_BESIDE,
    scripts: [
      {
        pid: 41,
        startTicks: 500,
        modifiedAtS,
        bytes: 90,
        path: '/work/queue.sh',
        isDeleted: false,
        ...told,
      },
    ],
  },
});
/** RUN began at 5 s of an uptime that is 9300 s at LATER. */
const BEGAN_S = LATER.atMs / 1000 - 9300 + 5;
const idle = (workedAtMs: number | null): PatrolMemory => ({ ...BEFORE, runs: [], workedAtMs });

const STORIES: readonly Story[] = [
  {
    id: 'GEN1',
    what: 'nothing has run for five hours',
    answer: 'found',
    look: { runs: [] },
    before: idle(LATER.atMs - 5 * HOUR_MS),
  },
  {
    id: 'GEN1',
    what: 'a run that has just ended',
    answer: 'clear',
    look: { runs: [] },
    before: idle(LATER.atMs - HOUR_MS / 2),
  },
  {
    id: 'GEN1',
    what: 'cards that work for somebody who is not seen',
    answer: 'clear',
    look: { runs: [] },
    before: idle(LATER.atMs - 5 * HOUR_MS),
    context: { isGpuWorking: true },
  },
  {
    id: 'GEN1',
    what: 'a run, after a night of rest',
    answer: 'clear',
    before: idle(LATER.atMs - 9 * HOUR_MS),
  },
  {
    id: 'GEN1',
    what: 'CPUs that make a data set, and no log that tells of it',
    answer: 'clear',
    look: { runs: [], cpu: { ...LOOK.cpu!, usedS: 100 + 300 * 4 } },
    before: idle(LATER.atMs - 5 * HOUR_MS),
  },
  {
    id: 'GEN1',
    what: 'CPUs that an editor keeps busy',
    answer: 'found',
    look: { runs: [], cpu: { ...LOOK.cpu!, usedS: 100 + 300 * 0.2 } },
    before: idle(LATER.atMs - 5 * HOUR_MS),
  },
  {
    id: 'GEN1',
    what: 'a table that was cut',
    answer: 'unknown',
    look: { runs: [], processes: { rows: [], isWhole: false } },
    before: idle(LATER.atMs - 5 * HOUR_MS),
  },

  {
    id: 'GEN2',
    what: 'a shell of an SSH session above it',
    answer: 'found',
    look: attached('sshd'),
  },
  { id: 'GEN2', what: 'tmux above it', answer: 'clear', look: attached('tmux: server') },
  {
    id: 'GEN2',
    what: 'something that was tried a moment ago',
    answer: 'clear',
    look: attached('sshd', { ageS: 60 }),
  },
  {
    id: 'GEN2',
    what: 'nohup below an SSH session',
    answer: 'clear',
    look: attached('sshd', { survivesHangup: true }),
  },
  {
    id: 'GEN2',
    what: 'a terminal of nobody who could be seen',
    answer: 'unknown',
    look: attached('containerd-shim'),
  },
  {
    id: 'GEN2',
    what: 'a terminal of the browser, in a container whose process 1 is the SSH server',
    answer: 'unknown',
    look: attached('sshd', {}, 1),
  },

  { id: 'U34', what: 'a key in its command', answer: 'found', look: run({ command: SECRET }) },
  {
    id: 'U34',
    what: 'a password in an address',
    answer: 'found',
    look: run({ command: 'python t.py --db postgres://me:hunter2@db/x' }),
  },
  {
    id: 'U34',
    what: 'a key that the next command stands at',
    answer: 'found',
    look: run({ command: `sh -c export WANDB_API_KEY=${HEX};python train.py` }),
  },
  {
    id: 'U34',
    what: 'a key by an option with underscores',
    answer: 'found',
    look: run({ command: `python train.py --wandb_api_key ${HEX}` }),
  },
  {
    id: 'U34',
    what: 'the key of a bucket, with a slash in it',
    answer: 'found',
    look: run({ command: `rclone sync out s3:b --s3-secret-access-key ${'aB3/x'.repeat(8)}` }),
  },
  {
    id: 'U34',
    what: 'a password that is shorter than a key',
    answer: 'found',
    look: run({ command: 'python push.py --password Kiefer7-Wald' }),
  },
  {
    id: 'U34',
    what: 'words that a model learns, a digest, and where a password lies',
    answer: 'clear',
    look: run({
      command:
        'apptainer exec docker://ubuntu:22.04@sha256:9f86d081884c7d659a2feaa0c55ad015 python t.py --placeholder_token my_concept_style_v2 --password $DB_PASSWORD1 --passphrase /run/secrets/passphrase1',
    }),
  },
  {
    id: 'U34',
    what: 'options that only sound like it',
    answer: 'clear',
    look: run({
      command:
        'python t.py --stop_token 5 --max-token 4096 --tokenizer-path /work/tokenizer-llama-3-instruct --auth-token $HF_TOKEN --key-file ~/.ssh/id_ed25519',
    }),
  },
  {
    id: 'U34',
    what: 'a command that could not be read',
    answer: 'unknown',
    look: run({ command: null }),
  },

  { id: 'U28', what: 'a run that found no kernel', answer: 'found', ...gone(NO_KERNEL) },
  { id: 'U28', what: 'a run that did not find a key', answer: 'clear', ...gone(KEY_ERROR) },
  {
    id: 'U28',
    what: 'the same words of a run that goes on',
    answer: 'clear',
    look: logged(NO_KERNEL),
  },
  { id: 'U28', what: 'a log that is gone, too', answer: 'unknown', ...gone(null) },

  {
    id: 'U26',
    what: 'a script with carriage returns',
    answer: 'found',
    look: logged("run.sh: line 2: $'\\r': command not found\n"),
  },
  {
    id: 'U26',
    what: 'a program whose name ends with one',
    answer: 'found',
    look: logged("run.sh: line 2: $'nvidia-smi\\r': command not found\n"),
  },
  {
    id: 'U26',
    what: 'the words that a carriage return has broken in two, as the patrol tells them',
    answer: 'found',
    look: logged('run.sh: line 2: set: pipefail\n: invalid option name\n'),
  },
  {
    id: 'U26',
    what: 'the same of dash',
    answer: 'found',
    look: logged('run.sh: 1: set: Illegal option -\n'),
  },
  {
    id: 'U26',
    what: 'an option that dash does not have',
    answer: 'clear',
    look: logged('run.sh: 1: set: Illegal option -o pipefail\n'),
  },
  {
    id: 'U26',
    what: 'a command that is not there',
    answer: 'clear',
    look: logged('run.sh: line 2: foo: command not found\n'),
  },
  { id: 'U26', what: 'a log that is gone, too', answer: 'unknown', ...gone(null) },

  {
    id: 'MN1',
    what: 'a fabric that is not up',
    answer: 'found',
    ...gone(
      TRACEBACK(
        'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
      ),
    ),
  },
  {
    id: 'MN1',
    what: 'a fabric that torch has warned of, and then no card',
    answer: 'found',
    ...gone(
      `UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized\n${NO_CARD}`,
    ),
  },
  { id: 'MN1', what: 'a driver that is too old', answer: 'clear', ...gone(TOO_OLD) },
  { id: 'MN1', what: 'a log that is gone, too', answer: 'unknown', ...gone(null) },

  {
    id: 'AD9',
    what: 'no kernel, on AutoDL',
    answer: 'found',
    ...gone(NO_KERNEL, { platform: 'autodl' }),
  },
  {
    id: 'AD9',
    what: 'the same elsewhere',
    answer: 'clear',
    ...gone(NO_KERNEL, { platform: 'runpod' }),
  },
  {
    id: 'AD9',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'autodl' }),
  },
  {
    id: 'PS11',
    what: 'a driver that is too old, on Paperspace',
    answer: 'found',
    ...gone(TOO_OLD, { platform: 'paperspace' }),
  },
  {
    id: 'PS11',
    what: 'a missing key, on Paperspace',
    answer: 'clear',
    ...gone(KEY_ERROR, { platform: 'paperspace' }),
  },
  {
    id: 'PS11',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'paperspace' }),
  },
  {
    id: 'RP9',
    what: 'a driver that is too old, on RunPod',
    answer: 'found',
    ...gone(TOO_OLD, { platform: 'runpod' }),
  },
  {
    id: 'RP9',
    what: 'a library that is not there',
    answer: 'clear',
    ...gone(CUDNN, { platform: 'runpod' }),
  },
  {
    id: 'RP9',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'runpod' }),
  },
  {
    id: 'VAST5',
    what: 'a driver that is too old, on vast.ai',
    answer: 'found',
    ...gone(TOO_OLD, { platform: 'vastai' }),
  },
  {
    id: 'VAST5',
    what: 'a library that is not there',
    answer: 'clear',
    ...gone(CUDNN, { platform: 'vastai' }),
  },
  {
    id: 'VAST5',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'vastai' }),
  },

  {
    id: 'U31',
    what: 'a run that says it has no card, and goes on',
    answer: 'found',
    look: logged('GPU available: False, used: False\nstep 1 loss 2\n', { holdsGpu: false }),
  },
  {
    id: 'U31',
    what: 'a run that ended for want of a card',
    answer: 'found',
    ...gone(TRACEBACK('RuntimeError: No CUDA GPUs are available')),
  },
  {
    id: 'U31',
    what: 'the words of a run that holds a card',
    answer: 'clear',
    look: logged('probe: CUDA not available in the sandbox\n'),
  },
  {
    id: 'U31',
    what: 'a launcher without a card, whose workers write to its log and hold one',
    answer: 'clear',
    look: {
      runs: [
        { ...RUN, holdsGpu: false, logs: [{ ...RUN_LOG, end: 'falling back to CPU decoding\n' }] },
        { ...RUN, pid: 42, holdsGpu: true },
      ],
    },
  },
  {
    id: 'U31',
    what: 'torch that has warned of what it could not initialise',
    answer: 'found',
    look: logged('UserWarning: CUDA initialization: CUDA unknown error\nstep 1 loss 2\n', {
      holdsGpu: false,
    }),
  },
  {
    id: 'U31',
    what: 'a card that somebody else has for himself',
    answer: 'clear',
    ...gone(
      TRACEBACK('RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable'),
    ),
  },
  {
    id: 'U31',
    what: 'a fabric that is not up',
    answer: 'clear',
    ...gone(
      `UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized\n${NO_CARD}`,
    ),
  },
  {
    id: 'U31',
    what: 'a tool that was told to use the CPU',
    answer: 'clear',
    look: logged('Using device: cpu\n', { holdsGpu: false }),
  },
  {
    id: 'U31',
    what: 'a log that could not be read, of a run without a card',
    answer: 'unknown',
    look: logged(null, { holdsGpu: false }),
  },

  {
    id: 'MN3',
    what: 'a watchdog of a run that is still there',
    answer: 'found',
    look: logged(WATCHDOG),
  },
  {
    id: 'MN3',
    what: 'a card’s memory, of which the others speak',
    answer: 'clear',
    ...gone(
      `[rank1]: ${TRACEBACK('torch.OutOfMemoryError: CUDA out of memory.').trim().split('\n').join('\n[rank1]: ')}\n${WATCHDOG}`,
    ),
  },
  { id: 'MN3', what: 'a log that is gone, too', answer: 'unknown', ...gone(null) },
  {
    id: 'MN6',
    what: 'slots that did not come',
    answer: 'found',
    look: logged('RuntimeError: Timed out waiting for 4 slots to become available\n'),
  },
  {
    id: 'MN6',
    what: 'the settings of a run that begins',
    answer: 'clear',
    look: logged('HOROVOD_ELASTIC_TIMEOUT=1200\n'),
  },
  { id: 'MN6', what: 'a watchdog', answer: 'clear', look: logged(WATCHDOG) },
  { id: 'MN6', what: 'a log that is gone, too', answer: 'unknown', ...gone(null) },
  {
    id: 'SLURM4',
    what: 'an event of the scheduler',
    answer: 'found',
    ...gone('slurmstepd: error: Detected 1 oom_kill event in StepId=5.batch.\n'),
  },
  {
    id: 'SLURM4',
    what: 'a time limit',
    answer: 'clear',
    ...gone('slurmstepd: error: *** JOB 5 ON g1 CANCELLED AT x DUE TO TIME LIMIT ***\n'),
  },
  { id: 'SLURM4', what: 'a log that is gone, too', answer: 'unknown', ...gone(null) },
  {
    id: 'AD1',
    what: 'nothing outside could be reached, without a proxy',
    answer: 'found',
    ...gone(NETWORK, { platform: 'autodl' }),
  },
  {
    id: 'AD1',
    what: 'the same through a proxy',
    answer: 'clear',
    ...gone(NETWORK, { platform: 'autodl', told: { proxy: 'other' } }),
  },
  {
    id: 'AD1',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'autodl' }),
  },
  {
    id: 'AD2',
    what: 'a shard of the other backend',
    answer: 'found',
    ...gone(XET, { platform: 'autodl' }),
  },
  {
    id: 'AD2',
    what: 'a log that could not be read, of a run that goes on',
    answer: 'unknown',
    look: logged(null),
    context: on('autodl'),
  },
  {
    id: 'AD2',
    what: 'the words of the other backend',
    answer: 'found',
    ...gone(TRACEBACK('RuntimeError: Data processing error: CAS service error : Reqwest Error'), {
      platform: 'autodl',
    }),
  },
  {
    id: 'AD2',
    what: 'a mirror that has had enough',
    answer: 'clear',
    ...gone(
      TRACEBACK(
        'requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://hf-mirror.com/api/models',
      ),
      { platform: 'autodl' },
    ),
  },
  { id: 'AD2', what: 'another host', answer: 'clear', ...gone(NETWORK, { platform: 'autodl' }) },
  {
    id: 'AD2',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'autodl' }),
  },
  {
    id: 'NB3',
    what: 'no internet, on Kaggle',
    answer: 'found',
    ...gone(NETWORK, { platform: 'kaggle' }),
  },
  { id: 'NB3', what: 'the same elsewhere', answer: 'clear', ...gone(NETWORK) },
  {
    id: 'NB3',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'kaggle' }),
  },

  {
    id: 'MN5',
    what: 'workers that begin again at 0',
    answer: 'found',
    look: logged(`step 900 loss 2.1\n${RESTART}step 0 loss 9.9\n`),
  },
  {
    id: 'MN5',
    what: 'workers that go on at their checkpoint',
    answer: 'clear',
    look: logged(`step 900 loss 2.1\n${RESTART}step 800 loss 2.2\n`),
  },
  {
    id: 'MN5',
    what: 'a new epoch, and no restart',
    answer: 'clear',
    look: logged('epoch 3 step 900\nepoch 4 step 0\n'),
  },
  {
    id: 'MN5',
    what: 'a restart whose past is not in the end of the log',
    answer: 'unknown',
    look: run({ logs: [{ ...RUN_LOG, bytes: 90_000, end: `${RESTART}step 0 loss 9.9\n` }] }),
  },
  {
    id: 'MN5',
    what: 'a restart before the first step, in a log that is seen from its beginning',
    answer: 'clear',
    look: logged(`${RESTART}step 0 loss 9.9\n`),
  },
  {
    id: 'MN5',
    what: 'a validation that counts for itself, before it goes on',
    answer: 'clear',
    look: logged(`step 900\n${RESTART}eval step 0 loss 2.2\nstep 801 loss 2.2\n`),
  },
  { id: 'MN5', what: 'a log that could not be read', answer: 'unknown', look: logged(null) },
  {
    id: 'MN5',
    what: 'a restart of which torchrun tells only what failed',
    answer: 'found',
    look: logged(`step 900 loss 2.1\n${WORKER_FAILED}step 0 loss 9.9\n`),
  },
  {
    id: 'MN5',
    what: 'a launch that gave up, and another in the same log',
    answer: 'clear',
    look: logged(
      `step 900 loss 2.1\n${WORKER_FAILED}torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \nstep 0 loss 9.9\n`,
    ),
  },
  {
    id: 'MN5',
    what: 'the wide columns of Megatron',
    answer: 'found',
    look: logged(
      ` iteration     1200/  500000 | consumed\n${RESTART} iteration        1/  500000 | consumed\n`,
    ),
  },
  {
    id: 'MN5',
    what: 'a checkpoint that was loaded, and steps that are counted anew',
    answer: 'unknown',
    look: logged(`step 900\n${RESTART}=> loaded checkpoint 'out/step-800.pt'\nstep 0 loss 2.2\n`),
  },

  {
    id: 'U33',
    what: 'a copy that failed',
    answer: 'found',
    look: logged('SYNC FAILED: /root/autodl-fs is full\n'),
  },
  { id: 'U33', what: 'a copy that was made', answer: 'clear', look: logged('synced 12 files\n') },
  { id: 'U33', what: 'a log that could not be read', answer: 'unknown', look: logged(null) },

  {
    id: 'CN1',
    what: 'checkpoints on the system disk',
    answer: 'found',
    look: saved('/root/out/a.pt'),
    context: on('gpushare'),
  },
  {
    id: 'CN1',
    what: 'weights that were there before the run',
    answer: 'clear',
    look: saved('/root/out/a.pt', {}, 100),
    context: on('gpushare'),
  },
  {
    id: 'CN1',
    what: 'a folder that is named as the mount which is not there',
    answer: 'found',
    look: saved('/hy-netdisk/a.pt'),
    context: on('gpushare'),
  },
  {
    id: 'CN1',
    what: 'checkpoints on the mount that stays',
    answer: 'clear',
    look: saved('/hy-netdisk/a.pt', { mounts: [mount('/'), mount('/hy-netdisk')] }),
    context: on('gpushare'),
  },
  {
    id: 'CN1',
    what: 'the same on AutoDL, whose system disk stays',
    answer: 'clear',
    look: saved('/root/out/a.pt'),
    context: on('autodl'),
  },
  {
    id: 'CN1',
    what: 'disks that were not told',
    answer: 'unknown',
    look: saved('/root/out/a.pt', { mounts: [] }),
    context: on('matpool'),
  },
  {
    id: 'NB4',
    what: 'checkpoints in /content',
    answer: 'found',
    look: saved('/content/out/a.pt'),
    context: on('colab'),
  },
  {
    id: 'NB4',
    what: 'checkpoints in the Drive',
    answer: 'clear',
    look: saved('/content/drive/MyDrive/a.pt', {
      mounts: [mount('/'), mount('/content/drive', { type: 'fuse.drive' })],
    }),
    context: on('colab'),
  },
  {
    id: 'NB4',
    what: 'a folder of the Drive’s name, without a Drive',
    answer: 'found',
    look: saved('/content/drive/MyDrive/a.pt'),
    context: on('colab'),
  },
  {
    id: 'NB4',
    what: 'weights that were there before the run',
    answer: 'clear',
    look: { ...saved('/content/out/a.pt'), ...brought('/content/out/a.pt') },
    context: on('colab'),
  },
  {
    id: 'NB4',
    what: 'a run of which nobody knows when it began',
    answer: 'unknown',
    look: { ...saved('/content/out/a.pt'), ...run({ folder: '/content/out', ageS: null }) },
    context: on('colab'),
  },
  {
    id: 'NB4',
    what: 'disks that were not told',
    answer: 'unknown',
    look: saved('/content/out/a.pt', { mounts: [] }),
    context: on('colab'),
  },
  {
    id: 'NB4',
    what: 'more files than were told',
    answer: 'unknown',
    look: { isCut: true },
    context: on('kaggle'),
  },
  {
    id: 'SLURM5',
    what: 'checkpoints in /tmp',
    answer: 'found',
    look: saved('/tmp/job/a.pt'),
    context: on('slurm'),
  },
  {
    id: 'SLURM5',
    what: 'checkpoints on a shared file system',
    answer: 'clear',
    look: saved('/work/a.pt', { mounts: [mount('/'), mount('/work', { type: 'lustre' })] }),
    context: on('slurm'),
  },
  {
    id: 'SLURM5',
    what: 'disks that were not told',
    answer: 'unknown',
    look: saved('/data/a.pt', { mounts: [] }),
    context: on('slurm'),
  },
  {
    id: 'SLURM5',
    what: 'homes on a disk of this very machine, which no job erases',
    answer: 'unknown',
    look: saved('/home/me/a.pt'),
    context: on('slurm'),
  },

  {
    id: 'VAST10',
    what: '88 % of the container disk',
    answer: 'found',
    look: { mounts: [mount('/', { usedPct: 88 })] },
    context: on('vastai'),
  },
  {
    id: 'VAST10',
    what: 'the same elsewhere',
    answer: 'clear',
    look: { mounts: [mount('/', { usedPct: 88 })] },
    context: on('lambda'),
  },
  {
    id: 'VAST10',
    what: 'a disk that does not answer',
    answer: 'unknown',
    look: { mounts: [untold('/')] },
    context: on('vastai'),
  },
  {
    id: 'RP1',
    what: 'two cards before, and none now',
    answer: 'found',
    before: { ...BEFORE, cards: 2 },
    context: on('runpod'),
  },
  {
    id: 'RP1',
    what: 'a Pod that never had one',
    answer: 'clear',
    before: { ...BEFORE, cards: 0 },
    context: on('runpod'),
  },
  {
    id: 'RP1',
    what: 'a Pod of which nobody knows',
    answer: 'unknown',
    before: null,
    context: on('runpod'),
  },
  {
    id: 'RP1',
    what: 'an answer that ended before its cards',
    answer: 'unknown',
    look: { isWhole: false },
    before: { ...BEFORE, cards: 2 },
    context: on('runpod'),
  },
  {
    id: 'RP12',
    what: 'a key that the Pod has, asked for in vain',
    answer: 'found',
    look: {
      ...logged('wandb: ERROR No API key configured\n'),
      beside: { ...NOTHING_BESIDE, podNames: ['WANDB_API_KEY'] },
    },
    context: on('runpod'),
  },
  {
    id: 'RP12',
    what: 'a Pod that has none, either',
    answer: 'clear',
    look: {
      ...logged('wandb: ERROR No API key configured\n'),
      beside: { ...NOTHING_BESIDE, podNames: [] },
    },
    context: on('runpod'),
  },
  {
    id: 'RP12',
    what: 'a key that nobody asks for',
    answer: 'clear',
    look: { beside: { ...NOTHING_BESIDE, podNames: ['HF_TOKEN'] } },
    context: on('runpod'),
  },
  {
    id: 'RP12',
    what: 'a token under its other name',
    answer: 'clear',
    look: {
      ...logged('OSError: You are trying to access a gated repo.\n', { keys: ['HF_TOKEN'] }),
      beside: { ...NOTHING_BESIDE, podNames: ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'] },
    },
    context: on('runpod'),
  },
  {
    id: 'RP12',
    what: 'a key that an earlier run lacked in the same log',
    answer: 'clear',
    look: {
      ...logged('wandb: ERROR No API key configured\nwandb: Syncing run golden-lion-7\n'),
      beside: { ...NOTHING_BESIDE, podNames: ['WANDB_API_KEY'] },
    },
    context: on('runpod'),
  },
  {
    id: 'RP12',
    what: 'a token, where it was a tracker that the Pod has the key for',
    answer: 'clear',
    look: {
      ...logged('OSError: You are trying to access a gated repo.\n'),
      beside: { ...NOTHING_BESIDE, podNames: ['WANDB_API_KEY'] },
    },
    context: on('runpod'),
  },
  {
    id: 'RP12',
    what: 'a Pod whose names may not be read',
    answer: 'unknown',
    look: logged('wandb: ERROR No API key configured\n'),
    context: on('runpod'),
  },

  {
    id: 'LAM8',
    what: 'torch could not be imported',
    answer: 'found',
    ...gone(TORCH, { platform: 'lambda' }),
  },
  {
    id: 'LAM8',
    what: 'an environment with a torch of its own that borrows the other',
    answer: 'found',
    look: {
      beside: {
        ...NOTHING_BESIDE,
        environments: [{ pid: 41, borrowsSystem: true, folder: '/home/ubuntu/env' }],
        torch: ['/home/ubuntu/env/lib/python3.10/site-packages/torch'],
      },
    },
    context: on('lambda'),
  },
  {
    id: 'LAM8',
    what: 'an environment that borrows the only one',
    answer: 'clear',
    look: {
      beside: {
        ...NOTHING_BESIDE,
        environments: [{ pid: 41, borrowsSystem: true, folder: '/home/ubuntu/env' }],
        torch: ['/usr/lib/python3/dist-packages/torch'],
      },
    },
    context: on('lambda'),
  },
  {
    id: 'LAM8',
    what: 'a package whose name begins like it',
    answer: 'clear',
    ...gone(TRACEBACK("ModuleNotFoundError: No module named 'torchvision'"), {
      platform: 'lambda',
    }),
  },
  {
    id: 'LAM8',
    what: 'weights that could not be read',
    answer: 'clear',
    ...gone(TRACEBACK("OSError: Unable to load weights from pytorch checkpoint file for 'x.bin'"), {
      platform: 'lambda',
    }),
  },
  {
    id: 'LAM8',
    what: 'the same error elsewhere',
    answer: 'clear',
    ...gone(TORCH, { platform: 'runpod' }),
  },
  {
    id: 'LAM8',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'lambda' }),
  },
  {
    id: 'LAM11',
    what: 'cuDNN was not found after an upgrade',
    answer: 'found',
    ...gone(CUDNN, {
      platform: 'lambda',
      look: { beside: { ...NOTHING_BESIDE, upgrade: '2026-11-01 10:00:00 apt full-upgrade' } },
    }),
  },
  {
    id: 'LAM11',
    what: 'an archive of its name',
    answer: 'clear',
    ...gone(TRACEBACK('tarfile.ReadError: not a gzip file: /home/ubuntu/libcudnn9.tgz'), {
      platform: 'lambda',
    }),
  },
  {
    id: 'LAM11',
    what: 'another library',
    answer: 'clear',
    ...gone(CUDNN.replace('libcudnn.so.9', 'libGL.so.1'), { platform: 'lambda' }),
  },
  {
    id: 'LAM11',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'lambda' }),
  },

  {
    id: 'U2',
    what: 'a script that was written while it ran',
    answer: 'found',
    look: script(BEGAN_S + 600),
  },
  {
    id: 'U2',
    what: 'a script that was written before it ran',
    answer: 'clear',
    look: script(BEGAN_S - 600),
  },
  {
    id: 'U2',
    what: 'a new file that took its name',
    answer: 'clear',
    look: script(BEGAN_S + 600, { isDeleted: true }),
  },
  {
    id: 'U2',
    what: 'a box that does not tell since when it is up',
    answer: 'unknown',
    look: { ...script(BEGAN_S + 600), machine: { ...LOOK.machine, uptimeS: null } },
  },

  {
    id: 'PS13',
    what: 'a run that is gone, on Paperspace',
    answer: 'found',
    ...gone(TOO_OLD, { platform: 'paperspace' }),
  },
  {
    id: 'PS13',
    what: 'a full /storage',
    answer: 'found',
    look: { mounts: [mount('/'), mount('/storage', { usedPct: 96 })] },
    context: on('paperspace'),
  },
  {
    id: 'PS13',
    what: 'half of a file, which another run left there',
    answer: 'clear',
    look: { artefacts: [partial(LATER.atMs / 1000 - 9000)] },
    before: { ...BEFORE, artefacts: [partial(LATER.atMs / 1000 - 9000)] },
    context: on('paperspace'),
  },
  {
    id: 'PS13',
    what: 'half of a file, which has not grown since the last check',
    answer: 'found',
    look: { artefacts: [partial(LATER.atMs / 1000 - 400)] },
    before: { ...BEFORE, artefacts: [partial(LATER.atMs / 1000 - 400)] },
    context: on('paperspace'),
  },
  {
    id: 'PS13',
    what: 'weights on scratch that were there before the run of a notebook',
    answer: 'clear',
    look: {
      ...saved('/scratch/a.pt', { mounts: [mount('/'), mount('/notebooks')] }),
      ...brought('/scratch/a.pt'),
    },
    context: on('paperspace'),
  },
  {
    id: 'PS13',
    what: 'a machine on which all is well',
    answer: 'clear',
    context: on('paperspace'),
  },
  {
    id: 'PS13',
    what: 'a table that was cut',
    answer: 'unknown',
    ...gone('step 1\n', {
      platform: 'paperspace',
      look: { processes: { rows: [], isWhole: false } },
    }),
  },
];

const MORE: readonly Story[] = [
  {
    id: 'U40',
    what: 'a thread that could not be started',
    answer: 'found',
    look: logged("RuntimeError: can't start new thread\n"),
  },
  {
    id: 'U40',
    what: 'a log that counts its threads',
    answer: 'clear',
    look: logged('using 8 threads\n'),
  },
  { id: 'U40', what: 'a log that could not be read', answer: 'unknown', look: logged(null) },
  {
    id: 'LAM7',
    what: 'pip on Lambda that installs beside the Stack',
    answer: 'found',
    look: logged('Defaulting to user installation because normal site-packages is not writeable\n'),
    context: on('lambda'),
  },
  {
    id: 'LAM7',
    what: 'the same elsewhere',
    answer: 'clear',
    look: logged('Defaulting to user installation because normal site-packages is not writeable\n'),
  },
  {
    id: 'LAM7',
    what: 'a log that could not be read',
    answer: 'unknown',
    look: logged(null),
    context: on('lambda'),
  },
  {
    id: 'AD6',
    what: 'python3 is not there, on AutoDL',
    answer: 'found',
    ...gone('run.sh: line 3: python3: command not found\n', { platform: 'autodl' }),
  },
  {
    id: 'AD6',
    what: 'another command',
    answer: 'clear',
    ...gone('run.sh: line 3: foo: command not found\n', { platform: 'autodl' }),
  },
  {
    id: 'AD6',
    what: 'a log that is gone, too',
    answer: 'unknown',
    ...gone(null, { platform: 'autodl' }),
  },
  {
    id: 'RP5',
    what: 'a request that the proxy cut',
    answer: 'found',
    ...gone(
      TRACEBACK(
        'requests.exceptions.HTTPError: 524 Server Error: <none> for url: https://abc-7860.proxy.runpod.net/predict',
      ),
    ),
  },
  {
    id: 'RP5',
    what: 'another server’s 524',
    answer: 'clear',
    ...gone(
      TRACEBACK(
        'requests.exceptions.HTTPError: 524 Server Error: <none> for url: https://example.com/',
      ),
    ),
  },
  { id: 'RP5', what: 'a log that is gone, too', answer: 'unknown', ...gone(null) },
  {
    id: 'GS3',
    what: 'a run that uses the netdisk that is not there',
    answer: 'found',
    look: run({ command: 'python t.py --out /hy-netdisk/out' }),
    context: on('gpushare'),
  },
  { id: 'GS3', what: 'a run that does not use it', answer: 'clear', context: on('gpushare') },
  {
    id: 'GS3',
    what: 'disks that were not told',
    answer: 'unknown',
    look: { mounts: [] },
    context: on('gpushare'),
  },
];

const judge = ({ look, before = BEFORE, context }: Pick<Story, 'look' | 'before' | 'context'>) =>
  judgeLook({ ...LATER, ...look }, before, {
    missing: [],
    isGpuWorking: null,
    ...likeShipped(context?.platform ?? null),
    ...context,
  });

/** A finding outweighs what could not be looked at, and that outweighs silence. */
function sumOf(judged: ReturnType<typeof judgeLook>, id: LookDetectorId): Story['answer'] {
  const kinds = judged.filter(({ detector }) => detector === id).map(({ answer }) => answer.kind);
  expect(kinds).not.toEqual([]);
  return kinds.includes('found') ? 'found' : kinds.includes('unknown') ? 'unknown' : 'clear';
}

const ALL = [...STORIES, ...MORE];

it.each(ALL)('$id: $what → $answer', ({ id, answer, ...given }) => {
  expect(sumOf(judge(given), id)).toBe(answer);
});

it.each(ALL)('$id: $what → a finding of its own: $answer', ({ id, answer, ...given }) => {
  expectReported({ ...LATER, ...given.look }, judge(given), id, answer);
});

describe('the further rules', () => {
  it('have a found, a clear and an unknown case each, with words, steps and clues', () => {
    for (const id of lookDetectorIds.slice(lookDetectorIds.indexOf('GEN1'))) {
      const stories = ALL.filter((story) => story.id === id);
      expect([...new Set(stories.map(({ answer }) => answer))].sort()).toEqual([
        'clear',
        'found',
        'unknown',
      ]);
    }
    const found = ALL.filter(({ answer }) => answer === 'found').flatMap((story) =>
      judge(story).flatMap(({ detector, answer }) =>
        answer.kind === 'found' ? [{ detector, ...answer }] : [],
      ),
    );
    for (const { detector, says, clues } of found) {
      expect(Object.keys(variants[detector])).toContain(says.variant);
      expect(clues.length).toBeGreaterThan(0);
    }
    expect(lookDetectors.map(({ id }) => id)).toEqual(lookDetectorIds);
  });

  it('show a secret to nobody', () => {
    const [told] = judge({ look: run({ command: SECRET }) }).filter(
      ({ detector }) => detector === 'U34',
    );
    expect(told?.answer.kind).toBe('found');
    expect(JSON.stringify(told)).not.toContain(SECRET.slice(-12));
    expect(JSON.stringify(told)).toContain('[redacted]');
  });

  it('say for Lambda which copies of torch were seen while the run was there', () => {
    const before = { ...BEFORE, torch: ['/usr/lib/python3/dist-packages/torch'] };
    const [told] = judge({ before, ...gone(TORCH, { platform: 'lambda' }) }).filter(
      ({ detector }) => detector === 'LAM8',
    );
    expect(JSON.stringify(told)).toContain('a copy of torch: /usr/lib/python3/dist-packages/torch');
  });
});

const GIB = 1024 ** 2;
const KIB_FREE = 100 * GIB;
/** Looks ten minutes apart, with so many GiB in use. */
const looksAt = (...used: readonly number[]): readonly DiskLook[] =>
  used.map((gib, at) => ({
    atMs: at * 600_000,
    path: '/work',
    device: '8:5',
    usedKiB: gib * GIB,
    freeKiB: KIB_FREE,
    inodesUsed: 100,
    inodesFree: 900,
  }));
const forecastOf = (...used: readonly number[]) => {
  const known = looksAt(...used);
  const last = known.at(-1);
  const { usage } = mount('/work', {
    usedKiB: last?.usedKiB ?? 0,
    freeKiB: KIB_FREE,
    inodesUsed: 100,
  });
  if (usage === null || last === undefined) throw new Error('no usage');
  return forecast(usage, { atMs: last.atMs, path: '/work', device: '8:5' }, known.slice(0, -1));
};

describe('U7: how long a disk lasts', () => {
  it('is what is free by the rate of the looks before', () => {
    expect(forecastOf(100, 110, 120, 130, 140)).toEqual({
      what: 'bytes',
      hoursLeft: 100 / 60,
      perHour: 60 * GIB,
      overMs: 2_400_000,
    });
  });

  it.each([
    ['one large copy', [100, 100, 190, 190, 190]],
    ['nothing that is written', [100, 100, 100, 100, 100]],
    ['what is written and deleted again and again', [100, 120, 100, 120, 100, 120, 100]],
    ['what is written for longer, and deleted again and again', [100, 110, 120, 95, 105, 115, 90]],
    ['too few looks', [100, 110, 120]],
    ['a disk that is emptied', [140, 130, 120, 110, 100]],
  ] as const)('is not told of %s', (_what, used) => {
    expect(forecastOf(...used)).toBeNull();
  });

  it('goes on counting after one deletion', () => {
    expect(forecastOf(300, 310, 100, 110, 120, 130, 140)?.perHour).toBe(60 * GIB);
  });

  it('is of this disk only, and forgets what is old', () => {
    const known = looksAt(100, 110, 120, 130);
    const { usage } = mount('/work', { usedKiB: 140 * GIB, freeKiB: KIB_FREE });
    if (usage === null) throw new Error('no usage');
    expect(forecast(usage, { atMs: 2_400_000, path: '/work', device: '8:9' }, known)).toBeNull();
    expect(forecast(usage, { atMs: 9 * HOUR_MS, path: '/work', device: '8:5' }, known)).toBeNull();
  });

  it('is remembered for a dozen looks of each disk, and of none that is gone', () => {
    let known: readonly DiskLook[] = [];
    for (let at = 1; at <= 20; at += 1) {
      known = rememberDisks({ atMs: at * 300_000, mounts: [mount('/'), mount('/work')] }, known);
    }
    expect(known).toHaveLength(24);
    known = rememberDisks({ atMs: 21 * 300_000, mounts: [mount('/')] }, known);
    expect(new Set(known.map(({ path }) => path))).toEqual(new Set(['/']));
    expect(rememberDisks({ atMs: 21 * 300_000 + 1, mounts: [mount('/')] }, known)).toEqual(known);
  });

  it('is found by the rule while there is time, with both marked as estimated', () => {
    const disks = looksAt(1, 2, 3, 4).map((each) => ({
      ...each,
      atMs: each.atMs + LATER.atMs - 2_400_000,
      device: mount('/work').device,
    }));
    const growing = mount('/work', { usedKiB: 5 * GIB, freeKiB: 5 * GIB });
    const judged = judge({ look: { mounts: [growing] }, before: { ...BEFORE, disks } });
    const [told] = judged.filter(({ detector }) => detector === 'U7');
    expect(told).toMatchObject({ answer: { kind: 'found', severity: 'warn' } });
    expect(told).toMatchObject({
      answer: {
        says: { variant: 'fills', values: { left: { phrase: 'under-an-hour' } } },
        caveat: { phrase: 'estimate' },
      },
    });
    expect(JSON.stringify(told).match(/estimated/g)).toHaveLength(2);
    const roomy = { mounts: [mount('/work', { usedKiB: 5 * GIB, freeKiB: 5000 * GIB })] };
    expect(sumOf(judge({ look: roomy, before: { ...BEFORE, disks } }), 'U7')).toBe('clear');
  });
});

describe('U9: how many workers fit', () => {
  const child = (pid: number, residentBytes: number | null) => ({
    ...LOOK.processes.rows[0]!,
    pid,
    parentPid: 41,
    startTicks: pid,
    residentBytes,
  });
  const withWorkers = (
    count: number,
    gib: number | null,
    usedGiB: number,
  ): Partial<PatrolLook> => ({
    processes: {
      isWhole: true,
      rows: [
        ...LOOK.processes.rows,
        ...Array.from({ length: count }, (_, at) =>
          child(100 + at, gib === null ? null : gib * 2 ** 30),
        ),
      ],
    },
    memory: { ...LOOK.memory!, limitBytes: 16 * 2 ** 30, usedBytes: usedGiB * 2 ** 30 },
  });

  it.each([
    ['seven of two GiB beside a run of one', withWorkers(7, 2, 15), { workers: 7, fit: 6 }],
    [
      'pages that are shared, so that all seem to need more than is used',
      withWorkers(8, 3, 15),
      { workers: 8, fit: 4 },
    ],
    ['none that fits', withWorkers(2, 20, 15.5), { workers: 2, fit: 0 }],
  ])('%s', (_what, look, expected) => {
    expect(safeWorkers({ ...LATER, ...look })).toMatchObject(expected);
  });

  it('is not told of one child, of pages whose size is not told, or of a table that was cut', () => {
    expect(safeWorkers({ ...LATER, ...withWorkers(1, 2, 15) })).toBeNull();
    expect(safeWorkers({ ...LATER, ...withWorkers(4, null, 15) })).toBeNull();
    const cut = withWorkers(4, 2, 15);
    expect(
      safeWorkers({
        ...LATER,
        ...cut,
        processes: { rows: cut.processes?.rows ?? [], isWhole: false },
      }),
    ).toBeNull();
    // The ranks of a launcher, which holds no card itself, are no workers.
    const ranks = withWorkers(4, 2, 15);
    expect(safeWorkers({ ...LATER, ...ranks, ...run({ holdsGpu: false }) })).toBeNull();
  });

  it('stands in the finding, as the first thing to do', () => {
    const [told] = judge({ look: withWorkers(7, 2, 15) }).filter(
      ({ detector }) => detector === 'U9',
    );
    expect(told?.answer).toMatchObject({
      kind: 'found',
      says: {
        variant: 'near-workers',
        values: { fit: { phrase: 'at-most', values: { count: 6 } }, workers: 7 },
      },
      caveat: { phrase: 'shared' },
    });
  });
});

it('keeps no secret of a command in the memory of a patrol', () => {
  const look = { ...LOOK, ...run({ command: SECRET }) };
  const memory = rememberLook({ look, before: null, alive: [], missing: [], judged: [] }, null);
  expect(JSON.stringify(memory)).not.toContain(SECRET.slice(-12));
  expect(memory.runs[0]?.command).toContain('--api-key [redacted]');
});
