import { unreachable } from '../../result.ts';
import type { Catalog } from '../../detectors/alert-words.ts';
import type { Fact, FlavourReport } from './report.ts';

export const findingIds = [
  'terminal-only',
  'no-commands',
  'restricted-shell',
  'account-closed',
  'not-posix',
  'replaced-command',
  'noise',
  'sftp-broken',
  'no-sftp',
  'no-tunnels',
  'some-tunnels',
  'forced-command',
  'restricted-name',
  'other-shell',
  'small-tools',
  'no-bash',
  'banner',
] as const;
export type FindingId = (typeof findingIds)[number];

/** Something about a box's SSH that a person should know, said so that they can do something about it. */
export interface FlavourFinding {
  readonly id: FindingId;
  /** `blocks`: most of Leasehold. `limits`: a part. `note`: nothing of Leasehold, but worth knowing. */
  readonly weight: 'blocks' | 'limits' | 'note';
  /** Three words at most: it stands in the box's header. */
  readonly title: string;
  readonly what: string;
  /** The box's own words, or ours about its answer. */
  readonly clue: string;
  /** What will not work, or may not; empty where everything does. */
  readonly fails: readonly string[];
  readonly wayOut: readonly string[];
}

const WITHOUT_COMMANDS = [
  'GPU readings',
  'finding and starting TensorBoard and Jupyter',
  'the list of tmux sessions',
  'installing a public key',
];

/** The heaviest first. Pure; where a fact is unknown nothing is concluded from it. */
export function selectFindings(report: FlavourReport, catalog: Catalog): readonly FlavourFinding[] {
  const fullSsh = catalog.get(report.gateway ?? '')?.fix ?? null;
  return [
    commandFinding(report, fullSsh),
    noiseFinding(report),
    sftpFinding(report, fullSsh),
    tunnelFinding(report, fullSsh),
    forcedFinding(report),
    shellFinding(report),
    toolsFinding(report),
    bashFinding(report),
    bannerFinding(report),
  ].filter((each) => each !== null);
}

const NO_ENTRIES: Catalog = new Map();

/** What the header says: the first finding that limits something; null: none is known. */
export function selectLimit(
  report: FlavourReport,
): { readonly first: FlavourFinding; readonly count: number } | null {
  const limits = selectFindings(report, NO_ENTRIES).filter(({ weight }) => weight !== 'note');
  const [first] = limits;
  return first === undefined ? null : { first, count: limits.length };
}

/** What an entry says of the way around a gateway; null: it is none, or there is no such entry. */
type FullSsh = readonly string[] | null;

function commandFinding({ commandWay, commands }: FlavourReport, fullSsh: FullSsh) {
  const clue = clueOf(commands);
  const blocked = (id: FindingId, title: string, what: string, wayOut: readonly string[]) =>
    ({ id, weight: 'blocks', title, what, clue, fails: WITHOUT_COMMANDS, wayOut }) as const;
  switch (commandWay) {
    case 'run':
    case 'unknown':
      return null;
    case 'terminal-only':
      return blocked(
        'terminal-only',
        'Terminal only',
        'This way in opens terminals and runs no commands. The Terminal tab is all of Leasehold that it can serve.',
        fullSsh ?? [FULL_SSH],
      );
    case 'refused':
      return blocked(
        'no-commands',
        'No commands',
        'The SSH server refuses commands on this account. A terminal may still open.',
        [FULL_SSH, 'On your own server: look for what restricts this user or key in sshd_config.'],
      );
    case 'restricted':
      return blocked(
        'restricted-shell',
        'Restricted shell',
        'The login shell does not let commands through: it is restricted, or it finds no sh.',
        ['Have the login shell changed (chsh -s /bin/bash), or sh put into its PATH.', FULL_SSH],
      );
    case 'closed':
      return blocked(
        'account-closed',
        'No login shell',
        'The account may log in, but it has no shell to run anything with.',
        ['Log in as another user, or have this one given a shell (chsh -s /bin/bash).'],
      );
    case 'not-posix':
      return blocked(
        'not-posix',
        'No POSIX shell',
        'The login shell is not one of a Unix system, as on a Windows machine.',
        ['Connect to a Linux on it instead, or set its DefaultShell to a POSIX shell.'],
      );
    case 'replaced':
      return blocked(
        'replaced-command',
        'Commands replaced',
        'The box took a command and ran something else: a forced command, or a start-up file that hands over to another program.',
        [
          'Look for ForceCommand in sshd_config and command="…" before the key in authorized_keys.',
          'Look for a line with exec in the login shell’s start-up files; let only interactive shells reach it.',
        ],
      );
    default:
      return unreachable(commandWay);
  }
}

const FULL_SSH = 'Use the address that gives full SSH, often a public IP with a port of its own.';

/** How each shell tells that nobody is looking. */
const ONLY_INTERACTIVE: Readonly<Record<string, string>> = {
  fish: 'Put the lines that print in config.fish inside: if status is-interactive … end',
  csh: 'Put the lines that print in ~/.cshrc inside: if ($?prompt) then … endif',
  tcsh: 'Put the lines that print in ~/.tcshrc or ~/.cshrc inside: if ($?prompt) then … endif',
  zsh: 'Move the lines that print from ~/.zshenv to ~/.zshrc.',
};
const ONLY_INTERACTIVE_SH =
  'Put the lines that print in ~/.bashrc below: “case $- in *i*) ;; *) return ;; esac”';

