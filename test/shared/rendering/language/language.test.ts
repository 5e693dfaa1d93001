import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withLanguage } from '../../../../shared/rendering/language/html-language.ts';
import type {
  Catalog,
  Language,
  MissingTranslation,
} from '../../../../shared/rendering/language/language.ts';
import { messageProblem } from '../../../../shared/rendering/language/message-check.ts';
import { renderLiquid } from '../../../../shared/rendering/liquid/liquid.ts';

const AT_MS = Date.parse('2026-12-24T17:05:00Z');
const catalog = (locale: string, messages: Record<string, string>, isFallback = false): Catalog => ({
  locale,
  messages,
  isFallback,
});

function render(source: string, language: Partial<Language> = {}, variables: Record<string, unknown> = {}) {
  const reader = { locale: 'en', zone: 'UTC', ...language };
  const rendered = renderLiquid(source, variables, { as: 'plain', atMs: AT_MS, language: reader });
  // Some versions of ICU write a narrow space where others write a space.
  return (rendered.ok ? rendered.text : `problem: ${rendered.problem}`).replace(/[\u00a0\u202f]/g, ' ');
}

describe('numbers and money', () => {
  it.each([
    ['{{ 1234567.891 | number }}', 'de', '1.234.567,891'],
    ['{{ 1234567.891 | number: 2 }}', 'de', '1.234.567,89'],
    ['{{ 1234567.891 | number }}', 'en', '1,234,567.891'],
    ['{{ 0.256 | number: "percent" }}', 'fr', '25,6 %'],
    ['{{ 12000 | number: "compact" }}', 'en', '12K'],
    ['{{ "1234.5" | money: "EUR" }}', 'de', '1.234,50 €'],
    ['{{ 1234.5 | money: "eur" }}', 'en', '€1,234.50'],
    ['{{ 1234.5 | money: "JPY" }}', 'ja', '￥1,235'],
    ['{{ missing | money: "EUR" }}', 'de', ''],
    ['{{ "soon" | number }}', 'de', 'soon'],
  ])('renders %s in %s', (source, locale, text) => {
    expect(render(source, { locale })).toBe(text);
  });

  it.each([
    ['{{ 1 | money }}', 'the filter "money" needs a currency'],
    ['{{ 1 | money: "EURO" }}', 'the filter "money" needs a currency'],
    ['{{ 1 | number: 21 }}', 'the filter "number" accepts'],
    ['{{ 1 | number: "wide" }}', 'the filter "number" accepts'],
    ['{{ "2026-12-24" | datetime: "huge" }}', 'the filter "datetime" accepts a style'],
  ])('names what is wrong in %s', (source, problem) => {
    expect(render(source)).toContain(`problem: ${problem}`);
  });
});

describe('dates', () => {
  it.each([
    [
      '{{ "2026-12-24T17:05:00Z" | datetime: "long" }}',
      'en',
      'America/New_York',
      'December 24, 2026 at 12:05 PM',
    ],
    ['{{ "2026-12-24T17:05:00Z" | datetime: "long" }}', 'de', 'Europe/Berlin', '24. Dezember 2026 um 18:05'],
    ['{{ "2026-12-24T17:05:00+01:00" | datetime: time: "short" }}', 'de', 'Asia/Tokyo', '01:05'],
    ['{{ "2026-12-24T17:05:00Z" | datetime: date: "short" }}', 'en', 'Asia/Tokyo', '12/25/26'],
    ['{{ 1798131900 | datetime }}', 'en', 'UTC', 'Dec 24, 2026, 5:05 PM'],
    ['{{ "now" | datetime: "short" }}', 'en', 'UTC', '12/24/26, 5:05 PM'],
    ['{{ "2026-12-24" | datetime: "long" }}', 'en', 'America/Los_Angeles', 'December 24, 2026'],
    ['{{ "2026-12-24T09:00" | datetime: "short" }}', 'en', 'Asia/Tokyo', '12/24/26, 9:00 AM'],
    ['{{ missing | datetime }}', 'en', 'UTC', ''],
    ['{{ "someday" | datetime }}', 'en', 'UTC', 'someday'],
    ['{{ "2026-02-30" | datetime: "long" }}', 'en', 'UTC', '2026-02-30'],
    ['{{ "2026-02-30T09:00:00Z" | datetime }}', 'en', 'UTC', '2026-02-30T09:00:00Z'],
    ['{{ "Room 12" | datetime }}', 'en', 'UTC', 'Room 12'],
    ['{{ "12/24/2026" | datetime }}', 'en', 'UTC', '12/24/2026'],
    ['{{ "Thu, 24 Dec 2026 17:05:00 GMT" | datetime }}', 'en', 'UTC', 'Dec 24, 2026, 5:05 PM'],
    ['{{ 1798131900000 | datetime }}', 'en', 'UTC', 'Dec 24, 2026, 5:05 PM'],
  ])('renders %s in %s, %s', (source, locale, zone, text) => {
    expect(render(source, { locale, zone })).toBe(text);
  });
});

