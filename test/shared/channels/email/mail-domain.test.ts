import { describe, expect, it } from 'vitest';
import { findMailDomain, mailHosts } from '../../../../shared/channels/email/mail-domain.ts';

const NAMES = [
  'AWS_REGION',
  'DOMAIN_PROVIDER',
  'MAIL_DOMAIN',
  'MAIL_FEEDBACK_HOST',
  'MAIL_SPF_INCLUDE',
  'MAIL_INBOUND_HOST',
  'MAIL_RECEIVING',
];
function set(values: Record<string, string>): void {
  for (const name of NAMES) delete process.env[name];
  Object.assign(process.env, values);
}

describe('hosts of sender domains', () => {
  it("equal those of SES in the deployment's region", () => {
    set({ AWS_REGION: 'eu-west-1', MAIL_RECEIVING: 'on' });
    expect(mailHosts()).toEqual({
      feedback: 'feedback-smtp.eu-west-1.amazonses.com',
      spf: 'amazonses.com',
      inbound: 'inbound-smtp.eu-west-1.amazonaws.com',
    });
  });

  it('become subdomains of the mail domain for other providers, unless they are named', () => {
    const own = { MAIL_DOMAIN: 'Mail.example.net', MAIL_SPF_INCLUDE: 'spf.relay.example' };
    set({ DOMAIN_PROVIDER: 'dns', MAIL_RECEIVING: 'on', ...own });
    expect(mailHosts()).toEqual({
      feedback: 'feedback.mail.example.net',
      spf: 'spf.relay.example',
      inbound: 'inbound.mail.example.net',
    });
  });

  it('require the mail domain or their own names with a provider other than SES', () => {
    set({ DOMAIN_PROVIDER: 'dns' });
    expect(() => mailHosts()).toThrow('MAIL_DOMAIN');
    const hosts = { MAIL_FEEDBACK_HOST: 'a', MAIL_SPF_INCLUDE: 'b', MAIL_INBOUND_HOST: 'c' };
    set({ DOMAIN_PROVIDER: 'dns', ...hosts });
    expect(mailHosts()).toEqual({ feedback: 'a', spf: 'b' });
    set({ DOMAIN_PROVIDER: 'dns', MAIL_RECEIVING: 'on', ...hosts });
    expect(mailHosts()).toEqual({ feedback: 'a', spf: 'b', inbound: 'c' });
  });
});

describe('the mail domain', () => {
  it('becomes lower-case ASCII, and may be missing', () => {
    set({ MAIL_DOMAIN: 'Post.Bücher.DE' });
    expect(findMailDomain()).toBe('post.xn--bcher-kva.de');
    set({});
    expect(findMailDomain()).toBeUndefined();
  });
});
