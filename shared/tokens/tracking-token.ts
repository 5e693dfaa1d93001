import * as v from 'valibot';
import { LinkTags } from '../schemas/fields/link-tags.ts';
import { signed, verified } from './signed-text.ts';
import type { Signer } from './signer.ts';

const Payload = v.tuple([v.string(), v.string(), LinkTags]);

/** A link of a message that was followed. */
export type TrackedLink = {
  trackingId: string;
  /** Absolute http or https URL, as in the message. */
  link: string;
  /** Values by name; empty if the link has none. */
  tags: LinkTags;
};

/**
 * Maximum length of a token in a URL: API Gateway accepts 10,240 bytes of request line and headers together.
 */
export const TRACKING_TOKEN_LENGTH_MAX = 4096;

const OPEN = 'track-open';
const CLICK = 'track-click';

/**
 * A signed token for the pixel of a message: `<payload>.<signature>`, base64url. It does not expire, because
 * email does not.
 */
export async function writeOpenToken(signer: Signer, trackingId: string): Promise<string> {
  return signed(signer, OPEN, trackingId);
}

/** The tracking ID of a pixel's token; undefined if this service did not sign it. */
export async function readOpenToken(signer: Signer, token: string): Promise<string | undefined> {
  return verified(signer, OPEN, token);
}

/**
 * A signed token for a link of a message: only links that this service wrote redirect. It does not expire.
 */
export async function writeClickToken(signer: Signer, tracked: TrackedLink): Promise<string> {
  const payload: v.InferOutput<typeof Payload> = [tracked.trackingId, tracked.link, tracked.tags];
  return signed(signer, CLICK, JSON.stringify(payload));
}

/** The content of a link's token; undefined if this service did not sign it. */
export async function readClickToken(signer: Signer, token: string): Promise<TrackedLink | undefined> {
  const payload = await verified(signer, CLICK, token);
  if (payload === undefined) return undefined;
  const [trackingId, link, tags] = v.parse(Payload, JSON.parse(payload));
  return { trackingId, link, tags };
}
