import { watchedOn, type Watched, type WatchedFields } from './places.ts';

/** What the shipped profiles have looked at; a test of the shipped profiles holds it to them. */
export const SHIPPED_WATCHED: Readonly<
  Record<string, Partial<Pick<WatchedFields, 'watched' | 'looks' | 'accelerators' | 'traps'>>>
> = {
  autodl: {
    watched: [
      { path: '/root/autodl-fs', for: 'inode-limit' },
      { path: '/root/autodl-tmp', for: 'hidden-cache' },
    ],
    traps: ['AD1', 'AD2', 'AD6', 'AD9'],
  },
  colab: { traps: ['NB4'] },
  featurize: {
    traps: ['CN1'],
    watched: [
      { path: '/home/featurize', for: 'quota' },
      { path: '/cloud', for: 'quota' },
      { path: '/home/featurize', for: 'kept' },
      { path: '/cloud', for: 'kept' },
    ],
  },
  gpushare: {
    watched: [{ path: '/hy-netdisk', for: 'netdisk' }],
    accelerators: ['turbo.gpushare.com', 'turbo2.gpushare.com'],
    traps: ['CN1', 'GS3'],
  },
  kubernetes: { traps: ['K8S6'] },
  kaggle: { watched: [{ path: '/kaggle/working', for: 'kept' }], traps: ['NB3', 'NB4'] },
  lambda: { looks: ['python-mix'], traps: ['LAM2', 'LAM7', 'LAM8', 'LAM11', 'LAM13'] },
  lanrui: { traps: ['CN1'] },
  matpool: { watched: [{ path: '/mnt', for: 'snapshots' }], traps: ['CN1'] },
  paperspace: {
    watched: [
      { path: '/storage', for: 'kept' },
      { path: '/notebooks', for: 'kept' },
      { path: '/storage', for: 'room' },
    ],
    traps: ['PS7', 'PS10', 'PS11', 'PS13'],
  },
  runpod: {
    watched: [
      { path: '/workspace', for: 'volume' },
      { path: '/workspace', for: 'event-files' },
    ],
    looks: ['pod-names'],
    traps: ['RP1', 'RP2', 'RP5', 'RP9', 'RP12'],
  },
  slurm: { traps: ['SLURM5'] },
  vastai: { traps: ['VAST5', 'VAST10', 'VAST14'] },
};

/** The web address of a port, on the platform whose proxy cuts what takes too long. */
const WEB: Readonly<Record<string, readonly string[]>> = {
  runpod: ['https://<POD_ID>-<INTERNAL_PORT>.proxy.runpod.net'],
};

/** Rules are tested in a room that reads no files. */
export function likeShipped(platform: string | null): Watched {
  const profiles = Object.entries(SHIPPED_WATCHED).map(
    ([id, { watched = [], looks = [], accelerators = [], traps = [] }]) => ({
      id,
      watched,
      looks,
      accelerators,
      traps,
      ports: { urlPatterns: WEB[id] ?? [], tensorboard: { logdir: null } },
    }),
  );
  return watchedOn(platform, profiles);
}
