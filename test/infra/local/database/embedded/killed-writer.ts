import { writeSync } from 'node:fs';
import { openEmbeddedTable } from '../../../../../infra/local/database/embedded-table.ts';

/** Writes transactions of three items until it is killed, and a line for each that was acknowledged. */
const [file = '', tableName = ''] = process.argv.slice(2);
const { engine } = openEmbeddedTable({ file, tableName });
for (let at = 0; ; at += 1) {
  const TransactItems = ['1', '2', '3'].map((sk) => ({
    Put: { TableName: tableName, Item: { pk: { S: `group-${at}` }, sk: { S: sk } } },
  }));
  const { status } = engine.perform('TransactWriteItems', { TransactItems });
  if (status !== 200) throw new Error(`the transaction failed with ${status}`);
  // Waits for its reader: without an event loop, `process.stdout` writes nothing more once its buffer was full.
  writeSync(1, `${at}\n`);
}
