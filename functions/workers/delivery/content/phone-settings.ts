import type { SmsDelivery } from '../../../../shared/channels/channel.ts';
import type { StoredType } from '../../../../shared/database/entities/content/notification-types.ts';
import { choiceSetting, findSetting, numberSetting } from '../../../../shared/runtime/config.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import type { BuildContext } from './built.ts';

/** Limits of a text message: the request's, then the type's, then the deployment's. */
export function smsLimits(
  { head, startedAtMs, validUntilMs = Number.POSITIVE_INFINITY }: BuildContext,
  type: StoredType | undefined,
): Pick<SmsDelivery, 'validUntilMs' | 'messageType' | 'maxPriceUsd'> {
  const settings = { ...type?.options?.sms, ...head.request.options?.sms };
  const { validitySeconds = numberSetting('SMS_VALIDITY_SECONDS') } = settings;
  const { maxPrice = Number(findSetting('SMS_MAX_PRICE_USD') ?? 0) } = settings;
  const usual = type?.purpose === 'marketing' ? 'promotional' : choiceSetting('SMS_MESSAGE_TYPE');
  const fromMs = startedAtMs ?? head.processedAtMs ?? head.receivedAtMs;
  const untilMs = Math.min(validUntilMs, validitySeconds ? fromMs + validitySeconds * 1000 : validUntilMs);
  return {
    messageType: settings.messageType ?? usual,
    ...defined({
      validUntilMs: Number.isFinite(untilMs) ? untilMs : undefined,
      maxPriceUsd: maxPrice || undefined,
    }),
  };
}

/** Limits of a call, by the same order. */
export function callLimits({ head }: BuildContext, type: StoredType | undefined) {
  const {
    timeoutSeconds = numberSetting('CALL_TIMEOUT_SECONDS'),
    maxMinutes = numberSetting('CALL_MAX_MINUTES'),
  } = { ...type?.options?.call, ...head.request.options?.call };
  return defined({ timeoutSeconds: timeoutSeconds || undefined, maxMinutes: maxMinutes || undefined });
}
