import { plainEnds, plainText } from './questions/hostile-text.ts';

/**
 * Every way in which something can go wrong on a normal day. `code` decides the words and the button, so the union is
 * closed and the wording table below cannot miss one.
 */
export type ProblemCode =
  // messages between window and main
  | 'unknown-channel'
  | 'bad-input'
  | 'payload-too-large'
  | 'untrusted-sender'
  | 'internal'
  // boxes and links
  | 'no-such-box'
  | 'box-exists'
  | 'config-changed'
  | 'not-connected'
  | 'unreachable'
  | 'no-way'
  | 'host-not-found'
  | 'connect-timeout'
  | 'auth-refused'
  | 'jump-refused'
  | 'proxy-command-failed'
  | 'proxy-unreachable'
  | 'proxy-timeout'
  | 'proxy-garbled'
  | 'proxy-refused'
  | 'proxy-login-refused'
  | 'proxy-password-missing'
  | 'no-credentials'
  | 'passphrase-wrong'
  | 'certificate-unsupported'
  | 'login-garbled'
  | 'question-dismissed'
  | 'question-gone'
  | 'key-not-installed'
  | 'secret-not-sent'
  | 'secret-not-removed'
  | 'plan-gone'
  | 'plan-expired'
  | 'plan-changed'
  | 'push-not-armed'
  | 'push-no-tool'
  | 'push-not-ended'
  | 'push-not-read'
  | 'run-blocked'
  | 'run-not-launched'
  | 'rehearsal-not-run'
  | 'run-not-listed'
  | 'run-not-ended'
  | 'queue-not-read'
  | 'queue-not-changed'
  | 'cells-hold-keys'
  | 'run-not-resumed'
  | 'run-not-declined'
  | 'machine-not-gone'
  | 'sweep-not-planned'
  | 'sweep-not-read'
  | 'runs-not-read'
  | 'results-not-read'
  | 'results-not-there'
  | 'results-not-whole'
  | 'results-not-pulled'
  | 'target-taken'
  | 'numbers-not-read'
  | 'python-not-asked'
  | 'code-not-read'
  | 'code-not-sent'
  | 'handbook-not-on-box'
  | 'handbook-not-removed'
  | 'handbook-not-written'
  | 'host-key-unknown'
  | 'host-key-changed'
  | 'host-key-unproven'
  | 'host-key-unusable'
  | 'key-exchange-refused'
  | 'host-key-not-as-expected'
  | 'host-certificate-unsupported'
  | 'known-hosts-unreadable'
  | 'known-hosts-not-saved'
  | 'link-lost'
  | 'exec-refused'
  | 'session-refused'
  | 'session-unanswered'
  | 'sessions-full'
  | 'command-not-run'
  | 'terminal-in-between'
  | 'sftp-refused'
  | 'sftp-garbled'
  | 'no-such-file'
  | 'file-denied'
  | 'file-exists'
  | 'file-name-unusable'
  | 'file-failed'
  | 'folder-not-listed'
  | 'file-changed'
  | 'file-not-deleted'
  | 'file-not-renamed'
  | 'results-unknown'
  | 'teardown-refused'
  | 'files-too-many'
  | 'files-busy'
  | 'command-timeout'
  | 'command-unknown'
  | 'output-too-large'
  | 'aborted'
  // terminals
  | 'terminal-refused'
  | 'too-many-terminals'
  | 'no-tmux'
  | 'tmux-session-gone'
  | 'tmux-failed'
  | 'box-link-refused'
  // tunnels
  | 'no-such-tunnel'
  | 'tunnel-not-saved'
  | 'tunnel-not-open'
  | 'port-not-allowed'
  | 'port-taken'
  | 'forward-refused'
  | 'channel-refused'
  | 'target-refused'
  | 'target-silent'
  | 'box-port-refused'
  | 'bad-answer'
  | 'no-tensorboard'
  | 'tensorboard-not-started'
  | 'not-ours-to-stop'
  // what a box lacks
  | 'no-gpu-tool'
  | 'no-gpu'
  | 'driver-not-loaded'
  | 'driver-mismatch'
  | 'driver-broken'
  | 'gpu-lost'
  | 'gpu-cut-off'
  | 'gpu-denied'
  | 'gpu-stream-silent'
  | 'gpu-stream-ended'
  | 'gpu-tool-hangs'
  | 'gpu-tool-failed'
  | 'process-not-listed'
  // this machine
  | 'clock-wrong'
  | 'profile-unusable'
  | 'gotcha-not-kept'
  | 'sentinels-unreadable'
  | 'patrol-memory-unreadable'
  | 'folder-not-shown'
  | 'settings-unreadable'
  | 'settings-not-saved'
  | 'database-corrupt'
  | 'database-newer'
  | 'database-unavailable'
  | 'disk-full'
  | 'folder-read-only'
  | 'history-not-kept'
  | 'export-failed'
  | 'print-failed'
  | 'no-keyring'
  | 'secret-unreadable'
  | 'webhook-failed'
  | 'news-lost'
  | 'demo-unavailable'
  | 'worker-busy'
  | 'worker-ended'
  | 'job-failed'
  | 'external-link-refused';

