// Every protection of the window, the wire and the packed app, with the test that has to die without it: the one table, which goes on in
// `protections-in-node.ts`. What is new and stands in none of the three is told by `scripts/protections.test.ts`, which wants a row for each comment that says `SECURITY:`.

/** Files that refuse by lines of their own, with their tests where those are not the file beside it: each such line is taken out alone. */
export const GUARDS: Readonly<Record<string, readonly string[]>> = {
  'src/main/app/app-url.ts': [],
  'src/main/app/asset-path.ts': [],
  'src/main/app/content-security-policy.ts': ['src/main/app/page-preferences.test.ts'],
  'src/main/app/crash-page.ts': [],
  'src/main/app/dropped-files.ts': [],
  'src/main/app/ipc-router.ts': [],
  'src/main/app/judge-box-link.ts': [],
  'src/main/app/lock-session.ts': [],
  'src/main/app/page-preferences.ts': [],
  'src/main/app/sender.ts': [],
  'src/main/app/service-bounds.ts': ['src/main/app/lock-session.test.ts'],
  'src/main/boxes/approved-route.ts': [],
  'src/main/ssh/agent-door.ts': [],
  'src/main/ssh/costly-packets.ts': [],
  'src/main/ssh/host-key.ts': ['src/main/ssh/host-keys-over-link.test.ts'],
  'src/main/ssh/unasked.ts': [],
  'src/main/ssh/usable-host-key.ts': ['src/main/ssh/hostile-handshake.test.ts'],
  'src/main/ssh/verified-client.ts': [
    'src/main/ssh/verified-client.test.ts',
    'src/main/ssh/hostile-handshake.test.ts',
    'src/main/ssh/unasked.test.ts',
    'src/main/ssh/lent-agent.test.ts',
  ],
  'scripts/packaging/fuses.mjs': ['scripts/packaging/fuses.test.ts'],
};

export interface Protection {
  readonly name: string;
  /** Its source; in the built app the same lines stand under this name. */
  readonly file: string;
  /** Matches once, in the source and in what is built of it. */
  readonly find: RegExp;
  readonly without: string;
  /** The file whose test has to fail. */
  readonly spec: string;
  /** The file whose `SECURITY:` comment says so, where that one only declares it. */
  readonly saidIn?: string;
}

/** What only real Electron can tell: taken out of the built app. */
export interface BuiltProtection extends Protection {
  /** Of the titles in the spec. */
  readonly test: RegExp;
}

const of = (
  file: string,
  spec: string,
  rows: readonly (readonly [name: string, find: RegExp, without: string, test: RegExp])[],
): readonly BuiltProtection[] =>
  rows.map(([name, find, without, test]) => ({ name, file, find, without, spec, test }));

const INDEX = 'src/main/index.ts';
const LOCK_DOWN = 'src/main/app/lock-down.ts';
const LOCK_SESSION = 'src/main/app/lock-session.ts';
const PREFERENCES = 'src/main/app/page-preferences.ts';
const SERVICE = 'src/main/app/service-window.ts';
const CSP = 'src/main/app/content-security-policy.ts';
const PAGE = 'e2e/security-page.spec.ts';
const WAYS_OUT = 'e2e/security-ways-out.spec.ts';
const REACH = 'e2e/page-reach.spec.ts';
const SERVICE_SPEC = 'e2e/service-window.spec.ts';
const PACKAGED = 'e2e/packaged.spec.ts';

