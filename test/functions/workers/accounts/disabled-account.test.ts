import { describe, expect, it } from 'vitest';
import { handler as getInapp } from '../../../../functions/inapp/list-inapp.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as listUsers } from '../../../../functions/users/list-users.ts';
import { handler as administer } from '../../../../functions/workers/accounts/administer-accounts.ts';
import { handler as connect } from '../../../../functions/workers/websocket/websocket-connect.ts';
import { memberChanges } from '../../../../shared/database/entities/access/member-changes.ts';
import { callProvider } from '../../../../shared/providers/phone/phone.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { newId } from '../../../../shared/runtime/values/ids.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { useAccount } from '../../../support/use-app.ts';
import { digestAccount, HOUR_MS } from '../../digests/setup.ts';
import { scheduling } from '../../schedules/setup.ts';

const pipeline = usePipeline();
const account = useAccount(pipeline, 'test');

const switched = (action: 'disable' | 'enable', { account }: Pick<TestAccount, 'account'>) =>
  administer({ action, accountId: account.accountId });

async function tokenOf({ account, admin }: TestAccount): Promise<string> {
  const subject = newId();
  await resolve(memberChanges).bindSubject(account.accountId, admin.userId, subject, pipeline.clock.nowMs);
  const token = `head.${subject}.sign`;
  pipeline.tokens.set(token, subject);
  return token;
}

const connection = (environmentId: string) =>
  connect({
    queryStringParameters: { userId: 'ada', envId: environmentId },
    requestContext: { connectionId: `c-${newId()}` },
  } as never);

describe('a disabled account', () => {
  it('loses all its keys and tokens immediately, and gets them back once it is enabled', async () => {
    const token = await tokenOf(account);
    const asked = async () => [
      (await call(listUsers, { key: account.secret.key })).status,
      (await call(getInapp, { key: account.public.key, query: { userId: 'ada' } })).status,
      (await call(listUsers, { key: token })).status,
      await connection(account.environment.environmentId),
    ];
    expect(await asked()).toEqual([200, 200, 200, { statusCode: 200 }]);
    await switched('disable', account);
    expect(await asked()).toEqual([401, 401, 401, { statusCode: 401 }]);
    await switched('enable', account);
    expect(await asked()).toEqual([200, 200, 200, { statusCode: 200 }]);
  });

  it('does not affect other accounts', async () => {
    const [one, other] = [await createTestAccount(pipeline), await createTestAccount(pipeline)];
    await switched('disable', one);
    expect((await call(listUsers, { key: other.secret.key })).status).toBe(200);
  });

  it('sends nothing that was scheduled, and the log shows the reason', async () => {
    const api = scheduling(pipeline, account);
    const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
    const [stopped, later] = [await api.sendAt(dueAtMs), await api.sendAt(dueAtMs + HOUR_MS)];
    await switched('disable', account);
    await pipeline.goTo(dueAtMs);
    await switched('enable', account);
    await pipeline.goTo(dueAtMs + HOUR_MS);
    expect([api.texts(stopped), api.texts(later)]).toEqual([[], ['Soon']]);
    expect(await api.log(stopped)).toMatchObject({
      sms_routing: 'IGNORE',
      ignored: 'ALL_CHANNELS_IGNORED',
    });
  });

  it('drops deliveries that are being retried, even once it is enabled again', async () => {
    let tries = 0;
    replace(callProvider, () => ({
      name: 'down',
      async deliver() {
        tries += 1;
        return { kind: 'retry', code: 'Unknown', internal: 'HTTP 503' };
      },
    }));
    const body = { type: 'alert', to: { id: 'ada', number: '+12025550123' }, call: { message: 'Hi' } };
    const { json } = await call(send, { key: account.secret.key, body });
    await pipeline.settle();
    await switched('disable', account);
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    await switched('enable', account);
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(tries).toBe(1);
    const log = await scheduling(pipeline, account).log(json.trackingId);
    expect(log).toMatchObject({ call_routing: 'IGNORE' });
    expect(log).not.toHaveProperty('call_failed_at');
  });

  it('sends no digest', async () => {
    const account = await digestAccount(pipeline);
    await account.send('one');
    await pipeline.settle();
    await switched('disable', account);
    const before = pipeline.outbox.length;
    await pipeline.goTo(pipeline.clock.nowMs + 2 * HOUR_MS);
    expect(pipeline.outbox.slice(before)).toEqual([]);
  });
});
