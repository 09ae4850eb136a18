import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

// The labels of buttons and menus are read from the source, in whatever state a page would show them; those that are put together while
// the window runs, the name of a run say, cannot be read.

const WINDOW = 'src/renderer';

/** Files whose buttons are not a page's own, and why the palette leaves them out. */
const ELSEWHERE: readonly (readonly [because: string, files: RegExp])[] = [
  ['answers what a dialog or a form asks', /-(?:dialog|form|fields|picker|editor|preview)\.tsx$/],
  ['is a part of a dialog', /^box\/(?:send-secret|recovery)\/|^fleet\/import\/|^costs\/price\//],
  ['is a part of a dialog', /\/(?:compare-how|snooze-menu|end-question|find-bar)\.tsx$/],
  ['is a part of a dialog', /\/(?:launch-plan-view|request-bar|rehearsal-part)\.tsx$/],
  ['every page has it', /^ui\/|^app\/crash-screen\.tsx$/],
  ['is about one row', /\/(?:[\w-]+-table|commands|gone-card|tell-me|ledger-list)\.tsx$/],
  ['is about one row', /\/(?:receipt-buttons|process-table|comparison-table)\.tsx$/],
  ['is about one run, on its own page', /^box\/runs\/(?:pull|launch\/(?:metrics|queue|resume))\//],
  ['is about one run, on its own page', /^box\/runs\/launch\/(?:run-page|results-list)\.tsx$/],
  [
    'is about one run, on its own page',
    /^box\/runs\/launch\/(?:log-\w+|place-bar|elsewhere-note)\.tsx$/,
  ],
  ['is about one sweep, on its own page', /^sweeps\/sweep-(?:page|plan-view|toolbar)\.tsx$/],
  [
    'is about one entry of the handbook',
    /^handbook\/(?:own-entry-bar|gotcha-\w+|unused-files)\.tsx$/,
  ],
  ['ends a box, or says that it is ended', /^box\/teardown\/(?:act-step|approve-step)\.tsx$/],
  ['ends a box, or says that it is ended', /^box\/teardown\/(?:provider-act|blocker-list)\.tsx$/],
  ['deletes, or takes an end back', /^box\/teardown\/receipt-step\.tsx$/],
  ['says yes or no to what Leasehold asks', /\/(?:platform-guess|platform-brief|key-offer)\.tsx$/],
  ['is a value of a setting, to which “Settings: …” leads', /^settings\//],
];

/** Buttons that the palette has under another name: that of the place to which they lead. */
const SAME_AS: Readonly<Record<string, string>> = {
  '1 timer': 'Clocks…',
  'Add a deadline…': 'Clocks…',
  'All archived boxes': 'Archive',
  'All boxes': 'Costs',
  'Bring home what you can…': 'Bring results home…',
  'Change that in Settings': 'Settings',
  'Compare platforms': 'Facts about platforms',
  'Find holders…': 'Find what holds VRAM…',
  'Open a terminal': 'Terminal',
  'Previous page': 'Back',
  'See what changed': 'Import boxes from SSH config…',
  'Set a price…': 'Set price…',
  'Set the price…': 'Set price…',
  'Show checks': 'Alerts',
  Details: 'Costs of this box',
  Home: 'Home folder',
  Spend: 'Costs',
  incomplete: 'Costs of this box',
};

/** Buttons of pages that the palette leaves out on purpose. */
const LEFT_OUT: readonly (readonly [because: string, labels: readonly string[]])[] = [
  [
    'asks once more for what stands beside it',
    ['Try again', 'List again', 'Read again', 'Search again', 'Refresh'],
  ],
  ['asks once more for what stands beside it', ['Ask again', 'Keep it again']],
  ['says that it is being done', ['Checking…', 'Searching…']],
  ['takes a message or a view away', ['Dismiss', 'Close', 'Close the preview', 'Show fewer']],
  ['stops what it stands beside', ['Stop', 'End the one that Leasehold started']],
  ['opens a menu whose entries the palette has', ['Faults', 'More actions', 'Terminal actions']],
  ['opens a menu whose entries the palette has', ['Break something →']],
  [
    'is about one row',
    ['Copy', 'Open', 'Hide files', 'Show files', 'Bring home…', 'Save to Handbook…'],
  ],
  ['is about what is selected or filtered', ['Tear down these…', 'Clear', 'Clear the filter']],
  ['is about what is selected or filtered', ['Handled by Leasehold', 'Yours']],
  ['is about what is selected or filtered', ['Remove…', 'Choose all of yours']],
  ['is about what is being written', ['Undo', 'Save rates']],
  [
    'goes from where a person is in the list',
    ['Folder tree', 'Up one folder', 'Back to the sweep'],
  ],
  ['one of several keys is chosen in its menu', ['Copy public key']],
  ['ends a shell', ['Close terminal']],
  ['leaves something on a box that ends', ['Continue', 'Left on the box', 'Leave them there']],
];

const sources = readdirSync(WINDOW, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /(?<!\.test|\.fixture)\.tsx$/.test(path));
const isPalette = (path: string): boolean => path.startsWith('app/palette-');

function parse(path: string): ts.SourceFile {
  const text = readFileSync(join(WINDOW, path), 'utf8');
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Each text that this may show; null: it is only known while the window runs. */
function textsOf(node: ts.Node): readonly string[] | null {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isJsxSelfClosingElement(node)) return [''];
  if (ts.isJsxExpression(node))
    return node.expression === undefined ? [''] : textsOf(node.expression);
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) {
    const both = [textsOf(node.whenTrue), textsOf(node.whenFalse)];
    const known = both.flatMap((texts) => texts ?? []);
    return known.length === 0 ? null : known;
  }
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken) return null;
    return ['', ...(textsOf(node.right) ?? [])];
  }
  if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return null;
  return node.children.reduce<readonly string[] | null>(
    (before, child) => {
      const texts = textsOf(child);
      if (before === null || texts === null) return null;
      return before.flatMap((text) => texts.map((more) => `${text}${more}`));
    },
    [''],
  );
}

