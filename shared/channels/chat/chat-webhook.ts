import type { GuardedClient } from '../../http-client/guarded-client.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type ChatResult, classifyFailure, retryCall } from './chat-api.ts';

/** The only host of incoming webhooks. */
const WEBHOOK_HOST = 'hooks.slack.com';
const ERROR_NAME = /^[a-z_]{1,64}$/;

/**
 * Posts a message to an incoming webhook, which has a fixed channel. The URL is a customer's, so the guarded
 * client is used.
 */
export async function postToChatWebhook(
  client: { guarded: GuardedClient; now: Clock['now'] },
  url: string,
  message: Record<string, unknown>,
): Promise<ChatResult<undefined>> {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' || parsed.host !== WEBHOOK_HOST) {
    return {
      kind: 'rejected',
      error: 'invalid_webhook',
      internal: 'incoming webhook: not of the known host',
    };
  }
  const answer = await client.guarded.request({
    url: parsed.href,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(message),
  });
  if (answer.kind === 'answer') {
    if (answer.status === 200) return { kind: 'ok', value: undefined };
    const text = answer.body.toString('utf8').trim();
    const error = ERROR_NAME.test(text) ? text : `http_${answer.status}`;
    const internal = `incoming webhook: ${answer.status} ${text}`;
    return classifyFailure(answer, { error, internal }, client.now());
  }
  if (answer.kind === 'timeout') return retryCall('incoming webhook: timeout');
  if (answer.kind === 'unreachable') return retryCall(`incoming webhook: ${answer.reason}`);
  const why = answer.kind === 'refused' ? answer.reason : 'the response is too large';
  return { kind: 'rejected', error: 'invalid_webhook', internal: `incoming webhook: ${why}` };
}
