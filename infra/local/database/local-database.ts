import type { DatabaseKind } from './data-folder.ts';
import type { Engine } from './embedded/engine.ts';
import type { StreamSource } from './stream/stream-source.ts';

/** The table of a machine, which the functions of this process use from now on. */
export type LocalDatabase = {
  source: StreamSource;
  /** Of the embedded table. */
  engine: Engine | undefined;
  /** Awaited before the outcome of a message is recorded: nothing else is then in its way. */
  beforeOutcome(): Promise<void>;
  stop(): Promise<void>;
};
export type DatabaseOptions = {
  kind: DatabaseKind;
  /** Undefined: in memory. */
  dataFolder: string | undefined;
  /** The service's time, for expiring items. */
  nowMs: () => number;
  /** Called when a database in another process ends unexpectedly. */
  onExit: (() => void) | undefined;
};
