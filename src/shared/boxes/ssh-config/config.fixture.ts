import { includeKey, type ConfigTree } from './sections.ts';

/** A tree from texts: the first is the root, an Include names the others as they are named here. */
export function treeOf(files: Readonly<Record<string, string>>): ConfigTree {
  const [root = 'config'] = Object.keys(files);
  return {
    roots: [root],
    files: new Map(Object.entries(files)),
    includes: new Map(Object.keys(files).map((name) => [includeKey(root, name), [name]])),
    notes: [],
  };
}
