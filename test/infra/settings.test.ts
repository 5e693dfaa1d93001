import { describe, expect, it } from 'vitest';
import { misspeltSettings, settingProblems } from '../../infra/settings.ts';
import { findVapidSubject } from '../../shared/providers/push/vapid-subject.ts';

const NOT_PUBLIC = [
  'mailto:a@localhost',
  'mailto:a@localhost.localdomain',
  'https://localhost:8080',
  'https://10.0.0.1',
  'mailto:a@mail.test',
];

it.each<[name: string, value: string, problem: string]>([
  ['MAIL_DOMAIN', 'a b', 'MAIL_DOMAIN must be a domain, such as mail.example.com'],
  ['MAIL_DOMAIN', 'localhost', 'MAIL_DOMAIN must be a domain, such as mail.example.com'],
  [
    'PHONE_NUMBERS',
    '+14155550123,twelve-characters',
    'PHONE_NUMBERS must be numbers in E.164, short codes or sender IDs, separated by commas',
  ],
  [
    'DNS_SERVERS',
    'dns.example.com',
    'DNS_SERVERS must be IP addresses, with a port or without, separated by commas',
  ],
  ['VAPID_SUBJECT', 'ada@example.com', 'VAPID_SUBJECT must be a mailto: address or an https URL'],
  ['VAPID_SUBJECT', 'http://example.com', 'VAPID_SUBJECT must be a mailto: address or an https URL'],
  ...NOT_PUBLIC.map((subject): [string, string, string] => [
    'VAPID_SUBJECT',
    subject,
    'VAPID_SUBJECT must have a public host: Apple rejects localhost',
  ]),
  ['BACKEND_SMTP_PORT', '587x', 'BACKEND_SMTP_PORT must be a port'],
  ['SIGN_IN_URL', 'app.example.com', 'SIGN_IN_URL must be an http or https URL'],
  ['FCM_TOKEN_URL', 'nope', 'FCM_TOKEN_URL must be an http or https URL'],
])('rejects %s=%s', (name, value, problem) => {
  expect(settingProblems({ [name]: value })).toEqual([problem]);
});

it.each([
  ['MAIL_DOMAIN', 'mail.localhost.test'],
  ['MAIL_DOMAIN', 'Post.Bücher.DE'],
  ['PHONE_NUMBERS', '+14155550123, acc1:+14155550124,'],
  ['DNS_SERVERS', '1.1.1.1, 127.0.0.1:5353,[::1]:53'],
  ['VAPID_SUBJECT', 'mailto:ada@example.com'],
  ['VAPID_SUBJECT', 'https://example.com/contact'],
  ['BACKEND_SMTP_PORT', '587'],
  ['APNS_PRODUCTION_URL', 'http://127.0.0.1:8080'],
])('accepts %s=%s', (name, value) => {
  expect(settingProblems({ [name]: value })).toEqual([]);
});

describe('web push without a contact', () => {
  const problem = 'WEB_PUSH_PROVIDER=live needs VAPID_SUBJECT, or a public MAIL_DOMAIN or PUBLIC_BASE_URL';

  it.each([{}, { MAIL_DOMAIN: 'mail.localhost.test' }, { PUBLIC_BASE_URL: 'http://localhost:3000' }])(
    'does not start with %o',
    (settings) => {
      expect(settingProblems({ WEB_PUSH_PROVIDER: 'live', ...settings })).toEqual([problem]);
    },
  );

  it.each([
    { VAPID_SUBJECT: 'mailto:ada@example.com' },
    { MAIL_DOMAIN: 'mail.example.com' },
    { PUBLIC_BASE_URL: 'https://api.example.com' },
    { WEB_PUSH_PROVIDER: 'sandbox' },
  ])('starts with %o', (settings) => {
    expect(settingProblems({ WEB_PUSH_PROVIDER: 'live', ...settings })).toEqual([]);
  });
});

it.each([
  [{ subject: 'mailto:a@b.example.com', mailDomain: 'mail.example.com' }, 'mailto:a@b.example.com'],
  [
    { mailDomain: 'Post.Bücher.de', baseUrl: 'https://api.example.com' },
    'mailto:postmaster@post.xn--bcher-kva.de',
  ],
  [{ mailDomain: 'mail.localhost.test', baseUrl: 'https://api.example.com/v1' }, 'https://api.example.com'],
  [{ mailDomain: 'mail.localhost.test', baseUrl: 'http://api.example.com' }, undefined],
  [{ baseUrl: 'https://192.168.1.4' }, undefined],
])('derives the contact in web push requests from %o', (sources, subject) => {
  expect(findVapidSubject(sources)).toBe(subject);
});

it.each([
  ['EMAIL_PROVDER', 'EMAIL_PROVIDER'],
  ['EMAIL_PROVIDERS', 'EMAIL_PROVIDER'],
  ['SMPT_URL', 'SMTP_URL'],
  ['STRIPE_SECRETKEY', 'STRIPE_SECRET_KEY'],
  ['LOG_LEVL', 'LOG_LEVEL'],
])('reports the nearest setting for %s', (name, nearest) => {
  expect(misspeltSettings({ [name]: 'x' })).toEqual([`${name} is not a setting: did you mean ${nearest}?`]);
});

it('reports no setting, no entry of an order and no name of another program', () => {
  const settings = { EMAIL_PROVIDER: 'smtp:backup', SMTP_URL_BACKUP: 'smtp://localhost', LOG_LEVEL: 'INFO' };
  const others = [
    'HOME',
    'PATH',
    'AWS_PROFILE',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_DEFAULT_REGION',
    'NODE_ENV',
    'NODE_OPTIONS',
    'NDS_KEY',
    'SSH_AUTH_SOCK',
    'XDG_RUNTIME_DIR',
    'npm_config_user_agent',
    'GITHUB_TOKEN',
    'NO_COLOR',
    'SANDBOX_TOKEN',
    'NODE_COMPILE_CACHE',
    'TERM_PROGRAM',
    'LC_ALL',
    'VITEST_POOL_ID',
  ];
  expect(misspeltSettings({ ...settings, ...Object.fromEntries(others.map((name) => [name, 'x'])) })).toEqual(
    [],
  );
});
