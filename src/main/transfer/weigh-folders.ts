import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { readWeighed, type WeighedFolder } from '../../shared/transfer/weighed-folder.ts';
import { afterMark, newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** A person waits for it; what takes longer has too many files to be looked at in passing. */
const LIMIT_S = 5;

/** How much lies in these folders: a bounded look at each. */
export async function weighFolders(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  folders: readonly string[],
): Promise<Result<readonly WeighedFolder[], Problem>> {
  const mark = newMark();
  const ran = await scripts.runWithInput(
    connection,
    'weigh-folders.sh',
    { LEASEHOLD_MARK: mark, LEASEHOLD_LIMIT_S: String(LIMIT_S) },
    folders.map((folder) => `${folder}\n`).join(''),
    { timeoutMs: (folders.length * LIMIT_S + 30) * 1000 },
  );
  return ran.ok ? ok(readWeighed(afterMark(ran.value.stdout, mark), folders)) : ran;
}
