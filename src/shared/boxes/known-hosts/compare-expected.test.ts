import { describe, expect, it } from 'vitest';
import { SAMPLE_KEY } from '../host-key.fixture.ts';
import { compareExpected } from './compare-expected.ts';
import { judgePhrase } from './judge-phrase.ts';

const { fingerprint, md5, publicKey } = SAMPLE_KEY;
const OTHER = 'SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA';

describe('compareExpected', () => {
  it.each([
    ['nothing', '  \n', 'empty'],
    ['the fingerprint', fingerprint, 'same'],
    ['with blanks around it', `\t ${fingerprint} \r\n`, 'same'],
    ['without its prefix', fingerprint.slice(7), 'same'],
    ['with padding', `${fingerprint}=`, 'same'],
    ['a line of ssh-keygen -l', `256 ${fingerprint} root@box (ED25519)`, 'same'],
    ['several lines of ssh-keygen -l', `3072 ${OTHER} a (RSA)\n256 ${fingerprint} b`, 'same'],
    ['the public key', `ssh-ed25519 ${publicKey} root@box`, 'same'],
    ['a known_hosts line', `[h.example]:2222 ssh-ed25519 ${publicKey}`, 'same'],
    ['another fingerprint', OTHER, 'different'],
    ['the fingerprint in other letters', fingerprint.toLowerCase(), 'different'],
    ['one letter off', `${fingerprint.slice(0, -1)}B`, 'different'],
    ['another public key', `ssh-ed25519 ${publicKey.slice(0, -1)}C`, 'different'],
    ['a part of the fingerprint', fingerprint.slice(0, 30), 'unreadable'],
    ['more than the fingerprint', `${fingerprint}AB`, 'unreadable'],
    ['an MD5 fingerprint', md5, 'same-md5'],
    ['an MD5 fingerprint in capitals', md5.slice(4).toUpperCase(), 'same-md5'],
    ['another MD5 fingerprint', md5.replace('fd', 'fe'), 'different'],
    ['the right MD5 beside a wrong SHA-256', `${OTHER} ${md5}`, 'different'],
    ['words', 'I trust it', 'unreadable'],
  ])('%s', (_what, text, expected) => {
    expect(compareExpected(text, SAMPLE_KEY)).toBe(expected);
  });
});

describe('judgePhrase', () => {
  it.each([
    ['train-a', 'name'],
    [' train-a ', 'name'],
    ['Train-A', 'wrong'],
    ['train', 'wrong'],
    ['', 'wrong'],
    [fingerprint, 'fingerprint'],
    [OTHER, 'other-fingerprint'],
    [md5, 'wrong'],
    ['yes', 'wrong'],
  ])('%j', (phrase, expected) => {
    expect(judgePhrase(phrase, 'train-a', SAMPLE_KEY)).toBe(expected);
  });

  it('takes no fingerprint of another key for a name', () => {
    expect(judgePhrase(OTHER, OTHER, SAMPLE_KEY)).toBe('other-fingerprint');
  });
});
