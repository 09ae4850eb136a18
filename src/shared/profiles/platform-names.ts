import { DEMO_PLATFORM } from '../demo/demo-platform.ts';

/**
 * The platforms whose profiles ship, by the short names that rows and headings have room for. They stand here because the
 * window's first picture is drawn before any profile is read; a test holds them to the profiles.
 */
export const SHIPPED_PLATFORMS = {
  autodl: 'AutoDL',
  colab: 'Colab',
  featurize: 'Featurize',
  'generic-ssh': 'SSH',
  gpushare: 'Gpushare',
  kaggle: 'Kaggle',
  kubernetes: 'Kubernetes',
  lambda: 'Lambda',
  lanrui: 'LanRui',
  matpool: 'Matpool',
  paperspace: 'Paperspace',
  runpod: 'RunPod',
  slurm: 'Slurm',
  vastai: 'vast.ai',
} as const;
export type ShippedPlatform = keyof typeof SHIPPED_PLATFORMS;

/** A box of which nobody has said whose it is. */
export const UNSAID_PLATFORM: ShippedPlatform = 'generic-ssh';

export const isUnsaid = (platform: string | null): boolean =>
  platform === null || platform === UNSAID_PLATFORM;

const NAMES: Readonly<Record<string, string>> = {
  [DEMO_PLATFORM]: 'Demo box',
  ...SHIPPED_PLATFORMS,
};

/** A platform without a known name is shown by its id. */
export function platformName(platform: string): string {
  return (Object.hasOwn(NAMES, platform) && NAMES[platform]) || platform;
}

/** As a person chooses it from a list: nobody calls their own machine by the name of the profile that it falls back to. */
export const nameToChoose = ({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string;
}): string => (id === UNSAID_PLATFORM ? 'Own or other machine' : name);
