import type { CommandContext } from './command.ts';

/** Longer than any name that is asked for. */
const MAX_BYTES = 4096;

/** What a person typed up to the end of the line, without the blanks around it; of a closed input, what was there. */
export async function typedLine({ stdin }: Pick<CommandContext, 'stdin'>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stdin) {
    pieces.push(piece);
    bytes += piece.length;
    if (piece.includes(0x0a) || bytes > MAX_BYTES) break;
  }
  const [line = ''] = Buffer.concat(pieces).toString('utf8').split('\n');
  return line.trim();
}

/** Only the name, as it is, launches. */
export async function isNameTyped(name: string, context: CommandContext): Promise<boolean> {
  await context.out.lines(['', `Type “${name}” to launch this:`]);
  return (await typedLine(context)) === name.trim();
}
