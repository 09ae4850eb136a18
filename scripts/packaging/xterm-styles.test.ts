import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { withoutInlineStyles } from './xterm-styles.mjs';

const BUNDLE = createRequire(import.meta.url).resolve('@xterm/xterm/lib/xterm.mjs');

describe('withoutInlineStyles', () => {
  it('leaves no inline style in the xterm.js that we ship', () => {
    const rewritten = withoutInlineStyles(readFileSync(BUNDLE, 'utf8'));
    expect(rewritten).not.toMatch(/createElement\("style"\)|setAttribute\("style"|insertRule\(/);
    expect(rewritten.match(/createElement\("adopted-style"\)/g)).toHaveLength(3);
  });

  it('refuses a bundle that it does not know', () => {
    expect(() => withoutInlineStyles('document.createElement("style")')).toThrow(/changed how/);
  });
});
