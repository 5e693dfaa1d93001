import { spawn } from 'node:child_process';
import { CommandError } from './command.ts';
import { ROOT } from './deployment.ts';

/** Runs the CDK's command line, which npm scripts find on their path, with its output on standard error. */
export async function runCdk(args: readonly string[]): Promise<void> {
  const env = { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' };
  const child = spawn('cdk', args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  }).catch(() => {
    throw new CommandError('The CDK is not installed: run npm ci, then run this again through npm run.');
  });
  if (code !== 0) throw new CommandError(`cdk ${args[0]} failed: see above.`);
}
