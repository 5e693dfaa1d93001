import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RenderInput, renderContent } from '../../../../shared/rendering/content.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { withStillClock } from '../../../support/still-clock.ts';

function contentOf<C extends Channel>(channel: C, input: Partial<RenderInput<C>>) {
  const rendered = renderContent<C>({
    channel,
    user: {},
    parameters: {},
    mode: 'instant',
    atMs: 0,
    ...input,
  });
  if (!rendered.ok) throw new Error(rendered.problem);
  return rendered.content;
}

describe('variables', () => {
  const message = (source: string, input: Partial<RenderInput<'CALL'>>) =>
    contentOf('CALL', { template: { text: source }, ...input }).message;

  it('come from the parameters, by name and as one object', () => {
    const parameters = { a: 1, nested: { b: [2] } };
    expect(
      message('{{ a }}{{ nested.b[0] }}{{ parameters.a }}{{ parameters["nested"].b.size }}', { parameters }),
    ).toBe('1211');
  });

  it('include the user without tokens', () => {
    const user = {
      id: 'u1',
      email: 'ada@example.com',
      number: '+15551234567',
      timezone: 'Europe/Paris',
      pushTokens: [{ token: 'secret' }],
      webPushTokens: ['secret'],
      chatToken: { access_token: 'secret' },
    };
    expect(message('{{ user.id }} {{ user.email }} {{ user.number }} {{ user.timezone }}', { user })).toBe(
      'u1 ada@example.com +15551234567 Europe/Paris',
    );
    const all =
      '{{ user | json }}{{ user.pushTokens }}{{ user.webPushTokens }}{{ user.chatToken.access_token }}';
    expect(message(all, { user })).not.toContain('secret');
  });

  it('keep reserved names from parameters, even where the name has no value', () => {
    const parameters = {
      user: { id: 'forged' },
      unsubscribe_url: 'https://forged.test',
      _items: ['forged'],
      parameters: 'forged',
    };
    expect(message('[{{ user.id }}{{ unsubscribe_url }}{{ _items }}]', { parameters })).toBe('[]');
    expect(
      message('{{ user.id }} {{ unsubscribe_url }}', {
        parameters,
        user: { id: 'u1' },
        unsubscribeUrl: 'https://u.test/?a&b',
      }),
    ).toBe('u1 https://u.test/?a&b');
  });

  it('escape the unsubscribe URL in HTML', () => {
    const template = { html: '<a href="{{ unsubscribe_url }}">', subject: '{{ unsubscribe_url }}' };
    expect(contentOf('EMAIL', { template, unsubscribeUrl: 'https://u.test/?a=1&b="' })).toEqual({
      html: '<a href="https://u.test/?a=1&amp;b=&#34;">',
      subject: 'https://u.test/?a=1&b="',
    });
  });

  it('include the items of a digest, each with its own parameters', () => {
    const items = [{ title: 'one <1>' }, { title: 'two' }, { title: 'three' }];
    const template = {
      subject: '{{ _items.size }} news, first {{ _items[0].title }}',
      html: '{% for item in _items %}<li>{{ forloop.index }}/{{ _items.size }} {{ item.title }}</li>{% endfor %}',
    };
    expect(contentOf('EMAIL', { template, items, mode: 'daily' })).toEqual({
      subject: '3 news, first one <1>',
      html: '<li>1/3 one &lt;1&gt;</li><li>2/3 two</li><li>3/3 three</li>',
    });
  });

  it('assigned in one field are not visible in another', () => {
    const template = {
      title: '{% assign x = "leak" %}{% increment n %}t',
      message: '[{{ x }}{% increment n %}]',
    };
    expect(contentOf('PUSH', { template })).toEqual({ title: '0t', message: '[0]' });
  });

  it('render a digest of 10,000 items', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({
      title: `item ${index}`,
      by: 'Ada',
      n: index,
    }));
    const html =
      '{% for i in _items %}<li>{{ i.title }} {{ i.by }} {{ i.n }}{% if i.hot %}!{% endif %}</li>{% endfor %}';
    const content = withStillClock(() => contentOf('EMAIL', { template: { html }, items, mode: 'weekly' }));
    expect(content.html.split('<li>')).toHaveLength(10_001);
  });
});

describe('single-line fields', () => {
  it('have no line breaks, whatever their values', () => {
    const breaks = fc.string({
      unit: fc.constantFrom('\r', '\n', '\u2028', '\u0085', '\v', '\f', ' ', 'a', 'B:'),
    });
    fc.assert(
      fc.property(breaks, breaks, (value, key) => {
        const template = { subject: `S\n{{ v }}`, senderName: '{{ v }}', senderEmail: '{{ v }}', html: 'h' };
        const content = contentOf('EMAIL', { template, parameters: { v: value }, replace: { a: key } });
        for (const line of [content.subject, content.senderName, content.senderEmail]) {
          expect(line ?? '').not.toMatch(/[\r\n\u2028\u2029\u0085\v\f]/);
        }
      }),
    );
    expect(contentOf('EMAIL', { template: { subject: ' a  b \r\n\r\n c\n' } }).subject).toBe('a  b c');
  });
});
