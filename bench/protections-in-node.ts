// What of the table (`protections.ts`) needs no Electron to be told.
import type { Protection } from './protections.ts';

const SSH = 'src/main/ssh';
const OVER_LINK = `${SSH}/host-keys-over-link.test.ts`;
const APP = 'src/main/app';
const SERVICE = `${APP}/service-window.ts`;
const GIVEN = `${APP}/given-to-electron.test.ts`;

const inPlainNode = (
  file: string,
  spec: string,
  rows: readonly (readonly [name: string, find: RegExp, without: string, saidIn?: string])[],
): readonly Protection[] =>
  rows.map(([name, find, without, saidIn]) => ({
    ...{ name, file, find, without, spec },
    ...(saidIn !== undefined && { saidIn }),
  }));

/** Lines of the wire and the window that plain Node can tell: taken out of the source, and the test that has to fail. */
export const WIRE: readonly Protection[] = [
  ...inPlainNode(`${SSH}/persons.ts`, `${SSH}/remembered-password.test.ts`, [
    [
      'a password of this session goes to its server',
      / && isSameServer\(inSession\.server, now\)/,
      '',
    ],
    ['a kept password goes to its server', / && isSameServer\(kept\.server, now\)/, ''],
  ]),
  ...inPlainNode(`${SSH}/single-connection.ts`, `${SSH}/sessions.test.ts`, [
    [
      'a further connection takes the key of the first',
      /publicKey === hostKey\.publicKey \?/,
      'publicKey.length > 0 ?',
    ],
    ['a key is judged before it is taken', / && judgeHostKey\(hostKey\) === 'accept'/, ''],
  ]),
  ...inPlainNode(`${SSH}/single-connection.ts`, `${SSH}/hostile-servers.test.ts`, [
    ['48 KiB before the proof', /(?<=way\.stream, )MAX_BYTES_BEFORE_PROOF/, 'Infinity'],
  ]),
  ...inPlainNode(`${SSH}/count-received.ts`, `${SSH}/count-received.test.ts`, [
    ['a bound tells that it is passed', /if \(left < 0\) onTooMuch\(\);/, ''],
  ]),
  ...inPlainNode(`${SSH}/remembered-password.ts`, `${SSH}/remembered-password.test.ts`, [
    ['a password is of a user', /one\.user === other\.user &&\s+/, ''],
    ['of a host', /one\.host === other\.host &&\s+/, ''],
    ['of a port', /one\.port === other\.port &&\s+/, ''],
    ['of a route', /one\.route === other\.route &&\s+/, ''],
    ['of a host key', / &&\s+one\.hostKey === other\.hostKey/, ''],
  ]),
  ...inPlainNode(`${SSH}/link.ts`, `${SSH}/link.test.ts`, [
    [
      'a second link takes the key that is trusted',
      /if \(stored\.value\?\.publicKey === publicKey\) return/,
      'return',
    ],
  ]),
  ...inPlainNode(`${SSH}/host-key-guard.ts`, `${SSH}/link.test.ts`, [
    [
      'a key that cannot be read is not one that never was',
      /if \(!stored\.ok\) return stored;/,
      'if (!stored.ok) Object.assign(stored, { value: null });',
      `${SSH}/host-key-store.ts`,
    ],
  ]),
  ...inPlainNode(`${SSH}/host-key-guard.ts`, OVER_LINK, [
    [
      'a key is judged again at each exchange',
      /this\.#pinned !== null && this\.#pinned\.publicKey !== offered\.publicKey/,
      'false',
    ],
    [
      'a new identity that is not stored ends it',
      /(?<=replacement\.settle\(stored\);\s+)return stored;/,
      'return ok(null);',
    ],
  ]),
  ...inPlainNode(`${SSH}/fair-parsing.ts`, `${SSH}/fair-parsing.test.ts`, [
    ['others have a turn', /nowMs\(\) - turnBeganMs > TURN_MS/, 'false'],
    [
      'what came is heard before the end is told',
      /ENDS\.includes\(event\)/,
      'ENDS.includes(event + event)',
    ],
    ['nothing is deciphered with what is freed', /_protocol\._destruct === undefined \|\| /, ''],
    ['nothing is heard after we have hung up', /hasHungUp = true;/, ''],
    ['nor after its socket was closed here', / \|\| \(_sock\.destroyed && !isEndedByServer\)/, ''],
  ]),
  ...inPlainNode(`${SSH}/login-try.ts`, `${SSH}/hostile-login.test.ts`, [
    ['no key signs without end', /current\.signatures > MAX_SIGNATURES/, 'false'],
  ]),
  ...inPlainNode(`${SSH}/login-try.ts`, `${SSH}/hostile-servers.test.ts`, [
    ['a refusal of nothing ends it', /this\.#isAsking \|\| this\.#turns > MAX_TURNS/, 'false'],
  ]),
  ...inPlainNode(`${SSH}/login-try.ts`, `${SSH}/login.test.ts`, [
    ['so many rounds of questions', / \|\| this\.#rounds > MAX_ROUNDS/, ''],
    ['so many questions at once', / \|\| prompts\.length > MAX_PROMPTS/, ''],
  ]),
  ...inPlainNode(`${SSH}/run-command.ts`, `${SSH}/login-shells.test.ts`, [
    [
      'input waits for our own shell',
      /const begun = await begin\(remote, mark\);/,
      'if (input !== undefined) void remote.send(input);\nconst begun = await begin(remote, mark);',
    ],
  ]),
  ...inPlainNode(`${SSH}/fast-lane.ts`, `${SSH}/fast-lane.test.ts`, [
    [
      'the key of the link and no other',
      /StrictHostKeyChecking: 'yes'/,
      "StrictHostKeyChecking: 'no'",
    ],
  ]),
  ...inPlainNode(`${SSH}/honest-channels.ts`, `${SSH}/bad-sessions.test.ts`, [
    ['no packets of a few bytes', /guard\('CHANNEL_OPEN_CONFIRMATION', tooSmall\);/, ''],
  ]),
  ...inPlainNode(`${SSH}/remote-process.ts`, `${SSH}/bad-sessions.test.ts`, [
    [
      'so much noise before a command',
      /while \(this\.#noise\.length <= MAX_NOISE_CHARS\)/,
      'while (true)',
    ],
    ['so much on stderr', /(?<=decoder\.write\(bytes\)\))\.slice\(0, MAX_STDERR_CHARS\)/, ''],
  ]),
  ...inPlainNode(`${SSH}/command-output.ts`, `${SSH}/bad-sessions.test.ts`, [
    ['and so much behind it', /if \(this\.after\.length > MAX_NOISE_CHARS\) return;/, ''],
  ]),
  ...inPlainNode(`${SSH}/agents.ts`, `${SSH}/agents.test.ts`, [
    ['a key’s comment hides nothing', /\.replace\(\/\[\^.*?\]\/gu, ''\)/, ''],
    ['five seconds for an agent', /resolve\(\{ signers: \[\], failure: '[^']*in time' \}\);/, ''],
    ['and no more questions', /hangUp\(\);\s+\}, LIST/, '}, LIST'],
  ]),
  ...inPlainNode(`${SSH}/authorized-keys.ts`, `${SSH}/authorized-keys.test.ts`, [
    ['nobody else reads the keys', /'chmod 600 "\$f" \|\| exit 25',/, ''],
  ]),
  ...inPlainNode(`${SSH}/lane-receive.ts`, `${SSH}/fast-lane.test.ts`, [
    [
      'no more than was asked for',
      /if \(growth\.grownBytes > mostBytes\) return/,
      'if (signal.aborted) return',
    ],
  ]),
  ...inPlainNode(`${SSH}/lane-receive.ts`, `${SSH}/lane-receive.test.ts`, [
    ['no way of its own', /, 'ProxyCommand=false'/, ''],
  ]),
  ...inPlainNode(`${SSH}/lent-agent.ts`, `${SSH}/lent-agent.test.ts`, [
    [
      'is not for logging in',
      /take\(new Error\('the lent agent is not for logging in'\)\);/,
      'void take;',
    ],
    ['sixteen conversations', /if \(this\.#conversations\.size >= MAX_CONVERSATIONS\) .*?;/, ''],
    ['not dialled while it is not lent', /if \(this\.#borrowers\.size === 0\) return .*?;/, ''],
    ['not lent any more', / \|\| this\.#borrowers\.size === 0(?=\) \{)/, ''],
    ['taken back', /if \(this\.#borrowers\.size === 0\) for .*?;/, ''],
    ['not lent to who has not proved itself', /if \(binding === null\) return .*?;/, ''],
  ]),
  ...inPlainNode(`${SSH}/session-proof.ts`, `${SSH}/session-proof.test.ts`, [
    ['the first exchange alone proves', /this\.#shown \?\?= /, 'this.#shown = '],
  ]),
  ...inPlainNode(`${SSH}/session-proof.ts`, `${SSH}/lent-agent.test.ts`, [
    ['the agent hears that it is lent', /Buffer\.of\(FOR_FORWARDING\)/, 'Buffer.of(0)'],
  ]),
  ...inPlainNode(`${SSH}/route-guards.ts`, `${SSH}/link.test.ts`, [
    ['a box that moved is another machine', /this\.#guards\.clear\(\);/, ''],
    [
      'a jump host is confirmed by its own name',
      /jumpHost === null \? name : address\.host/,
      'name',
    ],
  ]),
  ...inPlainNode(`${SSH}/jump-way.ts`, `${SSH}/open-route.test.ts`, [
    [
      'a jump host is its place on the way',
      /hops\.slice\(0, index \+ 1\)/,
      'hops.slice(index, index + 1)',
    ],
  ]),
  ...inPlainNode(`${SSH}/session-pool.ts`, `${SSH}/session-pool.test.ts`, [
    ['a refusal ends it', /this\.#isFinal \|\|= .*?;/, ''],
  ]),
  ...inPlainNode(`${SSH}/key-agent.ts`, `${SSH}/key-agent.test.ts`, [
    ['signs with its own key alone', /wanted\?\.equals\(own\) !== true \|\| /, ''],
    ['64 KiB of a message', /64 \* 1024/, '1024 * 1024'],
    ['nothing with SHA-1', /if \(isRsa && .*?\) return failure\(\);/, ''],
  ]),
  ...inPlainNode(`${SSH}/identity-file.ts`, `${SSH}/identity-file.test.ts`, [
    ['64 KiB of a key', /if \(found\.size > MAX_BYTES\) return .*?;/, ''],
    ['plain files alone', /if \(!found\.isFile\(\)\) return .*?;/, ''],
  ]),
  ...inPlainNode(`${SSH}/conversation.ts`, `${SSH}/proxy-way.test.ts`, [
    ['no answer without end', /if \(bytes\.length > maxBytes\) throw .*?;/, ''],
  ]),
  ...inPlainNode(`${SSH}/command-way.ts`, `${SSH}/command-way.test.ts`, [
    ['plain words alone reach a shell', /if \(!isPlain\)/, 'if (false)'],
  ]),
  ...inPlainNode(`${SSH}/file-problem.ts`, `${SSH}/box-files.test.ts`, [
    ['no NUL in a name', /if \(path\.includes\('\\0'\)\) return .*?;/, ''],
  ]),
  ...inPlainNode(`${SSH}/box-files.ts`, `${SSH}/box-files.test.ts`, [
    ['nobody reads a file before it has its mode', /: \{ mode: 0o600 \}/, ': {}'],
    [
      'only who has taken the pass removes',
      /if \(!pass\.isTakenTo\('delete'\)\) return err\(pass\.whyNot\);/,
      '',
    ],
  ]),
  ...inPlainNode(`${SSH}/box-files.ts`, `${SSH}/hostile-servers.test.ts`, [
    ['a file in crumbs is not read', /answers === MAX_ANSWERS_A_PIECE/, 'false'],
    ['a listing without an end has one', /barren > MAX_BARREN_PAGES \|\| /, ''],
    ['a name is no longer than a disk’s', /name\.length <= MAX_NAME_CHARS && /, ''],
    ['a name leads nowhere else', / && !\/\[\/\\0\]\/\.test\(name\)/, ''],
  ]),
  ...inPlainNode(`${SSH}/login.ts`, `${SSH}/held-answer.test.ts`, [
    [
      'a held answer is for the server that asked',
      /if \(this\.#hostKey !== null && this\.#hostKey !== hostKey\) this\.#held = null;/,
      '',
    ],
  ]),
  ...inPlainNode(`${SSH}/login.ts`, `${SSH}/login.test.ts`, [
    ['so many ways to log in', /methods\.slice\(0, MAX_METHODS\)/, 'methods'],
    ['each of a bounded length', /plainLine\(name, MAX_METHOD_CHARS\)/, 'name'],
  ]),
  ...inPlainNode(`${SSH}/login.ts`, `${SSH}/remembered-password.test.ts`, [
    [
      'a password hears of each server anew',
      /this\.#hostKey = hostKey;\s+this\.person\?\.meets\(hostKey\);/,
      'if (this.#hostKey === null) this.person?.meets(hostKey);\nthis.#hostKey = hostKey;',
      `${SSH}/person.ts`,
    ],
  ]),
  ...inPlainNode('eslint-rules/ssh-client.mjs', 'eslint-rules/ssh-client.test.ts', [
    [
      'node-ssh connects nowhere',
      /if \(name === 'connect'\) connecting\.push\(node\);/,
      '',
      `${SSH}/box-files.ts`,
    ],
  ]),
  ...inPlainNode(`${SSH}/login-actions.ts`, `${SSH}/login-actions.test.ts`, [
    ['only a listed key is installed', /if \(!isListed\)/, 'if (false)'],
  ]),
  ...inPlainNode(`${SSH}/own-window.ts`, `${SSH}/remote-terminal.test.ts`, [
    ['a window is held to', /keepOwnWindow\(channel, .*?\);/, ''],
  ]),
  ...inPlainNode(`${APP}/terminal-port.ts`, GIVEN, [
    ['a port goes to who asked', / \|\| window\.webContents\.id !== clientId/, ''],
  ]),
  ...inPlainNode(`${APP}/ipc.ts`, GIVEN, [
    [
      'a drop is heard of our own page alone',
      /if \(identifySender\(event, currentWindow\(\)\)\.isTrusted\) drops/,
      'drops',
    ],
  ]),
  ...inPlainNode(`${APP}/window.ts`, GIVEN, [
    ['our window has the preferences', /\.\.\.PAGE_PREFERENCES, /, ''],
  ]),
  ...inPlainNode(SERVICE, GIVEN, [
    ['a box’s window has the preferences', /\.\.\.PAGE_PREFERENCES, /, ''],
    ['a box’s page goes to its tunnel alone', /originOf\(url\) === origin/, 'true'],
  ]),
  ...inPlainNode(`${APP}/approve-command.ts`, GIVEN, [
    ['a command hides nothing', /detail: showHidden\(command\)/, 'detail: command'],
    ['nor a rehearsal', /\$\{showHidden\(command\)\}/, '${command}'],
    ['nor what is sent', /\(path\) => plainText\(path, MAX_SHOWN_CHARS\)/, '(path) => path'],
    ['nor where to', /\$\{plainText\(to, MAX_SHOWN_CHARS\)\}/, '${to}'],
  ]),
  ...inPlainNode(`${APP}/menu.ts`, GIVEN, [
    ['no developer tools', /isDevelopment\s+\? \[/, 'true ? ['],
  ]),
  ...inPlainNode(`${APP}/app-protocol.ts`, GIVEN, [
    ['no process with others', /'Cross-Origin-Opener-Policy': 'same-origin',/, ''],
    ['embedded nowhere', /'Cross-Origin-Resource-Policy': 'same-origin',/, ''],
    ['nobody hears where it was', /'Referrer-Policy': 'no-referrer',/, ''],
  ]),
  ...inPlainNode(`${APP}/cut-off.ts`, `${APP}/lock-session.test.ts`, [
    ['no port of this machine', /\[NOT_EVEN_LOOPBACK, /, '['],
  ]),
  ...inPlainNode(`${APP}/chromium-folder.ts`, `${APP}/chromium-folder.test.ts`, [
    [
      'no link in the place of the folder',
      /lstatSync\(folder\)/,
      'lstatSync(realpathSync.native(folder))',
    ],
    ['no folder that others may read', / && \(found\.mode & 0o077\) === 0/, ''],
  ]),
  ...inPlainNode(`${APP}/keyring-vault.ts`, `${APP}/keyring-vault.test.ts`, [
    ['no keyring without encryption', /return isPlain\s/, 'return false\n'],
  ]),
  ...inPlainNode(`${APP}/tunnel-handlers.ts`, `${APP}/tunnel-handlers.test.ts`, [
    [
      'no token on a command line',
      /openOwnPort\(`\$\{page\.origin\}\/`\)/,
      'openOwnPort(page.origin + page.firstPath)',
    ],
  ]),
];