describe('translations', () => {
  const de = catalog('de', {
    'cart.items': '{count, plural, =0 {Leer} one {# Artikel, {name}} other {# Artikel für {name}}}',
    price: '{amount, number, ::currency/EUR}',
    when: 'am {at, date, long} um {at, time, short}',
    bold: 'Sehr <b>wichtig</b>, {name}',
  });
  const en = catalog(
    'en',
    { 'cart.items': '{count} items', only: 'Only {who, select, f {her} other {them}}' },
    true,
  );
  const language = { locale: 'de', zone: 'Europe/Berlin', catalogs: [de, en] };

  it.each([
    ["{{ 'cart.items' | t: count: n, name: 'Ada' }}", { n: 0 }, 'Leer'],
    ["{{ 'cart.items' | t: count: n, name: 'Ada' }}", { n: 1 }, '1 Artikel, Ada'],
    ["{{ 'cart.items' | t: count: n, name: 'Ada' }}", { n: '3' }, '3 Artikel für Ada'],
    ["{{ 'cart.items' | t }}", {}, 'Leer'],
    ["{{ 'price' | t: amount: 12.5 }}", {}, '12,50 €'],
    ["{{ 'when' | t: at: '2026-12-24T17:05:00Z' }}", {}, 'am 24. Dezember 2026 um 18:05'],
    ["{{ 'bold' | t: name: name }}", { name: 'Ada' }, 'Sehr <b>wichtig</b>, Ada'],
    ["{{ 'bold' | t }}", {}, 'Sehr <b>wichtig</b>, '],
    ["{{ 'only' | t: who: 'f' }}", {}, 'Only her'],
    ["{{ 'nothing' | t: a: 1 }}", {}, 'nothing'],
    ["{{ key | t: count: 2, name: 'Bo' }}", { key: 'cart.items' }, '2 Artikel für Bo'],
    ["{{ 'toString' | t }}", {}, 'toString'],
  ])('renders %s', (source, variables, text) => {
    expect(render(source, language, variables)).toBe(text);
  });

  it('lists keys that the language does not have, and the language that has them', () => {
    const missing: MissingTranslation[] = [];
    const onMissing = (each: MissingTranslation) => void missing.push(each);
    render("{{ 'cart.items' | t }}{{ 'only' | t }}{{ 'nothing' | t }}", { ...language, onMissing });
    expect(missing).toEqual([{ key: 'only', found: 'en' }, { key: 'nothing' }]);
  });

  it('escapes values in HTML', () => {
    const catalogs = [catalog('de', { hi: 'Hallo {name}' })];
    const reader = { locale: 'de', zone: 'UTC', catalogs };
    const rendered = renderLiquid(
      "{{ 'hi' | t: name: '<i>' }}",
      {},
      { as: 'html', atMs: 0, language: reader },
    );
    expect(rendered).toMatchObject({ text: 'Hallo &lt;i&gt;' });
  });

  it('renders nothing for an invalid time', () => {
    expect(render("{{ 'when' | t }}", language)).toContain('problem: a translation shows a time');
    expect(render("{{ 'when' | t: at: 'soon' }}", language)).toContain('problem: a translation shows a time');
  });

  it('renders an object in place of a number as 0, whatever its fields', () => {
    const catalogs = [catalog('de', { m: '{n, number} {n, plural, one {#} other {# Tage}}' })];
    const text = render("{{ 'm' | t: n: n }}", { catalogs }, { n: { toString: 0 } });
    expect(text).toContain('0 0 Tage');
  });

  it('counts the memory of a repeated argument', () => {
    const catalogs = [catalog('de', { much: '{a}'.repeat(3000) })];
    const source = "{{ 'much' | t: a: long }}";
    const text = render(source, { catalogs }, { long: 'x'.repeat(100_000) });
    expect(text).toContain('problem: filters and captures make more than');
  });

  it('renders any valid message with any arguments, or names a problem', () => {
    const part = fc.constantFrom(
      '{a}',
      '{n, number}',
      '{n, plural, one {#} other {{a}}}',
      "it''s",
      'ü',
      '{a, select, x {1} other {2}}',
    );
    const messages = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
    const values = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.object(),
    );
    fc.assert(
      fc.property(messages, values, values, fc.constantFrom('de', 'ar', 'ja', 'pt-BR'), (m, a, n, locale) => {
        expect(messageProblem(m, locale)).toBeUndefined();
        const text = render(
          "{{ 'm' | t: a: a, n: n }}",
          { locale, catalogs: [catalog(locale, { m })] },
          { a, n },
        );
        expect(text).not.toContain('problem: a translation');
      }),
      { numRuns: 200 },
    );
  });
});

