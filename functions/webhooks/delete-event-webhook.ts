import { webhooks } from '../../shared/database/entities/webhooks/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { deleteEventWebhookRoute } from './routes.ts';

export const handler = endpoint(deleteEventWebhookRoute, { webhooks }, async ({ webhooks, caller }) => {
  await webhooks.delete(caller.environmentId);
  return undefined;
});
