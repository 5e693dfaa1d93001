import * as v from 'valibot';
import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { CHANNELS, Channel } from '../../../schemas/channel.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { assignmentOf } from '../../items/update-expression.ts';
import { ENVIRONMENT_PREFIX, environmentKey } from '../../keys/account.ts';
import { webhookKey } from '../../keys/environment.ts';
import { accountPk, claimKey } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import { formersAfter, hasReplaced, SECRETS } from '../access/former-secrets.ts';

const StoredEnvironment = v.object({
  environmentId: v.string(),
  accountId: v.string(),
  title: v.string(),
  disableSending: v.array(Channel),
  secureMode: v.boolean(),
  /** False: a send with an unknown type is rejected instead of creating it. */
  createTypes: v.optional(v.boolean()),
  /** Addresses, domains and numbers that it sends to; without an entry, to everybody. */
  onlyTo: v.optional(v.array(v.string())),
  /** Client secret and VAPID private key, encrypted. */
  sealedSecret: v.string(),
  vapidPublicKey: v.string(),
  sealedVapidPrivateKey: v.string(),
  /** VAPID pairs that were replaced: of subscriptions that the browser has not renewed. */
  formerVapidPairs: SECRETS.formerSecrets,
  createdAt: v.string(),
  /** Epoch milliseconds when it is removed. */
  endsAtMs: v.optional(v.number()),
  /** When its removal began: it is shown no more and sends nothing. */
  removedAtMs: v.optional(v.number()),
  ...SECRETS,
});
/** An environment; its id is its client ID. */
export type Environment = v.InferOutput<typeof StoredEnvironment>;

export type Environments = ReturnType<typeof createEnvironments>;

/** Attributes to replace; undefined keeps one. */
type EnvironmentChange = {
  [A in 'title' | 'disableSending' | 'secureMode' | 'createTypes' | 'onlyTo']?: Environment[A] | undefined;
};

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

function createEnvironments(table: Database) {
  async function find(accountId: string, environmentId: string): Promise<Environment | undefined> {
    const item = await table.get(environmentKey(accountId, environmentId), { consistent: true });
    const found = item && readEnvironment(item);
    return found?.removedAtMs === undefined ? found : undefined;
  }
  return {
    /** Undefined also for one that is being removed. */
    find,
    /** The environment of an ID without its account, as on a WebSocket. */
    async findById(environmentId: string): Promise<Environment | undefined> {
      const claim = await table.get(claimKey('environment', environmentId));
      return claim && find(String(claim.accountId), environmentId);
    },
    /** Oldest first, those that are being removed included. */
    async listAll(accountId: string): Promise<Environment[]> {
      const items = await table.queryAll(accountPk(accountId), ENVIRONMENT_PREFIX, { consistent: true });
      return readEach(items, readEnvironment).sort((left, right) =>
        left.createdAt.localeCompare(right.createdAt),
      );
    },
    /** The stored environment; a repetition returns the environment of the first request. */
    async create(environment: Environment, creation: Creation): Promise<Environment> {
      const outcome = await table.transact(environmentCreation(environment));
      if (outcome.written) return environment;
      const made = await find(environment.accountId, environment.environmentId);
      if (made && isRepetition(creation, made.creation)) return made;
      throw new Error('the new environment could not be stored');
    },
    /** The environment with the given attributes replaced; undefined when the account has no such environment. */
    async update(
      accountId: string,
      environmentId: string,
      change: EnvironmentChange,
    ): Promise<Environment | undefined> {
      if (Object.values(change).every((value) => value === undefined)) return find(accountId, environmentId);
      const [expression, options] = assignmentOf(change);
      const condition = 'attribute_exists(pk) AND attribute_not_exists(removedAtMs)';
      const key = environmentKey(accountId, environmentId);
      const outcome = await table.update(key, expression, { ...options, condition });
      return outcome.written && outcome.item ? readEnvironment(outcome.item) : undefined;
    },
    /** Begins a removal, once: it sends nothing from now on, and its webhook is gone, so that no retry stores what the removal has passed. */
    async markRemoved(accountId: string, environmentId: string, nowMs: number): Promise<void> {
      await table.update(
        environmentKey(accountId, environmentId),
        'SET removedAtMs = if_not_exists(removedAtMs, :now), disableSending = :all',
        { condition: 'attribute_exists(pk)', values: { ':now': nowMs, ':all': [...CHANNELS] } },
      );
      await table.delete(webhookKey(environmentId));
    },
    /** Replaces what is given, once per creation; the former secret remains valid for a day, the former VAPID pair for 90. */
    resetSecrets: (
      accountId: string,
      environmentId: string,
      {
        secret,
        vapid,
        creation,
        nowMs,
      }: {
        secret?: string | undefined;
        vapid?: { publicKey: string; sealed: string } | undefined;
        creation: Creation;
        nowMs: number;
      },
    ): Promise<Environment | undefined> =>
      untilSettled(async () => {
        const before = await find(accountId, environmentId);
        if (!before) return before;
        const { sealedSecret, vapidPublicKey: publicKey, formerSecrets = [], formerVapidPairs = [] } = before;
        const all = [...formerSecrets, ...formerVapidPairs];
        if (hasReplaced(creation, { ...before, formerSecrets: all })) return before;
        const pair = { ...before, publicKey, sealed: before.sealedVapidPrivateKey };
        const change = {
          creation: creation.mark ?? '',
          ...(secret && {
            sealedSecret: secret,
            formerSecrets: formersAfter({ ...before, sealed: sealedSecret }, nowMs),
          }),
          ...(vapid && {
            vapidPublicKey: vapid.publicKey,
            sealedVapidPrivateKey: vapid.sealed,
            formerVapidPairs: formersAfter({ ...pair, formerSecrets: formerVapidPairs }, nowMs, 'VAPID key'),
          }),
        };
        const [expression, options] = assignmentOf(change);
        const outcome = await table.update(environmentKey(accountId, environmentId), expression, {
          ...options,
          condition: 'sealedSecret = :formerSecret AND vapidPublicKey = :formerKey',
          values: { ...options.values, ':formerSecret': sealedSecret, ':formerKey': publicKey },
        });
        return outcome.written && outcome.item ? readEnvironment(outcome.item) : AGAIN;
      }),
  };
}

export const environments = dependency('environments', () => createEnvironments(resolve(database)));
