// Lies in resources/app of the runtime from the registry and does what Electron's own default app does for the official
// one: starts the app whose folder is the first argument that is not a switch.
const path = require('node:path');
const electron = require('electron');

/**
 * With the two calls that only Electron's default app is meant to make, and its types therefore leave out.
 * @typedef {{ setAppPath: (path: string) => void, setVersion: (version: string) => void }} DefaultApp
 * @type {Electron.App & DefaultApp}
 */
const app = /** @type {any} */ (electron.app);

const folder = path.resolve(
  process.argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '.',
);
const { name, productName, version, main } = require(path.join(folder, 'package.json'));
app.setAppPath(folder);
app.setName(productName ?? name);
app.setVersion(version);
require(path.join(folder, main));
