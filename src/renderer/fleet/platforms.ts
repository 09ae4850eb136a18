import { SHIPPED_PLATFORMS } from '../../shared/profiles/platform-names.ts';

/** Id of the box inside the app; its badge and its menus are the only special cases outside main's demo folder. */
export const DEMO_PLATFORM = 'demo';

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  [DEMO_PLATFORM]: 'Demo box',
  ...SHIPPED_PLATFORMS,
};

/** A platform without a known name is shown by its id. */
export function platformName(platform: string): string {
  return (Object.hasOwn(PLATFORM_NAMES, platform) && PLATFORM_NAMES[platform]) || platform;
}
