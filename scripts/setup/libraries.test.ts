import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeUnknown, LIBRARY_PACKAGES, packagesFor, parseMissing } from './libraries.mjs';

// Shortened from ldd's answer about Electron 25 and a library of its own on Debian 12 without GTK.
const LDD = `/opt/rt/electron:
\tlinux-vdso.so.1 (0x00007feb3cb37000)
\tlibffmpeg.so => /opt/rt/libffmpeg.so (0x00007feb32600000)
\tlibgtk-3.so.0 => not found
\tlibnss3.so => /lib/x86_64-linux-gnu/libnss3.so (0x00007feb322c7000)
\t/lib64/ld-linux-x86-64.so.2 (0x00007feb3cb39000)
/opt/rt/libEGL.so:
\tlibgtk-3.so.0 => not found
\tlibX11.so.6 => not found
`;

describe('missing libraries', () => {
  it('are read from what ldd prints, each once', () => {
    expect(parseMissing(LDD)).toEqual(['libX11.so.6', 'libgtk-3.so.0']);
    expect(parseMissing('\tstatically linked\n')).toEqual([]);
  });

  it('are turned into packages, each once, and unknown ones are named', () => {
    const { packages, unknown } = packagesFor(['libnss3.so', 'libsmime3.so', 'libnew.so.1']);
    expect(packages.map(([name]) => name)).toEqual(['libnss3']);
    expect(describeUnknown(unknown)).toContain('(libnew.so.1)');
  });
});

const canAskDpkg = existsSync('/usr/bin/dpkg') && existsSync('/sbin/ldconfig');

describe('the table of packages', () => {
  it('agrees with dpkg about every library that is installed here', (context) => {
    context.skip(!canAskDpkg, 'this machine has no dpkg to ask');
    const installed = listInstalled();
    context.skip(installed.length === 0, 'none of the libraries is installed here');
    const owners = ownersOf(installed.map(({ path }) => path));
    for (const { soname, path } of installed) {
      expect([soname, LIBRARY_PACKAGES[soname]]).toEqual([
        soname,
        expect.arrayContaining([owners.get(path)]),
      ]);
    }
  });
});

/** The libraries of the table that the linker knows here, with the file it takes. */
function listInstalled(): { soname: string; path: string }[] {
  const known = execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
  const found = [...known.matchAll(/^\t(\S+) \(libc6,x86-64\b[^)]*\) => (\S+)$/gm)];
  return found
    .map(([, soname = '', path = '']) => ({ soname, path: realpathSync(path) }))
    .filter(({ soname }) => soname in LIBRARY_PACKAGES);
}

/** The package that each file came with. */
function ownersOf(paths: readonly string[]): Map<string, string> {
  // Where /lib is a link to /usr/lib, dpkg knows a file by the one path or by the other, and complains of the rest.
  const both = paths.flatMap((path) => [path, path.replace(/^\/usr/, '')]);
  const { stdout } = spawnSync('dpkg', ['-S', ...both], { encoding: 'utf8' });
  const rows = [...stdout.matchAll(/^([^:\s]+)(?::\w+)?: (\S+)$/gm)];
  return new Map(
    rows.map(([, name = '', path = '']) => [path.startsWith('/usr') ? path : `/usr${path}`, name]),
  );
}
