import * as v from 'valibot';
import type { Keyring } from '../../../encryption/keyring.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { atRevision } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { assignmentOf } from '../../items/update-expression.ts';
import { settingKey } from '../../keys/account.ts';
import { keyring } from './data-keys.ts';

/** Tokens of a connection; `expiresInSeconds` is of the access token. */
export type PlatformTokens = { accessToken: string; refreshToken: string; expiresInSeconds: number };

const BackendProject = v.object({
  projectRef: v.string(),
  projectName: v.string(),
  senderName: v.string(),
  senderEmail: v.string(),
  configuredAt: v.string(),
});
/** The project whose email is sent through this deployment. */
type BackendProject = v.InferOutput<typeof BackendProject>;

const StoredConnection = v.object({
  sealedTokens: v.string(),
  expiresAtMs: v.number(),
  connectedAt: v.string(),
  revision: v.number(),
  /** Until when one caller alone may refresh the tokens. */
  leasedUntilMs: v.optional(v.number()),
  project: v.optional(BackendProject),
});
const SealedTokens = v.object({ accessToken: v.string(), refreshToken: v.string() });

/** An account's connection to the backend platform. `revision` changes with its tokens. */
export type BackendConnection = v.InferOutput<typeof StoredConnection> & v.InferOutput<typeof SealedTokens>;

export type BackendConnections = ReturnType<typeof createBackendConnections>;

const SETTING = 'backend';
const LEASE_MS = 15_000;

function createBackendConnections(table: Database, ring: Keyring) {
  const encryptionContext = (accountId: string) => ({ accountId, kind: 'setting', id: SETTING });

  async function sealTokens(accountId: string, tokens: PlatformTokens, nowMs: number) {
    const { accessToken, refreshToken, expiresInSeconds } = tokens;
    const text = JSON.stringify({ accessToken, refreshToken });
    return {
      sealedTokens: await ring.encrypt(encryptionContext(accountId), text),
      expiresAtMs: nowMs + expiresInSeconds * 1000,
    };
  }

  return {
    async find(accountId: string): Promise<BackendConnection | undefined> {
      const item = await table.get(settingKey(accountId, SETTING), { consistent: true });
      if (!item) return undefined;
      const stored = readStored('backend connection', StoredConnection, item);
      const text = await ring.decrypt(encryptionContext(accountId), stored.sealedTokens);
      return { ...stored, ...v.parse(SealedTokens, JSON.parse(text)) };
    },

    /** Stores a new connection and replaces any earlier connection. */
    async connect(accountId: string, tokens: PlatformTokens, nowMs: number): Promise<void> {
      await table.put({
        ...settingKey(accountId, SETTING),
        ...(await sealTokens(accountId, tokens, nowMs)),
        connectedAt: isoOf(nowMs),
        revision: nowMs,
      });
    },

    /** True if the caller may refresh the connection as it was read: one at a time, for at most 15 seconds. */
    async leaseRefresh(accountId: string, connection: BackendConnection, nowMs: number): Promise<boolean> {
      const current = atRevision(connection.revision);
      const outcome = await table.update(settingKey(accountId, SETTING), 'SET leasedUntilMs = :until', {
        condition: `${current.condition} AND (attribute_not_exists(leasedUntilMs) OR leasedUntilMs <= :now)`,
        values: { ...current.values, ':now': nowMs, ':until': nowMs + LEASE_MS },
      });
      return outcome.written;
    },

    async releaseRefresh(accountId: string): Promise<void> {
      await table.update(settingKey(accountId, SETTING), 'REMOVE leasedUntilMs', {
        condition: 'attribute_exists(pk)',
      });
    },

    /** New tokens of the connection as it was read; false when it has changed since. */
    async refreshed(
      accountId: string,
      connection: BackendConnection,
      tokens: PlatformTokens,
      nowMs: number,
    ): Promise<boolean> {
      const { sealedTokens, expiresAtMs } = await sealTokens(accountId, tokens, nowMs);
      const current = atRevision(connection.revision);
      const outcome = await table.update(
        settingKey(accountId, SETTING),
        'SET sealedTokens = :sealed, expiresAtMs = :expires, revision = :next',
        {
          condition: current.condition,
          values: {
            ...current.values,
            ':sealed': sealedTokens,
            ':expires': expiresAtMs,
            ':next': connection.revision + 1,
          },
        },
      );
      return outcome.written;
    },

    /** Notes the project; false without a connection. */
    async setProject(accountId: string, project: BackendProject): Promise<boolean> {
      const outcome = await table.update(settingKey(accountId, SETTING), ...assignmentOf({ project }));
      return outcome.written;
    },

    async disconnect(accountId: string): Promise<void> {
      await table.delete(settingKey(accountId, SETTING));
    },
  };
}

export const backendConnections = dependency('backendConnections', () =>
  createBackendConnections(resolve(database), resolve(keyring)),
);
