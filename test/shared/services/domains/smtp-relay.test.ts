import { describe, expect, it } from 'vitest';
import { findSmtpRelay, sesSmtpPassword } from '../../../../shared/services/domains/smtp-relay.ts';

const NAMES = ['AWS_REGION', 'BACKEND_SMTP_HOST', 'BACKEND_SMTP_PORT'] as const;
function setAll(values: Record<string, string | undefined>): void {
  for (const name of NAMES) {
    if (values[name] === undefined) delete process.env[name];
    else process.env[name] = values[name];
  }
}
const secretsOf = (known: Record<string, string>) => ({ find: async (name: string) => known[name] });

describe('the SMTP password of SES', () => {
  it('equals the published password for known keys and regions', () => {
    expect(sesSmtpPassword('some+secret+key', 'eu-central-1')).toBe(
      'BMXhUYlu5Z3gSXVQORxlVa7XPaz91aGWdfHxvkOZdWZ2',
    );
    expect(sesSmtpPassword('another+secret+key', 'us-west-1')).toBe(
      'BKVmjjMDFk/qqw8EROW99bjCS65PF8WKvK5bSr4Y6EqF',
    );
  });
});

describe('the SMTP relay', () => {
  it("uses the region's SES with the derived password", async () => {
    setAll({ AWS_REGION: 'eu-central-1' });
    const keys = { BACKEND_SMTP_ACCESS_KEY_ID: 'AKIA1', BACKEND_SMTP_SECRET_ACCESS_KEY: 'some+secret+key' };
    expect(await findSmtpRelay(secretsOf(keys))).toEqual({
      host: 'email-smtp.eu-central-1.amazonaws.com',
      port: '587',
      user: 'AKIA1',
      password: 'BMXhUYlu5Z3gSXVQORxlVa7XPaz91aGWdfHxvkOZdWZ2',
    });
  });

  it('accepts another host with its own user and password', async () => {
    setAll({ BACKEND_SMTP_HOST: 'smtp.example.com', BACKEND_SMTP_PORT: '2525' });
    const keys = { BACKEND_SMTP_USER: 'u', BACKEND_SMTP_PASSWORD: 'p' };
    const relay = { host: 'smtp.example.com', port: '2525', user: 'u', password: 'p' };
    expect(await findSmtpRelay(secretsOf(keys))).toEqual(relay);
  });

  it('needs credentials and a host', async () => {
    setAll({ AWS_REGION: 'eu-central-1' });
    expect(await findSmtpRelay(secretsOf({}))).toBeUndefined();
    setAll({});
    const keys = { BACKEND_SMTP_USER: 'u', BACKEND_SMTP_PASSWORD: 'p' };
    expect(await findSmtpRelay(secretsOf(keys))).toBeUndefined();
  });
});
