import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, type RequestCheck, textOf } from '../../shared/http/problems/check.ts';
import { checkUrl, parseAllowedHosts } from '../../shared/http-client/address-guard.ts';
import { setting } from '../../shared/runtime/config.ts';
import { saveEventWebhookRoute } from './routes.ts';

const MUST_BE_PUBLIC =
  'must be an https URL of a public host, without user and password, on port 443 or from 1024; the operator allows other hosts with the setting EGRESS_ALLOW_HOSTS';

const check: RequestCheck = ({ body }) => {
  const url = textOf(fieldsOf(body).webhook);
  const isWrong = url !== undefined && !checkUrl(url, parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS'))).ok;
  return isWrong ? [{ where: 'body.webhook', must: MUST_BE_PUBLIC }] : [];
};

export const handler = endpoint(
  saveEventWebhookRoute,
  { webhooks },
  async (input) => {
    const { webhooks, caller, body, clock } = input;
    const events = [...new Set(body.events)];
    const rotation = body.rotateSecret ? creationOf(saveEventWebhookRoute, input) : undefined;
    const saved = await webhooks.save(caller, { url: body.webhook, events, rotation }, clock.now());
    return { webhookId: saved.webhookId, webhook: saved.url, events: saved.events, secret: saved.secret };
  },
  check,
);
