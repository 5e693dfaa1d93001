import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as deleteTemplate } from '../../../functions/templates/delete-template.ts';
import { handler as deleteType } from '../../../functions/types/delete-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { accountSwitch } from '../../../shared/database/entities/account-switch.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { createPipeline, type Pipeline } from '../../support/pipeline.ts';
import { countUsage } from '../../support/usage.ts';
import { digestAccount, nextHour } from './setup.ts';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await createPipeline();
});
afterAll(() => pipeline.stop());

type Account = Awaited<ReturnType<typeof digestAccount>>;

async function flush(): Promise<number> {
  await pipeline.settle();
  const atMs = nextHour(pipeline);
  await pipeline.goTo(atMs);
  return atMs;
}

/** Sends one notification after the other, a millisecond apart, so that their order is known. */
async function sendAll(account: Account, bodies: readonly object[]): Promise<string[]> {
  const trackingIds: string[] = [];
  for (const [index, body] of bodies.entries()) {
    trackingIds.push(await account.send(String(index), body));
    pipeline.clock.nowMs += 1;
  }
  return trackingIds;
}

const email = (options: object) => ({ options: { email: options } });
const textsOf = (account: Account) => account.sent().map(({ message }) => message.message);

describe('conditions', () => {
  it.each([
    ['first', ['false', 'true', 'true'], ['1', '2']],
    ['last', ['true', 'true', 'false'], ['0', '1']],
  ])('leave out the %s item alone when only its condition is unmet', async (_, conditions, sent) => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    const trackingIds = await sendAll(
      account,
      conditions.map((condition) => email({ condition })),
    );
    await flush();
    expect(account.sent()).toHaveLength(1);
    const html = account.sent()[0]?.message.html ?? '';
    expect([...html.matchAll(/<p>(\d)<\/p>/g)].map(([, number]) => number)).toEqual(sent);
    for (const [index, trackingId] of trackingIds.entries()) {
      const log = await account.log(trackingId);
      if (conditions[index] === 'true')
        expect(log).toMatchObject({ email_routing: 'BATCH', email_sent_at: expect.any(String) });
      else {
        expect(log).toMatchObject({ email_routing: 'IGNORE' });
        expect(log).not.toHaveProperty('email_sent_at');
      }
    }
  });

  it('are evaluated when the item is collected, not when the digest is sent', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    await account.saveUser({ timezone: 'Europe/Berlin' });
    await sendAll(account, [email({ condition: "user.timezone == 'Europe/Berlin'" })]);
    await pipeline.settle();
    await account.saveUser({ timezone: 'Europe/Paris' });
    await flush();
    expect(account.sent()).toHaveLength(1);
  });

  it('that cannot be evaluated fail their item alone', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    const [, broken = ''] = await sendAll(account, [
      {},
      email({ condition: '{% for i in (1..1000000000) %}x{% endfor %}' }),
    ]);
    await flush();
    expect(account.sent()).toHaveLength(1);
    expect(await account.log(broken)).toMatchObject({
      email_failed_code: 'UNDETERMINED_BOUNCE',
      email_failed_at: expect.any(String),
    });
  });
});

describe('items with another envelope', () => {
  it.each([
    ['copies', 'EMAIL', email({ ccAddresses: ['boss@example.com'] })],
    ['blind copies', 'EMAIL', email({ bccAddresses: ['boss@example.com'] })],
    ['a reply address', 'EMAIL', email({ replyToAddresses: ['help@example.com'] })],
    ['a sender name', 'EMAIL', email({ fromName: 'Support' })],
    ['a sender name in the block', 'EMAIL', { email: { subject: '1', html: '<p>1</p>', senderName: 'Bob' } }],
  ])('form a message of the same flush: %s', async (_, channel, body) => {
    const account = await digestAccount(pipeline, [channel]);
    await sendAll(account, [{}, body, {}]);
    const atMs = await flush();
    const sent = account.sent();
    expect(sent.map((each) => each.atMs)).toEqual([atMs, atMs]);
    const items = sent.map(({ message }) => [...message.html.matchAll(/<p>(\d)/g)].map(([, text]) => text));
    expect(items).toContainEqual(['0', '2']);
    expect(items).toContainEqual(['1']);
  });

  it('keep their copies to themselves', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    const trackingIds = await sendAll(account, [{}, email({ ccAddresses: ['boss@example.com'] })]);
    await flush();
    const copies = account.sent().map(({ message }) => ({ html: message.html, cc: message.ccAddresses }));
    expect(copies.find(({ html }) => html.includes('<p>0</p>'))?.cc).toEqual([]);
    expect(copies.find(({ html }) => html.includes('<p>1</p>'))?.cc).toEqual(['boss@example.com']);
    for (const trackingId of trackingIds)
      expect(await account.log(trackingId)).toMatchObject({ email_sent_at: expect.any(String) });
  });

  it('keep the number that they are sent from, with a template too', async () => {
    const account = await digestAccount(pipeline);
    await account.addTemplate('SMS', { text: '{{ _items.size }}' }, ['hourly']);
    await sendAll(account, [{}, { sms: { message: '1', from: '{{ "" }}' } }, {}]);
    await flush();
    expect(textsOf(account).sort()).toEqual(['3']);
  });
});

