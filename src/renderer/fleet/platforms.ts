import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import { SHIPPED_PLATFORMS } from '../../shared/profiles/platform-names.ts';

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  [DEMO_PLATFORM]: 'Demo box',
  ...SHIPPED_PLATFORMS,
};

/** A platform without a known name is shown by its id. */
export function platformName(platform: string): string {
  return (Object.hasOwn(PLATFORM_NAMES, platform) && PLATFORM_NAMES[platform]) || platform;
}
