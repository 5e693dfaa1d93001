import { describe, expect, it } from 'vitest';
import { isArrival, isMiss } from '../../../../shared/domain/timing/arrival.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import { LogRecord } from '../../../../shared/schemas/logs/log-record.ts';

const CALL_CODES = LogRecord.entries.call_delivered_code.wrapped.options;

describe('whether an outcome reached its recipient', () => {
  it.each(CALL_CODES)('a call that ended with %s', (call_delivered_code) => {
    const outcome = { stage: 'delivered', fields: { call_delivered_code } } as const;
    const isAnswered = call_delivered_code === 'COMPLETED';
    expect([isArrival(outcome), isMiss(outcome)]).toEqual([isAnswered, !isAnswered]);
    const accepted = { stage: 'sent', delivered: { call_delivered_code } } as const;
    expect([isArrival(accepted), isMiss(accepted)]).toEqual([isAnswered, !isAnswered]);
  });

  it.each(FAILURE_CODES.EMAIL)('an email that failed with %s', (email_failed_code) => {
    const outcome = { stage: 'failed', fields: { email_failed_code } } as const;
    const isComplaint = email_failed_code.startsWith('COMPLAINT_');
    expect([isArrival(outcome), isMiss(outcome)]).toEqual([isComplaint, !isComplaint]);
  });

  it.each(['sent', 'attempt', 'delayed', 'held'] as const)('%s says neither', (stage) => {
    expect([isArrival({ stage }), isMiss({ stage })]).toEqual([false, false]);
  });
});
