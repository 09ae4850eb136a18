import { join } from 'node:path';

/** Where this process finds what it reads at run time. */
export interface ResourcePaths {
  /** The demo box's simulated tools. */
  readonly demoTools: string;
  /** The scripts that run on boxes. */
  readonly onbox: string;
  /** What a person’s own Python runs to load a file. */
  readonly verify: string;
  /** The facts of the platforms, as they ship. */
  readonly profiles: string;
  /** What goes wrong on rented machines, and the way out. */
  readonly gotchas: string;
}

interface Installation {
  readonly isPackaged: boolean;
  /** Beside the archive of a packaged app. */
  readonly resourcesPath: string;
  /** The project's folder, otherwise. */
  readonly appPath: string;
}

/**
 * A packaged app has them beside its archive, as package.json's build.extraResources lays them out: shells and other programs
 * cannot read inside of it.
 */
export function resourcePaths({ isPackaged, resourcesPath, appPath }: Installation): ResourcePaths {
  const resources = isPackaged ? resourcesPath : join(appPath, 'resources');
  return {
    demoTools: join(resources, 'demo'),
    onbox: join(resources, 'onbox'),
    verify: join(resources, 'verify'),
    gotchas: join(resources, 'gotchas'),
    profiles: join(isPackaged ? resourcesPath : appPath, 'profiles'),
  };
}
