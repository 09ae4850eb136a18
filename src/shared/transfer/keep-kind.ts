import type { RunKeeps } from '../runs/launch/run-about.ts';
import { checkpointOf } from '../runs/checkpoints/checkpoint-name.ts';
import { ignoredBy } from './ignore-rules.ts';
import type { SaidRule } from './keep-rules.ts';
import type { KeepKind } from './pull.ts';
import { USUAL_KEEP_RULES } from './usual-keep-rules.ts';

/** What a file is for, and which rule says so; absent: none does. */
export interface KeptFor {
  readonly keep: KeepKind;
  readonly rule?: Pick<SaidRule, 'pattern' | 'from'>;
}

/**
 * What files are for: as the request of their run says, else as a person has said of the box or of every one, else as they are usually called.
 * In a request evidence counts first: it is never taken for scratch.
 */
export function keptFor(
  keeps: RunKeeps | undefined,
  own: readonly SaidRule[],
): (path: string) => KeptFor {
  const from = 'request';
  const asked = (keep: SaidRule['keep'], patterns: readonly string[] = []): readonly SaidRule[] =>
    patterns.map((pattern) => ({ pattern, keep, from }));
  const rules: readonly SaidRule[] = [
    ...asked('evidence', keeps?.evidence),
    ...asked('checkpoint', keeps?.checkpoints),
    ...asked('scratch', keeps?.scratch),
    ...own,
    ...USUAL_KEEP_RULES.map((rule) => ({ ...rule, from: 'usual' as const })),
  ];
  const tests = rules.map((rule) => {
    const fits = ignoredBy([rule.pattern]);
    // A folder that is only called like one, as "checkpoint-eval", is no checkpoint, and each file in it would be one of its own.
    const isGuess = rule.from === 'usual' && rule.keep === 'checkpoint';
    return {
      rule,
      fits: isGuess ? (path: string) => fits(path) && checkpointOf(path) !== null : fits,
    };
  });
  return (path) => {
    const rule = tests.find(({ fits }) => fits(path))?.rule;
    if (rule === undefined) return { keep: 'unknown' };
    return { keep: rule.keep, rule: { pattern: rule.pattern, from: rule.from } };
  };
}

export function keepKinds(
  keeps: RunKeeps | undefined,
  own: readonly SaidRule[] = [],
): (path: string) => KeepKind {
  const judge = keptFor(keeps, own);
  return (path) => judge(path).keep;
}
