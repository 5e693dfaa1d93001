import { describe, expect, it } from 'vitest';
import { PARAMETERS, readParameters } from '../../../../infra/aws/parameters/parameters.ts';

const read = (given: Record<string, unknown> = {}) => readParameters(given);

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b';

describe('deployment parameters', () => {
  it('have a default and a description each', () => {
    expect(PARAMETERS.length).toBeGreaterThan(15);
    for (const { name, about, fallback } of PARAMETERS) {
      expect(about.length, name).toBeGreaterThan(20);
      expect(fallback, name).toBeDefined();
    }
    expect(read()).toMatchObject({ stage: 'dev', isProtected: false, hasAlarms: false, settings: {} });
  });

  it('accept the values of the command line as text', () => {
    expect(
      read({
        logRetentionDays: '90',
        sesReceiving: 'true',
        mailDomain: 'm.example',
        memoryMb: '{"send":1024}',
      }),
    ).toMatchObject({
      logRetentionDays: 90,
      sesReceiving: true,
      memoryMb: { send: 1024 },
    });
  });

  it.each(['prod', 'production-eu', 'live'])(
    'protect resources with state in stage %s and monitor it',
    (stage) => {
      expect(read({ stage })).toMatchObject({ isProtected: true, hasAlarms: true });
      expect(read({ stage, protection: 'off', alarms: 'off' })).toMatchObject({
        isProtected: false,
        hasAlarms: false,
      });
    },
  );

  it('protect any stage on request', () => {
    expect(read({ stage: 'staging' }).isProtected).toBe(false);
    expect(read({ stage: 'staging', protection: 'on' }).isProtected).toBe(true);
  });

  it('report every invalid value in one error', () => {
    const given = {
      stage: 'Dev!',
      logRetentionDays: 'many',
      protection: 'maybe',
      memoryMb: '[1]',
      settings: { A: 1 },
    };
    const problems = ['stage:', 'logRetentionDays:', 'protection:', 'memoryMb:', 'settings:'];
    for (const problem of problems) expect(() => read(given)).toThrow(problem);
  });

  it.each([
    [{ domainName: 'api.example.com' }, 'certificateArn'],
    [{ certificateArn: CERTIFICATE }, 'domainName'],
    [{ hostedZoneId: 'Z1' }, 'domainName'],
    [{ sesReceiving: true }, 'mailDomain'],
  ])('fail without a parameter that they require: %o', (given, missing) => {
    expect(() => read(given)).toThrow(missing);
  });

  it.each([
    [{ logRetentionDays: 31 }, 'logRetentionDays: one of 1, 3'],
    [{ warmWriteUnits: 1000 }, 'warmWriteUnits: at least 4000'],
    [{ warmReadUnits: 1000 }, 'warmReadUnits: at least 12000'],
    [{ apiMemoryMb: 64 }, 'apiMemoryMb: an integer from 128'],
    [{ logRetentionDays: -1 }, 'logRetentionDays: one of 1, 3'],
    [{ memoryMb: { send: 64 } }, 'memoryMb: a JSON object of integers from 128 to 10240'],
    [{ queueConcurrency: '{"deliver-email":1}' }, 'queueConcurrency: a JSON object of integers from 2'],
    [{ stage: 'Prod!' }, 'stage: up to 16 lower-case letters'],
    [{ domainName: 'https://api.example.com', certificateArn: CERTIFICATE }, 'domainName: a domain'],
    [{ domainName: 'api.example.com', certificateArn: 'mine' }, 'certificateArn: an ARN such as'],
    [{ mailDomain: 'orders@example.com' }, 'mailDomain: a domain'],
    [{ secretsArn: 'providers' }, 'secretsArn: an ARN'],
    [{ alarmAddress: 'oncall' }, 'alarmAddress: an email address'],
    // The functions could not read such a time, and no due work would start.
    [{ restoredUntil: '2026-13-01T10:00:00Z' }, 'restoredUntil: an ISO 8601 time'],
    [{ restoredUntil: '2026-11-22T24:61:00Z' }, 'restoredUntil: an ISO 8601 time'],
  ])('fail when AWS would reject them: %o', (given, problem) => {
    expect(() => read(given)).toThrow(problem);
  });

  it("fail when they are unknown, except the CDK's own context", () => {
    expect(() => read({ logRetention: 30 })).toThrow('logRetention: there is no such parameter');
    const own = { '@aws-cdk/core:target-partitions': ['aws'], 'aws:cdk:x': 1, 'cli-telemetry': false };
    expect(read(own)).toEqual(read());
  });

  it('fail with one line when only one is wrong', () => {
    expect(() => read({ stage: 'Prod!' })).toThrow(/^These parameters are invalid: stage: [^\n]*$/);
  });

  it.each([
    { STRIPE_SECRET_KEY: 'x' },
    { TWILIO_AUTH_TOKEN: 'x' },
    { SMTP_URL: 'smtps://user:word@mail.example.com' },
    { PAYMENT: 'sk_live_abc' },
    { KEY: '-----BEGIN PRIVATE KEY-----' },
  ])('put no credential into a template: %o', (settings) => {
    const [name] = Object.keys(settings);
    expect(() => read({ settings })).toThrow(`${name} is a credential`);
  });

  it('accept settings whose names only resemble credentials', () => {
    const settings = {
      CREDENTIAL_REQUESTS_PER_SECOND: '5000',
      FCM_TOKEN_URL: 'https://oauth2.example.com/token',
      SMTP_URL: 'smtp://mail.example.com:25',
    };
    expect(read({ settings }).settings).toEqual(settings);
  });
});
