import { defined } from '../../runtime/values/defined.ts';
/** Which notification a callback is about: what went along with the send. */
export type CallbackTags = { trackingId?: string; accountId?: string; environmentId?: string };

/**
 * Makes Twilio repeat a callback up to five times, after a response of 4xx or 5xx too: by default, it repeats only
 * failed connections, once (https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides).
 */
export const TWILIO_RETRIES = '#rc=5&rp=all';

const SIGNATURE = 'signature';
const NAMES = { trackingId: 'trackingId', accountId: 'accountId', environmentId: 'envId' } as const;

/**
 * The callback address for a provider: `statusCallbackUrl` (`https://…/callbacks/twilio/sms`) with the tags
 * as its query, `?trackingId=…&accountId=…&envId=…`, and `&signature=…` if the provider signs no query.
 */
export function buildCallbackUrl(
  statusCallbackUrl: string,
  tags: Required<CallbackTags>,
  signature?: string,
): string {
  const url = new URL(statusCallbackUrl);
  url.searchParams.set(NAMES.trackingId, tags.trackingId);
  url.searchParams.set(NAMES.accountId, tags.accountId);
  url.searchParams.set(NAMES.environmentId, tags.environmentId);
  if (signature !== undefined) url.searchParams.set(SIGNATURE, signature);
  return url.href;
}

/** The signed part of the tags: nobody can use another notification's in the query of a callback. */
export function textOfTags(tags: Required<CallbackTags>): string {
  return JSON.stringify([tags.trackingId, tags.accountId, tags.environmentId]);
}

/** The tags of a query whose provider signs only the body: undefined unless this deployment signed them. */
export async function findSignedTags(
  query: Readonly<Record<string, string | undefined>>,
  verify: (text: string, signature: string) => Promise<boolean>,
): Promise<CallbackTags | undefined> {
  const { trackingId = '', accountId = '', environmentId = '' } = parseCallbackTags(query);
  const tags = { trackingId, accountId, environmentId };
  const signature = query[SIGNATURE];
  return signature !== undefined && (await verify(textOfTags(tags), signature)) ? tags : undefined;
}

/** The tags of a callback's query. As trustworthy as the query: Twilio signs it, Telnyx does not. */
export function parseCallbackTags(query: Readonly<Record<string, string | undefined>>): CallbackTags {
  const trackingId = query[NAMES.trackingId];
  const accountId = query[NAMES.accountId];
  const environmentId = query[NAMES.environmentId];
  return {
    ...defined({
      trackingId: trackingId || undefined,
      accountId: accountId || undefined,
      environmentId: environmentId || undefined,
    }),
  };
}
