import * as v from 'valibot';
import { defined } from '../../runtime/defined.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { carrierKey } from '../keys/phone.ts';
import { readStored } from './stored.ts';

/** The result of a provider's lookup of a number. Line type in the provider's own term, lower case. */
export type PhoneCarrier = { name?: string; lineType?: string; country?: string };

/** Stores looked-up carriers; `get` returns only those that have not expired. */
export type CarrierStore = {
  get(number: string): Promise<PhoneCarrier | undefined>;
  put(number: string, carrier: PhoneCarrier, expiresAtMs: number): Promise<void>;
  delete(number: string): Promise<void>;
};

const StoredCarrier = v.object({
  name: v.optional(v.string()),
  lineType: v.optional(v.string()),
  country: v.optional(v.string()),
  expiresAt: v.number(),
});

/** Looked-up carriers of numbers on the table. */
function createCarriers(table: Database, now: () => number): CarrierStore {
  return {
    async get(number) {
      const item = await table.get(carrierKey(number));
      if (!item) return undefined;
      const { expiresAt, name, lineType, country } = readStored('carrier', StoredCarrier, item);
      if (expiresAt * 1000 <= now()) return undefined;
      return {
        ...defined({
          name: name || undefined,
          lineType: lineType || undefined,
          country: country || undefined,
        }),
      };
    },
    async delete(number) {
      await table.delete(carrierKey(number));
    },
    async put(number, carrier, expiresAtMs) {
      await table.put({ ...carrierKey(number), ...carrier, expiresAt: Math.floor(expiresAtMs / 1000) });
    },
  };
}

export const carriers = dependency('carriers', () =>
  createCarriers(resolve(database), () => resolve(clock).now()),
);
