import { plainLine } from '../../../questions/hostile-text.ts';
import type { KnownBox } from '../known-box.ts';
import type { RunPreflight, TorchLook } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import { noGpuEntry } from './gpu-checks.ts';
import {
  block,
  listWords,
  MAX_SHOWN_CHARS,
  ownTrap,
  pass,
  unknown,
  warn,
  type Judged,
} from './judged.ts';

const ON_THE_CPU = 'torch can use no GPU, so the run trains on the CPU or fails.';

/** Whether this build of torch can work with the driver and the cards of the box. */
export function judgeTorchBuild({ python, arch }: RunPreflight, known: KnownBox): Judged | null {
  const torch = python?.torch ?? null;
  if (torch === null) return null;
  const entry = ownTrap(known, 'RP9', 'VAST5', 'PS11') ?? 'U28';
  const { build, broken } = torch;
  if (broken !== null) {
    return block(
      `torch can't be imported: ${plainLine(broken, MAX_SHOWN_CHARS)}`,
      entry,
      'the run fails when it imports torch.',
    );
  }
  if (build === null)
    return unknown('Which build of torch the environment has is not known.', entry);
  const name = `torch ${plainLine(build.version, 60)}`;
  if (build.isHip) return pass(`${name} is a ROCm build.`);
  if (build.cuda === null) return judgeCpuBuild(name, arch, known);
  const cuda = plainLine(build.cuda, 20);
  const misfits = misfitsOf(torch);
  if (misfits.length > 0) {
    return block(
      `${name} was not built for the card (${listWords(misfits)}).`,
      entry,
      'the first work on the GPU fails.',
    );
  }
  const most = driverCuda(torch) ?? known.gpus.facts?.machine.cudaMaxVersion ?? null;
  if (most === null) {
    return unknown(
      `${name} is for CUDA ${cuda}; which CUDA the driver supports is not known.`,
      entry,
    );
  }
  // Within one major version an older driver runs newer builds.
  if (Number.parseInt(cuda, 10) > Number.parseInt(most, 10)) {
    return block(
      `${name} needs CUDA ${cuda}, and the driver supports at most CUDA ${plainLine(most, 20)}.`,
      entry,
      ON_THE_CPU,
    );
  }
  return pass(`${name} (CUDA ${cuda}) fits the driver (CUDA ${plainLine(most, 20)}).`, entry);
}

function judgeCpuBuild(name: string, arch: string | null, known: KnownBox): Judged {
  const count = known.gpus.facts?.gpus.length ?? null;
  if (count === 0) return pass(`${name} is a build without CUDA, and the box shows no GPU.`);
  const isArm = arch === 'aarch64';
  const says = `${name} is a build without CUDA${isArm ? ' (on an ARM machine: install the build for aarch64 with CUDA)' : ''}.`;
  const gotcha = (isArm ? ownTrap(known, 'LAM13') : null) ?? 'U31';
  return count === null ? warn(says, gotcha) : block(says, gotcha, ON_THE_CPU);
}

const driverCuda = ({ driver }: TorchLook): string | null =>
  driver === null || driver === 'missing' ? null : driver.cuda;

/** Cards for which it has neither code of their own generation nor anything that the driver could translate. */
function misfitsOf({ cards }: TorchLook): readonly string[] {
  if (cards === null) return [];
  const built = cards.built.flatMap((word) => capabilityOf(word) ?? []);
  return cards.own.filter((word) => {
    const own = capabilityOf(word);
    if (own === null || built.length === 0) return false;
    return !built.some(({ kind, major, minor }) =>
      kind === 'compute'
        ? major < own.major || (major === own.major && minor <= own.minor)
        : major === own.major && minor <= own.minor,
    );
  });
}

function capabilityOf(word: string) {
  const [, kind, major, minor] = /^(sm|compute)_(\d{1,2})(\d)a?$/.exec(word) ?? [];
  return kind === undefined ? null : { kind, major: Number(major), minor: Number(minor) };
}

