import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RenderInput, renderContent } from '../../../shared/rendering/content.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { withStillClock } from '../../support/still-clock.ts';

function render<C extends Channel>(channel: C, input: Partial<RenderInput<C>>) {
  return renderContent<C>({ channel, user: {}, parameters: {}, mode: 'instant', ...input });
}

function contentOf<C extends Channel>(channel: C, input: Partial<RenderInput<C>>) {
  const rendered = render(channel, input);
  if (!rendered.ok) throw new Error(rendered.problem);
  return rendered.content;
}

describe('fields of each channel', () => {
  it('EMAIL takes all from the template', () => {
    const template = {
      html: '<p>{{ name }}</p>',
      previewText: 'P {{ name }}',
      internal: '{{ broken',
      subject: 'S {{ name }}',
      senderName: '{{ name }} Inc',
      senderEmail: '{{ name }}@example.com',
    };
    expect(contentOf('EMAIL', { template, parameters: { name: 'a&b' } })).toEqual({
      subject: 'S a&b',
      html: '<p>a&amp;b</p>',
      previewText: 'P a&b',
      senderName: 'a&b Inc',
      senderEmail: 'a&b@example.com',
    });
  });

  it('INAPP_WEB takes title, url and image', () => {
    const inline = { title: '{{ t }}', url: 'https://x.test/{{ id }}', image: '{{ missing }}' };
    expect(contentOf('INAPP_WEB', { inline, parameters: { t: '<b>', id: 7 } })).toEqual({
      title: '<b>',
      redirectURL: 'https://x.test/7',
    });
  });

  it.each([
    'javascript:alert(1)',
    ' Java\tScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'otherapp://x',
  ])('omits the link %j of a parameter or a template, with a note without its value', (link) => {
    const inapp = render('INAPP_WEB', {
      inline: { title: 't', url: '{{ link }}', image: '{{ link }}' },
      parameters: { link },
      linkSchemes: ['myapp'],
    });
    expect(inapp).toMatchObject({ ok: true, content: { title: 't' } });
    expect(Object.keys(inapp.ok ? inapp.content : {})).toEqual(['title']);
    const push = render('WEB_PUSH', {
      template: { title: 't', message: 'm', url: link, icon: link },
      linkSchemes: ['myapp'],
    });
    expect(push.ok && push.content).toEqual({ title: 't', message: 'm' });
    expect(push.ok && push.notes).toHaveLength(2);
    expect(JSON.stringify([inapp, push])).not.toContain('alert');
  });

  it('keeps web links, relative ones and those of the app schemes of the account', () => {
    const inline = { title: 't', url: 'MyApp://orders/{{ id }}', image: '/i/{{ id }}.png' };
    expect(contentOf('INAPP_WEB', { inline, parameters: { id: 7 }, linkSchemes: ['myapp'] })).toEqual({
      title: 't',
      redirectURL: 'MyApp://orders/7',
      imageURL: '/i/7.png',
    });
  });

  it('SMS takes the message, media, reply and number', () => {
    const inline = {
      message: 'Hi {{ name }}',
      mediaUrls: ['https://x.test/{{ id }}', 'https://x.test/2'],
      autoReply: { message: 'Bye {{ name }}' },
      from: '+1555{{ id }}',
    };
    expect(contentOf('SMS', { inline, parameters: { name: 'Ada', id: 7 } })).toEqual({
      message: 'Hi Ada',
      mediaUrls: ['https://x.test/7', 'https://x.test/2'],
      autoReply: { message: 'Bye Ada' },
      from: '+15557',
    });
  });

  it('SMS and CALL take the text of their template', () => {
    expect(contentOf('SMS', { template: { text: 'Hi {{ name }}' }, parameters: { name: '"A"' } })).toEqual({
      message: 'Hi "A"',
      mediaUrls: [],
    });
    expect(contentOf('CALL', { template: { text: 'Hi {{ name }}' }, parameters: { name: '"A"' } })).toEqual({
      message: 'Hi "A"',
    });
  });

  it('PUSH and WEB_PUSH take title and message', () => {
    const template = { title: '{{ t }}', message: '{{ m }}' };
    expect(contentOf('PUSH', { template, parameters: { t: 'T', m: 'M' } })).toEqual({
      title: 'T',
      message: 'M',
    });
    const web = { ...template, icon: '{{ icon }}', url: 'https://x.test/{{ m }}' };
    expect(contentOf('WEB_PUSH', { template: web, parameters: { t: 'T', m: 'M' } })).toEqual({
      title: 'T',
      message: 'M',
      url: 'https://x.test/M',
    });
  });

  it('CHAT takes every field, flags as they are', () => {
    const inline = {
      text: 'T {{ x }}',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*{{ x }}*' }, n: 1, '{{ x }}': null }],
      username: 'U {{ x }}',
      icon: ':{{ x }}:',
      thread_ts: '{{ ts }}',
      reply_broadcast: false,
      parse: 'none' as const,
      link_names: true,
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: true,
      metadata: {
        event_type: 'e_{{ x }}',
        event_payload: { deep: ['{{ x }}', 2] },
        entities: [{ url: '{{ x }}' }],
      },
    };
    expect(contentOf('CHAT', { inline, parameters: { x: 'v', ts: '1.2' } })).toEqual({
      ...inline,
      text: 'T v',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*v*' }, n: 1, '{{ x }}': null }],
      username: 'U v',
      icon: ':v:',
      thread_ts: '1.2',
      metadata: { event_type: 'e_v', event_payload: { deep: ['v', 2] }, entities: [{ url: 'v' }] },
    });
  });

  it('without inline block and template is empty', () => {
    expect(contentOf('EMAIL', {})).toEqual({ subject: '', html: '' });
    expect(contentOf('INAPP_WEB', {})).toEqual({ title: '' });
    expect(contentOf('SMS', {})).toEqual({ message: '', mediaUrls: [] });
    expect(contentOf('WEB_PUSH', {})).toEqual({ title: '', message: '' });
    expect(contentOf('CHAT', {})).toEqual({ text: '' });
  });
});

