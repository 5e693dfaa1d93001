import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CommandError } from '../frame/command.ts';
import { ROOT } from '../frame/deployment.ts';

const LINES_MAX = 60;

/**
 * Runs the CDK's command line, which npm scripts find on their path. What it prints goes to standard error, or line by line
 * to `onLine`: then its last lines are shown only when it fails.
 */
export async function runCdk(args: readonly string[], onLine?: (line: string) => void): Promise<void> {
  const colour = onLine ? { NO_COLOR: '1' } : {};
  const env = { ...process.env, ...colour, CDK_DISABLE_CLI_TELEMETRY: 'true' };
  const out = onLine ? 'pipe' : 2;
  const child = spawn('cdk', args, { cwd: ROOT, env, stdio: ['ignore', out, out] });
  // The CDK ends with this process: Ctrl-C possibly reached only this process.
  const kill = () => child.kill();
  process.once('exit', kill);
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (!input || !onLine) continue;
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LINES_MAX) lines.shift();
      onLine(line);
    });
  }
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  }).catch(() => {
    throw new CommandError('The CDK is not installed: run npm ci, then run this again through npm run.');
  });
  process.removeListener('exit', kill);
  if (code === 0) return;
  if (lines.length > 0) console.error(`\n${lines.join('\n')}`);
  throw new CommandError(`cdk ${args[0]} failed: see above.`);
}
