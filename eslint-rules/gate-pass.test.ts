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
      code: `import { DeletePass } from '../../shared/teardown/delete-pass.ts';`,
      errors: pass,
    },
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
