// Asks for the fonts of the first picture as soon as the style sheet names them: when the window's script has been read,
// main is busy and would let them wait. That a font does not load is no reason to stop; its text has a stand-in.
for (const family of ['Inter Variable', 'JetBrains Mono Variable']) {
  document.fonts.load(`1em "${family}"`).catch(() => undefined);
}
