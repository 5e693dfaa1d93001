import { expect, it } from 'vitest';
import { removeDeadTokens } from '../../../../functions/workers/delivery/outcome/dead-tokens.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import type { Logs } from '../../../../shared/database/entities/logs/logs.ts';
import type { Users } from '../../../../shared/database/entities/users/users.ts';
import type { Profile } from '../../../../shared/domain/users/profile.ts';

const events: unknown[] = [];
const TRIED_AT_MS = 5000;
const subOf = (name: string) => ({
  endpoint: `https://push.example.com/${name}`,
  keys: { p256dh: 'p', auth: 'a' },
});

/** Returns the profile after the removal; undefined if nothing is written. */
async function afterRemoval(
  profile: Partial<Profile>,
  dead: readonly string[],
): Promise<Profile | undefined> {
  let saved: Profile | undefined;
  const users = {
    edit: async (
      _head: unknown,
      userId: string,
      _now: number,
      change: (profile: Profile) => Profile | undefined,
    ) => {
      saved = change({ userId, createdAtMs: 0, updatedAtMs: 0, ...profile });
    },
  } as unknown as Users;
  const logs = { append: async (...[, , event]: Parameters<Logs['append']>) => events.push(event) > 0 };
  const head = { userId: 'ada', request: {} } as StoredLogHead;
  await removeDeadTokens({ users, logs, clock: { now: () => 9000 } }, head, dead, TRIED_AT_MS);
  return saved;
}

it('removes dead tokens and subscriptions, and keeps those saved again since the attempt', async () => {
  const saved = await afterRemoval(
    {
      pushTokens: [
        { type: 'FCM', token: 'old', savedAtMs: 1000 },
        { type: 'FCM', token: 'new', savedAtMs: 6000 },
      ],
      webPushTokens: [
        { sub: subOf('undated') },
        { sub: subOf('old'), savedAtMs: 1000 },
        { sub: subOf('new'), savedAtMs: 6000 },
        { sub: subOf('alive'), savedAtMs: 1000 },
      ],
    },
    ['old', 'new', ...['undated', 'old', 'new'].map((name) => subOf(name).endpoint)],
  );
  expect(saved?.pushTokens?.map(({ token }) => token)).toEqual(['new']);
  expect(saved?.webPushTokens?.map(({ sub }) => sub.endpoint)).toEqual(
    ['new', 'alive'].map((name) => subOf(name).endpoint),
  );
});

it('reports the end of the last token of a channel, and of no other', async () => {
  events.length = 0;
  const webPushTokens = [{ sub: subOf('old') }, { sub: subOf('alive') }];
  const pushTokens = [{ type: 'FCM', token: 'old', savedAtMs: 1000 } as const];
  await afterRemoval({ pushTokens, webPushTokens }, ['old', subOf('old').endpoint]);
  expect(events).toMatchObject([{ channel: 'PUSH', stage: 'unsubscribe' }]);
  await afterRemoval(
    { webPushTokens },
    webPushTokens.map(({ sub }) => sub.endpoint),
  );
  expect(events.splice(0)).toMatchObject([
    { channel: 'PUSH' },
    { channel: 'WEB_PUSH', stage: 'unsubscribe' },
  ]);
});

it('writes nothing if every dead subscription was saved again', async () => {
  const webPushTokens = [{ sub: subOf('new'), savedAtMs: 6000 }];
  expect(await afterRemoval({ webPushTokens }, [subOf('new').endpoint])).toBeUndefined();
});

it('removes a chat token that was revoked, with an event, and keeps the one that replaced it', async () => {
  const chatToken = { access_token: 'old' };
  const profile = { chatToken, chatChannel: '#a' };
  expect(await afterRemoval(profile, ['old'])).toEqual(expect.not.objectContaining({ chatToken }));
  expect(events).toMatchObject([{ channel: 'CHAT', stage: 'unsubscribe' }]);
  expect(await afterRemoval({ ...profile, chatToken: { access_token: 'new' } }, ['old'])).toBeUndefined();
  expect(events).toHaveLength(1);
});
