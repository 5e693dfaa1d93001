import { beforeEach } from 'vitest';
import { textOfTags } from '../../../shared/channels/phone/callback-url.ts';
import { signer as ownSigner } from '../../../shared/database/entities/access/deployment-secret.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { createTelnyxSigner } from '../../support/fakes/telnyx.ts';
import { laterApp } from '../../support/use-app.ts';
import { use } from '../../support/use-started.ts';
import type { accepted } from '../workers/receipts/accepted.ts';

export const BASE = 'https://notify.example.com';
export const TOKEN = 'twilio-auth-token';
export const signer = createTelnyxSigner();
export const app = laterApp();

export type Tags = Awaited<ReturnType<typeof accepted>>;

export const eventsOf = async (trackingId: string) =>
  (await app.database.queryAll(logPk(trackingId), 'EVENT#')).map((item) => item.sk);
/** The kinds of providers that the events name as their source. */
export const reportersOf = async (trackingId: string) =>
  (await app.database.queryAll(logPk(trackingId), 'EVENT#')).flatMap(({ by }) => by ?? []);
export const queryOf = ({ trackingId, accountId, environmentId }: Tags) => ({
  envId: environmentId,
  trackingId,
  accountId,
});

export async function telnyxRequest(tags: Tags, rawBody: string, atMs = app.clock.nowMs, channel = 'sms') {
  const headers = signer.signCallback(rawBody, Math.floor(atMs / 1000));
  const signature = await resolve(ownSigner).sign('provider-callback', textOfTags(tags));
  return { path: { channel }, query: { ...queryOf(tags), signature }, headers, rawBody };
}

export const delivered = {
  MessageSid: 'SM1',
  MessageStatus: 'delivered',
  From: '+12025550100',
  To: '+12025550123',
};

/** Starts this set-up for the tests of a file. */
export function useCallbacks(): void {
  use(app);
  beforeEach(() => {
    process.env.PUBLIC_BASE_URL = BASE;
    process.env.TWILIO_AUTH_TOKEN = TOKEN;
    process.env.TELNYX_PUBLIC_KEY = signer.publicKey;
  });
}
