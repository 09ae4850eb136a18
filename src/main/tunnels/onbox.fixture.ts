import { fileURLToPath } from 'node:url';
import { OnboxScripts } from './onbox.ts';

/** The scripts as they ship. */
export const onboxScripts = new OnboxScripts(
  fileURLToPath(new URL('../../../resources/onbox', import.meta.url)),
);
