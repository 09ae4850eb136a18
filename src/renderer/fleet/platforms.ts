/** Id of the box inside the app; its badge and its menus are the only special cases outside main's demo folder. */
export const DEMO_PLATFORM = 'demo';

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  [DEMO_PLATFORM]: 'Demo box',
  'generic-ssh': 'SSH',
  slurm: 'Slurm',
  kubernetes: 'Kubernetes',
  colab: 'Colab',
  kaggle: 'Kaggle',
  autodl: 'AutoDL',
  runpod: 'RunPod',
  vastai: 'vast.ai',
  lambda: 'Lambda',
  paperspace: 'Paperspace',
};

/** A platform without a known name is shown by its id. */
export function platformName(platform: string): string {
  return PLATFORM_NAMES[platform] ?? platform;
}
