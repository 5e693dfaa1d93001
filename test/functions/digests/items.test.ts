import { describe, expect, it } from 'vitest';
import { handler as deleteTemplate } from '../../../functions/templates/delete-template.ts';
import { findEnvelope } from '../../../functions/workers/digest/envelope.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { call } from '../../support/app.ts';
import { type Account, flush, pipeline, sendAll, useDigests } from './items-setup.ts';
import { digestAccount } from './setup.ts';

useDigests();

const email = (options: object) => ({ options: { email: options } });
const textsOf = (account: Account) => account.sent().map(({ message }) => message.message);

it('sends an item that an earlier release accepted and that would be rejected now', async () => {
  const account = await digestAccount(pipeline, ['EMAIL']);
  const { nowMs } = pipeline.clock;
  const head = await resolve(logs).findHead(await account.send('one'), nowMs);
  if (!head) throw new Error('the notification is not stored');
  const options = JSON.parse('{"apn": {"priority": 7}}');
  const request = { ...head.request, parameters: { text: 'two' }, options };
  await resolve(logs).accept(
    { ...head, trackingId: newTrackingId(nowMs + 1), request },
    { feedShards: 1, ...head },
  );
  await flush();
  for (const text of ['one', 'two']) expect(account.sent()[0]?.message.html).toContain(`<p>${text}</p>`);
});

describe('conditions of digest items', () => {
  it.each([
    ['first', ['false', 'true', 'true'], ['1', '2']],
    ['last', ['true', 'true', 'false'], ['0', '1']],
  ])(
    'remove only the %s item when only its condition is unmet, from the email alone',
    async (_, conditions, sent) => {
      const account = await digestAccount(pipeline, ['EMAIL', 'SMS']);
      const trackingIds = await sendAll(
        account,
        conditions.map((condition) => email({ condition })),
      );
      await flush();
      expect(account.sent()).toHaveLength(2);
      expect(textsOf(account)).toContain('0\n1\n2');
      const html = account.sent().find(({ message }) => message.html)?.message.html ?? '';
      expect([...html.matchAll(/<p>(\d)<\/p>/g)].map(([, number]) => number)).toEqual(sent);
      for (const [index, trackingId] of trackingIds.entries()) {
        const log = await account.log(trackingId);
        if (conditions[index] === 'true')
          expect(log).toMatchObject({ email_routing: 'BATCH', email_sent_at: expect.any(String) });
        else {
          expect(log).toMatchObject({ email_routing: 'IGNORE', email_routing_reason: 'CONDITION' });
          expect(log).not.toHaveProperty('email_sent_at');
        }
      }
    },
  );

  it('apply when the item is collected, to its own addresses, not when the digest is sent', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    await account.saveUser({ timezone: 'Europe/Berlin' });
    const condition = `user.timezone == 'Europe/Berlin' and user.email == 'ada@example.com' and user.number == '+15005551234'`;
    await sendAll(account, [email({ condition })]);
    await account.saveUser({ email: 'lovelace@example.com', number: '+15005551235' });
    await pipeline.settle();
    const [unmet = ''] = await sendAll(account, [email({ condition: "user.timezone == 'Europe/Berlin'" })]);
    await account.saveUser({ timezone: 'Europe/Paris' });
    await flush();
    expect(account.sent()).toHaveLength(1);
    expect(await account.log(unmet)).toMatchObject({
      email_routing: 'IGNORE',
      email_routing_reason: 'CONDITION',
    });
  });

  it('withhold only their item when they cannot be evaluated', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    const [, broken = ''] = await sendAll(account, [
      {},
      email({ condition: '1 | divided_by: user.attributes.none' }),
    ]);
    await flush();
    expect(account.sent()).toHaveLength(1);
    expect(await account.log(broken)).toMatchObject({
      email_routing: 'IGNORE',
      email_failed_internal: expect.stringContaining('could not be evaluated'),
    });
  });
});

