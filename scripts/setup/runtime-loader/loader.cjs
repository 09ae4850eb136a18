// Lies in resources/app of the runtime from the registry and does what Electron's own default app does for the official
// one: starts the app whose folder is the first argument that is not a switch, after the modules named with `-r` (with
// one, Playwright holds the app until it is attached).
const path = require('node:path');
const electron = require('electron');

/**
 * With the two calls that only Electron's default app is meant to make, and its types therefore leave out.
 * @typedef {{ setAppPath: (path: string) => void, setVersion: (version: string) => void }} DefaultApp
 * @type {Electron.App & DefaultApp}
 */
const app = /** @type {any} */ (electron.app);

/** @type {string[]} */
const preloaded = [];
let named = '.';
for (let at = 1; at < process.argv.length; at += 1) {
  const argument = process.argv[at] ?? '';
  if (argument === '-r') preloaded.push(process.argv[(at += 1)] ?? '');
  else if (!argument.startsWith('-')) {
    named = argument;
    break;
  }
}
for (const file of preloaded) require(file);

const folder = path.resolve(named);
const { name, productName, version, main } = require(path.join(folder, 'package.json'));
app.setAppPath(folder);
app.setName(productName ?? name);
app.setVersion(version);
require(path.join(folder, main));
