import { describe, expect, it } from 'vitest';
import { liquidOf } from '../../import/handlebars.ts';
import { renderLiquid } from '../../shared/rendering/liquid/liquid.ts';

/** Renders a converted html template. */
function rendered(source: string, variables: object, defaults?: Map<string, string>): string {
  const { liquid, problems } = liquidOf(source, { isHtml: true, ...(defaults ? { defaults } : {}) });
  expect(problems).toEqual([]);
  const outcome = renderLiquid(liquid, variables as Record<string, unknown>, { as: 'html', atMs: 0 });
  if (!outcome.ok) throw new Error(`${liquid}: ${outcome.problem}`);
  return outcome.text;
}

const ITEMS = {
  items: [
    { name: 'Tea', price: 3 },
    { name: 'Cake & jam', price: 0 },
  ],
  shop: 'Corner',
};

describe('a template converted from Handlebars', () => {
  it.each<[string, string, object, string]>([
    ['a variable, escaped', 'Hi {{name}}', { name: 'A & B' }, 'Hi A &amp; B'],
    ['a variable with spaces', '{{ name }}', { name: 'Ada' }, 'Ada'],
    ['raw html', '{{{raw}}} {{&raw}}', { raw: '<b>1</b>' }, '<b>1</b> <b>1</b>'],
    ['a nested path', '{{user_info.address.city}}', { user_info: { address: { city: 'Bonn' } } }, 'Bonn'],
    ['a Pinpoint attribute', '{{Attributes.Plan.[0]}}', { Attributes: { Plan: ['gold'] } }, 'gold'],
    ['a name with a hyphen', '{{first-name}}', { 'first-name': 'Ada' }, 'Ada'],
    ['a segment with a space', '{{a.[b c]}}', { a: { 'b c': 'x' } }, 'x'],
    ['a missing value', 'a{{none}}b', {}, 'ab'],
    ['if with a text', '{{#if a}}yes{{else}}no{{/if}}', { a: 'x' }, 'yes'],
    ['if with an empty text', '{{#if a}}yes{{else}}no{{/if}}', { a: '' }, 'no'],
    ['if with zero', '{{#if a}}yes{{else}}no{{/if}}', { a: 0 }, 'no'],
    ['if with an empty list', '{{#if a}}yes{{else}}no{{/if}}', { a: [] }, 'no'],
    ['if with a list', '{{#if a}}yes{{else}}no{{/if}}', { a: [1] }, 'yes'],
    ['if with nothing', '{{#if a}}yes{{else}}no{{/if}}', {}, 'no'],
    ['else if', '{{#if a}}A{{else if b}}B{{else}}C{{/if}}', { b: true }, 'B'],
    ['unless', '{{#unless a}}none{{/unless}}', { a: '' }, 'none'],
    ['each with fields', '{{#each items}}{{name}}={{price}};{{/each}}', ITEMS, 'Tea=3;Cake &amp; jam=0;'],
    ['each with this', '{{#each tags}}<{{this}}>{{/each}}', { tags: ['a', 'b'] }, '<a><b>'],
    ['each with this.field', '{{#each items}}{{this.name}},{{/each}}', ITEMS, 'Tea,Cake &amp; jam,'],
    [
      'the parent in each',
      '{{#each items}}{{../shop}}:{{name}} {{/each}}',
      ITEMS,
      'Corner:Tea Corner:Cake &amp; jam ',
    ],
    ['the root in each', '{{#each items}}{{@root.shop}} {{/each}}', ITEMS, 'Corner Corner '],
    [
      'loop data',
      '{{#each tags}}{{@index}}{{#if @first}}f{{/if}}{{#if @last}}l{{/if}} {{/each}}',
      { tags: ['a', 'b'] },
      '0f 1l ',
    ],
    ['each of nothing', '{{#each none}}x{{else}}empty{{/each}}', {}, 'empty'],
    [
      'nested each',
      '{{#each rows}}{{#each cells}}{{this}}{{../id}} {{/each}}{{/each}}',
      { rows: [{ id: 1, cells: ['a', 'b'] }] },
      'a1 b1 ',
    ],
    [
      'block parameters',
      '{{#each items as |one i|}}{{i}}{{one.name}} {{/each}}',
      ITEMS,
      '0Tea 1Cake &amp; jam ',
    ],
    ['with', '{{#with order}}{{number}}{{/with}}', { order: { number: 7 } }, '7'],
    ['comparison helpers', '{{#eq plan "gold"}}G{{else}}S{{/eq}}', { plan: 'gold' }, 'G'],
    ['comparison in if', '{{#if (gt n 3)}}many{{else}}few{{/if}}', { n: 2 }, 'few'],
    ['and of comparisons', '{{#if (and a (eq b 1))}}both{{/if}}', { a: 'x', b: 1 }, 'both'],
    ['text helpers', '{{upper name}} {{lower name}}', { name: 'Ada' }, 'ADA ada'],
    ['nested text helpers', '{{upper (trim (lower name))}}', { name: ' aDa ' }, 'ADA'],
    [
      'single-line conditions',
      "{{eq plan 'gold' yes='G' no='S'}} {{not (eq plan 'gold') yes='no'}} {{gt n 3}} {{if name yes=name no='-'}}",
      { plan: 'gold', n: 2, name: 'Ada' },
      'G false false Ada',
    ],
    [
      'condition blocks',
      '{{#and (eq city "LA") (eq country "US")}}both{{else}}no{{/and}} {{#or (eq city "LA") (eq city "NY")}}one{{/or}} {{#not (eq city "LA")}}not{{else}}LA{{/not}}',
      { city: 'LA', country: 'CA' },
      'no one LA',
    ],
    [
      'conditions under a not',
      '{{#if (not a)}}none{{/if}}{{#unless (not (eq b 1))}}one{{/unless}}',
      { b: 1 },
      'noneone',
    ],
    [
      'formatting helpers',
      '{{abbreviate a 6}} {{cut b "e"}} {{replace b " " "_"}} {{substring b 4 9}} {{substring b 4}} {{slugify b}} {{stripTags c}}',
      { a: 'Alejandro', b: 'Los Angeles', c: '<h1>Art</h1>' },
      'Ale... Los Angls Los_Angeles Angel Angeles los-angeles Art',
    ],
    [
      'arithmetic helpers',
      '{{add 5 2.3}} {{subtract 5 3}} {{multiply 5 2.3}} {{modulo 7 2}} {{ceiling 5.23}} {{floor n}} {{round 19.21}}',
      { n: 5.7 },
      '7.3 2 11.5 1 6 5 19',
    ],
    [
      'inline partials, for the recipient and for each of a list',
      '{{#* inline "fullName"}}{{first}}{{#if last}} {{last}}{{/if}}{{/inline}}Hello {{> fullName}}!{{#each friends}} {{> fullName}},{{/each}} {{> fullName host}}',
      {
        first: 'Ada',
        last: 'L',
        friends: [{ first: 'Bob' }, { first: 'Cem', last: 'D' }],
        host: { first: 'Eve' },
      },
      'Hello Ada L! Bob, Cem D, Eve',
    ],
    ['join', '{{join tags "-"}}', { tags: ['a', 'b'] }, 'a-b'],
    ['comments', 'a{{! note }}b{{!-- {{x}} --}}c', {}, 'abc'],
    ['text that looks like Liquid', 'a {% if %} {{name}} \\{{kept}}', { name: 'x' }, 'a {% if %} x {{kept}}'],
    [
      'standalone blocks',
      '<ul>\n{{#each tags}}\n<li>{{this}}</li>\n{{/each}}\n</ul>',
      { tags: ['a'] },
      '<ul>\n<li>a</li>\n</ul>',
    ],
  ])('keeps %s', (_, source, variables, expected) => {
    expect(rendered(source, variables)).toBe(expected);
  });

  it('uses the default substitutions of Pinpoint, and the profile for what it contains', () => {
    const defaults = new Map([
      ['Attributes.Name', 'there'],
      ['quote', `it's "x"`],
    ]);
    expect(rendered('Hi {{Attributes.Name.[0]}}', {}, defaults)).toBe('Hi there');
    expect(rendered('Hi {{Attributes.Name.[0]}}', { Attributes: { Name: ['Ada'] } }, defaults)).toBe(
      'Hi Ada',
    );
    expect(rendered('{{User.UserId}} {{Address}}', { user: { id: 'ada', email: 'ada@example.com' } })).toBe(
      'ada ada@example.com',
    );
  });

  it('names the parameters that a request must supply', () => {
    const source =
      '{{name}} {{#each items}}{{price}}{{../shop}}{{/each}} {{User.UserId}} {{Attributes.Plan.[0]}}';
    expect(liquidOf(source, { isHtml: true }).parameters).toEqual([
      'Attributes.Plan',
      'items',
      'name',
      'shop',
    ]);
  });

  it.each([
    ['a\n{{> footer}}', 'line 2: a partial ({{> …}}): make it a component'],
    ['{{formatDate date "short"}}', 'line 1: the helper formatDate'],
    ['{{#repeat 3}}x{{/repeat}}', 'line 1: the block repeat'],
    ['{{#each a}}{{@key}}{{/each}}', 'line 1: @key'],
    ['{{#if (or a b)}}x{{/if}}', 'line 1: the condition or'],
    ['{{#if (upper a)}}x{{/if}}', 'line 1: the condition upper'],
    ['{{center city size=19}}', 'line 1: the helper center'],
    ['{{join tags "," prefix="("}}', 'line 1: the helper join'],
    [
      '{{capitalize a}}',
      'line 1: capitalize: Liquid capitalizes the first word only, and makes the rest lower case',
    ],
    ['{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}', 'line 1: a partial that contains itself'],
    ['{{#*inline "a"}}x{{/inline}}{{> a b=1}}', 'line 1: a partial with parameters'],
  ])('reports what is omitted from %s', (source, problem) => {
    const { liquid, problems } = liquidOf(source, { isHtml: true });
    expect(problems).toContain(problem);
    expect(liquid).not.toContain('{{>');
  });

  it('does not mark raw output where nothing is escaped', () => {
    expect(liquidOf('{{{name}}}', { isHtml: false }).liquid).toBe('{{ name }}');
  });
});
