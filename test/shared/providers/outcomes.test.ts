import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChannelProvider, DeliveryOutcome } from '../../../shared/channels/channel.ts';
import { findSesFailure } from '../../../shared/channels/email/ses-failure.ts';
import { SES_OUTCOMES } from '../../../shared/channels/email/ses-outcomes.ts';
import { findSmtpFailure } from '../../../shared/channels/email/smtp-failure.ts';
import { PROOFS } from '../../../shared/channels/not-accepted.ts';
import {
  AWS_EXCEPTIONS,
  AWS_FIELDS,
  AWS_MISSING_RESOURCES,
  AWS_REASONS,
} from '../../../shared/channels/phone/aws-codes.ts';
import { findAwsFailure } from '../../../shared/channels/phone/aws-failure.ts';
import { classifyFailure } from '../../../shared/channels/phone/provider-failure.ts';
import { TELNYX_CODES } from '../../../shared/channels/phone/telnyx-codes.ts';
import { TWILIO_CODES } from '../../../shared/channels/phone/twilio-codes.ts';
import type { ProviderCalls } from '../../../shared/database/entities/provider-calls.ts';
import { createBreakers } from '../../../shared/providers/breakers.ts';
import { failover } from '../../../shared/providers/failover.ts';
import { callsInMemory } from './calls-in-memory.ts';

/** What happened at a provider: what it makes of it, and whether it may have the message all the same. */
type Happening = { outcome: DeliveryOutcome; mayHave: boolean };

/** Codes say nothing of the moment: an established connection, too, can end with EHOSTUNREACH. */
const BROKEN = [
  ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'EPROTO', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
];
const STATUSES = [200, 302, 400, 401, 402, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504];
/** Without a response, or with one of these, nobody knows what lies behind it; a 4xx and a 503 are decisions. */
const isOpen = (status: number) => status < 300 || (status >= 500 && status !== 503);
const retryAfter = fc.constantFrom(undefined, '1', '29', '30', '3600');

const phone = (codes: string[], table: typeof TWILIO_CODES): fc.Arbitrary<Happening> =>
  fc.oneof(
    fc.boolean().map((written) => ({
      outcome: classifyFailure({ kind: 'timeout', written }, undefined, table, 0),
      mayHave: written,
    })),
    fc.tuple(fc.constantFrom(...BROKEN), fc.boolean()).map(([reason, written]) => ({
      outcome: classifyFailure({ kind: 'unreachable', reason, written }, undefined, table, 0),
      mayHave: written,
    })),
    fc
      .record({ status: fc.constantFrom(...STATUSES), code: fc.constantFrom(...codes), after: retryAfter })
      .map(({ status, code, after }) => {
        const headers: Record<string, string> = after ? { 'retry-after': after } : {};
        const answer = { kind: 'answer', status, headers, body: '' } as const;
        const error = code === '' ? undefined : { code, text: 'no' };
        // A code in the body says that the provider itself has decided, whatever the status.
        const isDecided = error !== undefined && status >= 400;
        return { outcome: classifyFailure(answer, error, table, 0), mayHave: isOpen(status) && !isDecided };
      }),
  );

const SDK_NAMES = ['TimeoutError', 'AbortError', 'CredentialsProviderError', 'Error'];
const sdk = (
  names: string[],
  judge: (thrown: unknown) => DeliveryOutcome | undefined,
): fc.Arbitrary<Happening> =>
  fc
    .record({
      name: fc.constantFrom(...names, ...SDK_NAMES),
      code: fc.constantFrom('', ...BROKEN),
      requestWritten: fc.constantFrom(undefined, false),
      message: fc.constantFrom(
        '',
        'Email address is not verified',
        'Daily message quota exceeded',
        'Maximum sending rate exceeded',
        'the request socket did not establish a connection with the server within the configured timeout',
      ),
      status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined }),
      attempts: fc.constantFrom(1, 2),
      Reason: fc.constantFrom(undefined, ...Object.keys(AWS_REASONS)),
      ResourceType: fc.constantFrom(undefined, 'configuration-set', ...Object.keys(AWS_MISSING_RESOURCES)),
      Fields: fc.constantFrom(
        [],
        [{ Name: 'MessageBody' }],
        ...Object.keys(AWS_FIELDS).map((Name) => [{ Name }]),
      ),
    })
    .map(({ status, attempts, ...thrown }) => {
      const outcome = judge({ ...thrown, $metadata: { httpStatusCode: status, attempts } });
      const neverConnected =
        thrown.requestWritten === false ||
        thrown.message.includes('did not establish') ||
        thrown.name === 'CredentialsProviderError';
      const isDetailed = thrown.Reason !== undefined || thrown.ResourceType !== undefined;
      const isByAws = names.includes(thrown.name) || (isDetailed && names === AWS_NAMES);
      const isNamed = status !== undefined && status >= 300 && isByAws;
      const mayHave = status === undefined ? !neverConnected : isOpen(status) && !isNamed;
      return { outcome: outcome ?? { kind: 'retry', code: 'UNKNOWN', internal: 'thrown on' }, mayHave };
    });

