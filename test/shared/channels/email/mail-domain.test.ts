import { afterEach, describe, expect, it } from 'vitest';
import { findMailDomain, mailHosts } from '../../../../shared/channels/email/mail-domain.ts';

const NAMES = [
  'AWS_REGION',
  'DOMAIN_PROVIDER',
  'MAIL_DOMAIN',
  'MAIL_FEEDBACK_HOST',
  'MAIL_SPF_INCLUDE',
  'MAIL_INBOUND_HOST',
];
const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
function set(values: Record<string, string>): void {
  for (const name of NAMES) delete process.env[name];
  Object.assign(process.env, values);
}
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

describe('hosts of sender domains', () => {
  it("are SES's in the deployment's region", () => {
    set({ AWS_REGION: 'eu-west-1' });
    expect(mailHosts()).toEqual({
      feedback: 'feedback-smtp.eu-west-1.amazonses.com',
      spf: 'amazonses.com',
      inbound: 'inbound-smtp.eu-west-1.amazonaws.com',
    });
  });

  it('are below the mail domain for other providers, unless they are named', () => {
    set({ DOMAIN_PROVIDER: 'dns', MAIL_DOMAIN: 'Mail.example.net', MAIL_SPF_INCLUDE: 'spf.relay.example' });
    expect(mailHosts()).toEqual({
      feedback: 'feedback.mail.example.net',
      spf: 'spf.relay.example',
      inbound: 'inbound.mail.example.net',
    });
  });

  it('need the mail domain or their own names with another provider than SES', () => {
    set({ DOMAIN_PROVIDER: 'dns' });
    expect(() => mailHosts()).toThrow('MAIL_DOMAIN');
    set({ DOMAIN_PROVIDER: 'dns', MAIL_FEEDBACK_HOST: 'a', MAIL_SPF_INCLUDE: 'b', MAIL_INBOUND_HOST: 'c' });
    expect(mailHosts()).toEqual({ feedback: 'a', spf: 'b', inbound: 'c' });
  });
});

describe('the mail domain', () => {
  it('is in lower-case ASCII, or none', () => {
    set({ MAIL_DOMAIN: 'Post.Bücher.DE' });
    expect(findMailDomain()).toBe('post.xn--bcher-kva.de');
    set({});
    expect(findMailDomain()).toBeUndefined();
  });
});
