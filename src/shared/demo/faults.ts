/** What the demo box can be made to suffer, so that a person or a test can watch the app notice it. */
export const demoFaults = [
  'throttle',
  'xid-79',
  'disk-full',
  'inodes-full',
  'cgroup-oom',
  'run-killed',
  'vram-zombie',
  'link-drop',
  'half-open-link',
  'reboot',
  'frozen-log',
  'host-key-change',
  'noisy-login',
  'no-sftp',
  'provider-silent',
  'provider-refuses',
  'provider-idle',
  'provider-says-gone',
  'provider-forgets',
  'provider-slow',
  'provider-lists-more',
  'provider-asks-more',
  'provider-swaps',
] as const;
export type DemoFault = (typeof demoFaults)[number];
/** What the one who rents the box out does wrong; the box itself suffers nothing. */
export type DemoProviderFault = Extract<DemoFault, `provider-${string}`>;
export type DemoBoxFault = Exclude<DemoFault, DemoProviderFault>;

export const isProviderFault = (fault: DemoFault): fault is DemoProviderFault =>
  fault.startsWith('provider-');

/** Lasting faults are switched on and off; the others happen once. */
export interface DemoFaultInfo {
  readonly fault: DemoFault;
  readonly label: string;
  /** What happens on the box and what to watch for. */
  readonly hint: string;
  readonly isLasting: boolean;
}

/** Words and kind of each fault, in the order of the menu. A fault without an entry does not compile. */
export const demoFaultInfos: Readonly<Record<DemoFault, DemoFaultInfo>> = {
  throttle: {
    fault: 'throttle',
    label: 'Throttle GPU 0',
    hint: 'GPU 0 gets hot and its power brake is pulled: the SM clock is held at about half while SM% stays high.',
    isLasting: true,
  },
  'xid-79': {
    fault: 'xid-79',
    label: 'Last GPU falls off the bus',
    hint: 'The kernel log shows Xid 79, nvidia-smi reports the card as lost and the training run crashes.',
    isLasting: true,
  },
  'disk-full': {
    fault: 'disk-full',
    label: 'Disk full',
    hint: 'df shows no space left; the next checkpoint fails in the middle and the run ends with an error.',
    isLasting: true,
  },
  'inodes-full': {
    fault: 'inodes-full',
    label: 'Inodes used up',
    hint: 'df shows free space but df -i shows no inode left; the next checkpoint cannot be created.',
    isLasting: true,
  },
  'cgroup-oom': {
    fault: 'cgroup-oom',
    label: 'Out of memory kill',
    hint: 'The container’s memory limit kills the training run: exit 137, oom_kill counts up, the kernel log names it.',
    isLasting: false,
  },
  'run-killed': {
    fault: 'run-killed',
    label: 'Kill the run',
    hint: 'The training process is ended from outside: no traceback, GPU memory is freed, SM% falls to 0.',
    isLasting: false,
  },
  'vram-zombie': {
    fault: 'vram-zombie',
    label: 'VRAM zombie',
    hint: 'The run dies and one of its workers lives on: GPU 0 keeps its memory, and nvidia-smi lists nobody who holds it.',
    isLasting: true,
  },
  'link-drop': {
    fault: 'link-drop',
    label: 'Drop the connection',
    hint: 'Every SSH connection is cut at once. The run goes on; reconnecting works immediately.',
    isLasting: false,
  },
  'half-open-link': {
    fault: 'half-open-link',
    label: 'Half-open connection',
    hint: 'Connections stay open but nothing is read or answered any more, as after a router lost its table.',
    isLasting: true,
  },
  reboot: {
    fault: 'reboot',
    label: 'Reboot the box',
    hint: 'Everything on the box dies, connections are refused for about 3 s, the boot id changes, the run stays down.',
    isLasting: false,
  },
  'frozen-log': {
    fault: 'frozen-log',
    label: 'Freeze the log',
    hint: 'The log stops growing as if it were buffered, while steps and checkpoints go on.',
    isLasting: true,
  },
  'host-key-change': {
    fault: 'host-key-change',
    label: 'Change the host key',
    hint: 'Connections are cut and the next one meets another host key, as after a re-created box or an impostor.',
    isLasting: true,
  },
  'noisy-login': {
    fault: 'noisy-login',
    label: 'Noisy start-up file',
    hint: 'Each command prints a greeting before its own output, as an echo in .bashrc does: watch what “Check again” says about SSH.',
    isLasting: true,
  },
  'no-sftp': {
    fault: 'no-sftp',
    label: 'No SFTP',
    hint: 'The SFTP subsystem is refused, as in small container images: watch what “Check again” says about SSH.',
    isLasting: true,
  },
  'provider-silent': {
    fault: 'provider-silent',
    label: 'Provider does not answer',
    hint: 'Orders arrive and are carried out, and no answer ever comes back: see under Teardown that nothing is sent twice.',
    isLasting: true,
  },
  'provider-refuses': {
    fault: 'provider-refuses',
    label: 'Provider refuses orders',
    hint: 'Whoever tells it to stop or destroy the box is told that this cannot be done now.',
    isLasting: true,
  },
  'provider-idle': {
    fault: 'provider-idle',
    label: 'Provider takes orders and does nothing',
    hint: 'The order to end the box is accepted, and the box runs on: an accepted call proves nothing.',
    isLasting: true,
  },
  'provider-says-gone': {
    fault: 'provider-says-gone',
    label: 'Provider says “gone” too soon',
    hint: 'It says that the box is gone while that goes on answering: see under Teardown whom Leasehold believes.',
    isLasting: true,
  },
  'provider-forgets': {
    fault: 'provider-forgets',
    label: 'Provider has never heard of the box',
    hint: 'As where the key of another account is used: it knows no such machine, while the box answers.',
    isLasting: true,
  },
  'provider-slow': {
    fault: 'provider-slow',
    label: 'Provider is slow',
    hint: 'Each of its answers takes ten times as long: see that nothing else waits for it.',
    isLasting: true,
  },
  'provider-lists-more': {
    fault: 'provider-lists-more',
    label: 'Provider lists one more machine',
    hint: 'A machine of the account that Leasehold does not know runs on and is billed: see under Teardown, “What it costs”.',
    isLasting: true,
  },
  'provider-asks-more': {
    fault: 'provider-asks-more',
    label: 'Provider charges more than you entered',
    hint: 'Its price is half as much again as the one under Costs: see under Teardown, “What it costs”.',
    isLasting: true,
  },
  'provider-swaps': {
    fault: 'provider-swaps',
    label: 'Provider has another machine for the box',
    hint: 'As after it was rented again under the same address: what was proven is another machine’s, and its end needs a proof of its own.',
    isLasting: true,
  },
};

export interface DemoState {
  /** Null while the demo box is switched off or could not start. */
  readonly boxId: string | null;
  readonly active: readonly DemoFault[];
  /** True from the wish to its outcome: an empty fleet is then not empty for long. */
  readonly isStarting: boolean;
}