export interface Problem {
  readonly code: ProblemCode;
  /** What happened, to which box, what is at risk. Shown as it is. */
  readonly message: string;
  /** What the person can do, worded so that a button can offer it. */
  readonly nextStep: string;
  /** Redacted technical text for the log and the "details" fold; never needed to understand the message. */
  readonly detail?: string;
  /** What a way that did not come about says of the machine at its end; absent: nothing certain. */
  readonly reach?: Reach;
}

export type Reach =
  /** Its own address refused, or let the time pass. */
  | 'no-answer'
  /** Nobody asked it: the network, a router, a jump host or a proxy did not lead there. */
  | 'no-way';

/** The default next step of each code; a place that knows better passes its own. */
const NEXT_STEPS: Readonly<Record<ProblemCode, string>> = {
  'unknown-channel': 'Restart Leasehold; if it comes back, report it with the log.',
  'bad-input': 'Correct the marked value and try again.',
  'payload-too-large': 'Send less at once.',
  'untrusted-sender': 'Restart Leasehold; if it comes back, report it with the log.',
  internal: 'Open the log and report it; nothing was changed on any box.',
  'no-such-box': 'Choose a box that is still in the list.',
  'box-exists': 'Open the box that already has this address.',
  'config-changed': 'Open the list again and look at what it says now.',
  'not-connected': 'Connect to the box first.',
  unreachable: 'Check that the box is running and that host and port are right, then retry.',
  'no-way': 'Check your network and VPN, then retry.',
  'host-not-found': 'Check the host name; rented boxes change theirs when re-created.',
  'connect-timeout': 'Check that the box is running, then retry.',
  'auth-refused': 'Check user name and key, then connect again.',
  'jump-refused':
    'Allow TCP forwarding on the jump host (AllowTcpForwarding), or take another way.',
  'proxy-command-failed':
    'Run the command in a terminal to see what it lacks, or edit the connection.',
  'proxy-unreachable':
    'Check that the proxy runs and that its host and port are right, then retry.',
  'proxy-timeout': 'Check that it is this kind of proxy, then retry.',
  'proxy-garbled': 'Check the proxy’s kind, host and port under “Edit connection”.',
  'proxy-refused': 'Check that the proxy may reach the box, or take another way.',
  'proxy-login-refused': 'Correct the proxy’s user name and password under “Edit connection”.',
  'proxy-password-missing': 'Enter the proxy’s password under “Edit connection”, then connect.',
  'no-credentials': 'Load a key into your SSH agent or choose a key file, then connect again.',
  'passphrase-wrong': 'Connect and enter it again, or load the key into your SSH agent.',
  'certificate-unsupported': 'Have the plain public key added to authorized_keys on the box.',
  'login-garbled': 'Log in once from a terminal and see what the box asks.',
  'question-dismissed': 'Connect again when you have the answer at hand.',
  'question-gone': 'Connect again; if an answer is needed, you will be asked again.',
  'key-not-installed': 'Try again, or add the key on your platform’s page for this box.',
  'plan-gone': 'Look at it again, then decide.',
  'plan-expired': 'Look at it again, then decide.',
  'plan-changed': 'Look at it again, then decide.',
  'push-not-armed': 'Nothing new waits on the box; open the preview again and try once more.',
  'push-no-tool': 'Install curl on the box, then open this again.',
  'push-not-ended': 'Check again; to end it by hand, remove its folder on the box from a terminal.',
  'push-not-read': 'Check again; if it comes back, look at the box from a terminal.',
  'run-blocked': 'Fix what the plan marks as blocked, then plan again.',
  'run-not-launched': 'Fix what is named here, then plan again.',
  'rehearsal-not-run': 'Fix what is named here, then plan again.',
  'run-not-listed': 'Check the list of runs again.',
  'run-not-ended': 'Check the list again; to end it by hand, use the command in its plan.',
  'queue-not-read': 'Check the queue again; its files are in the run folder on the box.',
  'queue-not-changed': 'Check the queue again before you repeat this.',
  'cells-hold-keys':
    'Put the key on the box with “Send a secret…”, and have the command read it from that file.',
  'run-not-resumed': 'Check the list of runs again.',
  'run-not-declined': 'It stays on offer; nothing starts by itself.',
  'machine-not-gone': 'Check the list of runs again.',
  'sweep-not-planned': 'Choose other cells or boxes, then plan again.',
  'sweep-not-read': 'Connect to a box of the sweep: it is read from there.',
  'runs-not-read': 'Try again; if it comes back, look at the box from a terminal.',
  'results-not-read': 'Check the results folder from a terminal, then try again.',
  'results-not-there': 'Check the results folder from a terminal, then try again.',
  'results-not-whole': 'Try again; if it comes back, check the results folder from a terminal.',
  'results-not-pulled':
    'Fix what is named here, then bring the results home again: what has arrived is not sent twice.',
  'target-taken': 'Wait until that one has ended, or choose another folder.',
  'python-not-asked': 'Choose a Python that has PyTorch, or bring the results home again.',
  'numbers-not-read': 'Bring the results home again, then choose the numbers again.',
  'code-not-read': 'Fix what is named here in the folder on this computer, then plan again.',
  'code-not-sent': 'Fix what is named here, then plan again: what has arrived is not sent twice.',
  'handbook-not-on-box':
    'It is tried again with the next check; the one on this machine is current.',
  'handbook-not-removed':
    'It is tried again when the box is connected; or remove the file from a terminal.',
  'handbook-not-written': 'Open the log and look at the data folder.',
  'secret-not-removed': 'Look at the file from a terminal, and remove it there.',
  'secret-not-sent': 'Choose another place for the file, then send it again.',
  'host-key-unknown': 'Compare the fingerprint with the one your platform shows.',
  'host-key-changed': 'Do not connect until you know why the key changed.',
  'host-key-unproven':
    'Do not connect: another machine shows a copy of the key. Ask your platform what answers at this address.',
  'host-key-unusable':
    'Check that host and port are those of an SSH server; on your own server, add an Ed25519 host key.',
  'key-exchange-refused':
    'On that server, add curve25519-sha256 or ecdh-sha2-nistp256 to KexAlgorithms in sshd_config, or update its SSH server.',
  'host-key-not-as-expected': 'Compare again; if they differ, do not connect.',
  'host-certificate-unsupported':
    'Compare the plain host key by hand, and paste the expected fingerprint below.',
  'known-hosts-unreadable': 'Mend the file or its permissions, then connect again.',
  'known-hosts-not-saved':
    'Fix the data folder, then restart Leasehold; what you trust is kept in its database.',
  'link-lost': 'Leasehold reconnects by itself; what runs on the box goes on.',
  'exec-refused': 'Use the address that gives full SSH, not the proxy.',
  'command-not-run': 'See under “SSH capabilities” what it did instead, and the way out.',
  'terminal-in-between': 'Use the address that gives full SSH, not the proxy.',
  'sftp-refused': 'Use another way to copy files, or have SFTP switched on in the SSH server.',
  'sftp-garbled': 'Let start-up files on the box print only where somebody is looking.',
  'no-such-file': 'Look at the folder again: it may have been moved or removed.',
  'file-denied': 'Check who may read and write it on the box (ls -l), or log in as its owner.',
  'file-exists': 'Choose another name, or remove what is there first.',
  'file-name-unusable': 'Rename it from a terminal on the box, then look again.',
  'folder-not-listed': 'List the folder again.',
  'file-changed': 'List the folder again, and check whether something is still writing there.',
  'file-not-renamed':
    'Give the new folder another name instead: under this one the results are looked for.',
  'file-not-deleted': 'Bring the results home first, or delete them in a terminal if you are sure.',
  'results-unknown': 'Look at the runs of the box, then try again.',
  'teardown-refused': 'Check the box again: the page says what is missing.',
  'files-too-many': 'Choose fewer files, or do it in a terminal.',
  'files-busy': 'Wait until that is done, or stop it.',
  'file-failed':
    'Check free space, quota and whether the disk is mounted read-only on the box, then try again.',
  'session-refused':
    'Ask whoever runs the box to set MaxSessions to 1 or more in its sshd_config; tunnels work without.',
  'session-unanswered':
    'Look at the box before you do it again; if it stays, read the log of its SSH server.',
  'sessions-full':
    'Close a terminal to this box, or have MaxSessions raised in its sshd_config, then try again.',
  'command-timeout': 'Try again; if it stays, look at the box from a terminal.',
  'command-unknown': 'Look at the box before you do it again.',
  'output-too-large': 'Narrow down what is asked for.',
  aborted: 'Start it again when you need it.',
  'terminal-refused': 'Close a terminal or a tunnel to this box and try again.',
  'too-many-terminals': 'Close a terminal that you do not need.',
  'no-tmux': 'Install it on the box: apt-get install -y tmux',
  'tmux-session-gone': 'Look at the list again, or create a new session.',
  'tmux-failed': 'Try it in a plain shell on the box.',
  'box-link-refused': 'Copy the address from the terminal if you trust it.',
  'no-such-tunnel': 'Choose a tunnel that is still in the list.',
  'tunnel-not-saved': 'Try again; until then it works for this session only.',
  'tunnel-not-open': 'Start the tunnel, or connect the box first.',
  'port-not-allowed': 'Choose a port from 1024 on.',
  'port-taken': 'Use the free port that is offered, or end the program that has this one.',
  'forward-refused':
    'Ask whoever runs the box to allow it (AllowTcpForwarding, PermitOpen), or use the platform’s own port mapping.',
  'channel-refused': 'Close connections that you do not need, then try again.',
  'target-refused': 'Start the program on the box, or correct host and port of the tunnel.',
  'target-silent': 'Look whether the program on the box hangs; restart it there if it does.',
  'box-port-refused': 'Choose another port on the box.',
  'bad-answer': 'Check that this port belongs to the program you mean.',
  'no-tensorboard': 'Install it on the box (pip install tensorboard), then try again.',
  'tensorboard-not-started': 'Read the last lines of its log under Details, then try again.',
  'not-ours-to-stop': 'End it on the box itself, from a terminal.',
  'no-gpu-tool': 'Use an image that contains nvidia-smi.',
  'no-gpu': 'Check that the box was started with a GPU.',
  'driver-not-loaded': 'Restart the box; if it stays, leave this machine.',
  'driver-mismatch':
    'Wait some minutes on a fresh box; otherwise reboot it. Leasehold checks again by itself.',
  'driver-broken': 'Restart the box; if it stays, leave this machine.',
  'gpu-lost': 'Save what you can, then leave this machine; a reboot of the host may bring it back.',
  'gpu-cut-off': 'Restart the container; nothing inside it can give the GPU back.',
  'gpu-denied': 'Start the box with access to /dev/nvidia*, or log in as a user who has it.',
  'gpu-stream-silent':
    'Leasehold starts it again by itself; if it stays, run nvidia-smi in a terminal.',
  'gpu-stream-ended':
    'Leasehold starts it again by itself; if it stays, run nvidia-smi in a terminal.',
  'gpu-tool-hangs':
    'Look at the kernel log for an Xid; if it stays, restart or leave this machine.',
  'gpu-tool-failed': 'Look at the line it printed and try again.',
  'process-not-listed': 'Check the list, then choose again.',
  'clock-wrong':
    'Check this machine’s date and time, and correct the ledger by hand where you know better.',
  'folder-not-shown': 'Open it with your file manager.',
  'sentinels-unreadable': 'Add what you wait for again; the damaged file was kept beside it.',
  'patrol-memory-unreadable':
    'Look at the box’s Runs tab: a run that is missing there may have ended unnoticed.',
  'gotcha-not-kept': 'Look at the file named here, then try again.',
  'profile-unusable': 'Mend the file; until then the shipped profile is used.',
  'settings-unreadable': 'Your old file was kept beside the new one; copy back what you need.',
  'settings-not-saved': 'Free some space or fix the folder’s permissions, then change it again.',
  'database-corrupt': 'The damaged file was moved aside and kept; a new one is in use.',
  'database-newer': 'Start the newer Leasehold that wrote it, or move the file away.',
  'database-unavailable': 'Fix the data folder, then restart Leasehold.',
  'disk-full': 'Free some space on this machine, then try again.',
  'folder-read-only': 'Make the data folder writable, then restart Leasehold.',
  'history-not-kept':
    'Live charts go on. Free some space, then Leasehold keeps on writing by itself.',
  'export-failed': 'Choose another folder and try again.',
  'print-failed': 'Check that a printer is set up, then print again; the text can be copied, too.',
  'no-keyring': 'Secrets are kept until you quit; install a keyring to keep them longer.',
  'secret-unreadable': 'Enter the secret again.',
  'news-lost': 'Look through your boxes, clocks and costs: what is open there still shows itself.',
  'webhook-failed': 'Look at the list of messages in the settings, and send a test.',
  'demo-unavailable': 'Add a box of your own; everything else works without the demo box.',
  'worker-busy': 'Wait until some of it is done, then try again.',
  'worker-ended': 'Try again; if it comes back, open the log and report it.',
  'job-failed': 'Look at the file that it is about, then try again.',
  'external-link-refused': 'Copy the address if you trust it.',
};

/** A few lines of a log, from both its ends; what is longer is read in that log. */
const MAX_DETAIL_CHARS = 4000;
/** Some sentences, with the names that a box gave to its files. */
const MAX_MESSAGE_CHARS = 2000;

export function problem(
  code: ProblemCode,
  message: string,
  {
    nextStep = NEXT_STEPS[code],
    detail,
    ...more
  }: Partial<Pick<Problem, 'nextStep' | 'detail' | 'reach'>> = {},
): Problem {
  // SECURITY: most of it is what a box, a proxy or a program said, and it is shown and logged; a message names what they named.
  const cleaned = detail === undefined ? {} : { detail: plainEnds(detail, MAX_DETAIL_CHARS) };
  return {
    code,
    message: plainText(message, MAX_MESSAGE_CHARS),
    nextStep,
    ...more,
    ...cleaned,
  };
}
