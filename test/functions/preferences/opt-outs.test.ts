import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as listConsents } from '../../../functions/preferences/list-consents.ts';
import { handler as resetPreferences } from '../../../functions/preferences/reset-preferences.ts';
import { handler as saveConsent } from '../../../functions/preferences/save-consent.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as savePage } from '../../../functions/unsubscribe/save-preferences-page.ts';
import { handler as showPage } from '../../../functions/unsubscribe/show-preferences-page.ts';
import { handler as showUnsubscribe } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as liftSuppression } from '../../../functions/users/lift-suppression.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as deliverEmail } from '../../../functions/workers/delivery/deliver-email.ts';
import { handler as followUp } from '../../../functions/workers/receipts/follow-up.ts';
import { writeContacts } from '../../../import/apply.ts';
import { Summary } from '../../../import/report.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { emailProvider } from '../../../shared/providers/email/email.ts';
import { suppressionList } from '../../../shared/providers/email/suppression-list.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { apiOf } from '../../import/import-setup.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { deliver, recordOf } from '../../support/workers.ts';

const app = useApp();
const account = useAccount(app, 'test');
let key: string;
let reached: string[];
let link: string;
beforeAll(() => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
  process.env.PUBLIC_BASE_URL = 'https://api.example.com';
  replace(suppressionList, () => ({ remove: async () => {} }));
  replace(emailProvider, () => ({
    name: 'fake',
    deliver: async ({ to, headers }) => {
      reached.push(to);
      link = /unsubscribe\/([^>]+)/.exec(headers?.[0]?.value ?? '')?.[1] ?? '';
      return { kind: 'sent', fields: {} };
    },
  }));
});
beforeEach(async () => {
  reached = [];
  key = account.secret.key;
  await call(updateAccount, { key, body: { postalAddress: 'Shop Ltd\n1 High Street' } });
  for (const [notificationId, purpose] of Object.entries({
    news: 'marketing',
    offers: 'marketing',
    reset: null,
  }))
    await call(createType, {
      key,
      body: { notificationId, title: notificationId, channels: ['EMAIL'], purpose },
    });
});

const ADDRESS = 'ada@example.com';
const LAWFUL = '<p>h {{ unsubscribe_url }}</p><p>Shop Ltd,<br>1 High Street</p>';
const sendTo = async (to: object, type = 'news', over = {}, as = key) => {
  app.clock.nowMs += 1000;
  const body = { type, to, email: { subject: 's', html: LAWFUL }, ...over };
  const { json } = await call(send, { key: as, body });
  await deliver(deliverEmail, { trackingId: json.trackingId });
  return json;
};
/** Sends and returns whether the email went out. */
const reaches = async (...args: Parameters<typeof sendTo>) => {
  const before = reached.length;
  await sendTo(...args);
  return reached.length > before;
};
const use = (token: string, query = {}) => call(unsubscribe, { path: { token }, query });
const remove = async (userId: string) => {
  app.clock.nowMs += 1000;
  await call(deleteUser, { key, path: { userId } });
  app.clock.nowMs += 1000;
};
const consent = (userId: string, body: object) =>
  call(saveConsent, { key, path: { userId }, body: { source: 'form', ...body } });
const historyOf = async (userId: string) =>
  (await call(listConsents, { key, path: { userId } })).json.consents;

