import { describe, expect, it } from 'vitest';
import { problem, type Problem } from '../../problem.ts';
import { err, ok } from '../../result.ts';
import type { Catalog } from '../../detectors/alert-words.ts';
import { sampleGotcha } from '../../gotchas/catalog.fixture.ts';
import { selectFindings, selectLimit } from './findings.ts';
import { judgeFlavour, type FlavourAnswers, type TunnelAnswer } from './judge-flavour.ts';
import { parseLook } from './look.ts';
import { flavourReport } from './report-schema.ts';
import { isComplete, type CommandWay } from './report.ts';

const NO_ENTRIES: Catalog = new Map();
const GATEWAY = new Map([
  ['RP6', sampleGotcha({ id: 'RP6', fix: ['Use full SSH', 'Read the address again'] })],
]);
const ALL_WELL = 'shell /bin/bash\nforced \nbash yes\ntools Usage: ls [OPTION]... [FILE]...\n';

const asked = (port: number, answer: TunnelAnswer['answer']): TunnelAnswer => ({
  target: { host: '127.0.0.1', port },
  answer,
});
const REFUSED = [asked(1, err(problem('forward-refused', 'no')))];

function answers(part: Partial<FlavourAnswers> = {}): FlavourAnswers {
  return {
    look: ok({ stdout: ALL_WELL, code: 0 }),
    sftp: ok(null),
    tunnels: [asked(1, err(problem('target-refused', 'nobody there')))],
    banner: null,
    ...part,
  };
}

function judge(part: Partial<FlavourAnswers> = {}, gateway: string | null = null) {
  const report = judgeFlavour(answers(part), gateway, 7);
  expect(flavourReport.parse(report)).toEqual(report);
  return report;
}

const said = (stdout: string, noise?: string): FlavourAnswers['look'] =>
  ok({ stdout, code: 0, ...(noise !== undefined && { noise }) });
const notRun = (detail: string): FlavourAnswers['look'] =>
  err(problem('command-not-run', 'not run', { detail }));

describe('judgeFlavour', () => {
  it('finds nothing in the way of a usual box', () => {
    const report = judge();
    expect(selectFindings(report, NO_ENTRIES)).toEqual([]);
    expect(selectLimit(report)).toBeNull();
    expect(isComplete(report)).toBe(true);
  });

  it.each<[string, Problem, CommandWay]>([
    ['the server refuses', problem('exec-refused', 'no'), 'refused'],
    [
      'a restricted shell',
      problem('command-not-run', 'not run', { detail: 'rbash: sh: restricted' }),
      'restricted',
    ],
    [
      'a shell that finds no sh',
      problem('command-not-run', 'not run', { detail: 'bash: line 1: sh: command not found' }),
      'restricted',
    ],
    [
      'fish that finds no sh',
      problem('command-not-run', 'not run', { detail: 'fish: Unknown command: sh' }),
      'restricted',
    ],
    [
      'nologin',
      problem('command-not-run', 'not run', { detail: 'This account is currently not available.' }),
      'closed',
    ],
    [
      'a gateway that wants a terminal',
      problem('command-not-run', 'not run', { detail: 'no PTY' }),
      'terminal-only',
    ],
    [
      'cmd.exe',
      problem('command-not-run', 'not run', {
        detail: "'sh' is not recognized as an internal or external command",
      }),
      'not-posix',
    ],
    ['anything else', problem('command-not-run', 'not run', { detail: 'Hello' }), 'replaced'],
    ['a slow box', problem('command-timeout', 'late'), 'unknown'],
    ['a full server', problem('channel-refused', 'full'), 'unknown'],
    ['a lost link', problem('link-lost', 'gone'), 'unknown'],
  ])('names %s', (_what, reason, way) => {
    const report = judge({ look: err(reason) });
    expect(report.commandWay).toBe(way);
    expect(report.commands.answer).toBe(way === 'unknown' ? 'unknown' : 'no');
    // What could not be read is never concluded.
    for (const fact of [
      report.bash,
      report.loginShell,
      report.tools,
      report.noise,
      report.forcedCommand,
    ]) {
      expect(fact.answer).toBe('unknown');
    }
    expect(selectFindings(report, NO_ENTRIES)).toHaveLength(way === 'unknown' ? 0 : 1);
    expect(isComplete(report)).toBe(way !== 'unknown');
  });

  it('keeps three answers for tunnels and SFTP', () => {
    const silent = problem('command-timeout', 'late');
    expect(judge({ tunnels: [asked(1, ok(null))] }).tunnels.answer).toBe('yes');
    expect(judge({ tunnels: REFUSED }).tunnels.answer).toBe('no');
    expect(judge({ tunnels: [asked(1, err(silent))] }).tunnels.answer).toBe('unknown');
    // The port that did not answer may be the one that is allowed.
    expect(judge({ tunnels: [...REFUSED, asked(2, err(silent))] }).tunnels.answer).toBe('unknown');
    expect(judge({ sftp: err(problem('sftp-refused', 'no')) }).sftp.answer).toBe('no');
    expect(judge({ sftp: err(silent) }).sftp.answer).toBe('unknown');
    expect(isComplete(judge({ sftp: err(silent) }))).toBe(false);
  });

  it('tells some tunnels from none', () => {
    const some = judge({ tunnels: [...REFUSED, asked(6006, ok(null)), ...REFUSED] });
    expect(some.tunnels).toEqual({
      answer: 'yes',
      clue: 'It tried to reach 127.0.0.1:6006 when asked, and refused 127.0.0.1:1, 127.0.0.1:1.',
    });
    expect(selectFindings(some, NO_ENTRIES).map(({ id }) => id)).toEqual(['some-tunnels']);
    const none = judge({ tunnels: REFUSED });
    expect(selectFindings(none, NO_ENTRIES).map(({ id }) => id)).toEqual(['no-tunnels']);
    expect(selectFindings(judge(), NO_ENTRIES)).toEqual([]);
  });

  it('takes no answer from a command that did not end well', () => {
    const report = judge({ look: ok({ stdout: ALL_WELL, code: null }) });
    expect(report.loginShell.answer).toBe('unknown');
    expect(report.bash.answer).toBe('unknown');
  });

  it.each([
    ['BusyBox v1.35.0 (Debian) multi-call binary.', 'BusyBox'],
    ['Toybox 0.8.9', 'toybox'],
    ['Usage: ls [OPTION]... [FILE]...', 'GNU'],
    ["ls: unrecognized option `--help'", 'BSD'],
    ['something new', null],
    ['', null],
  ])('reads %j as the tools of %s', (line, name) => {
    const { tools } = judge({ look: said(`tools ${line}\n`) });
    expect(tools.answer === 'named' ? tools.name : null).toBe(name);
  });

  it('cleans and bounds what a box says', () => {
    const report = judge({
      look: said(`shell /bin/${'x'.repeat(5000)}\n`, `\u001b]0;own\u0007${'A'.repeat(5000)}`),
      banner: `\u202e${'B'.repeat(5000)}`,
    });
    expect(report.loginShell.answer).toBe('unknown');
    expect(JSON.stringify(report)).not.toMatch(/\u001b|\u202e/);
    expect(JSON.stringify(report).length).toBeLessThan(3000);
  });
});

