import { RuleTester } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, it } from 'vitest';
import { gatePass } from './gate-pass.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const SERVICE = '/x/src/main/teardown/teardowns.ts';
const WING = '/x/src/main/app/wings/teardown.ts';
const ELSEWHERE = '/x/src/main/files/file-remover.ts';
const pass = [{ messageId: 'pass' }];
const verbs = [{ messageId: 'verbs' }];
const script = [{ messageId: 'script' }];
const PASS = '../../shared/teardown/change-pass.ts';

new RuleTester({ languageOptions: { parser } }).run('gate-pass', gatePass, {
  valid: [
    { filename: SERVICE, code: `import { GatePass } from '../../shared/teardown/gate.ts';` },
    { filename: SERVICE, code: `import type { TeardownVerbs } from './teardown-verbs.ts';` },
    { filename: WING, code: `import { VerbsByHand } from '../../teardown/teardown-verbs.ts';` },
    {
      filename: ELSEWHERE,
      code: `import type { GateState } from '../../shared/teardown/gate.ts';`,
    },
    { filename: ELSEWHERE, code: `import * as all from '../aggregate.ts';` },
    { filename: ELSEWHERE, code: `import type { ChangePass } from '${PASS}';` },
    { filename: ELSEWHERE, code: `import { one, type ChangePass } from '${PASS}';` },
    { filename: SERVICE, code: `import { ChangePass } from '${PASS}';` },
    {
      filename: '/x/src/main/files/a.test.ts',
      code: `import { endPass } from './change-pass.fixture.ts';`,
    },
    { filename: '/x/src/main/runs/end-run.ts', code: `scripts.run(on, 'run-end.sh');` },
    { filename: '/x/src/main/onbox/onbox-scripts.ts', code: `type Script = 'run-end.sh';` },
    { filename: '/x/src/main/runs/a.test.ts', code: `of('run-end.sh');` },
    { filename: ELSEWHERE, code: `scripts.run(on, 'run-look.sh');` },
    {
      filename: '/x/src/main/terminal/tmux.ts',
      code: `import { killScript } from '../../shared/terminal/tmux.ts';`,
    },
  ],
  invalid: [
    {
      filename: ELSEWHERE,
      code: `import { GatePass } from '../../shared/teardown/gate.ts';`,
      errors: pass,
    },
    {
      filename: ELSEWHERE,
      code: `import { GatePass as Mine } from '../../shared/teardown/gate.ts';`,
      errors: pass,
    },
    {
      filename: ELSEWHERE,
      code: `import { ChangePass } from '${PASS}';`,
      errors: pass,
    },
    { filename: ELSEWHERE, code: `import * as all from '${PASS}';`, errors: pass },
    {
      filename: ELSEWHERE,
      code: `import { endPass } from './change-pass.fixture.ts';`,
      errors: pass,
    },
    {
      filename: ELSEWHERE,
      code: `import type { GatePass } from '../../shared/teardown/gate.ts';`,
      errors: pass,
    },
    { filename: ELSEWHERE, code: `scripts.run(on, 'run-end.sh');`, errors: script },
    { filename: ELSEWHERE, code: `scripts.run(on, 'end-processes.sh');`, errors: script },
    { filename: ELSEWHERE, code: 'scripts.run(on, `run-end.sh`);', errors: script },
    {
      filename: ELSEWHERE,
      code: `import { killScript } from '../../shared/terminal/tmux.ts';`,
      errors: script,
    },
    { filename: ELSEWHERE, code: `scripts.run(on, 'sent-secrets.sh');`, errors: script },
    { filename: ELSEWHERE, code: `type Script = 'secrets-remove.sh';`, errors: script },
    {
      filename: WING,
      code: `import * as gate from '../../../shared/teardown/gate.ts';`,
      errors: pass,
    },
    {
      filename: ELSEWHERE,
      code: `export { GatePass } from '../../shared/teardown/gate.ts';`,
      errors: pass,
    },
    { filename: ELSEWHERE, code: `export * from '../../shared/teardown/gate.ts';`, errors: pass },
    {
      filename: ELSEWHERE,
      code: `const { GatePass } = await import('../../shared/teardown/gate.ts');`,
      errors: pass,
    },
    {
      filename: ELSEWHERE,
      code: `import { VerbsByHand } from '../teardown/teardown-verbs.ts';`,
      errors: verbs,
    },
    { filename: ELSEWHERE, code: `await import('../teardown/teardown-verbs.ts');`, errors: verbs },
    { filename: ELSEWHERE, code: `export * from '../teardown/teardown-verbs.ts';`, errors: verbs },
  ],
});
