import { Worker } from 'node:worker_threads';

/** The first response to the write of an item, by its keys. */
export type Recorded = { pk: string; sk: string; atNs: bigint };

/** A thread between this process and the database, which notes when responses leave the database. */
export type RecordClock = {
  /** Port to connect to in the place of the database's. */
  port: number;
  /** The writes since the last call, in order. */
  take(): Promise<Recorded[]>;
  stop(): Promise<void>;
};

/** Starts it for the database on `databasePort` of this machine. */
export async function startRecordClock(databasePort: number): Promise<RecordClock> {
  const thread = new Worker(new URL('./record-clock-thread.ts', import.meta.url), {
    workerData: { databasePort },
  });
  const next = <T>() => new Promise<T>((receive) => thread.once('message', receive));
  const port = await next<number>();
  return {
    port,
    take() {
      const taken = next<Recorded[]>();
      thread.postMessage('take');
      return taken;
    },
    async stop() {
      await thread.terminate();
    },
  };
}
