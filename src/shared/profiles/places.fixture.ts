import { watchedOn, type Watched, type WatchedFields } from './places.ts';

/** What the shipped profiles have looked at; a test of the shipped profiles holds it to them. */
export const SHIPPED_WATCHED: Readonly<
  Record<string, Partial<Pick<WatchedFields, 'watched' | 'looks' | 'accelerators'>>>
> = {
  autodl: {
    watched: [
      { path: '/root/autodl-fs', for: 'inode-limit' },
      { path: '/root/autodl-tmp', for: 'hidden-cache' },
    ],
  },
  featurize: {
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
  },
  kaggle: { watched: [{ path: '/kaggle/working', for: 'kept' }] },
  lambda: { looks: ['python-mix'] },
  matpool: { watched: [{ path: '/mnt', for: 'snapshots' }] },
  paperspace: {
    watched: [
      { path: '/storage', for: 'kept' },
      { path: '/notebooks', for: 'kept' },
      { path: '/storage', for: 'room' },
    ],
  },
  runpod: {
    watched: [
      { path: '/workspace', for: 'volume' },
      { path: '/workspace', for: 'event-files' },
    ],
    looks: ['pod-names'],
  },
};

/** Rules are tested in a room that reads no files. */
export function likeShipped(platform: string | null): Watched {
  const profiles = Object.entries(SHIPPED_WATCHED).map(
    ([id, { watched = [], looks = [], accelerators = [] }]) => ({
      id,
      watched,
      looks,
      accelerators,
      ports: { tensorboard: { logdir: null } },
    }),
  );
  return watchedOn(platform, profiles);
}
