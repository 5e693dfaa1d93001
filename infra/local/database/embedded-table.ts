import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Engine, type EngineOptions, openEngine } from './embedded/engine.ts';
import { createEmbeddedClient } from './embedded-client.ts';
import { tableInput } from './table-input.ts';

export type EmbeddedTable = { engine: Engine; client: DynamoDBDocumentClient };

export type EmbeddedTableOptions = EngineOptions & {
  tableName: string;
  /** Awaited before each operation; without it, an operation is done when its call returns. */
  turn?: () => Promise<void> | undefined;
};

/** Opens the table, and creates it if the file does not have it. */
export function openEmbeddedTable({ tableName, turn, ...options }: EmbeddedTableOptions): EmbeddedTable {
  const engine = openEngine(options);
  const described = engine.perform('DescribeTable', { TableName: tableName });
  if (described.status !== 200) {
    const created = engine.perform('CreateTable', tableInput(tableName, { isStreamed: true }));
    if (created.status !== 200) throw new Error(String(created.body.message));
  }
  const perform = (operation: string, input: object) => {
    const waiting = turn?.();
    const run = () => engine.perform(operation, input);
    return waiting ? waiting.then(run) : run();
  };
  return { engine, client: createEmbeddedClient(perform) };
}