/** Whether CUDA can be reached by the very Python of the run, in its environment. */
export function judgeCuda({ python }: RunPreflight, known: KnownBox): Judged | null {
  const { gpus } = known;
  const entry = noGpuEntry(known);
  const torch = python?.torch ?? null;
  // Why a build without CUDA sees no card is told by the build.
  if (torch === null || torch.broken !== null || isCpuBuild(torch)) return null;
  const { sees, driver } = torch;
  if (sees === null) return unknown(`${driverWords(driver)} ${LATE}`, entry);
  if (sees.isAvailable) {
    return pass(
      `torch reaches ${String(sees.gpus)} GPU${sees.gpus === 1 ? '' : 's'} from the environment.`,
      entry,
    );
  }
  if (gpus.facts?.gpus.length === 0)
    return pass('torch reaches no GPU, and the box shows none.', entry);
  return block(
    `torch reaches no GPU from the environment. ${driverWords(driver)}`,
    entry,
    ON_THE_CPU,
  );
}

const LATE = 'torch itself was not asked: importing it took longer than 2 s.';
const isCpuBuild = ({ build }: TorchLook): boolean =>
  build !== null && build.cuda === null && !build.isHip;

function driverWords(driver: TorchLook['driver']): string {
  if (driver === null) return 'The driver did not answer in time.';
  if (driver === 'missing') return 'Python finds no NVIDIA driver (libcuda.so.1).';
  if (driver.code !== 0) return `The NVIDIA driver answers with error ${String(driver.code)}.`;
  return `The NVIDIA driver shows ${String(driver.gpus)} GPU${driver.gpus === 1 ? '' : 's'} to Python.`;
}

/** A command that installs a requirements file may replace the torch of the image. */
export function judgeTorchPin(
  { command, activate }: RunRequest,
  { packages: { torchPin }, python }: RunPreflight,
  known: Pick<KnownBox, 'traps'>,
): Judged | null {
  if (torchPin === null || !INSTALLS.test(`${activate ?? ''}\n${command}`)) return null;
  const has = python?.torch?.build?.version ?? null;
  const pinned = /[=<~!]=\s*([\d.]+)/.exec(torchPin)?.[1];
  const told = plainLine(torchPin, 60);
  if (has !== null && has.split('+')[0] === pinned) {
    return pass(`requirements.txt asks for the torch that is installed (${told}).`);
  }
  return warn(
    `The command installs requirements.txt, whose “${told}” may replace the installed torch${has === null ? '' : ` ${plainLine(has, 60)}`}. Leave torch out of it.`,
    ownTrap(known, 'AD9') ?? 'U28',
  );
}
const INSTALLS = /\bpip3? install\b[^\n]{0,500}(?:-r|--requirement)/;

/** A copy in the home folder stands before the one that fits the machine. */
export function judgeTorchCopy(
  { python }: RunPreflight,
  known: Pick<KnownBox, 'traps'>,
): Judged | null {
  const at = python?.torch?.at ?? null;
  const entry = ownTrap(known, 'LAM7');
  if (at === null || entry === null) return null;
  const told = plainLine(at, MAX_SHOWN_CHARS);
  return at.includes('/.local/lib/python')
    ? warn(
        `torch is imported from ${told}, a copy of yours that hides the one of Lambda Stack.`,
        entry,
      )
    : pass(`torch is imported from ${told}.`, entry);
}

/** What pins only what it names lets the rest drift. */
export function judgeLock({
  packages: { wants, locks, requirements },
}: RunPreflight): Judged | null {
  if (locks !== null) return pass(`${plainLine(locks, 40)} fixes every package.`, 'U29');
  if (wants === null) return null;
  const told = plainLine(wants, 40);
  if (wants !== 'requirements.txt' || requirements === null || requirements.packages === 0) {
    return warn(
      `${told} is there without a lock file: packages that it does not name may differ next time.`,
      'U29',
    );
  }
  const { packages, loose, named, unhashed, isWhole } = requirements;
  if (loose > 0) {
    const shown = named.slice(0, loose > 3 ? 2 : 3);
    const rest = loose - shown.length;
    const names = rest > 0 ? `${shown.join(', ')} and ${String(rest)} more` : listWords(shown);
    return warn(
      `${told} does not hold ${names} to one version, and there is no lock file: ${loose === 1 ? 'it' : 'they'}, and packages that it does not name, may differ next time.`,
      'U29',
    );
  }
  if (!isWhole) {
    return unknown(
      `${told} names a file that was not read, so whether every package is fixed is not known.`,
      'U29',
    );
  }
  return unhashed === 0
    ? pass(`${told} fixes every package, each with its hash (${String(packages)}).`, 'U29')
    : warn(
        `${told} pins its ${packages === 1 ? 'package' : `${String(packages)} packages`} without hashes, and there is no lock file: packages that it does not name may differ next time.`,
        'U29',
      );
}