describe('an opt-out by the link of an email', () => {
  it('holds for another user with the address, in whatever spelling', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    await use(link);
    expect(await reaches({ id: 'ada' })).toBe(false);
    expect(await reaches({ id: 'bob', email: 'Ada@Example.com' })).toBe(false);
    await call(saveUser, { key, path: { userId: 'cyd' }, body: { email: ADDRESS } });
    const { trackingId } = await sendTo({ id: 'cyd' });
    expect(reached).toEqual([ADDRESS]);
    expect(await recordOf(account, trackingId)).toMatchObject({
      email_routing: 'IGNORE',
      email_failed_internal: 'EMAIL is not sent: the address opted out.',
    });
    expect(await reaches({ id: 'bob' }, 'reset')).toBe(true);
    expect(await reaches({ id: 'eve', email: 'eve@example.com' })).toBe(true);
  });

  it('holds after the user was deleted and created again', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    await use(link);
    await remove('ada');
    expect(await reaches({ id: 'ada', email: ADDRESS })).toBe(false);
    await call(saveUser, { key, path: { userId: 'ada' }, body: { email: ADDRESS } });
    expect(await reaches({ id: 'ada' })).toBe(false);
    const stored = await everythingIn(app);
    expect(stored).toContain('optOuts');
  });

  it('is accepted after the user was erased, and keeps only a hash', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    const old = link;
    await remove('ada');
    expect((await use(old)).response.body).toContain('You are unsubscribed');
    const kept = (await everythingIn(app)).split('{"pk"').filter((each) => each.includes('optOuts'));
    expect(kept.join()).not.toMatch(/ada@|#ada|"ada"/i);
    expect(await reaches({ id: 'new', email: ADDRESS })).toBe(false);
    await use(old, { undo: 'true' });
    expect(await reaches({ id: 'new' })).toBe(true);
  });

  it.each([
    ['undo', () => use(link, { undo: 'true' }), true],
    ['their preferences page', () => choosePage(link, 'instant'), true],
    [
      'a call that states the consent',
      () => consent('ada', { notificationId: 'news', channel: 'EMAIL', state: 'given' }),
      true,
    ],
    ['a preference with a secret key', () => prefer(key, 'instant'), false],
    ['a preference with a public key', () => prefer(account.public.key, 'instant'), false],
    ['a reset of preferences', () => call(resetPreferences, { key, path: { userId: 'ada' } }), false],
    [
      'lifting a suppression',
      () => call(liftSuppression, { key, path: { userId: 'ada', channel: 'EMAIL' } }),
      false,
    ],
  ])('after %s, others with the address get it: %#', async (_, act, isEnded) => {
    await sendTo({ id: 'ada', email: ADDRESS });
    await use(link);
    app.clock.nowMs += 1000;
    await act();
    expect(await reaches({ id: 'bob', email: ADDRESS })).toBe(isEnded);
  });

  it('is ended by the person with a public key and their user hash', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    await use(link);
    const { environmentId } = account.environment;
    const { json } = await call(updateEnvironment, {
      key,
      path: { clientId: environmentId },
      body: { secureMode: true },
    });
    const headers = { 'x-user-hash': userHashOf(json.clientSecret, 'ada') };
    const body = [{ notificationId: 'news', channel: 'EMAIL', delivery: 'instant' }];
    app.clock.nowMs += 1000;
    const saved = await call(savePreferences, {
      key: account.public.key,
      path: { userId: 'ada' },
      headers,
      body,
    });
    expect(saved.status).toBe(200);
    expect(await reaches({ id: 'bob', email: ADDRESS })).toBe(true);
  });

  it('gives way to a later preference of the user, written by a secret key', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    await use(link);
    app.clock.nowMs += 1000;
    await prefer(key, 'instant');
    expect(await reaches({ id: 'ada' })).toBe(true);
    expect(await historyOf('ada')).toMatchObject([
      {
        notificationId: 'news',
        channel: 'EMAIL',
        state: 'given',
        source: 'api',
        actor: `key ${account.secret.id}`,
      },
      { notificationId: 'news', channel: 'EMAIL', state: 'withdrawn', source: 'link', actor: 'person' },
    ]);
  });

  it('is of its environment', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    await use(link);
    const other = (await call(createEnvironment, { key, body: { title: 'other' } })).json;
    const { json } = await call(createKey, {
      key,
      body: { keyType: 'secret', name: 'o', environmentId: other.clientId },
    });
    expect(await reaches({ id: 'ada', email: ADDRESS }, 'news', {}, json.key)).toBe(true);
  });
});

const prefer = (as: string, delivery: string) =>
  call(savePreferences, {
    key: as,
    path: { userId: 'ada' },
    body: [{ notificationId: 'news', channel: 'EMAIL', delivery }],
  });

async function choosePage(token: string, delivery: string) {
  const { response } = await call(showPage, { path: { token } });
  const name = /news(?:<.bdi>)?<.legend>\s*<label>.*?name="([^"]+)"/.exec(response.body ?? '')?.[1] ?? '';
  return call(savePage, { path: { token }, rawBody: new URLSearchParams({ [name]: delivery }).toString() });
}

