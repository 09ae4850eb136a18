/** RunPod's basic SSH: an interactive shell only (gotcha RP6). */
export function isTerminalGateway(host: string): boolean {
  return host.toLowerCase() === 'ssh.runpod.io';
}
