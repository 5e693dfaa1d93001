import { expect, it } from 'vitest';
import { settingProblems } from '../../infra/settings.ts';

it.each([
  ['MAIL_DOMAIN', 'a b', 'MAIL_DOMAIN must be a domain, such as mail.example.com'],
  ['MAIL_DOMAIN', 'localhost', 'MAIL_DOMAIN must be a domain, such as mail.example.com'],
  ['PHONE_NUMBERS', '+14155550123,abc', 'PHONE_NUMBERS must be numbers in E.164, separated by commas'],
  [
    'DNS_SERVERS',
    'dns.example.com',
    'DNS_SERVERS must be IP addresses, with a port or without, separated by commas',
  ],
  ['VAPID_SUBJECT', 'ada@example.com', 'VAPID_SUBJECT must be a mailto: address or an https URL'],
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
  ['BACKEND_SMTP_PORT', '587'],
  ['APNS_PRODUCTION_URL', 'http://127.0.0.1:8080'],
])('accepts %s=%s', (name, value) => {
  expect(settingProblems({ [name]: value })).toEqual([]);
});
