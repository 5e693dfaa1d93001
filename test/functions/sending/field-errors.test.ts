import { beforeEach, describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as previewTemplate } from '../../../functions/templates/preview-template.ts';
import { handler as saveTranslations } from '../../../functions/translations/save-translations.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as listUsers } from '../../../functions/users/list-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount, type TestAccount, type TestRequest } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
let account: TestAccount;
beforeEach(async () => {
  account = await createTestAccount(app);
});

type Handler = Parameters<typeof call>[0];
const TO = { type: 't', to: { id: 'ada', email: 'a@example.com' } };
const BAD = 'ok\n{% nope %}';
const TEMPLATES = { notificationId: 'welcome', channel: 'EMAIL' };

async function errorsOf(handler: Handler, request: TestRequest) {
  const { status, json } = await call(handler, { key: account.secret.key, ...request });
  expect(status).toBe(400);
  return json.error.errors.map(({ path, code }: { path: string; code: string }) => [path, code]);
}

describe('errors of a response', () => {
  it.each<[string, Handler, TestRequest, [string, string][]]>([
    [
      'an unknown field',
      saveUser,
      { path: { userId: 'a' }, body: { emial: 'x' } },
      [['emial', 'UNKNOWN_FIELD']],
    ],
    [
      'fields of several kinds',
      send,
      {
        body: {
          ...TO,
          options: { email: { retryHours: 100, ccAddresses: 'x' } },
          forceChannels: ['FAX'],
          sms: {},
          email: { subject: 5, html: 'h' },
        },
      },
      [
        ['forceChannels[0]', 'UNKNOWN_VALUE'],
        ['options.email.ccAddresses', 'WRONG_TYPE'],
        ['options.email.retryHours', 'TOO_LARGE'],
        ['email.subject', 'WRONG_TYPE'],
      ],
    ],
    [
      'a missing recipient',
      send,
      { body: { type: 't', sms: { message: 'm' } } },
      [['to', 'MISSING_RECIPIENT']],
    ],
    [
      'a schedule',
      send,
      { body: { ...TO, schedule: 'soon', sms: { message: 'm' } } },
      [['schedule', 'INVALID_SCHEDULE_FORMAT']],
    ],
    ['a body without JSON', send, { rawBody: '{' }, [['', 'INVALID_JSON']]],
    ['a list as the body', send, { body: [] }, [['', 'WRONG_TYPE']]],
    ['a query', listUsers, { query: { limit: '0' } }, [['query.limit', 'INVALID']]],
    ['a cursor', listUsers, { query: { cursor: 'x' } }, [['query.cursor', 'INVALID_CURSOR']]],
    [
      'a header',
      send,
      { headers: { 'idempotency-key': ' ' }, body: { ...TO, sms: { message: 'm' } } },
      [['header.Idempotency-Key', 'INVALID']],
    ],
    ['a path', saveUser, { path: { userId: '' }, body: {} }, [['path.userId', 'INVALID']]],
    [
      'Liquid of two channels',
      send,
      { body: { ...TO, email: { subject: BAD, html: 'h' }, chat: { text: BAD } } },
      [
        ['email.subject', 'INVALID_TEMPLATE'],
        ['chat.text', 'INVALID_TEMPLATE'],
      ],
    ],
    [
      'a condition',
      send,
      { body: { ...TO, sms: { message: 'm' }, options: { email: { condition: BAD } } } },
      [['options.email.condition', 'INVALID_TEMPLATE']],
    ],
    [
      'Liquid beside a field',
      send,
      { body: { ...TO, smss: 1, sms: { message: BAD } } },
      [
        ['smss', 'UNKNOWN_FIELD'],
        ['sms.message', 'INVALID_TEMPLATE'],
      ],
    ],
    [
      'an unknown component',
      send,
      { body: { ...TO, email: { subject: 's', html: "{% component 'x' %}" } } },
      [['email.html', 'INVALID_TEMPLATE']],
    ],
    [
      'a direct email',
      sendEmail,
      { body: { type: 't', to: 'a@example.com', subject: 's', html: BAD } },
      [['html', 'INVALID_TEMPLATE']],
    ],
    [
      'a component of a direct email',
      sendEmail,
      { body: { type: 't', to: 'a@example.com', subject: 's', html: "{% component 'x' %}" } },
      [['html', 'INVALID_TEMPLATE']],
    ],
    [
      'a component',
      createComponent,
      { body: { componentId: 'c', name: 'c', html: BAD } },
      [['html', 'INVALID_TEMPLATE']],
    ],
    [
      'a message of translations',
      saveTranslations,
      { path: { locale: 'de' }, body: { a: '{n, plural, one {x}}' } },
      [['a', 'INVALID']],
    ],
    ['tracking IDs', getLogs, { path: { trackingIds: ',' } }, [['path.trackingIds', 'INVALID']]],
  ])('name the field and its code: %s', async (_, handler, request, expected) => {
    expect(await errorsOf(handler, request)).toEqual(expected);
  });

  it('have the place in the text of a template', async () => {
    await call(createType, {
      key: account.secret.key,
      body: { notificationId: 'welcome', channels: ['EMAIL'] },
    });
    const draft = { subject: 's', html: BAD };
    const error = (json: { error: { errors: unknown[] } }) => json.error.errors[0];
    const at = {
      code: 'INVALID_TEMPLATE',
      line: 2,
      column: 1,
      message: 'there is no tag "nope" here (line 2, column 1)',
    };
    const created = await call(createTemplate, {
      key: account.secret.key,
      path: TEMPLATES,
      body: { templateId: 'a', ...draft },
    });
    expect(error(created.json)).toEqual({ path: 'html', ...at });
    const preview = await call(previewTemplate, {
      key: account.secret.key,
      path: TEMPLATES,
      body: { template: draft },
    });
    expect(error(preview.json)).toEqual({ path: 'template.html', ...at });
  });

  it('of an entry of a bulk request are those of POST /send', async () => {
    const notifications = [
      { ...TO, sms: { message: 'fine' } },
      { ...TO, emial: 1, to: { id: 'a', number: '5' } },
      { ...TO, sms: { message: BAD } },
      { ...TO, schedule: 'soon', sms: { message: 'm' } },
      'text',
    ];
    const { json } = await call(sendBulk, { key: account.secret.key, body: { notifications } });
    for (const [index, entry] of notifications.entries()) {
      const single = await call(send, { key: account.secret.key, body: entry });
      expect(json.results[index].error?.errors, String(index)).toEqual(single.json.error?.errors);
    }
    expect(json.results[1].error.errors).toEqual([
      { path: 'emial', code: 'UNKNOWN_FIELD', message: 'is not a field: did you mean email?' },
      {
        path: 'to.number',
        code: 'INVALID',
        message: 'must be a possible phone number, such as +14155550123',
      },
    ]);
  });

  it('are left out where no field is wrong', async () => {
    const { json } = await call(send, { key: 'wrong', body: {} });
    expect(json.error.errors).toBeUndefined();
  });
});
