import * as v from 'valibot';
import type { GuardedClient } from '../../http-client/guarded-client.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type ChatToken, isChatWebhook } from '../../schemas/users/user.ts';
import type { ChatDelivery } from '../channel.ts';
import { type ChatResult, classifyFailure, retryCall } from './chat-api.ts';
import { discordBodyOf, teamsBodyOf } from './chat-bodies.ts';
import type { ChatPosted } from './chat-post.ts';

type Content = ChatDelivery['content'];

/** A chat product that has incoming webhooks and no tokens. Its errors are named as Slack's are. */
type Product = {
  path(url: URL): string;
  build(content: Content): object;
  errors: Readonly<Record<number, string>>;
};

const GONE = {
  401: 'invalid_auth',
  403: 'restricted_action',
  404: 'webhook_gone',
  410: 'webhook_gone',
};

const PRODUCTS: Readonly<Record<string, Product>> = {
  discord: {
    path: ({ origin, pathname, searchParams }) => {
      const threadId = searchParams.get('thread_id');
      return `${origin}${pathname}?wait=true${threadId ? `&thread_id=${encodeURIComponent(threadId)}` : ''}`;
    },
    build: discordBodyOf,
    errors: { ...GONE, 400: 'invalid_message' },
  },
  teams: {
    path: ({ href }) => href,
    build: teamsBodyOf,
    errors: { ...GONE, 413: 'msg_too_long', 400: 'invalid_message' },
  },
};

const Posted = v.object({ id: v.optional(v.string()), channel_id: v.optional(v.string()) });
/** Discord states the wait in its body too, with more precision. */
const Limited = v.object({ retry_after: v.number() });

/** Posts to the incoming webhook of a product other than Slack; undefined if the token is Slack's. */
export function findProductPost(
  client: { guarded: GuardedClient; now: Clock['now'] },
  { provider, webhookUrl }: ChatToken,
  content: Content,
): (() => Promise<ChatResult<ChatPosted>>) | undefined {
  const product = provider && Object.hasOwn(PRODUCTS, provider) ? PRODUCTS[provider] : undefined;
  if (!product || !provider) return undefined;
  return async () => {
    const url = isChatWebhook(provider, webhookUrl) ? URL.parse(webhookUrl ?? '') : null;
    const refuse = (error: string, internal: string) => ({ kind: 'rejected', error, internal }) as const;
    if (!url) return refuse('invalid_webhook', `${provider}: the webhook is not of a known host`);
    const body = JSON.stringify(product.build(content));
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const response = await client.guarded.request({ url: product.path(url), method: 'POST', headers, body });
    if (response.kind === 'timeout') return retryCall(`${provider}: timeout`);
    if (response.kind === 'unreachable') return retryCall(`${provider}: ${response.reason}`);
    if (response.kind !== 'response') return refuse('invalid_webhook', `${provider}: ${response.kind}`);
    const text = response.body.toString('utf8');
    if (response.status >= 200 && response.status < 300) {
      const posted = read(Posted, text);
      return { kind: 'ok', value: { ts: posted?.id, channel: posted?.channel_id } };
    }
    const internal = `${provider}: ${response.status} ${text}`;
    const waitSeconds = read(Limited, text)?.retry_after;
    if (response.status === 429 && waitSeconds !== undefined)
      return retryCall(internal, Math.ceil(waitSeconds));
    const error = product.errors[response.status] ?? '';
    return classifyFailure(response, { error, internal }, client.now());
  };
}

function read<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : undefined;
}
