import type { CarrierStore, PhoneCarrier } from '../../../database/entities/usage/carriers.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { log } from '../../../runtime/logger.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_MS } from '../../../runtime/values/durations.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import type { DeliveryOutcome } from '../../channel.ts';

/**
 * Looks up a number (E.164); undefined if the provider has no data about it or does not respond. Each call costs
 * money.
 */
export type FindCarrier = (number: string) => Promise<PhoneCarrier | undefined>;

const KEPT_DAYS = 90;

/** Calls `findCarrier` once per number in 90 days; misses are not cached. */
export function storeCarriers(
  findCarrier: FindCarrier,
  store: Pick<CarrierStore, 'get' | 'put'>,
  clock: Clock,
): FindCarrier {
  return async (number) => {
    const stored = await store.get(number);
    if (stored) return stored;
    const carrier = await findCarrier(number);
    if (carrier) await store.put(number, carrier, clock.now() + KEPT_DAYS * DAY_MS);
    return carrier;
  };
}

/** The result of `findCarrier`; undefined without a response or a lookup. */
export async function lookUpCarrier(
  findCarrier: FindCarrier | undefined,
  number: string,
): Promise<PhoneCarrier | undefined> {
  try {
    return await findCarrier?.(number);
  } catch (error) {
    // It runs in parallel with the send: a fault here must not make an accepted message look unsent.
    log.warn('a carrier could not be looked up', {}, error);
    return undefined;
  }
}

export function toCarrier(found: {
  name: string | undefined;
  lineType: string | undefined;
  country?: string | undefined;
}): PhoneCarrier {
  return defined({
    name: found.name || undefined,
    lineType: found.lineType?.toLowerCase() || undefined,
    country: found.country || undefined,
  });
}

/** `outcome` with the carrier's fields, if the send itself returned none. */
export function addCarrier(
  outcome: DeliveryOutcome<'SMS'>,
  carrier: PhoneCarrier | undefined,
): DeliveryOutcome<'SMS'> {
  if (outcome.kind !== 'sent' || !carrier) return outcome;
  const fields: LogFields = {
    sms_sent_carrier: carrier.name,
    sms_sent_line_type: carrier.lineType,
    sms_sent_country: carrier.country,
  };
  return { ...outcome, fields: { ...defined(fields), ...outcome.fields } };
}
