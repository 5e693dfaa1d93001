import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { webhookHistory } from '../../shared/database/entities/webhooks/webhook-history.ts';
import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { rangeProblems } from '../../shared/http/problems/check.ts';
import { webhookNotFound } from './not-found.ts';
import { listWebhookCallsRoute } from './routes.ts';

export const handler = endpoint(
  listWebhookCallsRoute,
  { signer, webhookHistory, webhooks },
  async ({ signer, webhookHistory, webhooks, caller, query }) => {
    const webhook = await webhooks.find(caller);
    if (!webhook) throw webhookNotFound();
    const { event, outcome, from, to } = query;
    const filter = { event, outcome, fromMs: msOf(from), toMs: msOf(to) };
    const filters = [event, outcome, from, to].map((each) => each ?? '');
    const binding = ['listWebhookCalls', webhook.webhookId, ...filters];
    return listPage({ signer, caller, binding }, query, (range) =>
      webhookHistory.list(webhook, filter, range),
    );
  },
  rangeProblems,
);

const msOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
