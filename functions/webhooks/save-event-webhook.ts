import { webhooks } from '../../shared/database/entities/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { invalidRequest } from '../../shared/http/problems.ts';
import { checkUrl, parseAllowedHosts } from '../../shared/http-client/address-guard.ts';
import { setting } from '../../shared/runtime/config.ts';
import { saveEventWebhookRoute } from './routes.ts';

export const handler = endpoint(saveEventWebhookRoute, { webhooks }, async (input) => {
  const { webhooks, caller, body, clock } = input;
  const checked = checkUrl(body.webhook, parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS')));
  const must =
    'must be an https URL of a public host, without user and password, on port 443 or from 1024; the operator allows other hosts with the setting EGRESS_ALLOW_HOSTS';
  if (!checked.ok) throw invalidRequest('body.webhook', must);
  const events = [...new Set(body.events)];
  const isSecretNew = body.rotateSecret === true;
  const saved = await webhooks.save(caller, { url: body.webhook, events, isSecretNew }, clock.now());
  return { webhookId: saved.webhookId, webhook: saved.url, events: saved.events, secret: saved.secret };
});
