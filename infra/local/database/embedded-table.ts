import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Engine, type EngineOptions, openEngine } from './embedded/engine.ts';
import { createEmbeddedClient, type Perform } from './embedded-client.ts';
import { tableInput } from './table-input.ts';

export type EmbeddedTable = { engine: Engine; client: DynamoDBDocumentClient };

export type EmbeddedTableOptions = EngineOptions & {
  tableName: string;
  /** Without a stream, writes cost less. */
  isStreamed?: boolean;
  /** How the client performs its operations; without it, each is done when its call returns. */
  performing?: (engine: Engine) => Perform;
};

/** Opens the table, and creates it if the file does not have it. */
export function openEmbeddedTable({
  tableName,
  isStreamed = true,
  performing = ({ perform }) => perform,
  ...options
}: EmbeddedTableOptions): EmbeddedTable {
  const engine = openEngine(options);
  const described = engine.perform('DescribeTable', { TableName: tableName });
  if (described.status !== 200) {
    const created = engine.perform('CreateTable', tableInput(tableName, { isStreamed }));
    if (created.status !== 200) throw new Error(String(created.body.message));
  }
  return { engine, client: createEmbeddedClient(performing(engine)) };
}
