import { beforeEach, describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { docsOfCode } from '../../../shared/domain/logs/explanations.ts';
import { RoutingReason } from '../../../shared/schemas/logs/log-record.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = useApp();
let account: TestAccount;
beforeEach(async () => {
  account = await createTestAccount(app);
  const body = { notificationId: 't', title: 'T', channels: ['EMAIL', 'SMS', 'CHAT'] };
  expect((await call(createType, { key: account.secret.key, body })).status).toBe(200);
});

const EMAIL = { subject: 's', html: 'h' };
type Entry = { channel: string; routing: string; reason?: string };

describe('routing in the response of POST /send', () => {
  it.each<[string, object, string, string | undefined]>([
    ['is SEND without a reason', { email: EMAIL }, 'EMAIL', undefined],
    ['says that an address is missing', { email: EMAIL, sms: { message: 'm' } }, 'SMS', 'NO_ADDRESS'],
    ['says that content is missing', { sms: { message: 'm' } }, 'EMAIL', 'NO_CONTENT'],
    ['says that the channel is not enabled', { email: EMAIL, call: { message: 'm' } }, 'CALL', 'NOT_ENABLED'],
    ['says so without content, too', { email: EMAIL }, 'PUSH', 'NOT_ENABLED'],
    [
      'says that a condition is not met',
      { email: EMAIL, options: { email: { condition: 'false' } } },
      'EMAIL',
      'CONDITION',
    ],
  ])('%s', async (_, content, channel, reason) => {
    const body = { type: 't', to: { id: 'ada', email: 'ada@example.com' }, ...content };
    const key = account.secret.key;
    const dry = await call(send, { key, body, query: { dryRun: 'true' } });
    const { json } = await call(send, { key, body, headers: { 'idempotency-key': 'k' } });
    const again = await call(send, { key, body, headers: { 'idempotency-key': 'k' } });
    const reasonIn = ({ routing }: { routing: Entry[] }) =>
      routing.find((each) => each.channel === channel)?.reason;
    expect([reasonIn(dry.json), reasonIn(json)]).toEqual([reason, reason]);
    expect(again.json).toEqual(json);
    const log = await recordOf(account, json.trackingId);
    const prefix = channel.toLowerCase();
    if (reason !== 'NOT_ENABLED') expect(log[`${prefix}_routing_reason`]).toBe(reason);
  });

  it('says that the type is disabled', async () => {
    const key = account.secret.key;
    await call(updateType, { key, path: { notificationId: 't' }, body: { enabled: false } });
    const { json } = await call(send, { key, body: { type: 't', to: { id: 'ada' }, email: EMAIL } });
    expect(json.routing[0]).toEqual({ channel: 'EMAIL', routing: 'IGNORE', reason: 'TYPE_DISABLED' });
  });

  it('is left out for a topic, whose members each have their own', async () => {
    const body = { type: 't', to: { topic: 'all' }, email: EMAIL };
    expect((await call(send, { key: account.secret.key, body })).json.routing).toBeUndefined();
  });

  it('has codes that the page of errors explains', () => {
    for (const reason of RoutingReason.options)
      expect(docsOfCode('EMAIL', reason)).toBe(`/guide/errors#routing-${reason.toLowerCase()}`);
  });
});