const smtp: fc.Arbitrary<Happening> = fc
  .record({
    code: fc.constantFrom(
      'ECONNECTION',
      'ESOCKET',
      'ETIMEDOUT',
      'EDNS',
      'ETLS',
      'EAUTH',
      'EENVELOPE',
      'EMESSAGE',
    ),
    command: fc.constantFrom('CONN', 'EHLO', 'STARTTLS', 'AUTH PLAIN', 'MAIL FROM', 'RCPT TO', 'DATA'),
    responseCode: fc.option(
      fc.constantFrom(421, 450, 451, 452, 454, 501, 530, 534, 535, 538, 550, 551, 552, 553, 554),
      { nil: undefined },
    ),
    response: fc.constantFrom(
      '',
      'Daily message quota exceeded',
      '452 4.2.2 mailbox full',
      ...['5.1.1', '5.1.2', '5.1.3', '5.1.8', '5.1.10', '5.2.2', '5.2.3', '5.3.4', '5.6.1', '5.7.1'].map(
        (enhanced) => `550 ${enhanced} no`,
      ),
    ),
    isLate: fc.boolean(),
  })
  .map(({ isLate, ...thrown }) => {
    // After DATA nobody logs in any more; a reply to DATA comes after it was written.
    const dataBegun = thrown.code !== 'EAUTH' && (isLate || thrown.command === 'DATA');
    const outcome = findSmtpFailure(thrown, 'ada@example.com', { dataBegun });
    return {
      outcome: outcome ?? { kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'thrown on' },
      mayHave: dataBegun && thrown.responseCode === undefined,
    };
  });

const SES_NAMES = [
  ...SES_OUTCOMES.map(({ exception }) => exception).filter((name) => typeof name === 'string'),
  ...['TooManyRequestsException', 'ThrottlingException', 'ExpiredTokenException'],
];
const AWS_NAMES = [...Object.keys(AWS_EXCEPTIONS), 'ConflictException', 'ValidationException'];
const HAPPENINGS = {
  twilio: phone(['', '99999', ...Object.keys(TWILIO_CODES)], TWILIO_CODES),
  telnyx: phone(['', '99999', ...Object.keys(TELNYX_CODES)], TELNYX_CODES),
  ses: sdk(SES_NAMES, (thrown) => findSesFailure(thrown, 1, () => 0)),
  aws: sdk(AWS_NAMES, (thrown) => findAwsFailure(thrown, 0)),
  smtp,
};

