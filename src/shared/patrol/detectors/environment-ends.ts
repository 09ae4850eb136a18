import type { LookDetector } from '../look-detector.ts';
import { endedBy } from './ended-by.ts';

const NO_KERNEL = /no kernel image/i;
const TOO_OLD =
  /\b804\b|forward compatibility|update your (?:GPU )?driver|driver .{0,40}(?:is too old|is insufficient)|OCI runtime|unsatisfied condition: cuda/i;

/** Torch warns of the fabric when it counts the cards, and what asks for one later fails for another reason. */
export const saysFabric = (end: string): boolean =>
  /Error 802: system not yet initialized/.test(end);

/** Runs that ended because what they ran on does not fit together; on each platform with what can be done there. */
export const environmentEnds: readonly LookDetector[] = [
  endedBy({
    id: 'U28',
    title: 'Driver, CUDA toolkit and torch build must agree',
    platforms: null,
    isToldWhileAlive: false,
    fits: ({ failure, gotcha }) => failure === 'environment' && gotcha === null,
    severity: 'critical',
    headline: 'A run ended because driver, CUDA, torch or a library do not fit together.',
    means:
      'The driver belongs to the host and cannot be changed by a tenant, the toolkit is per env, and a pinned older torch can replace the only build that supports a new card.',
    fix: [
      'Keep the torch of the image; filter torch, torchvision and torchaudio from the requirements',
      'Choose toolkit <= what the driver supports',
      'Check device capability and a heavy import before launch',
    ],
  }),
  endedBy({
    id: 'U26',
    title: 'Windows line endings break shell scripts on Linux',
    platforms: null,
    isToldWhileAlive: true,
    fits: ({ gotcha }) => gotcha === 'U26',
    severity: 'warn',
    headline: 'A script with Windows line endings was run.',
    means:
      'Bash takes the trailing carriage return as part of each token; Python files are unaffected.',
    fix: [
      'Unblock on the box by stripping the trailing carriage return',
      'Force LF for *.sh through .gitattributes',
    ],
  }),
  endedBy({
    id: 'MN1',
    title: 'A dead fabric manager on one node blocks NCCL init for all',
    platforms: null,
    isToldWhileAlive: false,
    fits: ({ gotcha }, { end }) => gotcha === 'MN1' || (gotcha === 'U31' && saysFabric(end)),
    severity: 'critical',
    headline: 'A run ended because the fabric between the cards is not up.',
    means: 'On NVSwitch nodes the fabric manager must run on all nodes; init is a global barrier.',
    fix: [
      'Check the service and its version on EVERY node',
      'Restart the service if allowed, else replace that box',
    ],
  }),
  endedBy({
    id: 'AD9',
    title: 'Installing project requirements downgrades the working torch',
    platforms: ['autodl'],
    isToldWhileAlive: false,
    fits: ({ failure, line }) => failure === 'environment' && NO_KERNEL.test(line),
    severity: 'critical',
    headline: 'A run found no kernel for this card: its torch is not the one of the image.',
    means: 'The image build matches the rented card; an old pin replaces it.',
    fix: [
      'Filter torch, torchvision and torchaudio out',
      'Check device capability and a heavy import',
    ],
  }),
  endedBy({
    id: 'PS11',
    title: 'Template driver too old for current torch',
    platforms: ['paperspace'],
    isToldWhileAlive: false,
    fits: ({ failure, line }) =>
      failure === 'environment' && (TOO_OLD.test(line) || NO_KERNEL.test(line)),
    severity: 'warn',
    headline: 'A run ended because the template’s driver and its torch do not fit.',
    means: 'The template stack lags and a tenant cannot change the driver.',
    fix: [
      'Install a torch build that fits',
      'Pick a template that fits: Ubuntu 22.04 for H100 and A100',
    ],
  }),
  endedBy({
    id: 'RP9',
    title: 'Host driver older than the image CUDA',
    platforms: ['runpod'],
    isToldWhileAlive: false,
    fits: ({ failure, line }) => failure === 'environment' && TOO_OLD.test(line),
    severity: 'warn',
    headline: 'A run ended because this host’s driver is older than the image’s CUDA.',
    means: 'Driver versions differ per machine.',
    fix: [
      'Filter machines by CUDA version when deploying',
      'Or pick an image that fits the driver',
    ],
  }),
  endedBy({
    id: 'VAST5',
    title: 'Image CUDA newer than the host driver',
    platforms: ['vastai'],
    isToldWhileAlive: false,
    fits: ({ failure, line }) => failure === 'environment' && TOO_OLD.test(line),
    severity: 'warn',
    headline: 'A run ended because the image’s CUDA is newer than this host’s driver.',
    means: 'CUDA ships in the image and must not exceed what the driver supports.',
    fix: ['Pick an image with lower CUDA', 'Verify in the onstart step before training'],
  }),
  endedBy({
    id: 'AD6',
    title: 'Base conda is the project env; python3 may not exist',
    platforms: ['autodl'],
    isToldWhileAlive: true,
    fits: ({ line }) => /python3: (?:command )?not found/.test(line),
    severity: 'warn',
    headline: 'A script asked for python3, and this image has only python.',
    means:
      'The image installs the stack into base, has no named envs and often only the name python.',
    fix: [
      'Use /root/miniconda3/bin/python explicitly',
      'Never create or clone envs (a clone wastes about 16 GB)',
    ],
  }),
];