describe('precedence', () => {
  it('the inline block wins field by field, even where it is empty', () => {
    const template = {
      subject: 'template',
      html: 'template',
      previewText: 'template',
      senderName: 'template',
    };
    expect(contentOf('EMAIL', { template, inline: { html: 'inline', previewText: '' } })).toEqual({
      subject: 'template',
      html: 'inline',
      senderName: 'template',
    });
    const chat = { text: 'template', blocks: [{ a: 1 }], username: 'template' };
    expect(contentOf('CHAT', { template: chat, inline: { text: 'inline', mrkdwn: false } })).toEqual({
      ...chat,
      text: 'inline',
      mrkdwn: false,
    });
  });

  it('an in-app batch takes the batch variant, one item the instant variant, then the fields for both', () => {
    const variant = (title: string) => ({
      title,
      redirectURL: `https://${title}.test`,
      imageURL: `${title}.png`,
    });
    const template = { ...variant('both'), batch: variant('batch'), instant: { imageURL: 'instant.png' } };
    expect(contentOf('INAPP_WEB', { template, mode: 'batch' })).toEqual(variant('batch'));
    expect(contentOf('INAPP_WEB', { template, mode: 'instant' })).toEqual({
      ...variant('both'),
      imageURL: 'instant.png',
    });
    expect(contentOf('INAPP_WEB', { template: variant('both'), mode: 'batch' })).toEqual(variant('both'));
  });
});

