import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../../shared/database/table.ts';

/** The table's name on this machine. */
export const LOCAL_TABLE = 'notifications';

export function tableInput(
  tableName: string,
  { isStreamed }: { isStreamed: boolean },
): CreateTableCommandInput {
  const indexes = Object.entries(TABLE.indexes);
  const attributes = [
    TABLE.partitionKey,
    TABLE.sortKey,
    ...indexes.flatMap(([, index]) => [index.partitionKey, index.sortKey]),
  ];
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keySchema(TABLE.partitionKey, TABLE.sortKey),
    GlobalSecondaryIndexes: indexes.map(([name, index]) => ({
      IndexName: name,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
    ...(isStreamed ? { StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.streamView } } : {}),
  };
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
