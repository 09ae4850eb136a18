// Asked by the scripts, too, before anything is installed: it imports no package.

/** What hands text to a shell on a box: the interface that declares it, and its methods. */
export const SINKS = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  SshConnection: ['run', 'start', 'openTerminal'],
  SingleConnection: ['exec', 'openTerminal'],
  Client: ['exec'],
});

/** Only of these are types asked for, which costs a thousand times as much as their names. */
export const NAMES = new Set(Object.values(SINKS).flat());

const CALLED = new RegExp(
  `\\b(?:${[...NAMES].join('|')})\\s*[(!?)]|\\]\\s*[!?.)]*\\s*\\(|// shell-text: `,
);

/**
 * Whether there can be anything in a file for the rule to look at: a call of one of those names, or of what stands in brackets. A
 * quarter of the files; making trees of the others costs as much as all types.
 * @param {string} text
 */
export const mayCallShell = (text) => CALLED.test(text);