describe('JSON', () => {
  it('keeps keys, shape and everything that is not text', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }))), (blocks) => {
        const plain: unknown = JSON.parse(JSON.stringify(blocks).replaceAll('{{', '').replaceAll('{%', ''));
        const given = plain as Record<string, unknown>[];
        expect(contentOf('CHAT', { inline: { text: 't', blocks: given } }).blocks).toEqual(given);
      }),
    );
  });

  it('keeps a key called __proto__ a key', () => {
    const blocks = [JSON.parse('{"__proto__": {"polluted": "{{ x }}"}}')];
    const rendered = contentOf('CHAT', { inline: { text: 't', blocks }, parameters: { x: 1 } }).blocks;
    expect(JSON.stringify(rendered)).toBe('[{"__proto__":{"polluted":"1"}}]');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('that is nested beyond use is a problem', () => {
    const nested: unknown = JSON.parse(`${'{"a":'.repeat(40)}"x"${'}'.repeat(40)}`);
    expect(render('CHAT', { inline: { text: 't', blocks: [{ nested }] } })).toEqual({
      ok: false,
      problem: 'the content is nested more than 32 levels',
    });
  });

  it('does not change what it was given', () => {
    const blocks = [{ text: '{{ x }}', list: ['{{ x }}'] }];
    contentOf('CHAT', { inline: { text: 't', blocks }, parameters: { x: 1 } });
    expect(blocks).toEqual([{ text: '{{ x }}', list: ['{{ x }}'] }]);
  });
});

describe('problems', () => {
  it('name the field and the place, not the values', () => {
    const parameters = { secret: 'hunter2' };
    expect(render('EMAIL', { inline: { subject: 'x', html: '\n{{ secret | shout }}' }, parameters })).toEqual(
      {
        ok: false,
        problem: 'html: there is no filter "shout" (line 2, column 1)',
      },
    );
    expect(
      render('CHAT', { inline: { text: 'x', blocks: [{ a: ['{% if secret %}'] }] }, parameters }),
    ).toEqual({
      ok: false,
      problem: 'blocks: the tag "if" is not closed (line 1, column 1)',
    });
  });

  it('come from limits that all fields share', () => {
    const blocks = Array.from({ length: 50 }, () => ({ text: '{% for i in (1..99999) %}{% endfor %}' }));
    const rendered = withStillClock(() => render('CHAT', { inline: { text: 't', blocks } }));
    expect(rendered).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^blocks: rendering takes more than 3,000,000 steps/),
    });
    const long = Array.from({ length: 3 }, () => ({ text: 'x'.repeat(1_000_000) }));
    expect(render('CHAT', { inline: { text: 't', blocks: long } })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^blocks: the content has more than 2,097,152 characters/),
    });
  });

  it('are not made of a missing component, which is noted', () => {
    const template = { html: '{% component "a" %}{% component "gone" %}' };
    expect(
      render('EMAIL', { template, components: { a: '<i>{{ x }}</i>' }, parameters: { x: '<' } }),
    ).toEqual({
      ok: true,
      content: { subject: '', html: '<i>&lt;</i>' },
      notes: ['the component "gone" does not exist'],
    });
  });
});

describe('preview', () => {
  it('is the html, the message, or the fields as JSON', () => {
    expect(previewOf('EMAIL', { html: '<p>', subject: 's' })).toBe('<p>');
    expect(previewOf('SMS', { message: 'm', mediaUrls: [] })).toBe('m');
    expect(previewOf('CALL', { message: 'm' })).toBe('m');
    expect(previewOf('INAPP_WEB', { title: 't', imageURL: 'i' })).toBe('{"title":"t","imageURL":"i"}');
    expect(previewOf('PUSH', { title: 't', message: 'm' })).toBe('{"title":"t","message":"m"}');
    expect(previewOf('WEB_PUSH', { title: 't', message: 'm', url: 'u' })).toBe(
      '{"title":"t","message":"m","url":"u"}',
    );
    expect(previewOf('CHAT', { text: 't', blocks: [{ a: 1 }] })).toBe('{"text":"t","blocks":[{"a":1}]}');
  });
});
