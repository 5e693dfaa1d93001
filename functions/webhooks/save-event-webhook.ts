import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, type RequestCheck, textOf } from '../../shared/http/problems/check.ts';
import { MUST_BE_PUBLIC_URL, mayBeCalled } from '../../shared/providers/settings/public-host.ts';
import { saveEventWebhookRoute } from './routes.ts';

const check: RequestCheck = ({ body }) => {
  const url = textOf(fieldsOf(body).webhook);
  const isWrong = url !== undefined && !mayBeCalled(url);
  return isWrong ? [{ where: 'body.webhook', must: MUST_BE_PUBLIC_URL }] : [];
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
