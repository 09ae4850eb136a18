/** Of a tree that a push has put somewhere: what it was, to tell later what is no longer a part of it. */
export interface TreeRecord {
  readonly tree: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

export function recordBytes({ tree, files }: TreeRecord): string {
  return `${tree}\n${files.map(({ path, sha256 }) => `${sha256} ${path}\0`).join('')}`;
}

const ENTRY = /^([0-9a-f]{64}) (?!\/)([^]+)$/;

/** What resources/onbox/tree-record.sh printed. Null: not what a push keeps; a path that would leave the folder is none of its. */
export function readTreeRecord(text: string): TreeRecord | null {
  const end = text.indexOf('\n');
  const tree = text.slice(0, Math.max(0, end));
  if (!/^[0-9a-f]{64}$/.test(tree)) return null;
  const files = text
    .slice(end + 1)
    .split('\0')
    .flatMap((entry) => {
      const [, sha256 = '', path = ''] = ENTRY.exec(entry) ?? [];
      return path === '' || path.split('/').includes('..') ? [] : [{ path, sha256 }];
    });
  return { tree, files };
}
