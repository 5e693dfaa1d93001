import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { LocalAccount } from './first-run.ts';

/** The data of a run that scripts need. */
export type ReadyFacts = Omit<LocalAccount, 'isNew'> & {
  baseUrl: string;
  smtpPort: number | undefined;
  /** Required of local-only paths when the run listens beyond loopback. */
  sandboxToken: string | undefined;
};

/** Writes the file atomically, readable by its owner only: it contains keys. */
export function writeReadyFile(file: string, facts: ReadyFacts): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify(facts), { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}
