// What cannot wait for the window's script to be read.

// The fonts of the first picture, as soon as the style sheet names them: later, main is busy and would let them wait. That a font
// does not load is no reason to stop; its text has a stand-in.
for (const family of ['Inter Variable', 'JetBrains Mono Variable']) {
  document.fonts.load(`1em "${family}"`).catch(() => undefined);
}

// A start that takes longer than usual shows a frame. The usual one does without: it would be laid out for nothing.
setTimeout(() => {
  const boot = document.getElementById('boot'); // gone when the page is there
  if (boot !== null) document.body.append(boot.content);
}, 150);
