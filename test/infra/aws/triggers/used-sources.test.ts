import { describe, expect, it } from 'vitest';
import { readParameters } from '../../../../infra/aws/parameters/parameters.ts';
import { isSourceUsed, usesProvider, usesSes } from '../../../../infra/aws/triggers/used-sources.ts';

const given = (settings: Record<string, string>) => readParameters({ settings });

describe('the email provider', () => {
  it.each([
    ['', true],
    ['ses', true],
    ['smtp', false],
    ['smtp,ses', true],
    ['smtp,smtp:backup', false],
    ['sandbox', false],
  ])('%j uses SES: %s', (order, isUsed) => {
    const parameters = given(order ? { EMAIL_PROVIDER: order } : {});
    expect(usesSes(parameters)).toBe(isUsed);
  });

  it('counts anywhere in an order and under any name', () => {
    const parameters = given({ SMS_PROVIDER: 'telnyx,twilio:backup,aws', CALL_PROVIDER: 'telnyx' });
    expect(usesProvider(parameters, ['SMS'], 'aws')).toBe(true);
    expect(usesProvider(parameters, ['CALL'], 'aws')).toBe(false);
    expect(usesProvider(parameters, ['SMS'], 'twilio')).toBe(true);
    expect(isSourceUsed('ingest-inbound-sms', parameters)).toBe(true);
  });
});
