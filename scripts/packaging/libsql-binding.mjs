// libsql finds its native part with two packages that look at the system's files and load child processes, while the
// window waits for the database (docs/decisions/0007). Electron runs on three systems, and on Linux with glibc alone.

const FINDS_BINDING = /function requireNative\(\) \{[\s\S]*?\n\}\n/;
const FINDERS =
  /^const \{ (?:load, currentTarget|familySync, GLIBC, MUSL) \} = require\(".*"\);\n/gm;
const FINDER_COUNT = 2;

const REQUIRE_NATIVE = `function requireNative() {
  const suffix = { linux: "-gnu", win32: "-msvc" }[process.platform] ?? "";
  return require(\`@libsql/\${process.platform}-\${process.arch}\${suffix}\`);
}
`;

/** Throws where the library does not look as expected: a new one must be looked at. */
export function withoutSearch(/** @type {string} */ code) {
  const finders = code.match(FINDERS)?.length ?? 0;
  if (!FINDS_BINDING.test(code) || finders !== FINDER_COUNT) {
    throw new Error(
      'libsql changed how it finds its native part: see scripts/packaging/libsql-binding.mjs',
    );
  }
  return code.replace(FINDERS, '').replace(FINDS_BINDING, REQUIRE_NATIVE);
}

/** The plugin for vite. @returns {import('vite').Plugin} */
export function libsqlWithoutSearch() {
  return {
    name: 'leasehold:libsql-binding',
    transform: (code, id) =>
      id.endsWith('/libsql/index.js') ? { code: withoutSearch(code), map: null } : null,
  };
}
