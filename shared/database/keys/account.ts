import { hash } from 'node:crypto';
import { mailboxOf } from '../../domain/users/mailbox.ts';
import { accountPk, type Key, part } from './key.ts';

export const API_KEY_PREFIX = 'KEY#';
export const ENVIRONMENT_PREFIX = 'ENV#';
export const MEMBER_PREFIX = 'MEMBER#';
export const DOMAIN_PREFIX = 'DOMAIN#';
export const DOMAIN_REMOVAL_PREFIX = 'REMOVAL#';
/** `ADDRESS#`: start of the sort keys of an account's addresses. */
export const ADDRESS_PREFIX = 'ADDRESS#';
/** `ACCOUNT#q3… / ACCOUNT` */
export const accountKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'ACCOUNT' });
/** `ACCOUNT#q3… / ORGANIZATION` */
export const organizationKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'ORGANIZATION' });
/** `ACCOUNT#q3… / DATAKEY` */
export const dataKeyKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'DATAKEY' });
/** `ACCOUNT#q3… / KEY#9f…` */
export const apiKeyKey = (accountId: string, keyId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${API_KEY_PREFIX}${part(keyId)}`,
});
/** `KEYCOPY#q3…#9f…#3 / KEYCOPY`: a copy of a busy API key, in a separate partition. */
export const apiKeyCopyKey = (accountId: string, keyId: string, copy: number): Key => ({
  pk: `KEYCOPY#${part(accountId)}#${part(keyId)}#${copy}`,
  sk: 'KEYCOPY',
});
/** `ACCOUNT#q3… / ENV#x7…` */
export const environmentKey = (accountId: string, environmentId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${ENVIRONMENT_PREFIX}${part(environmentId)}`,
});
/** `ENVREMOVAL#x7… / JOB`: the removal of an environment, planned or under way. */
export const environmentRemovalKey = (environmentId: string): Key => ({
  pk: `${ENVIRONMENT_REMOVAL_PREFIX}${part(environmentId)}`,
  sk: 'JOB',
});
export const ENVIRONMENT_REMOVAL_PREFIX = 'ENVREMOVAL#';
/** `ACCOUNT#q3… / MEMBER#m1…` */
export const memberKey = (accountId: string, memberId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${MEMBER_PREFIX}${part(memberId)}`,
});
/** `ACCOUNT#q3… / DOMAIN#example.com` */
export const domainKey = (accountId: string, domain: string): Key => ({
  pk: accountPk(accountId),
  sk: `${DOMAIN_PREFIX}${part(domain)}`,
});
/** `ACCOUNT#q3… / REMOVAL#example.com`: a deleted sender domain that the email provider has not deleted yet. */
export const domainRemovalKey = (accountId: string, domain: string): Key => ({
  pk: accountPk(accountId),
  sk: `${DOMAIN_REMOVAL_PREFIX}${part(domain)}`,
});
/** `ACCOUNT#q3… / ADDRESS#help@example.com` */
export const addressKey = (accountId: string, address: string): Key => ({
  pk: accountPk(accountId),
  sk: `${ADDRESS_PREFIX}${part(address)}`,
});
/** `ACCOUNT#q3… / SETTING#push-fcm` */
export const settingKey = (accountId: string, name: string): Key => ({
  pk: accountPk(accountId),
  sk: `SETTING#${part(name)}`,
});
/** `DEPLOYMENT / SECRET`: the deployment's own signing secret. */
export const deploymentKey = (): Key => ({ pk: 'DEPLOYMENT', sk: 'SECRET' });
/** `DEPLOYMENT / SWEEP`: the sweeper's position. */
export const sweepKey = (): Key => ({ pk: 'DEPLOYMENT', sk: 'SWEEP' });
/** `DEPLOYMENT / ACCOUNT#q3…`: the list of accounts, for the operator. */
export const accountListKey = (accountId: string): Key => ({
  pk: 'DEPLOYMENT',
  sk: `ACCOUNT#${part(accountId)}`,
});
/** `SUPPRESSION#q3…#Zb… / SUPPRESSION`: hashed, because addresses are long and of any form. */
export const suppressionKey = (accountId: string, address: string): Key => ({
  pk: `${SUPPRESSION_PREFIX}${part(accountId)}#${hash('sha256', `EMAIL ${mailboxOf(address)}`, 'base64url')}`,
  sk: 'SUPPRESSION',
});
/** `SUPPRESSION#q3…#hG… / ERASED`: after an erasure, under a hash that only the deployment's secret can compute. */
export const erasedSuppressionKey = (accountId: string, keyedHash: string): Key => ({
  pk: `${SUPPRESSION_PREFIX}${part(accountId)}#${part(keyedHash)}`,
  sk: 'ERASED',
});
/** `ERASURES#q3…`: receipts of an account's finished erasures. */
export const erasureReceiptPk = (accountId: string): string => `ERASURES#${part(accountId)}`;
/** `ERASURES#q3… / 2026-…#Zb…`: sorts by time. */
export const erasureReceiptKey = (accountId: string, atIso: string, id: string): Key => ({
  pk: erasureReceiptPk(accountId),
  sk: `${atIso}#${id}`,
});
export const SUPPRESSION_PREFIX = 'SUPPRESSION#';
/** `BREAKER#q3…` */
export const breakerPk = (accountId: string): string => `BREAKER#${part(accountId)}`;
/** `BREAKER#q3… / SMS#twilio`: how a provider fares. */
export const breakerKey = (accountId: string, channel: string, provider: string): Key => ({
  pk: breakerPk(accountId),
  sk: `${part(channel)}#${part(provider)}`,
});
/** `RATE#credential/q3…/9f…#179… / RATE`: requests of a credential or an account in one window of seconds. */
export const requestCountKey = (name: string, window: number): Key => ({
  pk: `RATE#${part(name)}#${window}`,
  sk: 'RATE',
});
