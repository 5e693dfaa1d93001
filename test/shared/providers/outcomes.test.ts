import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChannelProvider, DeliveryOutcome } from '../../../shared/channels/channel.ts';
import { SES_OUTCOMES } from '../../../shared/channels/email/ses/ses-outcomes.ts';
import { PROOFS } from '../../../shared/channels/failure/not-accepted.ts';
import {
  AWS_EXCEPTIONS,
  AWS_MISSING_RESOURCES,
  AWS_REASONS,
} from '../../../shared/channels/phone/aws/aws-codes.ts';
import { findAwsFailure } from '../../../shared/channels/phone/aws/aws-failure.ts';
import { classifyFailure } from '../../../shared/channels/phone/outcome/provider-failure.ts';
import { TELNYX_CODES } from '../../../shared/channels/phone/telnyx/telnyx-codes.ts';
import { TWILIO_CODES } from '../../../shared/channels/phone/twilio/twilio-codes.ts';
import type { ProviderCalls } from '../../../shared/database/entities/sending/provider-calls.ts';
import { createBreakers } from '../../../shared/providers/order/breakers.ts';
import { failover } from '../../../shared/providers/order/failover.ts';
import { callsInMemory } from './calls-in-memory.ts';
import { HAPPENINGS, type Happening, retryAfter, STATUSES } from './happenings.ts';

it.each(Object.entries(HAPPENINGS))('%s proves nothing of a message that it may have', (_, happening) => {
  fc.assert(
    fc.property(happening, ({ outcome, mayHave }) => {
      if (outcome.notAccepted !== undefined) expect(mayHave).toBe(false);
    }),
    { numRuns: 500 },
  );
});

/** Causes after which no other provider is tried. */
const OF_MESSAGE: string[] = ['message', 'open'];

/** Codes that can be the provider's or the sender's fault; every other code concerns the recipient or the content. */
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
      { numRuns: 500 },
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
    { numRuns: 500 },
  );
});

const TABLES = { twilio: TWILIO_CODES, telnyx: TELNYX_CODES };

it.each(Object.entries(TABLES))('%s has the outcome that its table lists, with every status', (_, table) => {
  const row = fc.constantFrom(...Object.entries(table));
  const status = fc.constantFrom(...STATUSES.filter((each) => each >= 400));
  fc.assert(
    fc.property(row, status, retryAfter, ([code, { kind, code: recorded, cause }], answered, after) => {
      const headers: Record<string, string> = after ? { 'retry-after': after } : {};
      const response = { kind: 'response', status: answered, headers, body: '' } as const;
      const { notAccepted, ...outcome } = classifyFailure(response, { code, text: 'no' }, table, 0);
      expect(outcome).toMatchObject({ kind, code: recorded });
      if (cause !== undefined) expect(notAccepted).toBe(OF_MESSAGE.includes(cause) ? undefined : cause);
    }),
    { numRuns: 500 },
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

it('lists every outcome in docs/concepts/failover.md', () => {
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
