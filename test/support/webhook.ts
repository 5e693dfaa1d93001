import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** Signatures as Standard Webhooks specifies; test/compatibility compares them with its own package. */
export class Webhook {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  }

  sign(id: string, at: Date, body: string): string {
    const seconds = Math.floor(at.getTime() / 1000);
    return `v1,${createHmac('sha256', this.#key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  }

  /** Returns the body's JSON; throws if no signature matches, or the call is old. */
  verify(body: string, headers: Record<string, string | undefined>): unknown {
    const id = headers['webhook-id'];
    const seconds = Number(headers['webhook-timestamp']);
    if (!id || !(Math.abs(Date.now() / 1000 - seconds) <= TOLERANCE_SECONDS))
      throw new Error('the call has no ID, or another time');
    const expected = Buffer.from(this.sign(id, new Date(seconds * 1000), body));
    const given = headers['webhook-signature']?.split(' ').map((each) => Buffer.from(each)) ?? [];
    if (!given.some((each) => each.length === expected.length && timingSafeEqual(each, expected)))
      throw new Error('no signature matches');
    return JSON.parse(body);
  }
}