/** An ellipsis says that something is asked first; whether it stands there is not what this is about. */
const plain = (label: string): string => label.replace(/\s+/g, ' ').trim().replace(/…$/, '');

const BUTTONS = new Set(['Button', 'button', 'CopyButton', 'MenuItem', 'MenuCheckbox']);

function buttonsIn(path: string): readonly string[] {
  const found: string[] = [];
  walk(parse(path), (node) => {
    if (!ts.isJsxElement(node) && !ts.isJsxSelfClosingElement(node)) return;
    const opening = ts.isJsxElement(node) ? node.openingElement : node;
    const tag = opening.tagName.getText();
    if (!BUTTONS.has(tag)) return;
    const named = opening.attributes.properties.find(
      (each) =>
        ts.isJsxAttribute(each) &&
        each.name.getText() === (tag === 'CopyButton' ? 'label' : 'aria-label'),
    );
    const value = named !== undefined && ts.isJsxAttribute(named) ? named.initializer : undefined;
    const texts = value === undefined ? textsOf(node) : textsOf(value);
    found.push(...(texts ?? []).map(plain).filter((label) => label !== ''));
  });
  return found;
}

/** What the palette offers: the first words of each `offer`, with what stands before and behind its colon. */
function offered(): ReadonlySet<string> {
  const labels = new Set<string>();
  const add = (text: string): void => {
    for (const part of [text, ...text.split(': ')]) labels.add(plain(part));
  };
  // What is said of a clock has the labels of its buttons.
  for (const path of [...sources.filter(isPalette), 'box/clocks/stop-action.ts']) {
    walk(parse(path), (node) => {
      const isLabel = ts.isPropertyAssignment(node) && node.name.getText() === 'label';
      const isOffer = ts.isCallExpression(node) && node.expression.getText() === 'offer';
      const words = isLabel ? node.initializer : isOffer ? node.arguments[0] : undefined;
      if (words === undefined) return;
      walk(words, (part) => {
        if (ts.isStringLiteralLike(part) || ts.isTemplateHead(part)) add(part.text);
      });
    });
  }
  return labels;
}

const known = offered();
const buttons = sources
  .filter((path) => !isPalette(path))
  .flatMap((path) => buttonsIn(path).map((label) => ({ path, label })));
const onPages = buttons.filter(({ path }) => !ELSEWHERE.some(([, files]) => files.test(path)));
const leftOut = LEFT_OUT.flatMap(([, labels]) => labels.map(plain));
const named = Object.keys(SAME_AS).map(plain);

it('has every button and every menu of a page, or there is a reason', () => {
  const excused = new Set([...leftOut, ...named]);
  const missing = onPages
    .filter(({ label }) => !known.has(label) && !excused.has(label))
    .map(({ path, label }) => `${label} (${path})`);
  expect(missing).toEqual([]);
});

it('is excused for nothing that is not there', () => {
  const labels = new Set(onPages.map(({ label }) => label));
  expect([...leftOut, ...named].filter((label) => !labels.has(label))).toEqual([]);
  expect(Object.values(SAME_AS).filter((label) => !known.has(plain(label)))).toEqual([]);
  expect(ELSEWHERE.filter(([, files]) => !buttons.some(({ path }) => files.test(path)))).toEqual(
    [],
  );
  expect(leftOut.filter((label) => known.has(label))).toEqual([]);
});

it('asks main only for what looks, puts off or saves: what ends or deletes stays with its button', () => {
  const channels = new Set<string>();
  for (const path of sources.filter(isPalette)) {
    walk(parse(path), (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== 'call') return;
      channels.add(node.arguments[0]?.getText() ?? '');
    });
  }
  expect([...channels].sort()).toEqual([
    "'alerts:snooze'",
    "'app:save-pdf'",
    "'clocks:snooze'",
    "'evidence:receipt'",
    "'teardown:inspect'",
    "'teardown:look-for-secrets'",
    "'teardown:read-copies'",
  ]);
});
