import { line } from '../../detectors/finding.ts';
import { asPattern } from '../../profiles/tier-paths.ts';
import { clear, found, runSubject, unknown, type LookDetector } from '../look-detector.ts';
import { phrase, says } from '../../detectors/says.ts';

/** GS3 */
export const missingNetdisk: LookDetector = {
  id: 'GS3',
  judge({ look, traps, places }) {
    if (!traps.includes('GS3')) return [clear()];
    if (look.mounts.length === 0) return [unknown('the box told of no disk')];
    const missing = places.netdisk.filter((disk) => !look.mounts.some(({ path }) => path === disk));
    const told = look.runs.flatMap((run) => {
      const disk = missing.find((each) =>
        isNamed(each, `${run.command ?? ''} ${run.folder ?? ''}`),
      );
      if (disk === undefined) return [];
      return [
        found(runSubject(run), {
          severity: 'warn',
          says: says('GS3', 'missing', { mount: disk }),
          clues: [line(`no mount at ${disk}`)],
          caveat: phrase('GS3', 'not-kept'),
        }),
      ];
    });
    return told.length > 0 ? told : [clear()];
  },
};

/** The whole name, or the beginning of a longer path. */
function isNamed(disk: string, words: string): boolean {
  return new RegExp(`(?:^|[\\s=:'"])${asPattern(disk)}(?:/|$|[\\s'"])`).test(words);
}
