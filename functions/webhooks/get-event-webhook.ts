import { webhookHistory } from '../../shared/database/entities/webhooks/webhook-history.ts';
import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { webhookNotFound } from './not-found.ts';
import { getEventWebhookRoute } from './routes.ts';

export const handler = endpoint(
  getEventWebhookRoute,
  { webhookHistory, webhooks },
  async ({ webhookHistory, webhooks, caller }) => {
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
      attempts: await webhookHistory.lastAttempts(found),
    };
  },
);
