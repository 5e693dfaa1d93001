import * as v from 'valibot';
import type { SmsOptOut } from '../../domain/sms-opt-out.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { EVERY_ACCOUNT, readServiceNumber, SMS_OPT_OUT_SK_PREFIX, smsOptOutPk } from '../keys/phone.ts';
import { readStored } from './stored.ts';

const StoredOptOut = v.object({ sk: v.string(), isOptedOut: v.boolean(), atMs: v.optional(v.number(), 0) });

/** Opt-outs and opt-ins of a phone number. */
export type SmsOptOuts = {
  /**
   * Lists the last decision of a person for each of the deployment's numbers, by consistent reads. They apply to every
   * account; those that earlier releases stored for an account or an environment apply there.
   */
  list(scope: { accountId: string; environmentId: string }, number: string): Promise<SmsOptOut[]>;
};

export function createSmsOptOuts(table: Database): SmsOptOuts {
  return {
    async list({ accountId, environmentId }, number) {
      const lists = await Promise.all(
        [environmentId, accountId, EVERY_ACCOUNT].map((owner) =>
          table.queryAll(smsOptOutPk(owner, number), SMS_OPT_OUT_SK_PREFIX, { consistent: true }),
        ),
      );
      const decisions = lists.flat().map((item) => {
        const { sk, isOptedOut, atMs } = readStored('opt-out', StoredOptOut, item);
        return { number, serviceNumber: readServiceNumber(sk), isOptedOut, atMs };
      });
      // The last record is the latest.
      return [...new Map(decisions.map((each) => [each.serviceNumber, each])).values()];
    },
  };
}

export const smsOptOuts = dependency('smsOptOuts', () => createSmsOptOuts(resolve(database)));