describe('parseLook', () => {
  it.each([
    '',
    '\n\n',
    'shell',
    'shell bash',
    'shell $(id)',
    'bash maybe',
    'forced no',
    'x'.repeat(1e6),
  ])('makes nothing of %.20j', (text) => {
    const { shell, bash } = parseLook(text);
    expect([shell, bash]).toEqual([null, null]);
  });

  it('takes no name of the prototype for a fact', () => {
    expect(parseLook('__proto__ x\nconstructor y\nshell /bin/sh')).toMatchObject({
      shell: '/bin/sh',
    });
  });
});

describe('selectFindings', () => {
  it('says the way out of a gateway as the entry about it has it, and none of its own without the entry', () => {
    const refused = { look: notRun('whatever'), sftp: err(problem('sftp-refused', 'no')) };
    const gateway = selectFindings(judge(refused, 'RP6'), GATEWAY);
    expect(gateway.map(({ id }) => id)).toEqual(['terminal-only', 'no-sftp']);
    for (const { wayOut } of gateway) {
      expect(wayOut).toEqual(['Use full SSH', 'Read the address again']);
    }
    for (const { wayOut } of selectFindings(judge(refused, 'RP6'), NO_ENTRIES)) {
      expect(wayOut.length).toBeGreaterThan(0);
    }
    const other = selectFindings(judge(refused), GATEWAY);
    expect(other.map(({ id }) => id)).toEqual(['replaced-command', 'no-sftp']);
  });

  it('gives each limit something that fails and a way out', () => {
    const reports = [
      judge({ look: said(ALL_WELL, 'Hi'), tunnels: REFUSED }),
      judge({ sftp: err(problem('sftp-garbled', 'Hi')) }),
      ...['rbash', 'nologin', 'PTY', 'is not recognized as', 'else'].map((detail) =>
        judge({ look: notRun(detail) }),
      ),
      judge({ look: err(problem('exec-refused', 'no')) }),
    ];
    const limits = reports
      .flatMap((report) => selectFindings(report, NO_ENTRIES))
      .filter(({ weight }) => weight !== 'note');
    expect(limits).toHaveLength(9);
    for (const { fails, wayOut, clue } of limits) {
      expect(fails.length).toBeGreaterThan(0);
      expect(wayOut.length).toBeGreaterThan(0);
      expect(clue).not.toBe('');
    }
  });

  it.each([
    ['fish', 'config.fish'],
    ['tcsh', 'tcshrc'],
    ['zsh', 'zshenv'],
    ['bash', 'bashrc'],
  ])('tells users of %s which file to mend', (shell, file) => {
    const report = judge({ look: said(`shell /usr/bin/${shell}\n`, 'Hi') });
    const noise = selectFindings(report, NO_ENTRIES).find(({ id }) => id === 'noise');
    expect(noise?.wayOut.join(' ')).toContain(file);
  });

  it('shows the heaviest limit first, and counts the rest', () => {
    const report = judge({
      look: said('shell /usr/bin/fish\nbash no\n', 'Hi'),
      tunnels: REFUSED,
    });
    expect(selectLimit(report)).toMatchObject({ first: { id: 'noise' }, count: 2 });
    expect(selectFindings(report, NO_ENTRIES).map(({ id }) => id)).toEqual([
      'noise',
      'no-tunnels',
      'other-shell',
      'no-bash',
    ]);
  });
});
