import type { WebhookEvent } from './generated/types.ts';

/** A webhook request that is not the service's, was changed, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type HeaderSource =
  | { get(name: string): string | null | undefined }
  | Record<string, string | string[] | undefined>;

const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of a webhook request (Standard Webhooks) and returns its event. `body` is the raw body as received, not
 * parsed. Throws WebhookVerificationError.
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderSource,
  body: string | Uint8Array,
  nowMs: number = Date.now(),
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The webhook headers are missing');
  const seconds = Number(timestamp);
  if (!Number.isInteger(seconds) || Math.abs(nowMs / 1000 - seconds) > TOLERANCE_SECONDS) {
    throw new WebhookVerificationError('The webhook timestamp is more than five minutes off');
  }
  const key = await keyOf(secret);
  const text = textOf(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const candidate of signatures.split(' ')) {
    const [version, signature = ''] = candidate.split(',', 2);
    const bytes = version === 'v1' ? bytesOf(signature) : undefined;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text);
  }
  throw new WebhookVerificationError('No webhook signature matches');
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  throw new WebhookVerificationError('The body must be the raw text or bytes as received, not parsed JSON');
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = bytesOf(`${secret}`.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new WebhookVerificationError('The webhook secret is missing or not base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
