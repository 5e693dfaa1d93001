import { webhooks } from '../../shared/database/entities/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { webhookNotFound } from './not-found.ts';
import { getEventWebhookRoute } from './routes.ts';

export const handler = endpoint(getEventWebhookRoute, { webhooks }, async ({ webhooks, caller }) => {
  const found = await webhooks.find(caller);
  if (!found) throw webhookNotFound();
  const { webhookId, url, events, secret, disabledAtMs, disabledReason, formerUntilMs } = found;
  return {
    webhookId,
    webhook: url,
    events,
    secret,
    disabled: disabledAtMs !== undefined,
    ...defined({
      formerSecretUntil: formerUntilMs ? isoOf(formerUntilMs) : undefined,
      disabledReason,
    }),
    attempts: await webhooks.lastAttempts(found),
  };
});
