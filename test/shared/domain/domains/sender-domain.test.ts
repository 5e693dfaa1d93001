import fc from 'fast-check';
import { getDomain } from 'tldts';
import { describe, expect, it } from 'vitest';
import { findAddressPrefix, isReservedPrefix } from '../../../../shared/domain/domains/address-prefix.ts';
import {
  findSenderDomain,
  recordNameOf,
  SENDER_DOMAIN_LENGTH_MAX,
  verificationRecordsOf,
} from '../../../../shared/domain/domains/sender-domain.ts';

const HOSTS = {
  feedback: 'feedback-smtp.eu-west-1.amazonses.com',
  spf: 'amazonses.com',
  inbound: 'inbound-smtp.eu-west-1.amazonaws.com',
};
const recordsOf = (sender: string, isAddressed = true) =>
  verificationRecordsOf({ sender, selector: 'nds0123456789', publicKey: 'MIIB', isAddressed }, HOSTS);

describe('sender domains', () => {
  it.each([
    ['example.com', 'example.com'],
    ['News.Example.COM', 'news.example.com'],
    ['example.com.', 'example.com'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['BÜCHER.DE', 'xn--bcher-kva.de'],
    ['shop.co.uk', 'shop.co.uk'],
    ['me.github.io', 'me.github.io'],
    ['shop.pending.test', 'shop.pending.test'],
  ])('reads %s as %s', (text, domain) => {
    expect(findSenderDomain(text)).toBe(domain);
  });

  it.each([
    'ada@example.com',
    'https://example.com',
    'example.com/path',
    'example.com:25',
    '//example.com',
    'example.com?x',
    'exa mple.com',
    ' example.com',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '[::1]',
    '::1',
    'co.uk',
    'com',
    'github.io',
    'localhost',
    'test',
    '',
    '.',
    'a..example.com',
    '-a.example.com',
    'a_b.example.com',
    '*.example.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(SENDER_DOMAIN_LENGTH_MAX / 2)}example.com`,
    'x'.repeat(2048),
    'example%2ecom',
    'exam\u0000ple.com',
  ])('rejects %j', (text) => {
    expect(findSenderDomain(text)).toBeUndefined();
  });

  it('returns the same result when read twice, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string(), fc.webUrl(), fc.ipV4()), (text) => {
        const domain = findSenderDomain(text);
        if (domain !== undefined) {
          expect(findSenderDomain(domain)).toBe(domain);
          expect(domain).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]+$/);
        }
      }),
    );
  });
});

describe('record names', () => {
  it.each([
    ['example.com', '@'],
    ['mail.example.com', 'mail'],
    ['shop.co.uk', '@'],
    ['mail.shop.co.uk', 'mail'],
    ['k._domainkey.news.shop.co.uk', 'k._domainkey.news'],
    ['_dmarc.example.com', '_dmarc'],
    ['mail.me.github.io', 'mail'],
    ['_dmarc.xn--bcher-kva.de', '_dmarc'],
    ['mail.shop.pending.test', 'mail.shop'],
  ])('names %s as %s in its zone', (host, name) => {
    expect(recordNameOf(host)).toBe(name);
  });

  it('returns five records below the public suffix of shop.co.uk', () => {
    expect(recordsOf('shop.co.uk')).toEqual({
      dkim: {
        recordType: 'TXT',
        recordName: 'nds0123456789._domainkey',
        host: 'nds0123456789._domainkey.shop.co.uk',
        recordValue: 'v=DKIM1; k=rsa; p=MIIB',
        required: true,
      },
      mail_from_spf: {
        recordType: 'TXT',
        recordName: 'mail',
        host: 'mail.shop.co.uk',
        recordValue: 'v=spf1 include:amazonses.com ~all',
        required: true,
      },
      mail_from_mx: {
        recordType: 'MX',
        recordName: 'mail',
        host: 'mail.shop.co.uk',
        recordValue: HOSTS.feedback,
        priority: 10,
        required: true,
      },
      dmarc: {
        recordType: 'TXT',
        recordName: '_dmarc',
        host: '_dmarc.shop.co.uk',
        recordValue: 'v=DMARC1; p=none;',
        required: false,
      },
      inbound_mx: {
        recordType: 'MX',
        recordName: '@',
        host: 'shop.co.uk',
        recordValue: HOSTS.inbound,
        priority: 10,
        required: false,
      },
    });
  });

  it.each([
    ['example.com', false, undefined],
    ['shop.co.uk', false, undefined],
    ['me.github.io', false, undefined],
    ['example.com', true, 'example.com'],
    ['news.example.com', false, 'news.example.com'],
    ['news.shop.co.uk', false, 'news.shop.co.uk'],
  ])('moves the mail of %s, with an address: %s, by a record of %s', (sender, isAddressed, host) => {
    expect(recordsOf(sender, isAddressed).inbound_mx?.host).toBe(host);
  });

  it('moves no mail where none is received', () => {
    const { inbound: _, ...hosts } = HOSTS;
    const domain = {
      sender: 'news.example.com',
      selector: 'nds0123456789',
      publicKey: 'MIIB',
      isAddressed: true,
    };
    expect(Object.keys(verificationRecordsOf(domain, hosts))).not.toContain('inbound_mx');
  });

  it('keeps the longest host of the longest domain within the limits of DNS', () => {
    const sender = `${'a'.repeat(54)}.${`${'b'.repeat(53)}.`.repeat(3)}com`;
    expect(sender.length).toBe(SENDER_DOMAIN_LENGTH_MAX);
    expect(findSenderDomain(sender)).toBe(sender);
    const lengths = Object.values(recordsOf(sender)).map((record) => record?.host.length ?? 0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(253);
  });

  it('combines name and zone to the host again', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        const sender = findSenderDomain(domain);
        fc.pre(sender !== undefined);
        const zone = getDomain(sender, { allowPrivateDomains: true });
        for (const { host, recordName } of Object.values(recordsOf(sender)).flatMap(
          (record) => record ?? [],
        )) {
          expect(host).toBe(recordName === '@' ? zone : `${recordName}.${zone}`);
        }
      }),
    );
  });
});

describe('address prefixes', () => {
  it.each([
    ['help', 'help'],
    ['Help.Desk-1_x', 'help.desk-1_x'],
    ['a'.repeat(64), 'a'.repeat(64)],
  ])('accepts %s', (text, prefix) => {
    expect(findAddressPrefix(text)).toBe(prefix);
  });

  it.each(['', '.', 'a..b', '.a', 'a.', 'a b', 'a+b', 'ä', 'a@b', 'a'.repeat(65), 'İ', 'a\n'])(
    'rejects %j',
    (text) => {
      expect(findAddressPrefix(text)).toBeUndefined();
    },
  );

  it('reserves the names of the operator and the service', () => {
    for (const prefix of ['postmaster', 'abuse', 'noreply', 'r', 'notifications']) {
      expect(isReservedPrefix(prefix)).toBe(true);
    }
    expect(isReservedPrefix('ada')).toBe(false);
  });
});
