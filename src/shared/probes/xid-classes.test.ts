import { describe, expect, it } from 'vitest';
import { classifyXid, recoveryAction, xidEntry } from './xid-classes.ts';

describe('xidEntry', () => {
  it.each([
    [13, 'app'],
    [31, 'app'],
    [43, 'info'],
    [45, 'info'],
    [48, 'reset'],
    [54, 're-rent'],
    [63, 'info'],
    [64, 'reset'],
    [74, 'reset'],
    [79, 're-rent'],
    [94, 'app'],
    [95, 'reset'],
    [104, 'app'],
    [119, 'reset'],
    [133, 'app'],
    [157, 'contact'],
    [167, 're-rent'],
    [14, 'unknown'],
    [16, 'unknown'],
    [999, 'unknown'],
  ])('classes %i as %s', (code, xidClass) => {
    expect(xidEntry(code).class).toBe(xidClass);
  });

  it('holds the codes of NVIDIA’s catalog and no others', () => {
    const known = Array.from({ length: 1000 }, (_, code) => code).filter(
      (code) => xidEntry(code).class !== 'unknown',
    );
    expect(known).toHaveLength(101);
  });

  it('knows which codes follow another one', () => {
    const followers = Array.from({ length: 200 }, (_, code) => code).filter(
      (code) => xidEntry(code).followsCause,
    );
    expect(followers).toEqual([43, 45, 63, 94, 154]);
  });
});

describe('classifyXid', () => {
  const none = { recoveryTo: null };

  it.each([
    ['NETIR Fatal XC0 i0 Link -1', 'reset'],
    ['RLW_RXPIPE Nonfatal XC0 i0 Link 13', 'info'],
    ['something else', 'reset'], // not said to be harmless
  ])('reads the severity of an NVLink 5 unit: %s', (text, xidClass) => {
    for (const code of [144, 145, 149, 150]) {
      expect(classifyXid({ code, text, ...none })).toBe(xidClass);
    }
  });

  it('does not let the word Nonfatal soften another code', () => {
    expect(classifyXid({ code: 79, text: 'Nonfatal', ...none })).toBe('re-rent');
  });

  it('judges a recovery action by its target', () => {
    expect(classifyXid({ code: 154, text: '', recoveryTo: 'gpu-reset' })).toBe('reset');
    expect(classifyXid({ code: 154, text: '', recoveryTo: 'none' })).toBe('info');
    expect(classifyXid({ code: 154, text: '', recoveryTo: 'unknown' })).toBe('unknown');
  });
});

it('names recovery actions by number', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(recoveryAction)).toEqual([
    'none',
    'gpu-reset',
    'node-reboot',
    'drain-p2p',
    'drain-and-reset',
    'recover-imex',
    'unknown',
  ]);
});
