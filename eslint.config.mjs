import { defineConfig } from 'eslint/config';
import { parser } from 'typescript-eslint';
import { shellText } from './eslint-rules/shell-text.mjs';

// The one rule of ours that asks for types. All others, and everybody's, stand in .oxlintrc.json (decision 53).
export default defineConfig(
  { ignores: ['**/*.test.ts', '**/*.fixture.ts'] },
  // Where these hand on what they were given, their callers are looked at.
  {
    ignores: [
      'src/main/demo/**',
      'src/main/ssh/{ssh,single}-connection.ts',
      'src/main/ssh/remote-*.ts',
    ],
  },
  {
    files: ['src/main/**/*.ts', 'src/shared/**/*.ts'],
    languageOptions: {
      parser,
      parserOptions: {
        project: 'eslint-rules/tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { leasehold: { rules: { 'shell-text': shellText } } },
    rules: { 'leasehold/shell-text': 'error' },
  },
);
