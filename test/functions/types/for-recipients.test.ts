import { describe, expect, it } from 'vitest';
import { handler as getPreferences } from '../../../functions/preferences/get-preferences.ts';
import { handler as saveConsent } from '../../../functions/preferences/save-consent.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as showPage } from '../../../functions/unsubscribe/show-preferences-page.ts';
import { handler as showUnsubscribe } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { writeUnsubscribeToken } from '../../../shared/tokens/unsubscribe-token.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { create, get, MINIMAL, patch } from './setup.ts';

const app = useApp();
const account = useAccount(app, 'test');

const path = { userId: 'ada' };
const TYPES = [
  {
    notificationId: 'approval',
    title: 'Approval needed',
    category: 'Work',
    translations: { de: { title: 'Freigabe nötig', category: 'Arbeit' }, 'pt-BR': { title: 'Aprovação' } },
    channels: ['EMAIL', 'SMS'],
  },
  { notificationId: 'digest', title: 'Your week', channels: ['EMAIL'] },
  { notificationId: 'news', title: 'News', category: 'Account', channels: ['EMAIL'] },
  {
    notificationId: 'sign-in',
    title: 'Sign-in',
    category: 'Work',
    channels: ['EMAIL', 'SMS'],
    required: true,
  },
];

async function accountWithTypes(user: object = {}): Promise<TestAccount> {
  const account = await createTestAccount(app);
  for (const type of TYPES) expect((await create(account, type)).status).toBe(200);
  const body = { email: 'ada@example.com', ...user };
  await call(saveUser, { key: account.secret.key, path, body });
  return account;
}

async function pageOf(account: TestAccount, headers: Record<string, string>, notificationId = 'approval') {
  const { environmentId, accountId } = account.environment;
  const trackingId = newTrackingId(app.clock.nowMs);
  const scope = { accountId, environmentId, userId: 'ada', notificationId, subNotificationId: '' };
  const token = await writeUnsubscribeToken(resolve(signer), { ...scope, channel: 'EMAIL', trackingId });
  const [page, ask] = [showPage, showUnsubscribe].map((handler) =>
    call(handler, { path: { token }, headers }),
  );
  return { page: (await page)?.response.body ?? '', ask: (await ask)?.response.body ?? '' };
}

/** Headings and titles of a page, in order. */
const outlineOf = (page: string) =>
  [...page.matchAll(/<(?:h2|legend)>(?:<bdi[^>]*>)?([^<]*)/g)]
    .map(([, text]) => text)
    .filter((text) => !/Quiet|Ruhe/.test(text ?? ''));