describe('the message check', () => {
  it.each([
    ['{count, plural, one {#}}', 'missing other clause at line 1, column 24'],
    ['Hallo {name', 'expect argument closing brace at line 1, column 7'],
    ['a\n{x, foo}', 'invalid argument type at line 2, column 5'],
  ])('names what is wrong in %j and where', (message, problem) => {
    expect(messageProblem(message, 'de')).toBe(problem);
  });

  it('accepts HTML as text', () => {
    expect(messageProblem('<b>{name}</b> & <br>', 'de')).toBeUndefined();
  });
});

describe('the language of HTML', () => {
  it.each([
    ['<p>x</p>', 'ar', '<div lang="ar" dir="rtl"><p>x</p></div>'],
    ['<p>x</p>', 'de-AT-u-co-phonebk', '<div lang="de-AT" dir="ltr"><p>x</p></div>'],
    ['<!doctype html><html><p>x', 'de', '<!doctype html><html lang="de" dir="ltr"><p>x'],
    ['<HTML xmlns="y"><p>', 'he', '<HTML xmlns="y" lang="he" dir="rtl"><p>'],
    ['<html lang="en"><p>', 'he', '<html lang="en" dir="ltr"><p>'],
    ['<html lang=ar dir="ltr"><p>', 'de', '<html lang=ar dir="ltr"><p>'],
    ['<html dir="auto"><p>', 'de', '<html dir="auto" lang="de"><p>'],
    ['<!-- <html> --><html><p>', 'de', '<!-- <html> --><html lang="de" dir="ltr"><p>'],
    ['<!-- <body> --><p>x</p>', 'de', '<div lang="de" dir="ltr"><!-- <body> --><p>x</p></div>'],
    [
      '<!DOCTYPE html>\n<body>x</body>',
      'de',
      '<!DOCTYPE html><html lang="de" dir="ltr">\n<body>x</body></html>',
    ],
    ['<p>x</p>', 'und', '<div dir="auto"><p>x</p></div>'],
    ['<html><p>', 'und', '<html dir="auto"><p>'],
    ['<html lang="ar"><p>', 'und', '<html lang="ar" dir="rtl"><p>'],
    ['<html dir="rtl"><p>', 'und', '<html dir="rtl"><p>'],
    ['', 'de', ''],
    ['<p>x</p>', undefined, '<p>x</p>'],
  ])('marks %s in %s', (html, locale, marked) => {
    expect(withLanguage(html, locale)).toBe(marked);
  });

  it('takes time proportional to its length', () => {
    const html = '<html '.repeat(200_000);
    expect(withLanguage(html, 'de').length).toBe(html.length + '<div lang="de" dir="ltr"></div>'.length);
  });
});
