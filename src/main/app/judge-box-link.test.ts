import { describe, expect, it } from 'vitest';
import { judgeBoxLink } from './judge-box-link.ts';

describe('judgeBoxLink', () => {
  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ssh://host/',
    'vscode://file/x',
    'data:text/html,x',
    'ms-msdt:/id',
    'https://github.com@evil.example/',
    'https://user:word@host.example/',
    'no address',
    '//host.example/',
    '',
  ])('refuses %s', (text) => expect(judgeBoxLink(text)).toBeNull());

  it('finds nothing odd in a plain one', () => {
    expect(judgeBoxLink('https://wandb.ai/me/run?x=1#y')).toEqual({
      href: 'https://wandb.ai/me/run?x=1#y',
      oddities: [],
    });
  });

  it.each([
    ['https://аpple.com/', /xn--/, 'https://xn--pple-43d.com/'], // the first letter is Cyrillic
    ['http://host.example/', /not encrypted/, 'http://host.example/'],
    ['https://host.example:8443/', /port 8443/, 'https://host.example:8443/'],
    ['https://2130706433/', /without a name/, 'https://127.0.0.1/'],
    ['https://[::1]/', /without a name/, 'https://[::1]/'],
    ['https://host.example/\u202egpj.exe', /hidden characters.*U\+202E/, undefined],
  ])('says what is odd about %s', (text, oddity, href) => {
    const link = judgeBoxLink(text);
    expect(link?.oddities.join(' ')).toMatch(oddity);
    if (href !== undefined) expect(link?.href).toBe(href);
  });
});
