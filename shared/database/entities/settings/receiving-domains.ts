import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { RECEIVING_PK } from '../../keys/indexes.ts';
import { claimKey } from '../../keys/key.ts';
import type { Item } from '../../table.ts';

/** The verified sender domains that have an address: email is received for them and for the mail domain alone. */
function createReceivingDomains(table: Database) {
  return {
    /** In the order of their names. */
    async listAll(): Promise<string[]> {
      const found: string[] = [];
      let lastKey: Item | undefined;
      do {
        const page = await table.query({
          IndexName: 'due',
          KeyConditionExpression: 'duePk = :pk',
          ExpressionAttributeValues: { ':pk': RECEIVING_PK },
          ExclusiveStartKey: lastKey,
        });
        found.push(...page.items.map(({ dueSk }) => String(dueSk)));
        lastKey = page.lastKey;
      } while (lastKey);
      return found;
    },
    async has(domain: string): Promise<boolean> {
      return (await table.get(claimKey('domain', domain)))?.duePk === RECEIVING_PK;
    },
  };
}

export const receivingDomains = dependency('receivingDomains', () =>
  createReceivingDomains(resolve(database)),
);
