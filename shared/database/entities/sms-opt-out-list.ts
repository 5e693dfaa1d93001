import * as v from 'valibot';
import { spellingsOf } from '../../domain/number-spellings.ts';
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
        [environmentId, accountId, EVERY_ACCOUNT].map(async (owner) => {
          const ofSpellings = await Promise.all(
            spellingsOf(number).map((each) =>
              table.queryAll(smsOptOutPk(owner, each), SMS_OPT_OUT_SK_PREFIX, { consistent: true }),
            ),
          );
          const decided = ofSpellings.flat().map((item) => readStored('opt-out', StoredOptOut, item));
          return decided.sort((left, right) => left.atMs - right.atMs);
        }),
      );
      const decisions = lists
        .flat()
        .map(({ sk, ...decided }) => ({ number, serviceNumber: readServiceNumber(sk), ...decided }));
      // The last record is the latest.
      return [...new Map(decisions.map((each) => [each.serviceNumber, each])).values()];
    },
  };
}

export const smsOptOuts = dependency('smsOptOuts', () => createSmsOptOuts(resolve(database)));
