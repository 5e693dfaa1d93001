import { describe, expect, it } from 'vitest';
import { checkUrl, parseAllowedHosts } from '../../../shared/http-client/address-guard.ts';

const NONE = parseAllowedHosts('');

describe('a customer URL', () => {
  it.each([
    'https://customer.example/hook?a=1#top',
    'https://customer.example:443/',
    'https://customer.example:8443/',
    'https://customer.example:1024/',
    'https://CUSTOMER.example/',
    'https://bücher.example/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://93.184.215.14/',
    'https://[2606:4700::6810:85e5]/',
    'https://[::ffff:93.184.215.14]/',
  ])('passes when it is https to a public place: %s', (url) => {
    expect(checkUrl(url, NONE)).toMatchObject({ ok: true, allowed: false, url: new URL(url) });
  });

  it.each([
    ['not a URL', 'malformed'],
    ['', 'malformed'],
    ['https://', 'malformed'],
    ['https://exa mple.com/', 'malformed'],
    ['https://1.2.3.4.5/', 'malformed'],
    ['https://customer.example:65536/', 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    ['http://customer.example/', 'scheme'],
    ['http://customer.example:8443/', 'scheme'],
    ['ftp://customer.example:2121/', 'scheme'],
    ['ws://customer.example/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['gopher://customer.example:70/', 'scheme'],
    ['https://user:secret@customer.example/', 'credentials'],
    ['https://user@customer.example/', 'credentials'],
    ['https://:secret@customer.example/', 'credentials'],
    ['https://customer.example@127.0.0.1/', 'credentials'],
    ['https://customer.example:0/', 'port'],
    ['https://customer.example:22/', 'port'],
    ['https://customer.example:80/', 'port'],
    ['https://customer.example:1023/', 'port'],
    ['https://localhost/', 'name'],
    ['https://LOCALHOST/', 'name'],
    ['https://ｌｏｃａｌｈｏｓｔ/', 'name'],
    ['https://a.localhost/', 'name'],
    ['https://printer.local/', 'name'],
    ['https://metadata.google.internal/', 'name'],
    ['https://metadata.google.INTERNAL/', 'name'],
    ['https://localhost./', 'name'],
    ['https://localhost%2e/', 'name'],
    ['https://intranet/', 'name'],
    ['https://printer.localdomain/', 'name'],
    ['https://router.home.arpa/', 'name'],
    ['https://localhost。/', 'name'],
    ['https://metadata.google.internal../', 'name'],
    ['https://customer.example./', 'name'],
    ['https://customer..example/', 'name'],
  ] as const)('fails when it is %s', (url, reason) => {
    expect(checkUrl(url, NONE)).toEqual({ ok: false, reason });
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.0.0.1:9001/2018-06-01/runtime/invocation/next',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0x7f.0x0.0x0.0x1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７.０.０.１/',
    'https://%31%32%37.0.0.1/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://100.127.255.254/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://169.254.170.2/',
    'https://198.18.0.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[::a9fe:a9fe]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[2001::7f00:1]/',
    'https://[2001:db8::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[100::1]/',
    'https://[4000::1]/',
  ])('fails when its host is an address that is not public: %s', (url) => {
    expect(checkUrl(url, NONE)).toEqual({ ok: false, reason: 'address' });
  });
});

describe('the list of allowed hosts', () => {
  const allowed = parseAllowedHosts(
    ' localhost:8025, 127.0.0.1:3001,[::1]:3002 ,Mail.Internal:443,, 10.0.0.5:80',
  );

  it.each([
    'http://localhost:8025/',
    'https://localhost:8025/',
    'http://127.0.0.1:3001/',
    'http://127.1:3001/',
    'http://[::1]:3002/',
    'http://[0:0::1]:3002/',
    'https://mail.internal/',
    'http://10.0.0.5/',
  ])('lets its hosts through by http and https: %s', (url) => {
    expect(checkUrl(url, allowed)).toMatchObject({ ok: true, allowed: true });
  });

  it.each([
    ['http://localhost:8026/', 'scheme'],
    ['https://localhost:8026/', 'name'],
    ['http://a.localhost:8025/', 'scheme'],
    ['https://127.0.0.1:3002/', 'address'],
    ['http://mail.internal/', 'scheme'],
    ['https://10.0.0.5/', 'address'],
    ['ftp://127.0.0.1:3001/', 'scheme'],
    ['http://user:secret@localhost:8025/', 'credentials'],
    ['http://customer.example/', 'scheme'],
  ] as const)('does not widen to another host, port or scheme: %s', (url, reason) => {
    expect(checkUrl(url, allowed)).toEqual({ ok: false, reason });
  });

  it('stays empty for empty text', () => {
    expect(parseAllowedHosts('').size).toBe(0);
  });

  it.each([
    'localhost',
    'localhost:',
    ':80',
    'localhost:0',
    'localhost:65536',
    'localhost:http',
    'http://localhost:80',
    'user@localhost:80',
    'localhost/path:80',
    '::1:80',
    '[::1]',
    '[::zz]:80',
    '300.1.1.1:80',
  ])('fails when an entry is not a host and a port: %s', (entry) => {
    expect(() => parseAllowedHosts(`customer.example:443,${entry}`)).toThrow(
      'An allowed host is "host:port"',
    );
  });
});
