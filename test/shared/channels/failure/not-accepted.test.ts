import { expect, it } from 'vitest';
import { notAcceptedBy } from '../../../../shared/channels/failure/not-accepted.ts';
import { classifyFailure } from '../../../../shared/channels/phone/outcome/provider-failure.ts';
import { TELNYX_CODES } from '../../../../shared/channels/phone/telnyx/telnyx-codes.ts';
import { TWILIO_CODES } from '../../../../shared/channels/phone/twilio/twilio-codes.ts';

it.each<[number, number | undefined, string | undefined]>([
  [401, undefined, 'account'],
  [402, undefined, 'account'],
  [403, undefined, 'account'],
  [429, undefined, undefined],
  [429, 29, undefined],
  [429, 30, 'busy'],
  [500, undefined, undefined],
  [502, undefined, undefined],
  [503, undefined, 'unavailable'],
  [504, undefined, undefined],
  [200, undefined, undefined],
  [400, undefined, undefined],
])('a response of %i that asks to wait %s seconds proves %s', (status, seconds, expected) => {
  expect(notAcceptedBy(status, seconds)).toBe(expected);
});

/** Faults of the recipient or the content: another provider must not be tried, with any status. */
const ABOUT_MESSAGE = [
  '13224',
  '21211',
  '21265',
  '21610',
  '21614',
  '30005',
  '30006',
  '30007',
  '40001',
  '40300',
  'INVALID_PHONE_NUMBER',
];

it.each(
  [...Object.entries(TWILIO_CODES), ...Object.entries(TELNYX_CODES)].filter(([, { code }]) =>
    ABOUT_MESSAGE.includes(code),
  ),
)('%s depends on the message with every status', (code) => {
  for (const status of [400, 401, 403, 409, 422, 429, 503]) {
    const response = { kind: 'response', status, headers: { 'retry-after': '120' }, body: '' } as const;
    for (const table of [TWILIO_CODES, TELNYX_CODES].filter((each) => Object.hasOwn(each, code))) {
      expect(classifyFailure(response, { code, text: '' }, table, 0)).not.toHaveProperty('notAccepted');
    }
  }
});

it('a timeout proves nothing once the request was written', () => {
  const classify = (written: boolean) =>
    classifyFailure({ kind: 'timeout', written }, undefined, TWILIO_CODES, 0);
  expect(classify(true)).not.toHaveProperty('notAccepted');
  expect(classify(false)).toHaveProperty('notAccepted', 'unreachable');
});
