import { describe, expect, it } from 'vitest';
import { INDEX_URL, isAppUrl, judgeExternalUrl, judgeOwnPortUrl } from './app-url.ts';

describe('isAppUrl', () => {
  it('knows our own pages', () => {
    expect(isAppUrl(INDEX_URL)).toBe(true);
    expect(isAppUrl(`${INDEX_URL}#/box/1`)).toBe(true);
  });

  it.each([
    'file:///etc/passwd',
    'https://app/index.html',
    'leasehold://evil/index.html',
    'leasehold://app.evil/index.html',
    'leasehold://app@evil/index.html',
    'leasehold:app/index.html',
    'about:blank',
    'data:text/html,x',
    '',
  ])('refuses %s', (url) => {
    expect(isAppUrl(url)).toBe(false);
  });
});

describe('judgeExternalUrl', () => {
  it('lets a listed site pass', () => {
    expect(judgeExternalUrl('https://docs.nvidia.com/deploy/xid-errors')).toBe(
      'https://docs.nvidia.com/deploy/xid-errors',
    );
  });

  it.each([
    'http://github.com/',
    'https://github.com.evil.example/',
    'https://evil.example/github.com',
    'https://github.com@evil.example/',
    'https://user:pass@github.com/',
    'https://github.com:8443/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'ms-msdt:/id',
    'leasehold://app/index.html',
    ' https',
    '',
  ])('refuses %s', (url) => {
    expect(judgeExternalUrl(url)).toBeNull();
  });
});

describe('judgeOwnPortUrl', () => {
  it('lets the own end of a tunnel pass', () => {
    expect(judgeOwnPortUrl('http://127.0.0.1:6006/')).toBe('http://127.0.0.1:6006/');
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost:6006/',
    'http://127.0.0.1:6006',
    'http://127.0.0.1:6006/lab?token=abcdef',
    'http://127.0.0.1:6006/\nfile:///etc/passwd',
    'http://user@127.0.0.1:6006/',
    'http://127.0.0.1:0/',
    'https://127.0.0.1:6006/',
    'http://127.0.0.1.evil.example:6006/',
    '',
  ])('refuses %j', (url) => {
    expect(judgeOwnPortUrl(url)).toBeNull();
  });
});
