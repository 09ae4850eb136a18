import { describe, expect, it } from 'vitest';
import type { BoxMounts, MeasuredMount, Place } from '../../shared/mounts/mount.ts';
import { pathOn, pathsOf } from '../../shared/profiles/tier-paths.ts';
import { placeTiers, type Spot } from '../../shared/profiles/whereabouts.ts';
import { SHIPPED_IDS, shippedProfile } from './profiles.fixture.ts';

// Over the profiles as they ship: a path that is written in another way must not be lost in silence.
describe('pathsOf', () => {
  it('reads the paths of every tier that ships', () => {
    const tiers = SHIPPED_IDS.flatMap((id) =>
      shippedProfile(id).storage.map((tier) => `${id} ${tier.name}: ${pathsOf(tier).join(' ')}`),
    );
    expect(tiers.join('\n')).toMatchInlineSnapshot(`
      "autodl system disk: /
      autodl data disk: /root/autodl-tmp
      autodl shared filesystem: /root/autodl-fs
      colab runtime disk: /content
      colab Google Drive: /content/drive/MyDrive/proj
      featurize work: /home/featurize
      featurize sync drive: /cloud
      featurize everything else: /
      generic-ssh root/home disk: / ~
      generic-ssh attached block volume (if any): 
      gpushare system disk: / /root
      gpushare local SSD: /hy-tmp
      gpushare intranet netdisk: /hy-netdisk
      gpushare shared nas: /hy-nas
      kaggle committed output: /kaggle/working
      kaggle scratch: /kaggle/temp
      kubernetes pod filesystem: /
      kubernetes PersistentVolumeClaim: /checkpoints
      lambda root/local NVMe: / /home/ubuntu
      lambda NFS filesystem: /lambda/nfs/<name>
      lanrui system disk: /
      lanrui data disk 数据盘: /home/user/datadisk
      lanrui netdisk 网盘: /home/user/netdisk/data
      matpool system disk: /root
      matpool netdisk: /mnt
      paperspace notebook shared: /storage
      paperspace notebook own: /notebooks
      paperspace notebook workspace: /usr/local/lib
      paperspace Core block disk: 
      paperspace Core snapshot: 
      runpod container disk: /
      runpod volume disk: /workspace
      runpod Network Volume: /workspace /runpod-volume
      slurm shared home/scratch: $HOME /scratch/$USER
      slurm node-local scratch: $TMPDIR
      vastai container disk: / /workspace
      vastai local volume: 
      vastai cloud sync bucket: "
    `);
  });

  it('puts the values of the box into it, or says that they are not known', () => {
    const values = { home: '/home/me', user: 'me', tmpdir: null };
    expect(
      ['~', '$HOME', '~/x/', '/scratch/$USER', '/'].map((path) => pathOn(path, values)),
    ).toEqual(['/home/me', '/home/me', '/home/me/x', '/scratch/me', '/']);
    expect(['$TMPDIR', '/x/$constructor', 'x'].map((path) => pathOn(path, values))).toEqual([
      null,
      null,
      null,
    ]);
  });
});

function mount(path: string): MeasuredMount {
  return {
    id: path,
    path,
    source: '/dev/x',
    type: 'ext4',
    device: path,
    isReadOnly: false,
    usage: null,
    because: 'not asked in this test',
  };
}

function box(mounts: readonly string[], places: Readonly<Record<string, Place>>): BoxMounts {
  return {
    atMs: 0,
    mounts: mounts.map(mount),
    leftOut: 0,
    places: Object.entries(places).map(([name, place]) => ({ name, path: name, place })),
    unreadable: [],
  };
}
const there = (path: string): Place => ({ kind: 'there', path });
const said = (spot: Spot): string => {
  if (spot.kind === 'mount') return `${spot.path} is ${spot.mount.path}`;
  if (spot.kind === 'folder')
    return `${spot.path} lies on ${spot.mount.path}: ${spot.tierName ?? 'unknown'}`;
  return `${spot.path} ${spot.kind}`;
};
function spots(id: (typeof SHIPPED_IDS)[number], on: BoxMounts) {
  const { tiers, strangers } = placeTiers(shippedProfile(id), on);
  return {
    tiers: Object.fromEntries(tiers.map(({ tier, spots: found }) => [tier.name, found.map(said)])),
    strangers: strangers.map(({ path }) => path),
  };
}

describe('placeTiers', () => {
  it('finds each tier at its own mount, and names what no tier names', () => {
    const on = box(['/', '/root/autodl-tmp', '/data'], {
      '/': there('/'),
      '/root/autodl-tmp': there('/root/autodl-tmp'),
      '/root/autodl-fs': { kind: 'absent' },
    });
    expect(spots('autodl', on)).toEqual({
      tiers: {
        'system disk': ['/ is /'],
        'data disk': ['/root/autodl-tmp is /root/autodl-tmp'],
        'shared filesystem': ['/root/autodl-fs absent'],
      },
      strangers: ['/data'],
    });
  });

  it('says that a folder is not the disk that it is called after', () => {
    const on = box(['/'], {
      '/': there('/'),
      '/root/autodl-tmp': there('/root/autodl-tmp'),
      '/root/autodl-fs': { kind: 'unknown', because: 'it did not answer in time' },
    });
    expect(spots('autodl', on).tiers).toEqual({
      'system disk': ['/ is /'],
      'data disk': ['/root/autodl-tmp lies on /: system disk'],
      'shared filesystem': ['/root/autodl-fs unknown'],
    });
  });

  it('follows a symlink to the mount that it leads to', () => {
    const on = box(['/', '/mnt/volume'], { '/': there('/'), '/workspace': there('/mnt/volume') });
    expect(spots('runpod', on).tiers['volume disk']).toEqual(['/workspace is /mnt/volume']);
  });

  it('does not choose between two tiers at one path', () => {
    const on = box(['/', '/workspace'], {
      '/': there('/'),
      '/workspace': there('/workspace'),
      '/runpod-volume': { kind: 'absent' },
    });
    const { tiers } = placeTiers(shippedProfile('runpod'), on);
    expect(tiers.map(({ tier, rivals }) => [tier.name, rivals])).toEqual([
      ['container disk', []],
      ['volume disk', ['Network Volume']],
      ['Network Volume', ['volume disk']],
    ]);
  });

  it('finds mounts of any name where the profile leaves it open', () => {
    const on = box(['/', '/lambda/nfs/one', '/lambda/nfs/one/deep'], {
      '/': there('/'),
      '/home/ubuntu': there('/home/ubuntu'),
    });
    expect(spots('lambda', on)).toEqual({
      tiers: {
        'root/local NVMe': ['/ is /'],
        'NFS filesystem': ['/lambda/nfs/one is /lambda/nfs/one'],
      },
      strangers: ['/lambda/nfs/one/deep'],
    });
    expect(spots('lambda', box(['/'], {})).tiers['NFS filesystem']).toEqual([
      '/lambda/nfs/<name> absent',
    ]);
  });

  it('knows nothing of a path that the box did not tell', () => {
    expect(spots('slurm', box(['/'], {})).tiers['node-local scratch']).toEqual(['$TMPDIR unknown']);
  });
});
