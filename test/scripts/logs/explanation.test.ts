import { describe, expect, it } from 'vitest';
import { explain } from '../../../scripts/logs/explanation.ts';
import { REASON_FIXES } from '../../../shared/domain/logs/explanations.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE, FAILURE_CODES } from '../../../shared/schemas/logs/failure-codes.ts';
import { filesBelow, read } from '../../support/project-files.ts';

const AT = '2026-11-25T08:00:00.000Z';

function explained(channel: Channel, code: string, internal?: string): string {
  const prefix = LOG_PREFIX[channel];
  const fields = {
    [`${prefix}_routing`]: 'SEND',
    [`${prefix}_failed_at`]: AT,
    [`${prefix}_failed_code`]: code,
  };
  const record = { trackingId: 't', ...fields, ...(internal && { [`${prefix}_failed_internal`]: internal }) };
  return explain(record).at(-1) ?? '';
}

const codes = CHANNELS.flatMap((channel) =>
  FAILURE_CODES[channel].map((code): [Channel, string] => [channel, code]),
);

describe('the explanation of a failure', () => {
  it.each(codes)('has a sentence before the code: %s %s', (channel, code) => {
    expect(explained(channel, code)).toMatch(
      new RegExp(`failed\\. [A-Z].{10,}\\. \\(${code}, /guide/errors#${channel}-${code}\\)$`, 'i'),
    );
  });

  it.each(CHANNELS)('has the reason of a code that names none: %s', (channel) => {
    expect(explained(channel, CATCH_ALL_CODE[channel], 'twilio 20003: wrong credentials')).toContain(
      'Twilio 20003: wrong credentials.',
    );
  });

  it.each(CHANNELS)('says that the content could not be rendered, and why: %s', (channel) => {
    const code = channel === 'EMAIL' ? 'MISSING_EMAIL_HTML' : CATCH_ALL_CODE[channel];
    const reason =
      'the content could not be rendered: html: the filter "modulo" divides by zero (line 1, column 1)';
    expect(explained(channel, code, reason)).toMatch(
      /failed\. The content could not be rendered: html: .* divides by zero \(line 1, column 1\)\. Correct the template or the parameters: .*dryRun=true/,
    );
  });

  it.each(['UNKNOWN', 'MISSING_NOTIFICATION_TYPE'])(
    'has the reason of a notification that failed as a whole: %s',
    (failed_code) => {
      const failed_internal = 'The smsCap of the organization is reached for this billing period.';
      expect(explain({ trackingId: 't', failed_code, failed_internal })).toContain(
        `The notification failed. ${failed_internal} (${failed_code})`,
      );
    },
  );

  it('does not advise connecting again where an incoming webhook rejects the content', () => {
    const reason = 'incoming webhook: 400 invalid_blocks';
    expect(explained('CHAT', 'UNKNOWN', reason)).toContain(`It is: I${reason.slice(1)}. Once the cause`);
  });

  it('says what to do about every reason that a worker records with such a code', () => {
    const files = ['functions', 'shared/providers'].flatMap((folder) => filesBelow(folder, '.ts'));
    const reasons = files.flatMap((file) =>
      [...read(file).matchAll(/code: '(?:UNKNOWN|Unknown)', internal: '([^']+)'/g)].map(
        ([, text = '']) => text,
      ),
    );
    expect(reasons.length).toBeGreaterThan(2);
    for (const reason of [
      ...reasons,
      'the content could not be rendered: message: a range has more than 9 numbers',
    ]) {
      const fix = Object.entries(REASON_FIXES).find(([start]) => reason.startsWith(start))?.[1];
      expect(fix, reason).toBeDefined();
      expect(explained('PUSH', 'UNKNOWN', reason)).toContain(`${reason.slice(1)}. ${fix}`);
    }
  });
});

it.each([
  [1, 'name', 'SMS: A variable of the content has no value: name.'],
  [30, 'a, b', 'SMS: 30 variables of the content have no value: a, b.'],
])('names the variables without a value: %j %j', (count, names, sentence) => {
  const record = { trackingId: 't', sms_routing: 'SEND', sms_sent_at: '2026-01-01T00:00:00.000Z' };
  expect(explain({ ...record, sms_missing_count: count, sms_missing: names }).at(-1)).toBe(sentence);
  expect(explain(record).join()).not.toContain('no value');
});