describe('digest items with different envelopes', () => {
  it.each([
    ['copies', 'EMAIL', email({ ccAddresses: ['boss@example.com'] })],
    ['blind copies', 'EMAIL', email({ bccAddresses: ['boss@example.com'] })],
    ['a reply address', 'EMAIL', email({ replyToAddresses: ['help@example.com'] })],
    ['a sender name', 'EMAIL', email({ fromName: 'Support' })],
    ['a sender name in the block', 'EMAIL', { email: { subject: '1', html: '<p>1</p>', senderName: 'Bob' } }],
  ])('form separate messages of the same flush: %s', async (_, channel, body) => {
    const account = await digestAccount(pipeline, [channel]);
    await sendAll(account, [{}, body, {}]);
    const atMs = await flush();
    const sent = account.sent();
    expect(sent.map((each) => each.atMs)).toEqual([atMs, atMs]);
    const items = sent.map(({ message }) => [...message.html.matchAll(/<p>(\d)/g)].map(([, text]) => text));
    expect(items).toContainEqual(['0', '2']);
    expect(items).toContainEqual(['1']);
  });

  it.each<[string, Channel, Partial<SendRequest>]>([
    ['a sender address', 'EMAIL', { options: { email: { fromAddress: 'shop@example.com' } } }],
    ['a sender address in the block', 'EMAIL', { email: { senderEmail: 'shop@example.com' } }],
    ['a number', 'SMS', { sms: { from: '+12025550100' } }],
    ['a thread', 'CHAT', { chat: { text: '1', thread_ts: '1700000000.000100' } }],
  ])('are told apart by %s', async (_, channel, body) => {
    const envelopeOf = (each: object) => findEnvelope(channel, { type: 'comment', ...each }, 0);
    expect(await envelopeOf(body)).not.toBe(await envelopeOf({}));
    expect(await envelopeOf(structuredClone(body))).toBe(await envelopeOf(body));
  });

  it.each<[string, object, object]>([
    [
      'copies in another order',
      email({ ccAddresses: ['a@example.com', 'b@example.com'] }),
      email({ ccAddresses: ['b@example.com', 'a@example.com'] }),
    ],
    ['spaces around a name', email({ fromName: ' Support ' }), email({ fromName: 'Support' })],
    [
      'a name from the parameters',
      { parameters: { name: 'Support' }, ...email({ fromName: ' {{ name }} ' }) },
      email({ fromName: 'Support' }),
    ],
    ['an empty name', email({ fromName: '' }), {}],
  ])('are not told apart by %s', async (_, left, right) => {
    const envelopeOf = (each: object) => findEnvelope('EMAIL', { type: 'comment', ...each }, 0);
    expect(await envelopeOf(left)).toBe(await envelopeOf(right));
    expect(await findEnvelope('PUSH', { type: 'comment', ...left }, 0)).toBe('');
  });

  it('send copies only to their own recipients', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    const trackingIds = await sendAll(account, [{}, email({ ccAddresses: ['boss@example.com'] })]);
    await flush();
    const copies = account.sent().map(({ message }) => ({ html: message.html, cc: message.ccAddresses }));
    expect(copies.find(({ html }) => html.includes('<p>0</p>'))?.cc).toEqual([]);
    expect(copies.find(({ html }) => html.includes('<p>1</p>'))?.cc).toEqual(['boss@example.com']);
    for (const trackingId of trackingIds)
      expect(await account.log(trackingId)).toMatchObject({ email_sent_at: expect.any(String) });
  });

  it('go out from their own numbers, with a template too', async () => {
    const account = await digestAccount(pipeline);
    await account.addTemplate('SMS', { text: '{{ _items.size }}' }, ['hourly']);
    await sendAll(account, [{}, { sms: { message: '1', from: '{{ "" }}' } }, {}]);
    await flush();
    expect(textsOf(account).sort()).toEqual(['3']);
  });
});

describe('content of digest items', () => {
  it('goes out item by item when the template of the mode was deleted, and items without content fail', async () => {
    const account = await digestAccount(pipeline);
    await account.addTemplate('SMS', { text: 'Digest' }, ['hourly']);
    const [own = '', bare = ''] = await sendAll(account, [{}, { sms: undefined }]);
    await pipeline.settle();
    const path = { notificationId: 'comment', channel: 'SMS', templateId: 'digest' };
    await call(deleteTemplate, { key: account.secret.key, path });
    await flush();
    expect(textsOf(account)).toEqual(['0']);
    expect(await account.log(own)).toMatchObject({ sms_sent_at: expect.any(String) });
    expect(await account.log(bare)).toMatchObject({
      sms_routing: 'IGNORE',
      sms_failed_code: 'MISSING_SMS_MESSAGE',
      sms_failed_at: expect.any(String),
    });
  });
});

describe('digest modes', () => {
  it('send separate messages when they are due at the same time', async () => {
    const account = await digestAccount(pipeline, ['SMS'], 'daily');
    await account.addTemplate('SMS', { templateId: 'd', text: 'Daily {{ _items.size }}' }, ['daily']);
    await account.addTemplate('SMS', { templateId: 'h', text: 'Hourly {{ _items.size }}' }, ['hourly']);
    const eight = Date.parse(
      `${new Date(pipeline.clock.nowMs + 86_400_000).toISOString().slice(0, 10)}T08:00Z`,
    );
    await pipeline.goTo(eight - 600_000);
    await sendAll(account, [{}]);
    await pipeline.settle();
    await account.prefer('SMS', 'hourly');
    await sendAll(account, [{}]);
    await flush();
    expect(pipeline.clock.nowMs).toBe(eight);
    expect(textsOf(account).sort()).toEqual(['Daily 1', 'Hourly 1']);
  });
});

it('counts the *_after fields of an item from its flush', async () => {
  const account = await digestAccount(pipeline);
  const [trackingId = ''] = await sendAll(account, [{}]);
  await pipeline.goTo((await flush()) + 30_000);
  const log = await account.log(trackingId);
  expect(log.sms_sent_after).toBeLessThan(60_000);
  expect(log.sms_delivered_after).toBeLessThan(60_000);
});

it('sends an item whose request is larger than a database item', async () => {
  const account = await digestAccount(pipeline);
  const noise = Array.from({ length: 60_000 }, (_, index) => Math.sin(index).toString(36).slice(2)).join(' ');
  const [trackingId = ''] = await sendAll(account, [{ parameters: { text: 'large', noise } }]);
  await flush();
  expect(textsOf(account)).toEqual(['large']);
  expect(await account.log(trackingId)).toMatchObject({ sms_sent_at: expect.any(String) });
  expect(pipeline.errors).toEqual([]);
});
