import { beforeEach, describe, expect, it } from 'vitest';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createErasure } from '../../../functions/users/create-erasure.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as listErasures } from '../../../functions/users/list-erasures.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { inboundMessages } from '../../../shared/database/entities/incoming/inbound-messages.ts';
import { providerCallKey } from '../../../shared/database/keys/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
let key: string;
let otherKey: string;
let other: string;
beforeEach(async () => {
  key = account.secret.key;
  other = (await call(createEnvironment, { key, body: { title: 'other' } })).json.clientId;
  otherKey = (await call(createKey, { key, body: { keyType: 'secret', name: 'o', environmentId: other } }))
    .json.key;
});

const sendTo = (to: object, as = key) =>
  call(send, { key: as, body: { type: 't', to, email: { subject: 's', html: 'h' } } });
const erase = async (body: object, as = key) => (await call(createErasure, { key: as, body })).json;
const end = async () => {
  for (let time = 0; time < 3; time += 1) await app.goTo(app.clock.nowMs + 150_000);
};
const FIRST = () => account.environment.environmentId;

describe('POST /erasures', () => {
  it('reaches every environment, the twin of the address and former users of it', async () => {
    await call(saveUser, { key, path: { userId: 'u1' }, body: { email: 'Zoe@Erase.example' } });
    await sendTo({ id: 'u1' });
    await sendTo({ email: 'zoe@erase.example' });
    await sendTo({ id: 'u2', email: 'zoe@erase.example' }, otherKey);
    await app.settle();
    const { erasures, notCovered } = await erase({ email: 'zoe@erase.example' });
    const named = erasures.filter(({ erasedLogs }: { erasedLogs: number }) => erasedLogs > 0);
    expect(named.map(({ environmentId, userId }: Record<string, string>) => [environmentId, userId])).toEqual(
      expect.arrayContaining([
        [FIRST(), 'u1'],
        [FIRST(), 'zoe@erase.example'],
        [other, 'u2'],
      ]),
    );
    expect(notCovered.join()).toContain('copies');
    await end();
    expect(await everythingIn(app)).not.toMatch(/zoe@erase/i);
    expect(app.errors).toEqual([]);
  });

  it('is restricted to the environment of a bound key', async () => {
    await sendTo({ id: 'u3', email: 'kim@erase.example' });
    await sendTo({ id: 'u4', email: 'kim@erase.example' }, otherKey);
    const { erasures } = await erase({ email: 'kim@erase.example' }, otherKey);
    expect(new Set(erasures.map(({ environmentId }: { environmentId: string }) => environmentId))).toEqual(
      new Set([other]),
    );
  });

  it.each([[{}], [{ email: 'nobody' }], [{ number: 'x' }]])('rejects %j', async (body) => {
    expect((await call(createErasure, { key, body })).status).toBe(400);
  });
});

describe('GET /erasures', () => {
  it('lists a receipt of each finished erasure, without the person', async () => {
    await sendTo({ id: 'lou-erased', email: 'lou@erase.example' });
    const { json } = await call(deleteUser, { key, path: { userId: 'lou-erased' } });
    expect(json.message).toContain('of this environment');
    const requestedAt = new Date(app.clock.nowMs).toISOString();
    await end();
    const { erasures } = (await call(listErasures, { key })).json;
    expect(erasures).toMatchObject([
      {
        environmentId: FIRST(),
        askedBy: `key ${account.secret.id}`,
        requestedAt,
        erasedLogs: 1,
        kept: expect.any(Array),
      },
    ]);
    expect(JSON.stringify(erasures)).not.toContain('lou');
    expect((await call(listErasures, { key: otherKey })).json.erasures).toEqual([]);
  });

  it('are listed by pages', async () => {
    for (const userId of ['one', 'two', 'three']) {
      await call(saveUser, { key, path: { userId }, body: {} });
      await call(deleteUser, { key, path: { userId } });
    }
    await end();
    const found = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '1', ...(cursor && { cursor }) };
      const { json } = await call(listErasures, { key, query });
      found.push(...json.erasures.map(({ person }: { person: string }) => person));
      cursor = json.nextCursor;
    } while (cursor);
    expect(new Set(found).size).toBe(3);
  });
});

it('deletes what providers said about a message', async () => {
  const { trackingId } = (await sendTo({ id: 'sam-erased', email: 'sam@erase.example' })).json;
  const key_ = providerCallKey(trackingId, 'EMAIL');
  await app.database.put({ ...key_, internal: 'no such mailbox: sam@erase.example' });
  await call(deleteUser, { key, path: { userId: 'sam-erased' } });
  expect(await app.database.get(key_)).toBeUndefined();
});

it('erases messages of a stranger who only wrote in', async () => {
  const email = 'max@erase.example';
  const trackingId = newTrackingId(app.clock.nowMs);
  const record = {
    ...{ trackingId, eventType: 'inbound', from: email, subject: 'hello', bodyText: 'my private words' },
    ...{ timestamp: new Date(app.clock.nowMs).toISOString(), epochMs: app.clock.nowMs, attachments: [] },
  };
  const head = {
    ...{ trackingId, accountId: account.account.accountId, environmentId: FIRST(), userId: email },
    ...{
      notificationId: '',
      state: 'accepted',
      receivedAtMs: app.clock.nowMs,
      routing: {},
      messages: [],
      request: {},
    },
  } as const;
  const message = { record, messageKey: trackingId, blobs: [], verdicts: {}, isAutomatic: false };
  await resolve(inboundMessages).create(head as never, app.clock.nowMs / 1000 + 86_400, message as never);
  expect(await everythingIn(app)).toContain('my private words');
  await erase({ email });
  await end();
  expect(await everythingIn(app)).not.toMatch(/my private words|max@erase/);
});
