import { beforeEach, expect, it } from 'vitest';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import type { ChannelProvider } from '../../../../shared/channels/channel.ts';
import { fetchInTime } from '../../../../shared/channels/email/content/attachments.ts';
import type { GuardedResponse } from '../../../../shared/http-client/guarded-client.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { guardedClient } from '../../../../shared/providers/clients/http-clients.ts';
import { answerableEmail } from '../../../../shared/providers/email/answerable-email.ts';
import { attachmentClient } from '../../../../shared/providers/email/attachment-client.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { accepted, receive, useDelivering } from './deliver-setup.ts';

useDelivering();

/** Fetches that hang until `end`. */
let hanging: ((response: GuardedResponse) => void)[];
let turns: number;
let postponed: number;

beforeEach(() => {
  [hanging, turns, postponed] = [[], 0, 0];
  replace(guardedClient, () => ({
    request: () => new Promise<GuardedResponse>((end) => void hanging.push(end)),
  }));
  const fair = resolve(attachmentClient);
  const provider: ChannelProvider<'EMAIL'> = {
    name: 'scripted',
    awaitTurn: async () => {
      turns += 1;
      return undefined;
    },
    async deliver(delivery) {
      const fetched = await fetchInTime(fair, delivery, 1000);
      return fetched.ok ? { kind: 'sent', fields: {} } : fetched.failure;
    },
  };
  replace(answerableEmail, () => provider);
  replace(queues, () => ({
    send: async (_, messages) => {
      postponed += messages.length;
      return [];
    },
    changeVisibility: async () => {},
    countWaiting: async () => 0,
  }));
});

const emailFrom = (host: string, index: number) =>
  accepted({
    type: 'files',
    to: { id: `user-${index}`, email: `user-${index}@example.com` },
    email: { subject: 'S', html: 'H' },
    options: { email: { attachments: [{ filename: 'a.txt', url: `https://${host}/${index}` }] } },
  });

async function until(holds: () => boolean) {
  while (!holds()) await new Promise(setImmediate);
}

it("emails that wait for slow attachments take no turn of the deployment's rate", async () => {
  const slow = await Promise.all(Array.from({ length: 9 }, (_, index) => emailFrom('slow.example', index)));
  const delivering = receive(deliverEmail, 1, ...slow);
  await until(() => hanging.length === 3 && postponed === 6);
  expect(turns).toBe(3);
  for (const end of hanging.splice(0)) end({ kind: 'timeout' });
  await delivering;
  // The host rests now: an email is retried without a turn.
  await receive(deliverEmail, 1, await emailFrom('slow.example', 9));
  expect([turns, hanging.length]).toEqual([3, 0]);
});

it('emails whose host responded before take their turns together', async () => {
  const file: GuardedResponse = {
    ...{ kind: 'response', status: 200, headers: {}, body: Buffer.from('file') },
    ...{ truncated: false, durationMs: 1 },
  };
  const first = receive(deliverEmail, 1, await emailFrom('files.example', 20));
  await until(() => hanging.length === 1);
  for (const end of hanging.splice(0)) end(file);
  await first;
  const ids = await Promise.all([21, 22, 23].map((index) => emailFrom('files.example', index)));
  const delivering = receive(deliverEmail, 1, ...ids);
  await until(() => hanging.length === 3);
  for (const end of hanging.splice(0)) end(file);
  await delivering;
  expect([turns, postponed]).toEqual([4, 0]);
});
