import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as listUsers } from '../../../functions/users/list-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as suppressUser } from '../../../functions/users/suppress-user.ts';
import { deploymentSecret } from '../../../shared/database/entities/access/deployment-secret.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { addressHash, suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { erasedSuppressionKey, suppressionKey } from '../../../shared/database/keys/account.ts';
import { earlierErasureKey } from '../../../shared/database/keys/user.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
const EMAIL = 'Ida@Keyed.example';
const WORDS = 'smtp; 550 mailbox of Ida Keyed <ida@keyed.example> is closed';
const DETAILS = {
  ...{ bounceType: 'Permanent', bounceSubType: 'NoEmail', status: '5.1.1' },
  timestamp: '2026-11-21T08:30:00.000Z',
};
const SPOKEN = {
  ...DETAILS,
  diagnosticCode: WORDS,
  bounceSubTyp: 'NoEmail',
  complaintFeedbackType: 'IdaKeyed',
};
const CLOSED = { reason: 'Bounce', details: DETAILS };
let key: string;
let accountId: string;
let environmentId: string;
beforeEach(() => {
  key = account.secret.key;
  accountId = account.account.accountId;
  environmentId = account.environment.environmentId;
});

const save = (userId: string, body: object = { email: EMAIL }) =>
  call(saveUser, { key, path: { userId }, body });
const remove = (userId: string) => call(deleteUser, { key, path: { userId } });
const statusOf = async (userId: string) =>
  (await call(getUser, { key, path: { userId } })).json.emailSuppressionStatus;
const plainHashes = () => [
  suppressionKey(accountId, EMAIL).pk,
  earlierErasureKey(environmentId, 'ida').pk,
  createHash('sha256').update(EMAIL.toLowerCase()).digest('base64url'),
];
const secret = () => resolve(deploymentSecret).sign('erased-recipient', 'any');
const putEarlier = (item: object) =>
  app.database.put({ ...suppressionKey(accountId, EMAIL), revision: 1, ...item });

const expectMoved = (item?: Record<string, unknown>) => {
  expect(item).toMatchObject({ expiresAt: Math.ceil(app.clock.nowMs / 1000) });
  expect(item).not.toHaveProperty('status');
};

describe('the suppression of an address', () => {
  it("is stored by kind, code and time; the words of the server are its user's alone, and after an erasure it is under a keyed hash", async () => {
    await secret();
    await save('ida');
    const path = { userId: 'ida', channel: 'EMAIL' };
    await call(suppressUser, { key, path, body: { reason: 'Bounce', details: SPOKEN } });
    expect(await statusOf('ida')).toEqual({ reason: 'Bounce', details: SPOKEN });
    await save('next');
    expect(await statusOf('next')).toEqual(CLOSED);
    await remove('ida');
    await app.goTo(app.clock.nowMs + 150_000);
    await save('later');
    expect(await statusOf('later')).toEqual(CLOSED);
    await remove('next');
    await remove('later');
    await app.goTo(app.clock.nowMs + 150_000);
    const everything = await everythingIn(app);
    const found = [...plainHashes(), 'keyed.example', 'IdaKeyed', 'Ida Keyed'].filter((each) =>
      everything.toLowerCase().includes(each.toLowerCase()),
    );
    expect(found).toEqual([]);
  });

  const READS: [string, () => Promise<unknown>][] = [
    ['GET /users/{userId}', () => statusOf('ida')],
    ['GET /users', () => call(listUsers, { key })],
    [
      'a send to the address',
      () =>
        call(send, {
          key,
          body: { type: 't', to: { id: 'x', email: EMAIL }, email: { subject: 's', html: 'h' } },
        }),
    ],
    [
      'a copy to the address',
      () =>
        call(send, {
          key,
          body: {
            ...{ type: 't', to: { id: 'x', email: 'x@example.com' }, email: { subject: 's', html: 'h' } },
            options: { email: { ccAddresses: [EMAIL] } },
          },
        }),
    ],
  ];
  it.each(READS)('of an earlier release is moved by %s', async (_, read) => {
    await secret();
    await putEarlier({ status: { reason: 'Bounce', details: SPOKEN } });
    await save('ida', { email: 'ida@keyed.example', timezone: 'Europe/Berlin' });
    await read();
    expectMoved(await app.database.get(suppressionKey(accountId, EMAIL)));
    expect(await resolve(suppressions).find(accountId, EMAIL)).toEqual(CLOSED);
    expect((await everythingIn(app)).includes('is closed')).toBe(false);
    expect(await statusOf('ida')).toEqual(CLOSED);
  });

  it('of an earlier release joins opt-outs when it is moved', async () => {
    await secret();
    const { read, optOut } = resolve(suppressions);
    const added = { 'all marketing': { atMs: 1, source: 'link' } };
    await optOut(accountId, await addressHash(resolve(deploymentSecret), accountId, EMAIL), { added });
    await putEarlier({ status: { reason: 'Bounce', details: SPOKEN } });
    expect(await read(accountId, EMAIL)).toEqual({ status: CLOSED, optOuts: added });
    expectMoved(await app.database.get(suppressionKey(accountId, EMAIL)));
    expect(await read(accountId, EMAIL)).toEqual({ status: CLOSED, optOuts: added });
  });

  it('that is counted only does not expire together with the opt-outs of an erased address', async () => {
    await secret();
    const { optOut, countBounce, forgetBounces } = resolve(suppressions);
    const erasedBy = resolve(deploymentSecret);
    const hash = await addressHash(resolve(deploymentSecret), accountId, EMAIL);
    const bounce = { atMs: app.clock.nowMs, status: CLOSED as never, erasedBy };
    const added = { 'all marketing': { atMs: 1, source: 'link' } };
    const expiring = async () => (await app.database.get(erasedSuppressionKey(accountId, hash)))?.expiresAt;
    await countBounce(accountId, EMAIL, bounce);
    await optOut(accountId, hash, { added });
    await countBounce(accountId, EMAIL, { ...bounce, atMs: bounce.atMs + 1 });
    await forgetBounces(accountId, EMAIL, bounce.atMs + 2);
    expect(await resolve(suppressions).read(accountId, EMAIL)).toMatchObject({ optOuts: added });
    expect(await expiring()).toBeUndefined();
  });
});

describe('the mark of a deletion', () => {
  it('is under a keyed hash', async () => {
    await save('ida');
    await remove('ida');
    expect(await app.database.get(earlierErasureKey(environmentId, 'ida'))).toBeUndefined();
    expect(await resolve(erasureMarks).findErasedAtMs(environmentId, 'ida')).toBe(app.clock.nowMs);
  });

  it('of an earlier release holds, and is moved when it is read', async () => {
    await secret();
    const atMs = app.clock.nowMs + 5000;
    await app.database.put({ ...earlierErasureKey(environmentId, 'ida'), erasedAtMs: atMs, expiresAt: 9e9 });
    await call(addTopicUsers, { key, path: { topicId: 'news' }, body: { userIds: ['ida'] } });
    expectMoved(await app.database.get(earlierErasureKey(environmentId, 'ida')));
    expect(await resolve(erasureMarks).findErasedAtMs(environmentId, 'ida')).toBe(atMs);
  });

  it('holds in a process that knows only the secret before a rotation', async () => {
    await secret();
    await resolve(erasureMarks).findErasedAtMs(environmentId, 'ida');
    await resolve(deploymentSecret).rotate(false);
    await save('ida');
    await remove('ida');
    expect(await resolve(erasureMarks).findErasedAtMs(environmentId, 'ida')).toBe(app.clock.nowMs);
  });
});
