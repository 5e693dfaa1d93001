import { beforeEach, describe, expect, it } from 'vitest';
import { sendRoute } from '../../functions/sending/routes.ts';
import { createRequestLog } from '../../infra/local/sandbox/requests.ts';
import { type FakeReply, startHttpFake } from '../support/fakes/http-fake.ts';
import { later, use } from '../support/use-started.ts';
import { startFakeAws } from './fake-aws.ts';

const aws = later(startFakeAws);
const asked: { target: string; body: Record<string, unknown> }[] = [];
const watch = later(() =>
  startHttpFake(({ headers, body }): FakeReply => {
    const target = String(headers['x-amz-target']).split('.')[1] ?? '';
    const input = JSON.parse(body.toString('utf8'));
    asked.push({ target, body: input });
    return { status: 200, body: RESPONSES[target]?.(input) ?? {} };
  }),
);
use(aws, watch);

const row = (fields: object) => Object.entries(fields).map(([field, value]) => ({ field, value }));
/** The first group of the query has refusals of `send`, the gateway's group has its own. */
const RESPONSES: Record<string, (input: Record<string, unknown>) => object> = {
  StartQuery: ({ logGroupNames }) => ({ queryId: [logGroupNames].flat().join(' ') }),
  GetQueryResults: ({ queryId }) => ({
    status: 'Complete',
    results: /-send( |$)/.test(String(queryId))
      ? [row({ status: '402', code: 'PAYMENT_REQUIRED', operation: 'send', keyId: 'k1', lines: '17' })]
      : /access$/.test(String(queryId))
        ? [row({ status: '429', routeKey: 'POST /send', lines: '3' })]
        : [],
  }),
  DescribeAlarmHistory: () => ({
    AlarmHistoryItems: [
      {
        AlarmName: 'notifications-dev-message-faults',
        Timestamp: 1763647800,
        HistorySummary: 'Alarm updated from OK to ALARM',
      },
      { AlarmName: 'another-alarm', Timestamp: 1763647800, HistorySummary: 'no' },
    ],
  }),
};
const RANGE = ['--account', 'a1', '--from', '2025-11-20T14:00:00Z', '--to', '2025-11-20T15:00:00Z'];
const run = (...args: string[]) =>
  aws.run('explain.ts', args, {
    AWS_ENDPOINT_URL_CLOUDWATCH: watch.url,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: watch.url,
  });

beforeEach(() => {
  asked.length = 0;
  aws.functions.clear();
  // Two pages in the first quarter of the hour.
  aws.functions.set('notifications-dev-explain', (({ from, start }: Record<string, string>) => {
    if (!from?.includes('T14:00')) return { isKnown: true, counts: {} };
    const counts = { '2025-11-20T14:03': { accepted: 2, 'EMAIL sent': 1, 'EMAIL failed TIMEOUT': 1 } };
    return { isKnown: true, counts, ...(start ? {} : { next: 'there' }) };
  }) as never);
});