describe('content', () => {
  it('is that of each item when the template of the mode was deleted, and items without any say so', async () => {
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

describe('modes', () => {
  it('due at the same tick are separate messages', async () => {
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

describe('every item reaches an outcome when in the meantime', () => {
  const patchType = (account: Account, body: object) =>
    call(updateType, { key: account.secret.key, path: { notificationId: 'comment' }, body });

  const CASES: Record<string, { change: (account: Account) => Promise<unknown>; log: object }> = {
    'the user opted out': {
      change: (account) => account.prefer('EMAIL', 'off'),
      log: { email_routing: 'IGNORE', email_routing_reason: 'IGNORE_BY_PREFERENCES' },
    },
    'the user lost the address': {
      change: (account) => account.saveUser({ email: null }),
      log: { email_routing: 'IGNORE', email_failed_code: 'MISSING_EMAIL_RECIPIENT' },
    },
    'the type was deleted': {
      change: (account) => call(deleteType, { key: account.secret.key, path: { notificationId: 'comment' } }),
      log: {
        email_routing: 'IGNORE',
        failed_code: 'MISSING_NOTIFICATION_TYPE',
        failed_at: expect.any(String),
      },
    },
    'the type was disabled': {
      change: (account) => patchType(account, { enabled: false }),
      log: {
        email_routing: 'IGNORE',
        email_failed_internal: 'EMAIL is not sent: the notification type is disabled.',
      },
    },
    'the channel was removed': {
      change: (account) => patchType(account, { channels: ['SMS'] }),
      log: {
        email_routing: 'IGNORE',
        email_failed_internal: expect.stringContaining('the channel is not enabled on the notification type'),
      },
    },
    'the environment stopped sending': {
      change: ({ secret, environment }) =>
        call(updateEnvironment, {
          key: secret.key,
          path: { clientId: environment.environmentId },
          body: { disableSending: ['EMAIL'] },
        }),
      log: { email_routing: 'IGNORE', email_routing_reason: 'IGNORE_BY_ENVIRONMENT' },
    },
    'the account was disabled': {
      change: ({ account }) => resolve(accountSwitch).setDisabled(account.accountId, true),
      log: { email_routing: 'IGNORE' },
    },
    'a cap was reached': {
      change: ({ account }) =>
        countUsage(account.accountId, 'EMAIL', 10_000_000, new Date(pipeline.clock.nowMs).toISOString()),
      log: {
        email_routing: 'IGNORE',
        failed_code: 'UNKNOWN',
        failed_internal: 'The messagesCap of the organization is reached for this billing period.',
      },
    },
  };

  it.each(Object.keys(CASES))('%s', async (name) => {
    const { change, log } = CASES[name] ?? {};
    const account = await digestAccount(pipeline, ['EMAIL']);
    const trackingIds = await sendAll(account, [{}, {}]);
    await pipeline.settle();
    await change?.(account);
    await flush();
    expect(account.sent()).toEqual([]);
    for (const trackingId of trackingIds) {
      const { accountId } = account.account;
      const found = await resolve(logs).findRecord(accountId, trackingId, pipeline.clock.nowMs);
      expect(found).toMatchObject(log ?? {});
      expect(found).not.toHaveProperty('email_sent_at');
    }
  });
});

it('counts *_after of an item from its flush', async () => {
  const account = await digestAccount(pipeline);
  const [trackingId = ''] = await sendAll(account, [{}]);
  await pipeline.goTo((await flush()) + 30_000);
  const log = await account.log(trackingId);
  expect(log.sms_sent_after).toBeLessThan(60_000);
  expect(log.sms_delivered_after).toBeLessThan(60_000);
});

it('carries an item whose request is larger than a database item', async () => {
  const account = await digestAccount(pipeline);
  const noise = Array.from({ length: 60_000 }, (_, index) => Math.sin(index).toString(36).slice(2)).join(' ');
  const [trackingId = ''] = await sendAll(account, [{ parameters: { text: 'large', noise } }]);
  await flush();
  expect(textsOf(account)).toEqual(['large']);
  expect(await account.log(trackingId)).toMatchObject({ sms_sent_at: expect.any(String) });
  expect(pipeline.errors).toEqual([]);
});
