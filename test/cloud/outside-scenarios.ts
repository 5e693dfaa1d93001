import { buildTelnyxEvent, buildTelnyxMessage } from '../support/fakes/telnyx.ts';
import type { Account } from './scenarios.ts';
import type { World } from './world.ts';

/** A text message to the service that Telnyx reports with its signature; returns the status. */
export async function telnyxText({ request, telnyx }: World): Promise<number> {
  const body = buildTelnyxEvent(
    'message.received',
    buildTelnyxMessage({
      direction: 'inbound',
      from: { phone_number: '+14155550123' },
      to: [{ phone_number: '+15005550006', status: 'webhook_delivered' }],
      text: 'When?',
    }),
  );
  const headers = telnyx.signCallback(body, Math.floor(Date.now() / 1000));
  return (await request('POST', '/callbacks/telnyx/sms', { body, headers })).status;
}

/** The invited person accepts with their access token and the token that they were sent; returns the status. */
export async function acceptedInvitation({ cloud, request, tokenOf }: World): Promise<number> {
  const texts = cloud.emails.map(({ message }) => JSON.stringify(message.Content));
  const token = texts.map((text) => /Your invitation: ([\w.~-]+)/.exec(text)?.[1]).findLast(Boolean);
  const key = await tokenOf('person-1');
  return (await request('POST', '/profile/accept_invite', { key, body: { token } })).status;
}

/** Deletes an account as the operator's command does, step by step. */
export async function deletedAccount({ cloud }: World, { accountId }: Account): Promise<unknown> {
  for (let start: unknown; ; ) {
    const step = (await cloud.invoke('administer-accounts', {
      action: 'delete',
      accountId,
      ...(start ? { start } : {}),
    })) as { state?: string; next?: unknown };
    if (step.state !== 'running') return step;
    start = step.next;
  }
}