describe('a complaint', () => {
  it('is an opt-out of the type that outlives the suppression', async () => {
    const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
    const suppress = { reason: 'Complaint' as const, details: {} };
    const receipt = {
      trackingId,
      prefix: 'email',
      channel: 'EMAIL',
      stage: 'failed',
      atMs: app.clock.nowMs,
      fields: {},
      suppress,
    };
    await deliver(followUp, { followUp: 'receipt', ...receipt, recipients: [ADDRESS] });
    expect(await reaches({ id: 'ada' }, 'reset')).toBe(false);
    await call(liftSuppression, { key, path: { userId: 'ada', channel: 'EMAIL' } });
    expect(await reaches({ id: 'ada' }, 'reset')).toBe(true);
    expect(await reaches({ id: 'ada' })).toBe(false);
  });
});

describe('an import', () => {
  it('carries an unsubscribe over as an opt-out of marketing: a password reset still arrives', async () => {
    const contacts = [{ line: 1, userId: 'ada', email: ADDRESS, optOut: 'csv' }];
    await writeContacts(apiOf(key), contacts, undefined, new Summary());
    expect(await reaches({ id: 'ada' })).toBe(false);
    expect(await reaches({ id: 'bob', email: ADDRESS }, 'offers')).toBe(false);
    expect(await reaches({ id: 'ada' }, 'reset')).toBe(true);
    expect(await historyOf('ada')).toMatchObject([
      { purpose: 'marketing', channel: 'EMAIL', state: 'withdrawn', source: 'csv' },
    ]);
    await consent('ada', { purpose: 'marketing', channel: 'EMAIL', state: 'given' });
    expect(await reaches({ id: 'ada' })).toBe(true);
  });
});

describe('addresses without an ID', () => {
  it('are one user in whatever case', async () => {
    await sendTo({ email: 'Ada@Example.com' });
    await use(link);
    expect(await reaches({ email: ADDRESS })).toBe(false);
    expect((await call(getUser, { key, path: { userId: ADDRESS } })).status).toBe(200);
    expect((await call(getUser, { key, path: { userId: 'Ada@Example.com' } })).status).toBe(400);
  });
});

