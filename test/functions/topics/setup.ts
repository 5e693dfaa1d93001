import { expect } from 'vitest';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as addUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, type TestAccount } from '../../support/app.ts';
import type { Pipeline } from '../../support/pipeline.ts';

/** A message that went out by email. */
export type SentEmail = { userId: string; trackingId: string; message: { subject: string; html: string } };

/** An account with a topic `news`: its requests, and what was sent since. */
export function accountLife({ secret: { key }, account }: TestAccount, pipeline: Pipeline) {
  const domain = `${account.accountId.toLowerCase()}.example.com`;
  return {
    saveUser: (userId: string) =>
      succeed(call(saveUser, { key, path: { userId }, body: { email: `${userId}@${domain}` } })),
    createType: (options: object = {}) =>
      succeed(
        call(createType, {
          key,
          body: { notificationId: 'news', title: 'News', channels: ['EMAIL'], ...options },
        }),
      ),
    prefer: (userId: string, body: unknown) =>
      succeed(call(savePreferences, { key, path: { userId }, body })),
    add: (userIds: readonly string[]) =>
      succeed(call(addUsers, { key, path: { topicId: 'news' }, body: { userIds } })),
    async send(
      body: object,
      headers: Record<string, string> = {},
    ): Promise<{ trackingId: string; messages: string[] }> {
      return succeed(call(send, { key, body, headers }));
    },
    /** In the order of the users' IDs within each step of the clock. */
    sent(): SentEmail[] {
      const all = pipeline.outbox as (SentEmail & { atMs: number; to: string[] })[];
      return all
        .filter(({ to }) => to[0]?.endsWith(domain))
        .toSorted((left, right) => left.atMs - right.atMs || (left.userId < right.userId ? -1 : 1));
    },
  };
}

async function succeed(response: ReturnType<typeof call>) {
  const { status, json } = await response;
  expect([status, json]).toEqual([200, json]);
  return json;
}
