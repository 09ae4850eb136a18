// What one platform's boxes are given and lose: a Pod's cards and keys, the torch and the cuDNN of Lambda's Stack.
import type { RunBox } from '../runs/run-box.ts';
import type { LookIncident, RunStart } from '../runs/run-incident.ts';
import { at, endsSaying, endsWithItsLog, nothing, says, TRAINS, WAITS } from './words.ts';

const cardsAre =
  (count: number) =>
  (box: RunBox): void => {
    box.forgets('proc/driver');
    for (let card = 0; card < count; card += 1) {
      const address = `0000:${(0x3b + card).toString(16)}:00.0`;
      box.tells(`proc/driver/nvidia/gpus/${address}/information`, 'Model: NVIDIA H100\n');
    }
  };
/** Process 1 was given this. */
const podHas =
  (...pairs: readonly string[]) =>
  (box: RunBox): void => {
    box.forgets('proc/1');
    box.tells('proc/1/stat', '1 (init) S 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0\n');
    box.tells('proc/1/environ', pairs.map((pair) => `${pair}\0`).join(''));
  };
const raised = (...last: readonly string[]): readonly string[] => [
  'Traceback (most recent call last):',
  '  File "train.py", line 88, in <module>',
  '    main()',
  ...last,
];
const steps = (count: number): readonly string[] =>
  Array.from({ length: count }, (_none, i) => `epoch 3 step ${String(1201 + i)} loss 2.1`);

const pod = { id: 'RP1', platform: 'runpod', run: WAITS } as const;
const cards: readonly LookIncident[] = [
  {
    ...pod,
    label: 'found',
    what: 'it was stopped, and came back on the same host without its card',
    also: ['U3', 'GEN6'],
    prepare: cardsAre(1),
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.startInit();
      cardsAre(0)(box);
    },
  },
  {
    ...pod,
    label: 'clear',
    what: 'it was stopped, and came back with another card',
    also: ['U3', 'GEN6'],
    prepare: cardsAre(1),
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.startInit();
      cardsAre(0)(box);
      box.tells('proc/driver/nvidia/gpus/0000:c1:00.0/information', 'Model: NVIDIA H100\n');
    },
  },
  {
    ...pod,
    label: 'clear',
    what: 'one of eight cards is gone',
    prepare: cardsAre(8),
    happens: at(cardsAre(7)),
  },
  { ...pod, label: 'clear', what: 'it was rented without a card', happens: nothing },
  {
    ...pod,
    label: 'clear',
    what: 'a machine that is no Pod is given back its driver later',
    platform: 'lambda',
    prepare: cardsAre(1),
    happens: at(cardsAre(0)),
  },
];

const GATED = raised(
  'huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-68;f0)',
  '',
  'Cannot access gated repo for url https://huggingface.co/meta-llama/Llama/resolve/main/config.json.',
  'Access to model meta-llama/Llama is restricted. You must have access to it and be authenticated to access it. Please log in.',
);
const key = { id: 'RP12', platform: 'runpod', run: WAITS } as const;
const keys: readonly LookIncident[] = [
  {
    ...key,
    label: 'found',
    what: 'a run ended at a gated model, and the Pod has the token',
    also: ['U3'],
    prepare: podHas('HF_TOKEN=x', 'PATH=/bin'),
    happens: endsSaying(...GATED),
  },
  {
    ...key,
    label: 'found',
    what: 'a tracker asked without a terminal, and the Pod has its key',
    also: ['U3'],
    prepare: podHas('WANDB_API_KEY=x'),
    happens: endsSaying(
      ...raised(
        'wandb.errors.UsageError: api_key not configured (no-tty). call wandb.login(key=[your_api_key])',
      ),
    ),
  },
  {
    ...key,
    label: 'clear',
    what: 'the run has the token by its other name, and may not see the model',
    also: ['U3'],
    run: { ...WAITS, env: { HUGGING_FACE_HUB_TOKEN: 'x' } },
    prepare: podHas('HF_TOKEN=x'),
    happens: endsSaying(...GATED),
  },
  {
    ...key,
    label: 'clear',
    what: 'a gated model, and the Pod has the key of a tracker only',
    also: ['U3'],
    prepare: podHas('WANDB_API_KEY=x'),
    happens: endsSaying(...GATED),
  },
  {
    ...key,
    label: 'clear',
    what: 'an own server refuses an upload, and the Pod has a token that is not for it',
    also: ['U3'],
    prepare: podHas('HF_TOKEN=x'),
    happens: endsSaying(
      ...raised(
        'requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: https://results.example/upload',
      ),
    ),
  },
  {
    ...key,
    label: 'clear',
    what: 'an earlier run lacked a key in the same log, and this one has logged in',
    prepare: podHas('WANDB_API_KEY=x'),
    run: {
      script: `echo "wandb: ERROR No API key configured. Use wandb login to log in."; echo "wandb: Syncing run golden-lion-7"; ${TRAINS}`,
    },
    happens: nothing,
  },
  {
    ...key,
    label: 'clear',
    what: 'an optional file was refused, and the run has long gone on',
    prepare: podHas('HF_TOKEN=x'),
    happens: says(
      'huggingface_hub.utils._errors.RepositoryNotFoundError: 401 Client Error. (Request ID: Root=1-68;f0)',
      'no such adapter, going on without',
      ...steps(40),
    ),
  },
  {
    ...key,
    label: 'unknown',
    what: 'a gated model, and process 1 may not be read',
    also: ['U3'],
    prepare: (box) => {
      podHas()(box);
      box.forgets('proc/1/environ');
    },
    happens: endsSaying(...GATED),
  },
];

