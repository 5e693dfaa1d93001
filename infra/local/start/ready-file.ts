import { accessSync, constants, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LocalAccount } from './first-run.ts';

/** The data of a run that scripts need. */
export type ReadyFacts = Omit<LocalAccount, 'isNew'> & {
  /** The address for others: PUBLIC_BASE_URL, where that is set. */
  baseUrl: string;
  /** The address on this machine. */
  localUrl: string;
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

/** Deletes the file of an earlier run. Throws if it cannot be written, before anything is started for it. */
export function removeReadyFile(file: string): void {
  try {
    rmSync(file, { force: true });
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new Error(`The ready file ${file} cannot be written: choose another with --ready-file.`, {
      cause: error,
    });
  }
}
