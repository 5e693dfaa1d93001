import { describe, expect, it } from 'vitest';
import { type CopyMedia, createAwsSmsProvider } from '../../../../shared/channels/phone/aws/aws.ts';
import type { AwsException } from '../../../support/fakes/aws-sms.ts';
import { clientOf, copyToS3, fakeAws } from './aws-setup.ts';
import { callDelivery, findClosedPort, smsDelivery } from './deliveries.ts';

const ROWS: [AwsException, { kind: string; code: string }][] = [
  [
    {
      name: 'ValidationException',
      Reason: 'FIELD_VALIDATION_FAILED',
      Fields: [{ Name: 'DestinationPhoneNumber', Message: 'bad' }],
    },
    { kind: 'rejected', code: 'INVALID_PHONE_NUMBER' },
  ],
  ...(
    [
      ['ValidationException', 'COUNTRY_NOT_ENABLED', '21215'],
      ['ValidationException', 'DESTINATION_COUNTRY_BLOCKED', '21215'],
      ['ValidationException', 'INTERNATIONAL_SENDING_NOT_SUPPORTED', '21215'],
      ['ConflictException', 'DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION', '21215'],
      ['ValidationException', 'INVALID_IDENTITY_FOR_DESTINATION_COUNTRY', '21612'],
      ['ValidationException', 'SENDER_ID_NOT_SUPPORTED', '21612'],
      ['ConflictException', 'NO_ORIGINATION_IDENTITIES_FOUND', '21612'],
      ['ConflictException', 'NUMBER_CAPABILITIES_MISMATCH', '21612'],
      ['ConflictException', 'MESSAGE_TYPE_MISMATCH', '21612'],
      ['ValidationException', 'VOICE_CAPABILITY_NOT_AVAILABLE', '21612'],
      ['ValidationException', 'SENDER_ID_NOT_REGISTERED', '40010'],
      ['ValidationException', 'SENDER_ID_REQUIRES_REGISTRATION', '40010'],
      ['ConflictException', 'REGISTRATION_NOT_COMPLETE', '40010'],
      ['ConflictException', 'DESTINATION_PHONE_NUMBER_OPTED_OUT', '21610'],
      ['ConflictException', 'DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE', '30453'],
      ['ConflictException', 'DESTINATION_PHONE_NUMBER_NOT_VERIFIED', 'Unknown'],
      ['ValidationException', 'PRICE_OVER_THRESHOLD', 'Unknown'],
      ['ServiceQuotaExceededException', 'MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT', 'Unknown'],
      ['ServiceQuotaExceededException', 'MONTHLY_SPEND_LIMIT_REACHED_FOR_MEDIA', 'Unknown'],
      ['ServiceQuotaExceededException', 'MONTHLY_SPEND_LIMIT_REACHED_FOR_VOICE', 'Unknown'],
      ['ServiceQuotaExceededException', 'DAILY_DESTINATION_CALL_LIMIT', 'Unknown'],
      ['AccessDeniedException', 'ACCOUNT_DISABLED', 'Unknown'],
      ['AccessDeniedException', 'INSUFFICIENT_ACCOUNT_REPUTATION', 'Unknown'],
    ] as const
  ).map(([name, Reason, code]): [AwsException, { kind: string; code: string }] => [
    { name, Reason, Fields: [{ Name: 'DestinationPhoneNumber', Message: 'bad' }] },
    { kind: 'rejected', code },
  ]),
  [
    { name: 'ValidationException', Reason: 'FIELD_VALIDATION_FAILED', Fields: [{ Name: 'MessageBody' }] },
    { kind: 'rejected', code: 'Unknown' },
  ],
  ...['phone-number', 'sender-id', 'pool'].map(
    (ResourceType): [AwsException, { kind: string; code: string }] => [
      { name: 'ResourceNotFoundException', ResourceType, ResourceId: 'x' },
      { kind: 'rejected', code: '21612' },
    ],
  ),
  [
    { name: 'ResourceNotFoundException', ResourceType: 'configuration-set', ResourceId: 'events' },
    { kind: 'retry', code: 'Unknown' },
  ],
  [{ name: 'AccessDeniedException' }, { kind: 'retry', code: 'Unknown' }],
  [{ name: 'InvalidSignatureException' }, { kind: 'retry', code: 'Unknown' }],
  [
    { name: 'InvalidSignatureException', status: 403 },
    { kind: 'retry', code: 'Unknown' },
  ],
  [
    { name: 'UnrecognizedClientException', status: 403 },
    { kind: 'retry', code: 'Unknown' },
  ],
  [{ name: 'ExpiredTokenException' }, { kind: 'retry', code: 'Unknown' }],
  [{ name: 'ThrottlingException' }, { kind: 'retry', code: 'Unknown' }],
  [
    { name: 'ThrottlingException', status: 429 },
    { kind: 'retry', code: 'Unknown' },
  ],
  [
    { name: 'InternalServerException', status: 500 },
    { kind: 'retry', code: 'Unknown' },
  ],
  [
    { name: 'ServiceUnavailable', status: 503 },
    { kind: 'retry', code: 'Unknown' },
  ],
];