/** A Python of an environment in the folder of the run, by the name under which it was started. */
const inEnvironment = (config: string, packages: readonly string[], name: string): RunStart => ({
  script: [
    'cd "$work"',
    'mkdir -p env/bin env/lib/python3.10/site-packages',
    `printf 'home = /usr/bin\\n${config}\\n' >env/pyvenv.cfg`,
    ...packages.map((each) => `mkdir env/lib/python3.10/site-packages/${each}`),
    'echo "epoch 3 step 1200 loss 2.114"',
    `VIRTUAL_ENV=$work/env exec bash -c "exec -a ${name} sleep 1000"`,
  ].join('; '),
});
const BORROWS = 'include-system-site-packages = true';
const OWN = 'include-system-site-packages = false';

const torch = { id: 'LAM8', platform: 'lambda', run: WAITS } as const;
const torches: readonly LookIncident[] = [
  {
    ...torch,
    label: 'found',
    what: 'an activated environment borrows the Stack’s packages, and has a torch of its own',
    run: inEnvironment(BORROWS, ['torch'], 'python'),
    happens: nothing,
  },
  {
    ...torch,
    label: 'found',
    what: 'the same, started by the way to its Python',
    run: inEnvironment(BORROWS, ['torch'], 'env/bin/python3'),
    happens: nothing,
  },
  {
    ...torch,
    label: 'found',
    what: 'half of a torch lies in front of the other',
    also: ['U3', 'U28'],
    happens: endsSaying(
      ...raised(
        "ImportError: cannot import name 'DeviceMesh' from 'torch.distributed' (/home/ubuntu/.local/lib/python3.10/site-packages/torch/distributed/__init__.py)",
      ),
    ),
  },
  {
    ...torch,
    label: 'found',
    what: 'a library of torch is not there',
    also: ['U3', 'U28'],
    happens: endsSaying(
      ...raised(
        'OSError: /home/ubuntu/.local/lib/python3.10/site-packages/torch/lib/libtorch_global_deps.so: cannot open shared object file: No such file or directory',
      ),
    ),
  },
  {
    ...torch,
    label: 'clear',
    what: 'an environment borrows the Stack’s torch, and has none of its own',
    run: inEnvironment(BORROWS, ['einops', 'torchmetrics'], 'python'),
    happens: nothing,
  },
  {
    ...torch,
    label: 'clear',
    what: 'an environment with a torch of its own that borrows nothing',
    run: inEnvironment(OWN, ['torch'], 'python'),
    happens: nothing,
  },
  {
    ...torch,
    label: 'clear',
    what: 'a package whose name begins like it is not installed',
    also: ['U3'],
    happens: endsSaying(...raised("ModuleNotFoundError: No module named 'torchmetrics'")),
  },
  {
    ...torch,
    label: 'clear',
    what: 'weights that could not be read',
    also: ['U3'],
    happens: endsSaying(
      ...raised(
        "OSError: Unable to load weights from pytorch checkpoint file for '/home/ubuntu/out/pytorch_model.bin' at '/home/ubuntu/out/pytorch_model.bin'.",
      ),
    ),
  },
  {
    ...torch,
    label: 'unknown',
    what: 'the run of an environment is gone, and its log with it',
    also: ['U3'],
    run: inEnvironment(OWN, ['torch'], 'python'),
    happens: endsWithItsLog,
  },
];

const upgraded =
  (...commands: readonly string[]) =>
  (box: RunBox): void =>
    box.tells(
      'proc/apt-history.log',
      commands
        .map((command) => `Start-Date: 2026-11-21  10:00:00\nCommandline: ${command}\n\n`)
        .join(''),
    );
const cudnn = { id: 'LAM11', platform: 'lambda', run: WAITS } as const;
const libraries: readonly LookIncident[] = [
  {
    ...cudnn,
    label: 'found',
    what: 'a part of it is missing after an upgrade of everything',
    also: ['U3', 'U28'],
    prepare: upgraded('apt-get -y full-upgrade'),
    happens: endsSaying(
      'Could not load library libcudnn_cnn_infer.so.8. Error: libcudnn_cnn_infer.so.8: cannot open shared object file: No such file or directory',
    ),
  },
  {
    ...cudnn,
    label: 'clear',
    what: 'it is there, and says that a shape does not fit',
    also: ['U3'],
    prepare: upgraded('apt-get -y full-upgrade'),
    happens: endsSaying(...raised('RuntimeError: cuDNN error: CUDNN_STATUS_BAD_PARAM')),
  },
  {
    ...cudnn,
    label: 'clear',
    what: 'a download of it is not an archive',
    also: ['U3'],
    happens: endsSaying(
      ...raised('tarfile.ReadError: not a gzip file: /home/ubuntu/libcudnn9-linux.tgz'),
    ),
  },
  {
    ...cudnn,
    label: 'clear',
    what: 'everything was upgraded, and the run goes on',
    prepare: upgraded('apt upgrade -y'),
    happens: nothing,
  },
  {
    ...cudnn,
    label: 'unknown',
    what: 'after an upgrade a run is gone, and its log with it',
    also: ['U3'],
    prepare: upgraded('apt full-upgrade'),
    happens: endsWithItsLog,
  },
];

export const podAndStackLooks: readonly LookIncident[] = [
  ...cards,
  ...keys,
  ...torches,
  ...libraries,
];
