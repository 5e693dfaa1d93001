import { type Key, part } from './key.ts';

export const SMS_THREAD_SK_PREFIX = 'ENV#';
export const environmentOfThread = (sk: string) => sk.slice(SMS_THREAD_SK_PREFIX.length);
export const SMS_OPT_OUT_SK_PREFIX = 'SERVICE#';
/** `SMSTHREAD#+15005550006#+12025550123`: text messages from one of the deployment's numbers to a person. */
export const smsThreadPk = (serviceNumber: string, number: string) =>
  `${SMS_THREAD_PREFIX}${part(serviceNumber)}#${part(number)}`;
export const SMS_THREAD_PREFIX = 'SMSTHREAD#';
/** `SMSTHREAD#… / ENV#x7…`: the last text message that an environment sent there. */
export const smsThreadKey = (serviceNumber: string, number: string, environmentId: string): Key =>
  smsThreadKeyIn(smsThreadPk(serviceNumber, number), environmentId);
/** `SMSTHREAD#… / ENV#x7…`, by its partition. */
export const smsThreadKeyIn = (pk: string, environmentId: string): Key => ({
  pk,
  sk: `${SMS_THREAD_SK_PREFIX}${part(environmentId)}`,
});
/** Owner of the decisions about the deployment's numbers. Earlier releases stored one for each account or environment. */
export const EVERY_ACCOUNT = 'EVERY';
/** `SMSOPTOUT#EVERY#+12025550123`: the numbers that a person opted out of. */
export const smsOptOutPk = (owner: string, number: string) =>
  `${SMS_OPT_OUT_PREFIX}${part(owner)}#${part(number)}`;
export const SMS_OPT_OUT_PREFIX = 'SMSOPTOUT#';
/** `SMSOPTOUT#… / SERVICE#+15005550006` */
export const smsOptOutKey = (owner: string, number: string, serviceNumber: string): Key => ({
  pk: smsOptOutPk(owner, number),
  sk: `${SMS_OPT_OUT_SK_PREFIX}${part(serviceNumber)}`,
});
export const readServiceNumber = (sk: string) => sk.slice(SMS_OPT_OUT_SK_PREFIX.length);
/** `CARRIER#+12025550123 / CARRIER` */
export const carrierKey = (number: string): Key => ({ pk: `CARRIER#${part(number)}`, sk: 'CARRIER' });