export const BUILT: readonly BuiltProtection[] = [
  ...of(INDEX, PAGE, [
    ['the sandbox of every page', /\S*app\.enableSandbox\(\)/, '0', /asks for no sandbox/],
  ]),
  ...of(INDEX, REACH, [
    [
      'no script pastes',
      /DOMPasteAllowed=false,javaScriptCanAccessClipboard=false/,
      'DOMPasteAllowed=true',
      /main window: no page reads/,
    ],
  ]),
  ...of(INDEX, 'e2e/shell.spec.ts', [
    [
      'one app for one session',
      /(?<=if \()\S*app\.requestSingleInstanceLock\(\)/,
      'true',
      /a second start/,
    ],
  ]),
  ...of('src/main/app/core.ts', 'e2e/data-folder.spec.ts', [
    ['one app over one data folder', /if \(release === null\)/, 'if (false)', /a second app/],
  ]),
  ...of(LOCK_DOWN, PAGE, [
    [
      'no webview',
      /(?<=will-attach-webview['"], \(event\) => )event\.preventDefault\(\)/,
      '0',
      /has no webview/,
    ],
  ]),
  ...of(LOCK_DOWN, WAYS_OUT, [
    [
      'no page leads away',
      /contents\.on\(['"]will-navigate['"], guard\)/,
      '0',
      /navigate to https/,
    ],
    ['no redirect leads away', /contents\.on\(['"]will-redirect['"], guard\)/, '0', /no redirect/],
    ['no further window', /action: ['"]deny['"]/, 'action: "allow"', /opens no window/],
    [
      'only listed addresses in the browser',
      /(?<=judgeExternalUrl\(url\);\s+)if \(allowed === null\)/,
      'if (false)',
      /opens in the browser only/,
    ],
  ]),
  ...of(LOCK_DOWN, REACH, [
    [
      'a window that was emptied comes back',
      /contents\.loadURL\(before\)/,
      'Promise.resolve()',
      /empties the window/,
    ],
    ['no UDP of WebRTC', /refuseUdp\(contents\);/, '', /main window: .*WebRTC/],
    [
      'the restart link works from the page after a crash alone',
      /loaded\.get\(contents\) === \S+?(?=\) \{)/,
      'true',
      /restarts the app/,
    ],
    ['the restart link works', /app\.relaunch\(\);/, 'app.getVersion();', /restarts the app/],
  ]),
  ...of(LOCK_DOWN, SERVICE_SPEC, [
    [
      'a page of a box stays at its tunnel',
      /if \(!mayGo\(url\)\) event\.preventDefault\(\);/,
      '',
      /its own tunnel/,
    ],
  ]),
  ...of(LOCK_SESSION, PAGE, [
    ['no request elsewhere', /cancel: !isAllowed/, 'cancel: false', /foreign requests/],
  ]),
  ...of(LOCK_SESSION, WAYS_OUT, [
    [
      'no permission',
      /(?<=setPermissionRequestHandler\(\(contents, permission, answer\) => \{\s+const isAllowed = ).*?;/,
      'true;',
      /denies every permission/,
    ],
    [
      'no download',
      /(?<=will-download['"], \(event\) => )event\.preventDefault\(\)/,
      '0',
      /saves no file/,
    ],
  ]),
  ...of(LOCK_SESSION, SERVICE_SPEC, [
    [
      'no download by a page of a box',
      /(?<=will-download['"], \(event\) => )event\.preventDefault\(\)/,
      '0',
      /saves nothing/,
    ],
    [
      'no permission for a page of a box',
      /(?<=setPermissionRequestHandler\(\(contents, permission, answer\) => \{\s+const isAllowed = ).*?;/,
      'true;',
      /saves nothing/,
    ],
  ]),
  ...of(LOCK_SESSION, REACH, [
    [
      'no TCP of WebRTC',
      /return cutOff\(session, reaches\)/,
      'return Promise.resolve()',
      /main window: .*WebRTC/,
    ],
  ]),
  ...of(LOCK_SESSION, 'e2e/connections.spec.ts', [
    [
      'no dictionary is fetched',
      /session\.setSpellCheckerLanguages\(\[\]\);/,
      '',
      /to nobody else/,
    ],
  ]),
  ...of(CSP, PAGE, [
    ['no base', /"base-uri 'none'",/, '', /submits no form/],
    ['no form', /"form-action 'none'",/, '', /submits no form/],
    ['nothing but own files', /"default-src 'none'",/, '', /sends the policy/],
    [
      'no foreign script',
      /"script-src 'self'",/,
      `"script-src 'self' 'unsafe-inline' 'unsafe-eval'",`,
      /sends the policy/,
    ],
    ['no text becomes markup', /"require-trusted-types-for 'script'",/, '', /inline script/],
  ]),
  ...of('src/main/app/app-protocol.ts', PAGE, [
    ['the policy is sent', /['"]Content-Security-Policy['"]: \w+,/, '', /sends the policy/],
    [
      'no guessed types',
      /['"]X-Content-Type-Options['"]: ['"]nosniff['"],/,
      '',
      /sends the policy/,
    ],
    ['GET only', /if \(method !== ['"]GET['"]\)/, 'if (false)', /own scheme and nothing/],
  ]),
  ...of(PREFERENCES, PAGE, [
    ['web security', /webSecurity: true/, 'webSecurity: false', /own protections/],
    ['no webview tag', /webviewTag: false/, 'webviewTag: true', /has no webview/],
  ]),
  ...of(PREFERENCES, REACH, [
    [
      'the page has a world of its own',
      /contextIsolation: true/,
      'contextIsolation: false',
      /a world of its own/,
    ],
  ]),
  ...of(PREFERENCES, REACH, [
    [
      'a dropped file opens nothing',
      /navigateOnDragDrop: false/,
      'navigateOnDragDrop: true',
      /beside its target/,
    ],
  ]),
  ...of(PREFERENCES, SERVICE_SPEC, [
    [
      'web security for a page of a box',
      /webSecurity: true/,
      'webSecurity: false',
      /none of Leasehold/,
    ],
  ]),
  ...of(SERVICE, SERVICE_SPEC, [
    [
      'the title stays ours',
      /(?<=page-title-updated['"], \(event\) => )event\.preventDefault\(\)/,
      '0',
      /none of Leasehold/,
    ],
    ['its session is forgotten', /`service-/, '`persist:service-', /none of Leasehold/],
    ['its session is locked', /await \S*lockDownSession\(.*?\);/, '', /saves nothing/],
  ]),
  ...of('src/main/app/sender.ts', WAYS_OUT, [
    [
      'only our own page in our own window',
      /isTrusted: .*?(?= \}|,\s)/,
      'isTrusted: true',
      /answers nobody but/,
    ],
  ]),
  ...of('src/main/app/approve-command.ts', WAYS_OUT, [
    ['the safe answer first', /defaultId: 0/, 'defaultId: 1', /own question/],
    ['only a yes runs it', /return response === 1/, 'return true', /own question/],
  ]),
  ...of('src/main/app/crash.ts', 'e2e/crash.spec.ts', [
    [
      'no secret on the page after a crash',
      /\S*cleanText\(describe\(cause\), log\.redactor\)/,
      'describe(cause)',
      /an uncaught/,
    ],
  ]),
  ...of('src/main/app/cut-off.ts', REACH, [
    [
      'no UDP past the policy',
      /contents\.setWebRTCIPHandlingPolicy\(.*?\);/,
      '',
      /main window: .*WebRTC/,
    ],
  ]),
  ...of('src/main/app/box-link.ts', 'e2e/terminal.spec.ts', [
    [
      'a link of a box is opened after a yes',
      /if \(response === 1\)/,
      'if (true)',
      /only after main has asked/,
    ],
    ['no link but http', /if \(link === null\)/, 'if (false)', /only after main has asked/],
  ]),
  ...of('src/preload/index.ts', PAGE, [
    [
      'listed events alone',
      /if \(!.*?\.includes\(event\)\) throw/,
      'if (false) throw',
      /preload’s own world/,
    ],
  ]),
  ...of('src/preload/index.ts', REACH, [
    ['only a person’s own drop', /!isTrusted \|\| /, '', /the page made up/],
    [
      'a port goes to our own page alone',
      /(?<=postMessage\(message, )\w+/,
      "'*'",
      /to our own page and to no other/,
    ],
  ]),
  ...of('scripts/packaging/package-app.mjs', PACKAGED, [
    ['fuses are set', /await setFuses\(executable\);/, '', /read from the packed/],
  ]),
  ...of('scripts/packaging/fuses.mjs', PACKAGED, [
    ['no Node', /(?<=\.RunAsNode\]: )false/, 'true', /is no Node/],
    [
      'no options of Node’s',
      /(?<=NodeOptionsEnvironmentVariable\]: )false/,
      'true',
      /opens no debugger/,
    ],
    ['no debugger', /(?<=CliInspectArguments\]: )false/, 'true', /opens no debugger/],
    [
      'from the archive alone',
      /(?<=OnlyLoadAppFromAsar\]: )true/,
      'false',
      /nothing but what lies/,
    ],
  ]),
];
