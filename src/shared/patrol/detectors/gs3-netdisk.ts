import { line } from '../../detectors/finding.ts';
import { clear, found, runSubject, unknown, type LookDetector } from '../look-detector.ts';

const NETDISK = '/hy-netdisk';
const NAMES_IT = /(?:^|[\s=:'"])\/hy-netdisk(?:\/|$|[\s'"])/;

/** GS3 */
export const missingNetdisk: LookDetector = {
  id: 'GS3',
  title: '/hy-netdisk is missing on unmarked machines (Gpushare)',
  judge({ look, platform }) {
    if (platform !== 'gpushare') return [clear()];
    if (look.mounts.length === 0) return [unknown('the box told of no disk')];
    if (look.mounts.some(({ path }) => path === NETDISK)) return [clear()];
    const told = look.runs
      .filter(({ command, folder }) => NAMES_IT.test(`${command ?? ''} ${folder ?? ''}`))
      .map((run) =>
        found(runSubject(run), {
          severity: 'warn',
          headline: 'A run uses /hy-netdisk, and this machine has none.',
          means: 'Only machines marked for intranet storage have it.',
          fix: [
            'Check the mount first',
            'Otherwise use personal cloud storage with the oss tool (about 300 Mbps, archives only)',
          ],
          evidence: [line(`no mount at ${NETDISK}`)],
          caveat: 'What is written there lies on the system disk, which does not persist.',
        }),
      );
    return told.length > 0 ? told : [clear()];
  },
};
