import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveAsset } from './asset-path.ts';

const FOLDER = join('/app', 'renderer');

describe('resolveAsset', () => {
  it.each([
    ['leasehold://app/index.html', 'index.html'],
    ['leasehold://app/assets/a%20b.css', 'assets/a b.css'],
    ['leasehold://app/index.html?x=1#y', 'index.html'],
    ['leasehold://app/../index.html', 'index.html'], // folded by the URL parser, still inside
  ])('finds %s', (url, file) => {
    expect(resolveAsset(FOLDER, url)).toBe(join(FOLDER, file));
  });

  it.each([
    'leasehold://other/index.html',
    'leasehold://app/',
    'leasehold://app/..%2fmain%2findex.js',
    'leasehold://app/%2e%2e%2f%2e%2e%2fpackage.js',
    'leasehold://app/..%2f..%2f..%2fetc%2fpasswd.html',
    'leasehold://app/..%2frenderer-evil%2findex.html',
    'leasehold://app/index.html%00.css',
    'leasehold://app/%E0%A4%A.html',
    'leasehold://app/package.json',
    'leasehold://app/index.cjs',
  ])('refuses %s', (url) => {
    expect(resolveAsset(FOLDER, url)).toBeNull();
  });
});
