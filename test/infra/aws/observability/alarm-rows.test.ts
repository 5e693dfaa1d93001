import { describe, expect, it } from 'vitest';
import type { AlarmRow } from '../../../../infra/aws/observability/alarms.ts';
import { subjectOf, watchAlarms } from '../../../support/alarms.ts';

let nowMs = 1_790_000_000_000;
const { rows } = watchAlarms(() => nowMs);

/** Values of a period by the names that the alarm gives its metrics, or one value for any of them. */
type Values = Readonly<Record<string, number>>;
type Case = { fires: readonly Values[]; isSilent: readonly Values[] };

/** Of alarms that compute: where they fire, and just below. By section of the runbook. */
const COMPUTED: Readonly<Record<string, Case>> = {
  'provider-failures': {
    fires: [
      { failures: 5, attempts: 5 },
      { failures: 20, attempts: 100 },
    ],
    isSilent: [
      { failures: 4, attempts: 20 },
      { failures: 19, attempts: 100 },
    ],
  },
  failed: {
    fires: [{ failed: 5 }, { failed: 20, accepted: 100 }],
    isSilent: [{ failed: 4 }, { failed: 19, accepted: 100 }, { accepted: 100 }],
  },
  receipts: {
    fires: [{ sent: 101 }, { sent: 1000, receipts: 50 }],
    isSilent: [{ sent: 100 }, { sent: 1000, receipts: 51 }, { receipts: 1 }],
  },
  'message-faults': {
    fires: [{ faults: 2 }, { faults: 20, email: 600, sms: 400 }],
    isSilent: [{ faults: 1 }, { faults: 19, email: 600, sms: 400 }],
  },
  'endpoint-faults': {
    fires: [{ faults: 2 }, { faults: 10, requests: 1000 }],
    isSilent: [{ faults: 1 }, { faults: 9, requests: 1000 }, { requests: 1000 }],
  },
  'in-flight': {
    fires: [{ deliverEmail: 100_000 }, { callWebhooks: 120_000 }],
    isSilent: [{ deliverEmail: 99_999 }],
  },
  concurrency: { fires: [{ used: 800 }], isSilent: [{ used: 799 }] },
  'api-errors': {
    fires: [
      { errors: 5, requests: 5 },
      { errors: 10, requests: 1000 },
    ],
    isSilent: [
      { errors: 4, requests: 5 },
      { errors: 9, requests: 1000 },
    ],
  },
  'table-throttles': {
    fires: [{ writes: 10 }, { readsfeed: 10 }, { writes: 1000, writeunits: 100_000 }],
    isSilent: [{ writes: 9 }, { writes: 999, writeunits: 100_000 }],
  },
};

/** Where an alarm on one metric fires: at its threshold, and for a floor below it too. */
function caseOf({ runbook, expression, metrics, threshold, isFloor }: AlarmRow): Case | undefined {
  if (expression) return COMPUTED[runbook];
  const [id = ''] = Object.keys(metrics);
  return isFloor
    ? { fires: [{ [id]: threshold }], isSilent: [{ [id]: threshold + 1 }] }
    : { fires: [{ [id]: threshold }], isSilent: [{ [id]: 0.99 * threshold }] };
}

/** True if the alarm fires after so many periods with these values. */
function isFiring(row: AlarmRow, values: Values, periods = row.periods): boolean {
  nowMs += 24 * 3_600_000;
  const alarms = watchAlarms(() => nowMs);
  for (let period = 0; period < periods; period += 1) {
    nowMs += row.periodSeconds * 1000;
    for (const [id, metric] of Object.entries(row.metrics)) {
      const value = values[id];
      if (value === undefined || metric.statistic === 'SampleCount') continue;
      // Each attempt has a value; failures are 1.
      const attempts = Object.entries(row.metrics).find(
        ([, { statistic }]) => statistic === 'SampleCount',
      )?.[0];
      const count = attempts === undefined ? 1 : (values[attempts] ?? 0);
      for (let index = 0; index < count; index += 1)
        alarms.record(
          metric.metric,
          attempts === undefined ? value : Number(index < value),
          subjectOf(metric),
        );
    }
  }
  alarms.evaluate();
  return alarms.history.some(({ name, isFiring }) => name === row.name && isFiring);
}

describe.each(rows)('the alarm $name', (row) => {
  it('fires at its threshold, in each of its periods, and not below', () => {
    const found = caseOf(row);
    expect(found, `${row.runbook} has no case`).toBeDefined();
    for (const values of found?.fires ?? []) {
      expect([values, isFiring(row, values)]).toEqual([values, true]);
      if (row.periods > 1) expect(isFiring(row, values, row.periods - 1), 'a period early').toBe(false);
    }
    for (const values of found?.isSilent ?? [])
      expect([values, isFiring(row, values)]).toEqual([values, false]);
  });

  it('says what happened, and where the runbook says what to do', () => {
    expect(row.summary).toMatch(/^\S.+\.$/);
    expect(row.runbook).toMatch(/^[a-z-]+$/);
    expect(Object.keys(row.metrics).length).toBeLessThanOrEqual(10);
  });
});
