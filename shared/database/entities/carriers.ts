import * as v from 'valibot';
import type { CarrierStore } from '../../channels/phone/carrier.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { carrierKey } from '../keys.ts';
import { readStored } from './stored.ts';

const StoredCarrier = v.object({
  name: v.optional(v.string()),
  lineType: v.optional(v.string()),
  country: v.optional(v.string()),
  expiresAt: v.number(),
});

/** Looked-up carriers of numbers on the table. */
export function createCarriers(table: Database, now: () => number): CarrierStore {
  return {
    async get(number) {
      const item = await table.get(carrierKey(number));
      if (!item) return undefined;
      const { expiresAt, name, lineType, country } = readStored('carrier', StoredCarrier, item);
      if (expiresAt * 1000 <= now()) return undefined;
      return {
        ...(name ? { name } : {}),
        ...(lineType ? { lineType } : {}),
        ...(country ? { country } : {}),
      };
    },
    async put(number, carrier, expiresAtMs) {
      await table.put({ ...carrierKey(number), ...carrier, expiresAt: Math.floor(expiresAtMs / 1000) });
    },
  };
}

/** Looked-up carriers of this deployment. */
export const carriers = dependency('carriers', () =>
  createCarriers(resolve(database), () => resolve(clock).now()),
);
