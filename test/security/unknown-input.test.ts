import { beforeAll, describe, expect, it } from 'vitest';
import { handler as getStatus } from '../../functions/health/get-status.ts';
import { handler as listLogs } from '../../functions/logs/list-logs.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as createType } from '../../functions/types/create-type.ts';
import { handler as listTypes } from '../../functions/types/list-types.ts';
import { handler as updateType } from '../../functions/types/update-type.ts';
import { handler as getUser } from '../../functions/users/get-user.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import { call } from '../support/app.ts';
import { useAccount, useApp } from '../support/use-app.ts';

const account = useAccount(useApp());
let key: string;
beforeAll(() => {
  key = account.secret.key;
});

const messageOf = ({ status, json }: Awaited<ReturnType<typeof call>>) => {
  expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  return json.error.message;
};

describe('an unknown field', () => {
  it('fails a send, names the nearest field and creates no type', async () => {
    const body = { type: 'welcome', to: { id: 'ada', mail: 'ada@example.com' }, emial: { subject: 'S' } };
    expect(messageOf(await call(send, { key, body }))).toBe(
      'body.to.mail is not a field: did you mean email?; body.emial is not a field: did you mean email?',
    );
    expect((await call(listTypes, { key })).json).toEqual([]);
  });

  it('appears together with other problems', async () => {
    const body = { emial: {}, to: {}, options: { emial: {} } };
    expect(
      messageOf(await call(send, { key, body }))
        .split('; ')
        .sort(),
    ).toEqual([
      'body.emial is not a field: did you mean email?',
      'body.options.emial is not a field: did you mean email?',
      'body.to must have id, email, number or topic.',
      'body.type is required',
    ]);
  });

  it('changes nothing of a notification type', async () => {
    await call(createType, { key, body: { notificationId: 'news', title: 'News', channels: ['EMAIL'] } });
    const changed = await call(updateType, {
      key,
      path: { notificationId: 'news' },
      body: { chanels: ['SMS'] },
    });
    expect(messageOf(changed)).toBe('body.chanels is not a field: did you mean channels?');
    expect((await call(listTypes, { key })).json).toMatchObject([
      { notificationId: 'news', channels: ['EMAIL'] },
    ]);
  });

  it('stores nothing of a user', async () => {
    const saved = await call(saveUser, { key, path: { userId: 'bob' }, body: { name: 'Bob' } });
    expect(messageOf(saved)).toBe('body.name is not a field.');
    expect((await call(getUser, { key, path: { userId: 'bob' } })).status).toBe(400);
  });

  it('passes where a browser or another service defines the shape', async () => {
    const sub = {
      endpoint: 'https://push.example.com/1',
      expirationTime: null,
      keys: { p256dh: 'p', auth: 'a', later: 1 },
    };
    const body = {
      webPushTokens: [{ sub }],
      pushTokens: [{ type: 'FCM', token: 't', device: { platform: 'ios', screen: 'wide' } }],
      chatToken: { access_token: 'x', authed_user: { id: 'U1', tz: 'x' }, is_new: true },
    };
    expect((await call(saveUser, { key, path: { userId: 'eve' }, body })).status).toBe(200);
  });
});

describe('an unknown query parameter', () => {
  const body = { type: 'dry', to: { id: 'ada' }, inapp: { title: 'T' } };

  it('fails with the nearest name and sends nothing', async () => {
    expect(messageOf(await call(send, { key, query: { dryrun: 'true' }, body }))).toBe(
      'query.dryrun is not a parameter: did you mean dryRun?',
    );
    expect((await call(listLogs, { key })).json).toEqual({ messages: [] });
  });

  it('fails at endpoints without parameters', async () => {
    expect(messageOf(await call(listTypes, { key, query: { limit: '1' } }))).toBe(
      'query.limit is not a parameter.',
    );
  });

  it('goes unnoticed without a credential', async () => {
    expect((await call(getStatus, { query: { utm_source: 'mail' } })).status).toBe(200);
  });
});

describe('the minimal event of a direct invocation', () => {
  it('requires only a header and a body', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await send({
      headers,
      body: { type: 'direct', to: { id: 'ada' }, inapp: { title: 'T' } },
    });
    expect(response.statusCode).toBe(200);
  });
});
