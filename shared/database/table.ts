/**
 * The one table as plain data: infra/aws, the local run and the tests all create it from here (ADR 2).
 * `index: 'feed'` lists newest first; `index: 'due'` has waiting work. Both are sparse and keys-only.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttlAttribute: 'expiresAt',
  streamView: 'NEW_IMAGE',
  indexes: {
    feed: { partitionKey: 'feedPk', sortKey: 'feedSk' },
    due: { partitionKey: 'duePk', sortKey: 'dueSk' },
  },
} as const;

export type Item = Record<string, unknown>;