it.each(Object.entries(HAPPENINGS))('%s proves nothing of a message that it may have', (_, happening) => {
  fc.assert(
    fc.property(happening, ({ outcome, mayHave }) => {
      if (outcome.notAccepted !== undefined) expect(mayHave).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

/** Causes after which no other provider is tried. */
const OF_MESSAGE: string[] = ['message', 'open'];

/** Codes whose cause may be the provider or the sender; every other one concerns the recipient or the content. */
const OF_PROVIDER = [
  ...['Unknown', '21612', '40010', '21215'],
  ...['UNVERIFIED_SENDER', 'UNDETERMINED_BOUNCE', 'PERMANENT_GENERAL_BOUNCE', 'TRANSIENT_GENERAL_BOUNCE'],
];

it.each(Object.entries(HAPPENINGS))(
  '%s lets no other provider try for a fault of the recipient or the content',
  (_, happening) => {
    fc.assert(
      fc.property(happening, ({ outcome }) => {
        if (outcome.kind !== 'rejected' || OF_PROVIDER.includes(outcome.code)) return;
        expect(outcome.notAccepted).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  },
);

it('never sends a message to two providers that may both have it, whatever happens', async () => {
  const any = fc.oneof(...Object.values(HAPPENINGS));
  const sent = fc.constant<Happening>({ outcome: { kind: 'sent', fields: {} }, mayHave: true });
  const step = fc.oneof(
    { weight: 6, arbitrary: any },
    { weight: 1, arbitrary: sent },
    { weight: 1, arbitrary: fc.constant('killed' as const) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 24 }),
      fc.integer({ min: 0, max: 9 }),
      async (script, killedAt) => {
        const steps = script.values();
        const having = new Set<string>();
        const provider = (name: string): ChannelProvider<'SMS'> => ({
          name,
          async deliver() {
            const next = steps.next().value ?? 'killed';
            if (next === 'killed' || next.mayHave) having.add(name);
            if (next === 'killed') throw new Error('killed');
            return next.outcome as DeliveryOutcome<'SMS'>;
          },
        });
        const stored = callsInMemory(new Map());
        let writes = 0;
        const calls: ProviderCalls = {
          ...stored,
          async keep(...written) {
            writes += 1;
            if (writes === killedAt) throw new Error('killed');
            await stored.keep(...written);
          },
        };
        let nowMs = 1_800_000_000_000;
        for (let attempt = 1; attempt <= 6; attempt += 1) {
          nowMs += 20_000;
          const deps = { calls, breakers: createBreakers(calls), clock: { now: () => nowMs } };
          const chain = failover('SMS', [provider('one'), provider('two'), provider('three')], deps);
          const delivery = {
            trackingId: 't1',
            accountId: 'a',
            environmentId: 'e',
            notificationId: 'n',
            userId: 'u',
          };
          const outcome = await chain
            .deliver({ ...delivery, attempt, to: '+12025550123', message: 'Hi', mediaUrls: [] })
            .catch(() => undefined);
          if (outcome?.kind === 'sent' || outcome?.kind === 'rejected') break;
        }
        expect(having.size).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 2000 },
  );
});

const TABLES = { twilio: TWILIO_CODES, telnyx: TELNYX_CODES };

it.each(Object.entries(TABLES))('%s has the outcome that its table lists, with every status', (_, table) => {
  const row = fc.constantFrom(...Object.entries(table));
  const status = fc.constantFrom(...STATUSES.filter((each) => each >= 400));
  fc.assert(
    fc.property(row, status, retryAfter, ([code, { kind, code: recorded, cause }], answered, after) => {
      const headers: Record<string, string> = after ? { 'retry-after': after } : {};
      const answer = { kind: 'answer', status: answered, headers, body: '' } as const;
      const { notAccepted, ...outcome } = classifyFailure(answer, { code, text: 'no' }, table, 0);
      expect(outcome).toMatchObject({ kind, code: recorded });
      if (cause !== undefined) expect(notAccepted).toBe(OF_MESSAGE.includes(cause) ? undefined : cause);
    }),
    { numRuns: 2000 },
  );
});

it.each(Object.entries(AWS_REASONS))(
  'aws has the outcome that its table lists for %s',
  (Reason, { kind, code, cause }) => {
    for (const name of ['ValidationException', 'ConflictException', 'AccessDeniedException']) {
      const thrown = { name, Reason, $metadata: { httpStatusCode: 400, attempts: 1 } };
      const { notAccepted, ...outcome } = findAwsFailure(thrown, 0) ?? {};
      expect(outcome).toMatchObject({ kind, code });
      expect(notAccepted).toBe(OF_MESSAGE.includes(cause ?? '') ? undefined : cause);
    }
  },
);

it('is listed completely in docs/concepts/failover.md', () => {
  const rows = readFileSync('docs/concepts/failover.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const expectListed = (source: string, sign: string, proves: string) => {
    const signs = [`\`${sign}\``, `\`${proves}\``];
    const row = rows.find(
      (line) => line.startsWith(`| ${source}`) && signs.every((each) => line.includes(each)),
    );
    expect({ sign, row }).toEqual({ sign, row: expect.any(String) });
  };
  for (const table of Object.values(PROOFS)) {
    for (const [sign, proves] of Object.entries(table)) expectListed('', sign, proves);
  }
  for (const { exception, cause } of SES_OUTCOMES) {
    const isProof = cause !== undefined && !OF_MESSAGE.includes(cause);
    if (isProof && typeof exception === 'string') expectListed('SES', exception, cause);
  }
  const aws = [AWS_REASONS, AWS_MISSING_RESOURCES, AWS_EXCEPTIONS];
  const sources = { Twilio: [TWILIO_CODES], Telnyx: [TELNYX_CODES], 'AWS End User Messaging': aws };
  for (const [source, tables] of Object.entries(sources)) {
    for (const [code, { cause }] of tables.flatMap((table) => Object.entries(table))) {
      if (cause !== undefined && !OF_MESSAGE.includes(cause)) expectListed(source, code, cause);
    }
  }
});
