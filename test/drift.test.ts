import { describe, expect, it } from 'vitest';
import { ROUTES } from '../functions/routes.ts';
import { WORKERS } from '../functions/workers.ts';
import { renderPage } from '../infra/local/reference/guide-pages.ts';
import { buildErrorsPage } from '../scripts/openapi/errors-page.ts';
import { buildReference } from '../scripts/openapi/reference.ts';
import { buildServiceParameters, withParameters } from '../scripts/openapi/service-parameters.ts';
import { docsOfCode } from '../shared/domain/logs/explanations.ts';
import { fileNameOf } from '../shared/http/rows/route.ts';
import { docsOf, ERRORS } from '../shared/runtime/errors.ts';
import { CHANNELS } from '../shared/schemas/channel.ts';
import { CATCH_ALL_CODE, FAILURE_CODES } from '../shared/schemas/logs/failure-codes.ts';
import { Routing, RoutingReason } from '../shared/schemas/logs/log-record.ts';
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

describe('the reference', () => {
  it('matches the code: npm run openapi writes it', () => {
    expect(read('docs/reference.md')).toBe(buildReference());
  });
});

describe('the properties of the construct', () => {
  it('match the parameters: npm run openapi writes them', () => {
    expect(read('infra/aws/parameters/service-parameters.ts')).toBe(buildServiceParameters());
    expect(read('cdk/API.md')).toBe(withParameters(read('cdk/API.md')));
  });
});

describe('the page of errors', () => {
  const page = read('docs/errors.md');
  const anchors = new Set(
    [...renderPage('docs/errors.md', page).html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id),
  );
  const anchorOf = (docs: string | undefined) => docs?.split('#')[1] ?? '';

  it('matches the code: npm run openapi writes it', () => {
    expect(page).toBe(buildErrorsPage());
  });

  it('has an anchor for every error code, with its status', () => {
    expect(Object.keys(ERRORS).filter((code) => !anchors.has(anchorOf(docsOf(code))))).toEqual([]);
    for (const [code, { status }] of Object.entries(ERRORS))
      expect(page).toContain(`### ${code}\n\n${status}. `);
  });

  it.each(CHANNELS)('has an anchor for every failure code and routing value of %s', (channel) => {
    const codes = [...FAILURE_CODES[channel], ...Routing.options, ...RoutingReason.options];
    expect(codes.filter((code) => !anchors.has(anchorOf(docsOfCode(channel, code))))).toEqual([]);
    expect(docsOfCode(channel, 'toString')).toBeUndefined();
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
