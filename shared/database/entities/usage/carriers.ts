import * as v from 'valibot';
import { clock, dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { carrierKey } from '../../keys/phone.ts';

/** The result of a provider's lookup of a number. Line type in the provider's own term, lower case. */
export type PhoneCarrier = { name?: string; lineType?: string; country?: string };

/** Stores looked-up carriers; `get` returns unexpired carriers only. */
export type CarrierStore = ReturnType<typeof createCarriers>;

const StoredCarrier = v.object({
  name: v.optional(v.string()),
  lineType: v.optional(v.string()),
  country: v.optional(v.string()),
  expiresAt: v.number(),
});

function createCarriers(table: Database, now: () => number) {
  return {
    async get(number: string): Promise<PhoneCarrier | undefined> {
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
    async delete(number: string): Promise<void> {
      await table.delete(carrierKey(number));
    },
    async put(number: string, carrier: PhoneCarrier, expiresAtMs: number): Promise<void> {
      await table.put({ ...carrierKey(number), ...carrier, expiresAt: Math.floor(expiresAtMs / 1000) });
    },
  };
}

export const carriers = dependency('carriers', () =>
  createCarriers(resolve(database), () => resolve(clock).now()),
);
