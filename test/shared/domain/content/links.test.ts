import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareLink, isSafeLink, isSafeLinkStart } from '../../../../shared/domain/content/links.ts';
import { isAppScheme } from '../../../../shared/schemas/account/account.ts';

describe('isSafeLink', () => {
  it.each([
    'https://example.com/a?b=c#d',
    'HTTP://example.com',
    ' https://example.com ',
    '/orders/7',
    'orders/7?at=08:30',
    '?page=2',
    '#top',
    '//cdn.example.com/x.png',
    '/a:b',
    'myapp://orders/7',
    'MyApp:orders',
  ])('accepts %j', (link) => expect(isSafeLink(link, ['myapp'])).toBe(true));

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\r\nscript:alert(1)',
    '\u0000\u0001 javascript:alert(1)',
    '\u001fjavascript:alert(1)',
    'javascript\t:alert(1)',
    'java\u200bscript:alert(1)',
    '\u00a0javascript:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&colon;alert(1)//https:',
    'java&#x09;script:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://example.com/x',
    'file:///etc/passwd',
    'view-source:https://example.com',
    'otherapp://orders/7',
    'mailto:ada@example.com',
    'http://[bad',
  ])('rejects %j', (link) => expect(isSafeLink(link, ['myapp'])).toBe(false));

  it('accepts nothing that a browser resolves to another scheme', () => {
    const pieces = fc.constantFrom(
      ...[
        'javascript',
        'data',
        'JAVA',
        'script',
        ':',
        '\t',
        '\n',
        ' ',
        '\u0000',
        '/',
        '\\',
        '#',
        '?',
        '&',
        'x',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const link = parts.join('');
        const protocol = URL.parse(link, 'https://page.example/')?.protocol ?? '';
        expect(isSafeLink(link, []) && !/^https?:$/.test(protocol)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('isSafeLinkStart', () => {
  it.each([
    '{{ link }}',
    '{{ host }}:8080/x',
    'https://{{ host }}/',
    '/{{ id }}',
    '{% if a %}/x{% endif %}',
    'myapp:{{ id }}',
    '/to?u=otherapp:{{ id }}',
    'java script:{{ id }}',
  ])('leaves %j to the delivery', (text) => expect(isSafeLinkStart(text, ['myapp'])).toBe(true));
  it.each([
    'javascript:{{ code }}',
    '  java\nscript:alert(1)',
    '{% assign a = 1 %}javascript:alert(1)',
    '{% if a %}javascript:alert(1){% endif %}',
    'data:image/png;base64,{{ x }}',
    'otherapp://{{ id }}',
  ])('rejects %j', (text) => expect(isSafeLinkStart(text, ['myapp'])).toBe(false));
});

it.each(['?b#c', '#b?c', '?b\nc', ''])('leaves nothing of %j in a bare link', (rest) => {
  expect(bareLink(`https://example.com/a${rest}`)).toBe('https://example.com/a');
});

describe('isAppScheme', () => {
  it.each(['myapp', 'com.example.app', 'x-shop'])('accepts %j', (scheme) =>
    expect(isAppScheme(scheme)).toBe(true),
  );
  it.each([
    'javascript',
    'data',
    'vbscript',
    'file',
    'http',
    'https',
    'MyApp',
    'my app',
    'myapp:',
    '1app',
    '',
  ])('rejects %j', (scheme) => expect(isAppScheme(scheme)).toBe(false));
});
