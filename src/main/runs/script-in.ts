/** The very text that run-launch.sh writes into a file of the run folder. `script`: run-launch.sh as it is sent. */
export function scriptIn(script: string, name: 'KEEPER' | 'QUEUE' | 'COPY' | 'REBOOT'): string {
  const [, text] = new RegExp(`<<'${name}'\\n([^]*?\\n)${name}\\n`).exec(script) ?? [];
  if (text === undefined) throw new Error(`run-launch.sh holds no ${name}`);
  return text;
}
