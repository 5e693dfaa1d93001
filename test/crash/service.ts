import { join } from 'node:path';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';

/** How to call the service, and its first account. */
export type ReadyFacts = Pick<LocalRun, 'baseUrl' | 'secretKey' | 'accountId' | 'environmentId'>;

export type Service = LocalRun & {
  startMs: number;
  /** Kills the process, as when a machine runs out of memory, and waits until it is gone. */
  kill(): Promise<void>;
};

/** Starts the service on `folder` and waits until it responds. */
export async function startService(folder: string, port: number): Promise<Service> {
  const beganAtMs = Date.now();
  const run = await startLocalRun({ args: ['--data', join(folder, 'data'), '--port', String(port)] });
  return {
    ...run,
    startMs: Date.now() - beganAtMs,
    async kill() {
      run.child.kill('SIGKILL');
      await run.ended;
    },
  };
}
