/** Which notification a callback is about: what went along with the send. */
export type CallbackTags = { trackingId?: string; accountId?: string; environmentId?: string };

const NAMES = { trackingId: 'trackingId', accountId: 'accountId', environmentId: 'envId' } as const;

/**
 * The address that a provider is told to call back: `statusCallbackUrl` (`https://…/callbacks/twilio/sms`) with the
 * tags as its query, `?trackingId=…&accountId=…&envId=…`.
 */
export function buildCallbackUrl(statusCallbackUrl: string, tags: Required<CallbackTags>): string {
  const url = new URL(statusCallbackUrl);
  url.searchParams.set(NAMES.trackingId, tags.trackingId);
  url.searchParams.set(NAMES.accountId, tags.accountId);
  url.searchParams.set(NAMES.environmentId, tags.environmentId);
  return url.href;
}

/** The tags of a callback's query. As trustworthy as the query: covered by Twilio's signature, not by Telnyx's. */
export function parseCallbackTags(query: Readonly<Record<string, string | undefined>>): CallbackTags {
  const trackingId = query[NAMES.trackingId];
  const accountId = query[NAMES.accountId];
  const environmentId = query[NAMES.environmentId];
  return {
    ...(trackingId ? { trackingId } : {}),
    ...(accountId ? { accountId } : {}),
    ...(environmentId ? { environmentId } : {}),
  };
}