describe('a rejection by AWS', () => {
  it.each(ROWS)('%j is %j for a text message, a file and a call', async (exception, expected) => {
    const { fake, sms, call } = await fakeAws();
    const thrown = { Message: 'why', ...exception };
    fake.fail(thrown, thrown, thrown);
    const outcomes = [
      await sms().deliver(smsDelivery()),
      await sms().deliver(smsDelivery({ mediaUrls: ['https://a.example/1.png'] })),
      await call().deliver(callDelivery()),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ ...expected, internal: expect.stringContaining(exception.name) });
      expect(outcome).toMatchObject({ internal: expect.stringContaining(String(exception.Reason ?? '')) });
      expect(outcome).not.toHaveProperty('afterSeconds');
    }
  });

  it('leads to a retry after the time that AWS requests', async () => {
    const { fake, sms } = await fakeAws();
    fake.fail({ name: 'ThrottlingException', Message: 'slow', retryAfter: '7' });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'retry', afterSeconds: 7 });
  });

  it('leads to a retry when it cannot be read', async () => {
    const { fake, sms } = await fakeAws();
    fake.next({ status: 502, body: '<html>bad gateway</html>' }, { status: 200, body: '<html>ok</html>' });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'retry', code: 'Unknown' });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'retry', code: 'Unknown' });
  });
});

describe('without a response from AWS', () => {
  it('a missing response and a broken connection are retried', async () => {
    const { fake, sms, call } = await fakeAws();
    fake.next('silence', 'broken connection', 'silence', 'broken connection');
    const expected = { kind: 'retry', code: 'Unknown' };
    const impatient = { client: clientOf(fake.url, 60) };
    expect(await sms(impatient).deliver(smsDelivery())).toMatchObject({
      ...expected,
      internal: expect.stringContaining('TimeoutError'),
    });
    expect(await sms().deliver(smsDelivery())).toMatchObject(expected);
    expect(await call(impatient).deliver(callDelivery())).toMatchObject(expected);
    expect(await call().deliver(callDelivery())).toMatchObject(expected);
  });

  it('a closed port is retried', async () => {
    const client = clientOf(`http://127.0.0.1:${await findClosedPort()}`);
    const outcome = await createAwsSmsProvider({ client, copyMedia: copyToS3 }).deliver(smsDelivery());
    expect(outcome).toMatchObject({ kind: 'retry', internal: expect.stringContaining('ECONNREFUSED') });
  });

  it('an error of this service is rethrown', async () => {
    const { sms } = await fakeAws();
    const copyMedia: CopyMedia = async () => {
      throw new RangeError('a bug');
    };
    const delivery = smsDelivery({ mediaUrls: ['https://a.example/1.png'] });
    await expect(sms({ copyMedia }).deliver(delivery)).rejects.toThrow(RangeError);
  });
});
