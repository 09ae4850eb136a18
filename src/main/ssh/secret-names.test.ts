import { describe, expect, it } from 'vitest';
import { isPasswordRound } from './secret-names.ts';

const asksForPassword = (text: string): boolean =>
  isPasswordRound({ title: '', instruction: '', prompts: [{ text, isEchoed: false }] });

describe('a round that asks for the account’s password', () => {
  it.each([
    'Password:',
    'password',
    '(root@host) Password: ',
    'root’s password:',
    'Password for root:',
    'Password for root@host:',
    'Password for root@host:22:',
    'Password for root@2001:db8::1:',
    'Password for root@host:22',
  ])('is worded “%s”', (text) => expect(asksForPassword(text)).toBe(true));

  it.each([
    'Code:',
    'New password:',
    'Password for root@host::',
    'Password for root@host:22: and the code:',
    'Password and code:',
  ])('is not worded “%s”', (text) => expect(asksForPassword(text)).toBe(false));
});