function noiseFinding({ noise, loginShell }: FlavourReport): FlavourFinding | null {
  if (noise.answer !== 'yes') return null;
  const shell = loginShell.answer === 'named' ? loginShell.name : '';
  return {
    id: 'noise',
    weight: 'limits',
    title: 'Prints on exec',
    what: 'Something prints around every command, most often a start-up file of the login shell. Leasehold tells it apart from the answers.',
    clue: noise.clue,
    fails: ['scp, sftp and rsync may stop at the text, from here and from any other program'],
    wayOut: [ONLY_INTERACTIVE[shell] ?? ONLY_INTERACTIVE_SH],
  };
}

function sftpFinding(
  { sftp, isSftpBroken, loginShell }: FlavourReport,
  fullSsh: FullSsh,
): FlavourFinding | null {
  if (sftp.answer !== 'no') return null;
  const fails = ['copying files with sftp, and with scp where it uses SFTP (OpenSSH 9 and later)'];
  if (isSftpBroken) {
    const shell = loginShell.answer === 'named' ? loginShell.name : '';
    return {
      id: 'sftp-broken',
      weight: 'limits',
      title: 'SFTP broken',
      what: 'There is an SFTP server, but what comes first is not its answer: something prints into it.',
      clue: sftp.clue,
      fails,
      wayOut: [
        ONLY_INTERACTIVE[shell] ?? ONLY_INTERACTIVE_SH,
        'Or set “Subsystem sftp internal-sftp” in sshd_config: it does without the login shell.',
      ],
    };
  }
  return {
    id: 'no-sftp',
    weight: 'limits',
    title: 'No SFTP',
    what: 'The SSH server has no file channel.',
    clue: sftp.clue,
    fails,
    wayOut: fullSsh ?? [
      'rsync needs no SFTP, where it is installed on both ends and commands run.',
      'OpenSSH: put “Subsystem sftp internal-sftp” into sshd_config. Dropbear: install openssh-sftp-server.',
    ],
  };
}

function tunnelFinding(
  { tunnels, areTunnelsLimited }: FlavourReport,
  fullSsh: FullSsh,
): FlavourFinding | null {
  if (tunnels.answer === 'yes' && areTunnelsLimited) {
    return {
      id: 'some-tunnels',
      weight: 'limits',
      title: 'Some tunnels only',
      what: 'The SSH server allows tunnels to some ports and refuses others, as PermitOpen makes it do.',
      clue: tunnels.clue,
      fails: ['a tunnel to a port that the server does not allow; its row says so'],
      wayOut: [
        'Have TensorBoard or Jupyter listen on a port that is allowed.',
        'Ask whoever runs the box for another port in PermitOpen, or use the platform’s own port mapping.',
      ],
    };
  }
  if (tunnels.answer !== 'no') return null;
  return {
    id: 'no-tunnels',
    weight: 'limits',
    title: 'Tunnels refused',
    what: 'The SSH server refused every tunnel that Leasehold asked for to find out. If it allows other ports (PermitOpen), a tunnel to one of those still works.',
    clue: tunnels.clue,
    fails: ['tunnels, and with them TensorBoard and Jupyter in a window'],
    wayOut: fullSsh ?? [
      'Ask whoever runs the box to set AllowTcpForwarding yes, or use the platform’s own port mapping.',
    ],
  };
}

function forcedFinding({ forcedCommand }: FlavourReport): FlavourFinding | null {
  if (forcedCommand.answer !== 'yes') return null;
  return note(
    'forced-command',
    'Forced command',
    'A wrapper decides about every command. It let Leasehold’s through today.',
    forcedCommand.clue,
    ['To be rid of it, look for ForceCommand in sshd_config or command="…" before your key.'],
  );
}

const USUAL_SHELLS = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh'];
const RESTRICTED_SHELLS = ['rbash', 'rksh', 'rzsh', 'lshell', 'rssh'];

function shellFinding({ loginShell }: FlavourReport): FlavourFinding | null {
  if (loginShell.answer !== 'named' || USUAL_SHELLS.includes(loginShell.name)) return null;
  const { name, clue } = loginShell;
  if (RESTRICTED_SHELLS.includes(name)) {
    return note(
      'restricted-name',
      'Restricted shell',
      `${name} is the login shell. Leasehold’s commands pass it; in a terminal it allows you less than usual.`,
      clue,
      ['Have the login shell changed if you need more: chsh -s /bin/bash'],
    );
  }
  return note(
    'other-shell',
    `${name} shell`,
    `${name} is the login shell. Leasehold hands every command to sh, so everything works.`,
    clue,
    [`Commands that you paste from elsewhere may be meant for bash: start bash first.`],
  );
}

function toolsFinding({ tools }: FlavourReport): FlavourFinding | null {
  if (tools.answer !== 'named' || tools.name === 'GNU') return null;
  return note(
    'small-tools',
    `${tools.name} tools`,
    `The basic tools are those of ${tools.name}, with fewer options than GNU’s. Leasehold needs none of the missing ones.`,
    tools.clue,
    ['If a script of yours stops at an option, install coreutils and findutils.'],
  );
}

function bashFinding({ bash }: FlavourReport): FlavourFinding | null {
  if (bash.answer !== 'no') return null;
  return note(
    'no-bash',
    'No bash',
    'There is no bash on the box. Leasehold needs none.',
    bash.clue,
    ['Scripts that begin with #!/bin/bash need it: install the package bash.'],
  );
}

function bannerFinding({ banner }: FlavourReport): FlavourFinding | null {
  if (banner.answer !== 'yes') return null;
  return note(
    'banner',
    'Login banner',
    'The server shows a text at each login. It comes apart from every answer and disturbs nothing.',
    banner.clue,
    [],
  );
}

function note(
  id: FindingId,
  title: string,
  what: string,
  clue: string,
  wayOut: readonly string[],
): FlavourFinding {
  return { id, weight: 'note', title, what, clue, fails: [], wayOut };
}

function clueOf(fact: Fact): string {
  return fact.answer === 'unknown' ? fact.because : fact.clue;
}
