import * as v from 'valibot';
import { type Creation, isRepetition } from '../../domain/creation.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { Channel } from '../../schemas/channel.ts';
import { type Database, database } from '../database.ts';
import { ENVIRONMENT_PREFIX, environmentKey } from '../keys/account.ts';
import { accountPk, claimKey } from '../keys/key.ts';
import type { Item } from '../table.ts';
import type { TransactAction } from '../transactions.ts';
import { formersAfter, hasReplaced, SECRETS } from './former-secrets.ts';
import { AGAIN, untilSettled } from './settle.ts';
import { readEach, readStored } from './stored.ts';
import { assignmentOf } from './update-expression.ts';

const StoredEnvironment = v.object({
  environmentId: v.string(),
  accountId: v.string(),
  title: v.string(),
  disableSending: v.array(Channel),
  secureMode: v.boolean(),
  /** Client secret and VAPID private key, encrypted. */
  sealedSecret: v.string(),
  vapidPublicKey: v.string(),
  sealedVapidPrivateKey: v.string(),
  createdAt: v.string(),
  ...SECRETS,
});
/** An environment; its id is its client ID. */
export type Environment = v.InferOutput<typeof StoredEnvironment>;

export type Environments = {
  find(accountId: string, environmentId: string): Promise<Environment | undefined>;
  /** The environment of an ID without its account, as on a WebSocket. */
  findById(environmentId: string): Promise<Environment | undefined>;
  /** Oldest first. */
  listAll(accountId: string): Promise<Environment[]>;
  /** The stored one; of a repetition, that of the first request. */
  create(environment: Environment, creation: Creation): Promise<Environment>;
  /** The environment with the given attributes replaced; undefined when the account has no such environment. */
  update(
    accountId: string,
    environmentId: string,
    change: EnvironmentChange,
  ): Promise<Environment | undefined>;
  /** Replaces the client secret, once per creation; the former one remains valid for a day. */
  resetSecret(
    accountId: string,
    environmentId: string,
    secret: { sealed: string; creation: Creation; nowMs: number },
  ): Promise<Environment | undefined>;
};

/** Attributes to replace; undefined keeps one. */
type EnvironmentChange = {
  [A in 'title' | 'disableSending' | 'secureMode']?: Environment[A] | undefined;
};

/** Reads an environment item from a batch. */
export function readEnvironment(item: Item): Environment {
  return readStored('environment', StoredEnvironment, item);
}

/** The writes that create an environment: the item, and the claim that maps its ID to its account. */
export function environmentCreation(environment: Environment): TransactAction[] {
  const { accountId, environmentId } = environment;
  const condition = 'attribute_not_exists(pk)';
  return [
    { put: { ...environmentKey(accountId, environmentId), ...environment }, condition },
    { put: { ...claimKey('environment', environmentId), accountId }, condition },
  ];
}

/** Context of an environment's client secret in the keyring. */
export const clientSecretContext = (accountId: string, environmentId: string) => ({
  accountId,
  kind: 'client-secret',
  id: environmentId,
});

/** Context of an environment's VAPID private key in the keyring. */
export const vapidContext = (accountId: string, environmentId: string) => ({
  accountId,
  kind: 'vapid',
  id: environmentId,
});

function createEnvironments(table: Database): Environments {
  async function find(accountId: string, environmentId: string): Promise<Environment | undefined> {
    const item = await table.get(environmentKey(accountId, environmentId), { consistent: true });
    return item && readEnvironment(item);
  }
  return {
    find,
    async findById(environmentId) {
      const claim = await table.get(claimKey('environment', environmentId));
      return claim && find(String(claim.accountId), environmentId);
    },
    async listAll(accountId) {
      const items = await table.queryAll(accountPk(accountId), ENVIRONMENT_PREFIX, { consistent: true });
      return readEach(items, readEnvironment).sort((left, right) =>
        left.createdAt.localeCompare(right.createdAt),
      );
    },
    async create(environment, creation) {
      const outcome = await table.transact(environmentCreation(environment));
      if (outcome.written) return environment;
      const made = await find(environment.accountId, environment.environmentId);
      if (made && isRepetition(creation, made.creation)) return made;
      throw new Error('the new environment could not be stored');
    },
    async update(accountId, environmentId, change) {
      if (Object.values(change).every((value) => value === undefined)) return find(accountId, environmentId);
      const outcome = await table.update(environmentKey(accountId, environmentId), ...assignmentOf(change));
      return outcome.written && outcome.item ? readEnvironment(outcome.item) : undefined;
    },
    resetSecret: (accountId, environmentId, { sealed, creation, nowMs }) =>
      untilSettled(async () => {
        const before = await find(accountId, environmentId);
        if (!before || hasReplaced(creation, before)) return before;
        const formers = formersAfter({ ...before, sealed: before.sealedSecret }, nowMs);
        const change = { sealedSecret: sealed, formerSecrets: formers, creation: creation.mark ?? '' };
        const [expression, options] = assignmentOf(change);
        const outcome = await table.update(environmentKey(accountId, environmentId), expression, {
          ...options,
          condition: '#sealedSecret = :former',
          values: { ...options.values, ':former': before.sealedSecret },
        });
        return outcome.written && outcome.item ? readEnvironment(outcome.item) : AGAIN;
      }),
  };
}

export const environments = dependency('environments', () => createEnvironments(resolve(database)));