describe('npm run explain', () => {
  it('shows outcomes, refusals, releases and alarms of the time, and the minutes', async () => {
    const { code, output } = await run(...RANGE);
    expect(code).toBe(0);
    const lines = output.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
    expect(lines).toEqual(
      expect.arrayContaining([
        '4 accepted',
        '2 EMAIL failed TIMEOUT',
        '17 402 PAYMENT_REQUIRED send k1',
        '3 429 POST /send',
        '2025-11-20T14:10:00.000Z notifications-dev-message-faults Alarm updated from OK to ALARM',
        '2025-11-20T14:03 accepted 4 EMAIL sent 2, EMAIL failed TIMEOUT 2',
      ]),
    );
    expect(output).not.toContain('another-alarm');
    const queries = asked.filter(({ target }) => target === 'StartQuery');
    for (const { body } of queries) expect([body.logGroupNames].flat().length).toBeLessThanOrEqual(50);
    expect(
      queries.filter(({ body }) => String(body.queryString).includes('accountId = "a1"')).length,
    ).toBeGreaterThan(1);
  });

  it('lists the releases of the time, also of a stack that was released again since', async () => {
    const at = (time: string) => Date.parse(`2025-11-20T${time}Z`);
    const releasedAtMs = [at('15:00:00'), at('14:59:59'), at('14:00:00'), at('13:59:59')];
    aws.stacks.set('notifications-dev-delivery', { updatedAtMs: at('16:00:00'), releasedAtMs });
    aws.stacks.set('notifications-devil-delivery', { updatedAtMs: at('14:30:00') });
    const { output } = await run(...RANGE, '--json');
    expect(JSON.parse(output).releases).toEqual([
      '2025-11-20T14:00:00.000Z notifications-dev-delivery UPDATE_COMPLETE',
      '2025-11-20T14:59:59.000Z notifications-dev-delivery UPDATE_COMPLETE',
    ]);
  });

  it('asks for lines of exactly the time, in whole seconds and by a filter', async () => {
    await run('--account', 'a1', '--from', '2025-11-20T23:59:59.5+01:00', '--to', '2025-11-21T00:00:00.25Z');
    const body = asked.find(({ target }) => target === 'StartQuery')?.body;
    const [fromMs, toMs] = [Date.parse('2025-11-20T22:59:59.500Z'), Date.parse('2025-11-21T00:00:00.250Z')];
    expect(body).toMatchObject({ startTime: Math.floor(fromMs / 1000), endTime: Math.ceil(toMs / 1000) });
    expect(body?.queryString).toContain(`>= ${fromMs} and toMillis(@timestamp) < ${toMs} |`);
  });

  it('ends with the status of a query that did not complete, and not with a count of none', async () => {
    const response = RESPONSES.GetQueryResults;
    RESPONSES.GetQueryResults = () => ({ status: 'Timeout' });
    const { code, errors } = await run(...RANGE);
    RESPONSES.GetQueryResults = response as never;
    expect([code, errors.includes('ended a query as Timeout')]).toEqual([1, true]);
  });

  it('prints one JSON object', async () => {
    const { output } = await run(...RANGE, '--json');
    expect(JSON.parse(output)).toMatchObject({
      accountId: 'a1',
      refused: [{ count: 17 }],
      alarms: [expect.any(String)],
    });
  });

  it.each([
    [[], 'needs --account'],
    [['--account', 'a"b', '--from', '2025-11-20T14:00:00Z'], 'needs --account'],
    [['--account', 'a1'], 'needs --from'],
    [['--account', 'a1', '--from', 'yesterday'], 'with its zone'],
    [['--account', 'a1', '--from', '2025-02-30T14:00:00Z'], 'with its zone'],
    [['--account', 'a1', '--from', '2025-11-20T14:00:00Z', '--to', '2025-11-20T13:00:00Z'], 'before --to'],
  ])('rejects %j', async (args, said) => {
    const { code, errors } = await run(...args);
    expect([code, errors.includes(said)]).toEqual([2, true]);
  });

  it('says that an account does not exist', async () => {
    aws.functions.set('notifications-dev-explain', () => ({ isKnown: false, counts: {} }));
    const { code, errors } = await run(...RANGE);
    expect([code, errors.includes('The account a1 does not exist.')]).toEqual([1, true]);
  });
});

it('remembers what the local run refused to an account, until it ends', () => {
  const log = createRequestLog(
    () => Date.parse('2025-11-20T14:30:00Z'),
    () => {},
  );
  const call = (account: string, statusCode: number) => {
    const headers = { authorization: `Bearer nds_sk_${account}_k1_${'x'.repeat(32)}` };
    const response = {
      statusCode,
      headers: {},
      body: JSON.stringify({ error: { code: 'PAYMENT_REQUIRED' } }),
    };
    const body = Buffer.alloc(0);
    const request = { method: 'POST', path: '/send', query: new URLSearchParams(), body, raw: { headers } };
    log.note({
      request: request as never,
      route: { ...sendRoute, resource: 'sending' },
      response,
      durationMs: 1,
    });
  };
  call('mine', 402);
  call('other', 402);
  call('mine', 200);
  const query = (from: string, to: string) => new URLSearchParams({ account: 'mine', from, to });
  expect(log.countRefusals(query('2025-11-20T14:00:00Z', '2025-11-20T15:00:00Z'))).toEqual({
    refused: [{ name: '402 PAYMENT_REQUIRED send k1', count: 1 }],
  });
  expect(log.countRefusals(query('2025-11-20T15:00:00Z', '2025-11-20T16:00:00Z'))).toEqual({ refused: [] });
});