describe('the title and category of a type', () => {
  it.each<[string, object, Record<string, string>, string[]]>([
    ['as written', {}, {}, ['Your week', 'Account', 'News', 'Work', 'Approval needed', 'Sign-in']],
    [
      "in the user's language",
      { locale: 'de-AT' },
      {},
      ['Your week', 'Account', 'News', 'Arbeit', 'Freigabe nötig', 'Sign-in'],
    ],
    [
      "in the browser's language",
      {},
      { 'accept-language': 'de' },
      ['Your week', 'Account', 'News', 'Arbeit', 'Freigabe nötig', 'Sign-in'],
    ],
    [
      'as written for a reader of that language who also reads others',
      { locale: 'en' },
      { 'accept-language': 'en, de;q=0.5' },
      ['Your week', 'Account', 'News', 'Work', 'Approval needed', 'Sign-in'],
    ],
    [
      'where only the title is translated',
      { locale: 'pt-BR' },
      {},
      ['Your week', 'Account', 'News', 'Work', 'Aprovação', 'Sign-in'],
    ],
  ])('are on the pages and in the preferences: %s', async (_, user, headers, expected) => {
    const account = await accountWithTypes(user);
    const { page, ask } = await pageOf(account, headers);
    expect(outlineOf(page)).toEqual(expect.arrayContaining(expected));
    expect(outlineOf(page).slice(0, expected.length)).toEqual(expected);
    expect(ask).toContain(`<strong>${expected[4]}</strong>`);
    const of = (text: string) => (text.startsWith('Apr') ? 'pt-BR' : /^(Arb|Frei)/.test(text) ? 'de' : '');
    for (const each of expected) expect(page).toContain(`<bdi lang="${of(each)}">${each}</bdi>`);
    const locale = headers['accept-language']?.slice(0, 2);
    const query = locale ? { locale } : {};
    const { json } = await call(getPreferences, { key: account.public.key, path, query });
    const shown = json.notifications.flatMap(({ category, title }: Record<string, string>) => [
      category,
      title,
    ]);
    expect([...new Set(shown)].filter(Boolean)).toEqual(expected);
  });

  it.each([
    [{ translations: { de: { title: '' } } }, 'translations'],
    [{ translations: { 'not a tag': { title: 'x' } } }, 'translations'],
    [{ translations: { de: { titel: 'x' } } }, 'translations'],
    [{ translations: { de: 'x' } }, 'translations'],
    [{ category: ' ' }, 'category'],
    [{ category: 7 }, 'category'],
    [{ required: 'yes' }, 'required'],
  ])('return 400 for %j', async (wrong, field) => {
    const { json: before } = await create(account);
    for (const response of [
      await patch(account, 'welcome', wrong),
      await create(account, { ...MINIMAL, ...wrong }),
    ]) {
      expect([response.status, response.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(response.json.error.message).toContain(`body.${field}`);
    }
    expect((await get(account, 'welcome')).json).toEqual(before);
  });

  it('change by language; null removes one, or all', async () => {
    await create(account, {
      ...MINIMAL,
      category: 'A',
      translations: { de: { title: 'x' }, 'pt-br': { title: 'y' } },
    });
    const steps: [object, unknown][] = [
      [{}, { de: { title: 'x' }, 'pt-BR': { title: 'y' } }],
      [
        { translations: { de: null, fr: { category: 'z' } } },
        { 'pt-BR': { title: 'y' }, fr: { category: 'z' } },
      ],
      [{ translations: null, category: null }, undefined],
    ];
    for (const [body, translations] of steps) {
      const { json } = await patch(account, 'welcome', body);
      expect(json.translations).toEqual(translations);
      expect((await get(account, 'welcome')).json).toEqual(json);
    }
    expect((await get(account, 'welcome')).json).not.toHaveProperty('category');
  });
});

describe('a required type', () => {
  it('cannot be turned off on any channel, and says so', async () => {
    const account = await accountWithTypes();
    const { key } = account.secret;
    const off = { notificationId: 'sign-in', channel: 'SMS', delivery: 'off' };
    const refused = await call(savePreferences, { key, path, body: [off] });
    expect([refused.status, refused.json.error.message]).toEqual([
      400,
      expect.stringContaining('is required'),
    ]);
    const { json } = await call(getPreferences, { key, path });
    const own = json.notifications.filter((each: { required?: boolean }) => each.required);
    expect(own).toMatchObject([
      {
        notificationId: 'sign-in',
        options: { EMAIL: { off: { enabled: false } }, SMS: { off: { enabled: false } } },
      },
    ]);
    const { page } = await pageOf(account, {});
    expect(page).toContain('You keep getting <strong>Sign-in</strong> emails and text messages.');
    expect((await pageOf(account, {}, 'sign-in')).ask).toContain('This cannot be turned off');
  });

  it('is sent against an earlier choice, on channels that a request adds too', async () => {
    const account = await accountWithTypes({ number: '+14155550123' });
    const { key } = account.secret;
    await patch(account, 'sign-in', { required: false });
    for (const channel of ['EMAIL', 'SMS', 'CALL'])
      await call(savePreferences, {
        key,
        path,
        body: [{ notificationId: 'sign-in', channel, delivery: 'off' }],
      });
    await call(saveConsent, {
      key,
      path,
      body: { notificationId: 'sign-in', channel: 'EMAIL', state: 'withdrawn', source: 'x' },
    });
    const body = {
      type: 'sign-in',
      to: { id: 'ada' },
      forceChannels: ['EMAIL', 'SMS', 'CALL'],
      email: { subject: 's', html: 'h' },
      sms: { message: 'm' },
      call: { message: 'm' },
    };
    const routed = async () =>
      (await call(send, { key, body, query: { dryRun: 'true' } })).json.routing
        .filter(({ channel }: { channel: string }) => body.forceChannels.includes(channel))
        .map(({ routing }: { routing: string }) => routing);
    expect(await routed()).toEqual(['IGNORE', 'IGNORE', 'IGNORE']);
    expect((await patch(account, 'sign-in', { required: true })).json.required).toBe(true);
    expect(await routed()).toEqual(['SEND', 'SEND', 'SEND']);
  });

  it.each([
    [{ required: true, purpose: 'marketing' }, 'required'],
    [
      { required: true, options: { SMS: { defaultDeliveryOption: 'off' } } },
      'options.SMS.defaultDeliveryOption',
    ],
  ])('returns 400 for %j, at once or one after the other', async (wrong, field) => {
    const { required, ...first } = wrong;
    expect((await create(account, { ...MINIMAL, ...first })).status).toBe(200);
    const responses = [
      await create(account, { ...MINIMAL, notificationId: 'other', ...wrong }),
      await patch(account, 'welcome', { required }),
    ];
    for (const { status, json } of responses)
      expect([status, json.error.message]).toEqual([400, expect.stringContaining(field)]);
  });

  it('is one whose channels all forbid off', async () => {
    const fixed = { defaultDeliveryOption: 'instant', off: { enabled: false } };
    await create(account, { ...MINIMAL, options: { EMAIL: fixed } });
    const read = async () =>
      (await call(getPreferences, { key: account.secret.key, path })).json.notifications[0].required;
    expect(await read()).toBe(true);
    await patch(account, 'welcome', { channels: ['EMAIL', 'SMS'] });
    expect(await read()).toBeUndefined();
  });
});