describe('purpose', () => {
  it.each(['create', 'change'])('rejects a %s of a marketing type that cannot be turned off', async (how) => {
    const options = { EMAIL: { defaultDeliveryOption: 'instant', off: { enabled: false } } };
    const body = { purpose: 'marketing', options };
    const { status, json } =
      how === 'create'
        ? await call(createType, {
            key,
            body: { notificationId: 'x', title: 'x', channels: ['EMAIL'], ...body },
          })
        : await call(updateType, { key, path: { notificationId: 'news' }, body: { options } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('off.enabled');
  });
});

describe('the history of consent', () => {
  const save = (delivery: string) =>
    call(savePreferences, {
      key,
      path: { userId: 'ada' },
      body: [{ notificationId: 'news', channel: 'EMAIL', delivery }],
    });

  it('has one entry for a choice that is saved again, and another for each change', async () => {
    for (const delivery of ['off', 'off', 'instant', 'instant', 'off']) {
      await save(delivery);
      app.clock.nowMs += 1000;
    }
    const states = (await historyOf('ada')).map(({ state }: { state: string }) => state);
    expect(states).toHaveLength(3);
  });

  it('has one entry for a link that is used again, and one for the same choice after all marketing was turned off', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    const token = link;
    await use(token);
    await use(token);
    expect(await historyOf('ada')).toHaveLength(1);
    await save('instant');
    app.clock.nowMs += 1000;
    await use(token, { all: 'true' });
    app.clock.nowMs += 1000;
    await save('instant');
    expect(await historyOf('ada')).toHaveLength(4);
  });
});

describe('POST /users/{userId}/consents', () => {
  it.each([
    [{ channel: 'SMS', state: 'given' }],
    [{ purpose: 'marketing', notificationId: 'news', channel: 'SMS', state: 'given' }],
    [{ purpose: 'transactional', channel: 'SMS', state: 'given' }],
    [{ purpose: 'marketing', subNotificationId: 'a', channel: 'SMS', state: 'given' }],
    [{ notificationId: 'news', channel: 'FAX', state: 'given' }],
    [{ notificationId: 'news', channel: 'SMS', state: 'maybe' }],
  ])('rejects %j and changes nothing', async (body) => {
    expect((await consent('zoe', body)).status).toBe(400);
    expect(await historyOf('zoe')).toEqual([]);
  });
});

describe('marketing by text message', () => {
  const text = async () => {
    const body = { type: 'texts', to: { id: 'ada', number: '+14155550123' }, sms: { message: 'Sale' } };
    const { json } = await call(send, { key, body });
    return json.messages;
  };
  beforeEach(() =>
    call(createType, {
      key,
      body: { notificationId: 'texts', title: 't', channels: ['SMS'], purpose: 'marketing' },
    }),
  );

  it('needs a recorded consent', async () => {
    expect(await text()).toEqual(['SMS is not sent: the user has not consented to marketing on it.']);
    await call(savePreferences, {
      key,
      path: { userId: 'ada' },
      body: [{ notificationId: 'texts', channel: 'SMS', delivery: 'instant' }],
    });
    expect(await text()).toHaveLength(1);
  });

  it.each([
    ['to all marketing', { purpose: 'marketing' }],
    ['to the type', { notificationId: 'texts' }],
  ])('is sent with a consent %s, until it is withdrawn', async (_, scope) => {
    await consent('ada', { ...scope, channel: 'SMS', state: 'given' });
    expect(await text()).toEqual([]);
    app.clock.nowMs += 1000;
    await consent('ada', { ...scope, channel: 'SMS', state: 'withdrawn' });
    expect(await text()).toHaveLength(1);
  });

  it('is sent to a person who turned it on with a public key', async () => {
    await call(savePreferences, {
      key: account.public.key,
      path: { userId: 'ada' },
      body: [{ notificationId: 'texts', channel: 'SMS', delivery: 'instant' }],
    });
    expect(await text()).toEqual([]);
  });
});

describe('marketing by email', () => {
  const failure = async (html: string, over = {}) => {
    const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS }, 'news', {
      email: { subject: 's', html },
      ...over,
    });
    return (await recordOf(account, trackingId)).email_failed_internal;
  };

  it.each([
    ['no link', '<p>Shop Ltd, 1 High Street</p>', /unsubscribe_url/],
    ['no address', '<p>{{ unsubscribe_url }}</p>', /postalAddress/],
    ['part of the address', '<p>{{ unsubscribe_url }} Shop Ltd</p>', /postalAddress/],
  ])('is not sent with %s, and says why', async (_, html, reason) => {
    expect(await failure(html)).toMatch(reason);
    expect(reached).toEqual([]);
  });

  it('is not sent with copies, which would have the link, nor without an address of the account', async () => {
    const over = { options: { email: { ccAddresses: ['eve@example.com'] } } };
    expect(await failure(LAWFUL, over)).toMatch(/copies/);
    await call(updateAccount, { key, body: { postalAddress: null } });
    app.clock.nowMs += 60_000;
    expect(reached).toEqual([]);
  });

  it('needs neither when it is transactional', async () => {
    expect(
      await reaches({ id: 'ada', email: ADDRESS }, 'reset', { email: { subject: 's', html: 'h' } }),
    ).toBe(true);
  });
});

describe('all marketing', () => {
  it('is turned off by the link and back on, for other types and other users with the address', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    const token = link;
    const page = await use(token, { all: 'true' });
    expect(page.response.body).toContain('?undo=true&amp;all=true');
    expect(await reaches({ id: 'ada', email: ADDRESS }, 'offers')).toBe(false);
    expect(await reaches({ id: 'bob', email: ADDRESS }, 'offers')).toBe(false);
    expect(await reaches({ id: 'ada', email: ADDRESS }, 'reset')).toBe(true);
    await use(token, { all: 'true', undo: 'true' });
    expect(await reaches({ id: 'ada', email: ADDRESS }, 'offers')).toBe(true);
  });

  it('is offered by the page of a marketing type only, and chosen on the page of all choices', async () => {
    await sendTo({ id: 'ada', email: ADDRESS });
    const token = link;
    expect((await call(showUnsubscribe, { path: { token } })).response.body).toContain('?all=true');
    const html = (await call(showPage, { path: { token } })).response.body;
    const name = /All marketing[\s\S]*?name="([^"]+)"/.exec(html)?.[1] ?? '';
    await call(savePage, { path: { token }, rawBody: new URLSearchParams({ [name]: 'off' }).toString() });
    expect(await reaches({ id: 'ada', email: ADDRESS }, 'offers')).toBe(false);
    await sendTo({ id: 'ada', email: ADDRESS }, 'reset');
    expect((await call(showUnsubscribe, { path: { token: link } })).response.body).not.toContain('all=true');
    await use(link, { all: 'true' });
    expect(await reaches({ id: 'ada', email: ADDRESS }, 'reset')).toBe(false);
  });
});
