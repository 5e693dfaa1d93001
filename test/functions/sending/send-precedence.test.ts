import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { MINIMAL_BODY } from './full-body.ts';

const app = useApp();
const account = useAccount(app, 'test');

const { type: _type, to: TO, ...CONTENT } = MINIMAL_BODY;

async function logAfter(account: TestAccount, body: object) {
  const { status, json } = await call(send, { key: account.secret.key, body });
  expect(status).toBe(200);
  return recordOf(account, json.trackingId);
}

describe('precedence', () => {
  it.each([
    [{ type: 'new', notificationId: 'old' }, 'new'],
    [{ notificationId: 'old' }, 'old'],
  ])('uses type rather than notificationId: %j is %s', async (names, expected) => {
    expect((await logAfter(account, { ...CONTENT, ...names, to: TO })).type).toBe(expected);
  });

  it.each([
    [{ to: { id: 'new' }, user: { id: 'old' } }, 'new'],
    [{ user: { id: 'old' } }, 'old'],
    [{ to: { id: 'id', email: 'e@example.com', number: '+14155550123' } }, 'id'],
    [{ to: { email: 'e@example.com', number: '+14155550123' } }, 'e@example.com'],
    [{ to: { number: '(415) 555-0123' } }, '+14155550123'],
  ])(
    'uses to rather than user, and the ID rather than the email or number: %j is %s',
    async (recipient, expected) => {
      expect((await logAfter(account, { ...CONTENT, type: 't', ...recipient })).user_id).toBe(expected);
    },
  );

  it('uses the contact data in to and ignores that in user', async () => {
    const user = { id: 'ada', number: '+14155550199', email: 'old@example.com' };
    const log = await logAfter(account, { ...CONTENT, type: 't', to: TO, user });
    expect([log.user_email, log.user_number]).toEqual(['ada@example.com', undefined]);
    const stored = await call(getUser, { key: account.secret.key, path: { userId: 'ada' } });
    expect(stored.json.number).toBeUndefined();
  });

  it.each([
    [{ subNotificationId: 'new', secondaryId: 'old' }, 'new'],
    [{ secondaryId: 'old' }, 'old'],
    [{}, undefined],
  ])('uses subNotificationId rather than secondaryId: %j is %s', async (names, expected) => {
    const { trackingId } = await logAfter(account, { ...MINIMAL_BODY, ...names });
    const item = await app.database.get(headKey(trackingId));
    expect(Object.values(item ?? {}).filter((value) => value === 'new' || value === 'old')).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it('uses parameters rather than mergeTags, name by name, when content is compared', async () => {
    const type = {
      notificationId: 'once',
      title: 'Once',
      channels: ['EMAIL'],
      deduplication: { duration: 3600 },
    };
    expect((await call(createType, { key: account.secret.key, body: type })).status).toBe(200);
    const body = { ...MINIMAL_BODY, type: 'once' };
    const first = await logAfter(account, { ...body, parameters: { name: 'new' } });
    const same = await logAfter(account, {
      ...body,
      mergeTags: { name: 'old' },
      parameters: { name: 'new' },
    });
    const other = await logAfter(account, { ...body, mergeTags: { name: 'old' } });
    expect([first, same, other].map((log) => log.email_routing)).toEqual(['SEND', 'DEDUPLICATED', 'SEND']);
    expect(same.ignored).toBe('DEDUPLICATION');
  });

  it('uses forceChannels rather than the type: channels left out are off, added ones are sent', async () => {
    const type = { notificationId: 'forced', title: 'Forced', channels: ['EMAIL'] };
    await call(createType, { key: account.secret.key, body: type });
    const to = { ...TO, number: '+14155550123' };
    const body = { ...CONTENT, type: 'forced', to, sms: { message: 'm' } };
    const { json } = await call(send, { key: account.secret.key, body: { ...body, forceChannels: ['SMS'] } });
    expect(json.messages).toEqual([expect.stringMatching(/^EMAIL is not sent: /)]);
    const log = await logAfter(account, { ...body, forceChannels: ['SMS'] });
    expect([log.email_routing, log.sms_routing]).toEqual(['OFF', 'SEND']);
    const empty = await logAfter(account, { ...body, forceChannels: [] });
    expect([empty.email_routing, empty.sms_routing]).toEqual(['SEND', 'OFF']);
  });

  it('sends nothing for a disabled type, and the log shows why', async () => {
    const type = { notificationId: 'closed', title: 'Closed', channels: ['EMAIL'], enabled: false };
    await call(createType, { key: account.secret.key, body: type });
    const { json } = await call(send, { key: account.secret.key, body: { ...MINIMAL_BODY, type: 'closed' } });
    expect(json.messages).toEqual([expect.stringMatching(/^EMAIL is not sent: .*disabled/)]);
    expect(await app.database.queryAll(logPk(json.trackingId), '')).toHaveLength(1);
    const log = await logAfter(account, { ...MINIMAL_BODY, type: 'closed' });
    expect([log.email_routing, log.ignored]).toEqual(['IGNORE', 'DISABLED_NOTIFICATION']);
  });
});
