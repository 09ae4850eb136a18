import { RuleTester } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, it } from 'vitest';
import { noRawColour } from './no-raw-colour.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const raw = [{ messageId: 'raw' }];
const languageOptions = { parser, parserOptions: { ecmaFeatures: { jsx: true } } };

new RuleTester({ languageOptions }).run('no-raw-colour', noRawColour, {
  valid: [
    `const a = <path stroke="var(--chart-1)" fill="none" />;`,
    `const style = { color: 'var(--text-muted)', background: 'transparent' };`,
    `const plan = 'gold'; const issue = '#12'; const tag = '#general';`,
    `const a = <Badge tone="red" />;`,
    'const half = `oklch(from var(--accent) l c h / ${share}%)`;',
    'const mixed = `color-mix(in oklch, var(--accent) ${share}%, transparent)`;',
  ],
  invalid: [
    { code: `const a = <path stroke="#76b900" />;`, errors: raw },
    { code: `const a = <path fill={'tomato'} />;`, errors: raw },
    { code: `const style = { color: 'White' };`, errors: raw },
    { code: `const shadow = '0 0 4px rgba(0, 0, 0, 0.4)';`, errors: raw },
    { code: 'const line = `1px solid hsl(${hue} 50% 50%)`;', errors: raw },
    { code: 'const glow = `0 0 ${size}px #fff`;', errors: raw },
    {
      code: `const theme = { background: '#000', foreground: 'oklch(1 0 0)' };`,
      errors: [...raw, ...raw],
    },
  ],
});
