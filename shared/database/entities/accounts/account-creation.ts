import type { Creation } from '../../../domain/routing/creation.ts';
import type { Keyring } from '../../../encryption/keyring.ts';
import { generateVapidPair } from '../../../encryption/vapid.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { AppError } from '../../../runtime/errors.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { newId, randomText } from '../../../runtime/values/ids.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { accountKey, accountListKey, memberKey } from '../../keys/account.ts';
import { type Member, memberEmailClaim } from '../access/members.ts';
import type { Account } from './accounts.ts';
import { keyring } from './data-keys.ts';
import { clientSecretContext, type Environment, environmentCreation, vapidContext } from './environments.ts';

/** A new account: its first administrator is the member for whom its first secret key acts. */
type NewAccount = {
  name: string;
  adminEmail: string;
  nowMs: number;
  /** Off only if the public key never leaves the machine. */
  secureMode: boolean;
  /** Title of the first environment; Production by default. */
  environmentTitle?: string;
};

export type CreatedAccount = { account: Account; environment: Environment; admin: Member };

/** Makes accounts and environments. */
function createAccountCreation(table: Database, ring: Keyring) {
  async function buildEnvironment(
    accountId: string,
    title: string,
    secureMode: boolean,
    nowMs: number,
    creation?: Creation,
  ): Promise<Environment> {
    const environmentId = creation?.id ?? newId();
    const clientSecret = randomText(40);
    const vapid = generateVapidPair();
    return {
      environmentId,
      accountId,
      title,
      disableSending: [],
      secureMode,
      sealedSecret: await ring.encrypt(clientSecretContext(accountId, environmentId), clientSecret),
      vapidPublicKey: vapid.publicKey,
      sealedVapidPrivateKey: await ring.encrypt(vapidContext(accountId, environmentId), vapid.privateKey),
      createdAt: isoOf(nowMs),
      ...defined({ creation: creation?.mark }),
    };
  }

  return {
    buildEnvironment,
    /** Throws DUPLICATE_RESOURCE when the email belongs to a member of any account already. */
    async createAccount({
      name,
      adminEmail,
      nowMs,
      secureMode,
      environmentTitle = 'Production',
    }: NewAccount): Promise<CreatedAccount> {
      const accountId = newId();
      const environment = await buildEnvironment(accountId, environmentTitle, secureMode, nowMs);
      const createdAt = isoOf(nowMs);
      const account: Account = {
        accountId,
        name,
        defaultEnvironmentId: environment.environmentId,
        feedShards: 1,
        disabled: false,
        hasOptOutsByNumber: true,
        createdAt,
      };
      const admin: Member = {
        userId: newId(),
        accountId,
        email: adminEmail,
        role: 'admin',
        status: 'active',
        createdAt,
        updatedAt: createdAt,
      };
      const actions: TransactAction[] = [
        {
          put: { ...memberEmailClaim(adminEmail), accountId, holder: admin.userId },
          condition: 'attribute_not_exists(pk)',
        },
        { put: { ...accountKey(accountId), ...account }, condition: 'attribute_not_exists(pk)' },
        ...environmentCreation(environment),
        { put: { ...memberKey(accountId, admin.userId), ...admin } },
        { put: { ...accountListKey(accountId), accountId, name, createdAt } },
      ];
      return untilSettled(async () => {
        const outcome = await table.transact(actions);
        if (outcome.written) return { account, environment, admin };
        if (outcome.failed.some(({ index }) => index === 0)) throw emailTaken();
        return AGAIN;
      });
    },
  };
}

function emailTaken(): AppError {
  return new AppError('DUPLICATE_RESOURCE', {
    message: 'The email of the first administrator belongs to a member already.',
    fix: 'Use another email address, or remove that member first.',
  });
}

export const accountCreation = dependency('accountCreation', () =>
  createAccountCreation(resolve(database), resolve(keyring)),
);
