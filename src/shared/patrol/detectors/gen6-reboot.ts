import { figure, line } from '../../detectors/finding.ts';
import { judgeRestart } from '../../telemetry/machine-marks.ts';
import { BOX, clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { phrase, says } from '../../detectors/says.ts';

/** GEN6 */
export const reboot: LookDetector = {
  id: 'GEN6',
  judge({ look, before, missing }) {
    if (before === null) return [unknown('this is the first check')];
    const [was, is] = [before.machine, look.machine];
    const restart = judgeRestart(asFacts(was), asFacts(is));
    if (restart === null) {
      if (was.bootId === null || is.bootId === null) {
        return [unknown('the box does not tell its boot id')];
      }
      return [clear()];
    }
    // A reboot that took nothing with it is a mark on the time axis, and no loss.
    const lost = missing.filter(
      ({ judgement }) => judgement.kind === 'gone' && judgement.cause !== 'finished',
    );
    if (lost.length === 0) {
      return before.runs.length === 0 || look.isWhole
        ? [clear()]
        : [unknown('the box did not tell whether its runs are there')];
    }
    return [
      {
        ...found(BOX, {
          severity: 'critical',
          says: says('GEN6', restart === 'reboot' ? 'reboot' : 'container', {
            runs:
              lost.length === 1
                ? phrase('GEN6', 'one-run')
                : phrase('GEN6', 'some-runs', { count: lost.length }),
          }),
          clues: [
            line(`boot id ${was.bootId ?? 'unknown'} → ${is.bootId ?? 'unknown'}`, {
              file: '/proc/sys/kernel/random/boot_id',
              atMs: look.atMs,
            }),
            ...(is.uptimeS === null ? [] : [figure('Up for', is.uptimeS, 's')]),
            ...lost.map(({ run }) =>
              line(
                `gone: ${run.command ?? 'command unknown'}${run.tmuxSession === null ? '' : ` in the tmux session ${run.tmuxSession}`}`,
              ),
            ),
          ],
        }),
        isEvent: true,
      },
    ];
  },
};

const asFacts = (
  machine: Omit<Parameters<typeof judgeRestart>[0], 'cudaMaxVersion'>,
): Parameters<typeof judgeRestart>[0] => ({ ...machine, cudaMaxVersion: null });
