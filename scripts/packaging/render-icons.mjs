import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

/** What desktops and packaging ask for; builders make .ico and .icns from these. */
export const APP_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

// Trays draw at 16 (macOS, in points) to 24 pixels; @2x is found by its name.
const TRAY_SIZES = { '': 16, '@2x': 32 };

/** Renders every size of our icons from their SVG sources into `to`. Answers the files' names. */
export async function renderIcons(/** @type {string} */ from, /** @type {string} */ to) {
  await mkdir(to, { recursive: true });
  const app = await readFile(join(from, 'app.svg'));
  const tray = await readFile(join(from, 'tray-template.svg'));
  const wanted = [
    ...APP_SIZES.map((size) => ({ name: `app-${String(size)}.png`, svg: app, size })),
    ...Object.entries(TRAY_SIZES).flatMap(([scale, size]) => [
      { name: `tray${scale}.png`, svg: app, size },
      { name: `tray-template${scale}.png`, svg: tray, size },
    ]),
  ];
  for (const { name, svg, size } of wanted) {
    const image = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render();
    await writeFile(join(to, name), image.asPng());
  }
  return wanted.map(({ name }) => name);
}
