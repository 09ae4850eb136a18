import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import { configs as typescript } from 'typescript-eslint';
import { importDirection } from './eslint-rules/import-direction.mjs';
import { noRawColour } from './eslint-rules/no-raw-colour.mjs';
import { rawIpc } from './eslint-rules/raw-ipc.mjs';
import { shellText } from './eslint-rules/shell-text.mjs';
import { sshClient } from './eslint-rules/ssh-client.mjs';

const root = import.meta.dirname;

/** Each room and what it may import from besides itself (DESIGN §2, STYLE §1). */
const rooms = {
  'src/shared': [],
  'src/main': ['src/shared'],
  'src/preload': ['src/shared'],
  'src/renderer': ['src/shared'],
  // Nothing that ships may lean on what does not; these may look at what they test and measure.
  scripts: ['eslint-rules', 'bench'],
  bench: ['src/shared', 'src/main', 'e2e', 'incidents'],
  incidents: ['src/shared', 'src/main'],
  e2e: ['src/shared', 'src/main', 'scripts'],
  'eslint-rules': [],
};

/** Where an outside thing is known. */
const packages = {
  electron: [
    'src/main/app/',
    'src/main/index.ts',
    'src/preload/',
    'bench/',
    'scripts/setup/runtime-loader/',
  ],
  'electron-store': ['src/main/app/memory-store.ts'],
  ssh2: ['src/main/ssh/', 'src/main/demo/'],
  'bcrypt-pbkdf': ['src/main/ssh/'],
  'node-ssh': ['src/main/ssh/'],
  libsql: ['src/main/storage/', 'e2e/'],
  recharts: ['src/renderer/ui/chart/drawn-chart.tsx'],
  yaml: ['src/main/yaml/'],
  'fast-check': ['src/shared/', 'src/main/'],
};

const TESTS = ['**/*.test.{ts,tsx}', '**/*.fixture.ts', 'e2e/**', 'bench/**', 'incidents/**'];
const PLAIN_SCRIPTS = ['scripts/**/*.{mjs,cjs}', 'eslint-rules/**/*.mjs', '*.config.mjs'];
// Tools load these by their default export.
const LOADED_BY_DEFAULT = ['*.config.{ts,mjs}', 'scripts/steps/vitest-reporter.mjs'];

const noEnums = { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' };
const noParameterProperties = {
  selector: 'TSParameterProperty',
  message: 'Declare the field: types must be erasable.',
};
const noDefaultExport = { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' };

export default defineConfig(
  { ignores: ['node_modules/', 'out/', 'dist/', 'coverage/', 'test-results/', 'bench/results/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  typescript.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: 'eslint-rules/tsconfig.lint.json', tsconfigRootDir: root },
    },
    plugins: {
      leasehold: {
        rules: {
          'import-direction': importDirection,
          'no-raw-colour': noRawColour,
          'raw-ipc': rawIpc,
          'shell-text': shellText,
          'ssh-client': sshClient,
        },
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-debugger': 'error',
      'no-empty': 'error',
      'no-fallthrough': 'error',
      'no-misleading-character-class': 'error',
      'no-unsafe-finally': 'error',
      'no-unused-labels': 'error',
      'no-useless-escape': 'error',
      'no-restricted-syntax': ['error', noEnums, noParameterProperties, noDefaultExport],
      'leasehold/import-direction': ['error', { root, rooms, packages }],
      'leasehold/raw-ipc': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A default counts as the rest: STYLE §4 closes it with unreachable(), which does not compile with a case missing.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // `() => void call()` is our way to say that nobody waits for the answer, whether there is one or not.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // Two runtimes: what the newest calls deprecated may be all that the oldest has.
      '@typescript-eslint/no-deprecated': 'off',
      // There are none, and what a library calls an enum is a number to us.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // TypeScript believes that `signal.aborted`, once false, stays so across an await.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
    },
  },
  // Tests play strangers, who check nothing.
  {
    files: ['src/**', 'scripts/**'],
    ignores: [...TESTS, 'src/main/ssh/verified-client.ts'],
    rules: { 'leasehold/ssh-client': 'error' },
  },
  // Where these rooms hand on what they were given, their callers are looked at.
  {
    files: ['src/main/**', 'src/shared/**'],
    ignores: [
      ...TESTS,
      'src/main/demo/**',
      'src/main/ssh/{ssh,single}-connection.ts',
      'src/main/ssh/remote-*.ts',
    ],
    rules: { 'leasehold/shell-text': 'error' },
  },
  {
    files: ['src/main/app/ipc*.ts'],
    rules: { 'leasehold/raw-ipc': ['error', { allow: ['ipcMain'] }] },
  },
  {
    files: ['src/preload/**'],
    rules: { 'leasehold/raw-ipc': ['error', { allow: ['ipcRenderer'] }] },
  },
  {
    files: ['src/renderer/**'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: { 'leasehold/no-raw-colour': 'error' },
  },
  // What ships says things through the log, the window or the command line's own writer.
  { files: ['src/**'], ignores: TESTS, rules: { 'no-console': 'error' } },
  {
    files: TESTS,
    rules: {
      // A test that got nothing where it expects something fails at that line, which is what it is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // Fakes answer at once where the real thing awaits.
      '@typescript-eslint/require-await': 'off',
      'leasehold/no-raw-colour': 'off',
    },
  },
  {
    files: PLAIN_SCRIPTS,
    rules: {
      // JSDoc casts what JSON.parse and process.env give; the checks on `any` see the value before the cast.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: LOADED_BY_DEFAULT,
    rules: { 'no-restricted-syntax': ['error', noEnums, noParameterProperties] },
  },
  // Scripts that the window loads as they are; no project of types has them.
  { files: ['src/renderer/public/**/*.js'], extends: [typescript.disableTypeChecked] },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
