import { describe, expect, it } from 'vitest';
import { ROUTES } from '../functions/routes.ts';
import { WORKERS } from '../functions/workers.ts';
import { buildReference, withLogCodes } from '../scripts/reference.ts';
import { fileNameOf } from '../shared/http/route.ts';
import { ERRORS } from '../shared/runtime/errors.ts';
import { CHANNELS } from '../shared/schemas/channel.ts';
import { CATCH_ALL_CODE, FAILURE_CODES } from '../shared/schemas/failure-codes.ts';
import { filesBelow, read } from './support/project-files.ts';

const HANDLER = /^export (const|(async )?function) handler\b/m;
const HANDLERS = filesBelow('functions', '.ts').filter((file) => HANDLER.test(read(file)));
const isWorker = (file: string) => file.startsWith('functions/workers/');

describe('the tables of routes and workers', () => {
  it('have a handler for every route, and a route for every handler', () => {
    const wanted = ROUTES.map((row) => `functions/${row.resource}/${fileNameOf(row.id)}.ts`).sort();
    expect(HANDLERS.filter((file) => !isWorker(file))).toEqual(wanted);
  });

  it('have a handler for every worker, and a worker for every handler', () => {
    const wanted = WORKERS.map(({ concern, name }) => `functions/workers/${concern}/${name}.ts`).sort();
    expect(HANDLERS.filter(isWorker)).toEqual(wanted);
  });

  it('have every route and worker once', () => {
    for (const names of [
      ROUTES.map(({ id }) => id),
      ROUTES.map(({ method, path }) => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`),
      WORKERS.map(({ name }) => name),
    ]) {
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  it('use the route of a handler in its own file', () => {
    const strays = ROUTES.filter(
      ({ resource, id }) => !read(`functions/${resource}/${fileNameOf(id)}.ts`).includes(`${id}Route`),
    );
    expect(strays.map(({ id }) => id)).toEqual([]);
  });
});

describe('the page of the delivery log', () => {
  it('explains every routing value and failure code like the code: npm run openapi writes it', () => {
    const page = read('docs/concepts/delivery-log.md');
    expect(withLogCodes(page)).toBe(page);
  });
});

describe('the reference', () => {
  it('matches the code: npm run openapi writes it', () => {
    expect(read('docs/reference.md')).toBe(buildReference());
  });

  it('lists every error code with its status, and no other', () => {
    const rows = [
      ...read('docs/reference.md').matchAll(/^\| *`?([A-Z][A-Z_]+)`? *\| *(\d{3}) *\| *(.+?) *\|$/gm),
    ];
    const documented = Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]));
    const wanted = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
    expect(documented).toEqual(wanted);
    expect(rows).toHaveLength(Object.keys(ERRORS).length);
  });
});

const PHONE = [
  '13224 21211 21215 21265 21610 21614 21612 30005 30006 30007 30008 30453 40001 40002 40010 40300',
  'Unknown MISSING_SMS_RECIPIENT MISSING_SMS_MESSAGE INVALID_PHONE_NUMBER',
]
  .join(' ')
  .split(' ');

describe('the failure codes', () => {
  it('match the documented ones exactly', () => {
    expect(FAILURE_CODES).toEqual({
      EMAIL: [
        'UNVERIFIED_SENDER',
        'PERMANENT_GENERAL_BOUNCE',
        'PERMANENT_NO_EMAIL_BOUNCE',
        'PERMANENT_SUPPRESSED_BOUNCE',
        'TRANSIENT_GENERAL_BOUNCE',
        'TRANSIENT_MAILBOX_FULL_BOUNCE',
        'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
        'TRANSIENT_CONTENT_REJECTED_BOUNCE',
        'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE',
        'UNDETERMINED_BOUNCE',
        'COMPLAINT_ABUSE',
        'COMPLAINT_AUTH',
        'COMPLAINT_FRAUD',
        'COMPLAINT_NOT_SPAM',
        'COMPLAINT_OTHER',
        'COMPLAINT_VIRUS',
        'SUPPRESSED_COMPLAINT',
        'SUPPRESSED_BOUNCE',
        'MISSING_EMAIL_RECIPIENT',
        'MISSING_EMAIL_SUBJECT',
        'MISSING_EMAIL_HTML',
      ],
      INAPP_WEB: ['IN_APP_WEB_FAILED', 'UNKNOWN'],
      SMS: PHONE,
      CALL: PHONE,
      PUSH: ['NO_APN_CONFIG', 'NO_FCM_CONFIG', 'INVALID_APN_TOKEN', 'INVALID_FCM_TOKEN', 'UNKNOWN'],
      WEB_PUSH: ['UNSUBSCIRBED_OR_EXPIRED', 'UNKNOWN'],
      CHAT: [
        'CHANNEL_NOT_FOUND',
        'NOT_IN_CHANNEL',
        'CHANNEL_ARCHIVED',
        'MESSAGE_TOO_LONG',
        'NO_TEXT',
        'RESTRICTED_ACTION',
        'TOKEN_EXPIRED',
        'INVALID_AUTH',
        'UNKNOWN',
      ],
    });
  });

  it('include a code for everything without a more specific one', () => {
    for (const channel of CHANNELS) {
      const codes: readonly string[] = FAILURE_CODES[channel];
      expect(codes).toContain(CATCH_ALL_CODE[channel]);
    }
  });
});
