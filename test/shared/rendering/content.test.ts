import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RenderInput, renderContent } from '../../../shared/rendering/content.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { withStillClock } from '../../support/still-clock.ts';

function render<C extends Channel>(channel: C, input: Partial<RenderInput<C>>) {
  return renderContent<C>({ channel, user: {}, parameters: {}, mode: 'instant', atMs: 0, ...input });
}

function contentOf<C extends Channel>(channel: C, input: Partial<RenderInput<C>>) {
  const rendered = render(channel, input);
  if (!rendered.ok) throw new Error(rendered.problem);
  return rendered.content;
}

describe('fields of each channel', () => {
  it('EMAIL uses every field of the template', () => {
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

  it('INAPP_WEB uses title, url and image', () => {
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

  it("keeps web links, relative links and links with the account's app schemes", () => {
    const inline = { title: 't', url: 'MyApp://orders/{{ id }}', image: '/i/{{ id }}.png' };
    expect(contentOf('INAPP_WEB', { inline, parameters: { id: 7 }, linkSchemes: ['myapp'] })).toEqual({
      title: 't',
      redirectURL: 'MyApp://orders/7',
      imageURL: '/i/7.png',
    });
  });

  it('SMS uses the message, media, reply and number', () => {
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

  it('SMS and CALL use the text of their template', () => {
    expect(contentOf('SMS', { template: { text: 'Hi {{ name }}' }, parameters: { name: '"A"' } })).toEqual({
      message: 'Hi "A"',
      mediaUrls: [],
    });
    expect(contentOf('CALL', { template: { text: 'Hi {{ name }}' }, parameters: { name: '"A"' } })).toEqual({
      message: 'Hi "A"',
    });
  });

  it('PUSH and WEB_PUSH use title and message', () => {
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

  it('CALL has the language of the chosen text, unless its content states one; values in SSML are escaped', () => {
    const language = { locale: 'fr-CA', htmlLocale: 'fr', zone: 'UTC' };
    const parameters = { name: 'A <break/> & "B"' };
    const inline = {
      message: '<speak>{{ name }}<break time="1s"/></speak>',
      voice: 'Lea',
      repeat: 2,
    } as const;
    expect(contentOf('CALL', { inline, language, parameters })).toEqual({
      message: '<speak>A &lt;break/&gt; &amp; &#34;B&#34;<break time="1s"/></speak>',
      language: 'fr-CA',
      voice: 'Lea',
      repeat: 2,
    });
    expect(contentOf('CALL', { inline: { message: 'a', language: 'de' }, language })).toEqual({
      message: 'a',
      language: 'de',
    });
    expect(contentOf('CALL', { inline: { message: 'a' } })).toEqual({ message: 'a' });
  });

  it('CHAT escapes the links of Discord in values, and leaves the text of Teams as it is', () => {
    const input = {
      inline: { text: '**{{ c }}**' },
      parameters: { c: '[bank](https://evil.test) <@1> a_b' },
    };
    expect(contentOf('CHAT', { ...input, chatProvider: 'discord' }).text).toBe(
      String.raw`**\[bank\](https://evil.test) \<@1> a_b**`,
    );
    expect(contentOf('CHAT', { ...input, chatProvider: 'teams' }).text).toBe(
      '**[bank](https://evil.test) <@1> a_b**',
    );
  });

  it('CHAT escapes the links of Markdown in values of markdown blocks', () => {
    const blocks = [{ type: 'markdown', text: '**{{ c }}**' }];
    const parameters = { c: '[bank](https://evil.test) <!channel>' };
    expect(contentOf('CHAT', { inline: { text: 't', blocks }, parameters }).blocks).toEqual([
      { type: 'markdown', text: String.raw`**\[bank\](https://evil.test) \<!channel>**` },
    ]);
  });

  it.each([
    "| append: '!'",
    "| prepend: '!'",
    "| replace: 'zzz', 'y'",
    "| default: 'x'",
    '| upcase',
    '| downcase',
    '| capitalize',
    '| strip',
    '| strip_newlines',
    '| escape',
    '| escape_once',
    '| newline_to_br',
    '| json',
    '| truncate: 90',
    "| split: ' ' | join: ' '",
    "| split: ' ' | first",
    '| slice: 0, 90',
    '| date: "%Y"',
  ])('CHAT shows no mention or link of a value behind {{ c %s }}', (filter) => {
    const parameters = { c: '<!channel> <https://evil.test|bank>\n[bank](https://evil.test)' };
    const text = `{{ c ${filter} }} {% assign x = c ${filter} %}{{ x }}{% capture y %}{{ x }}{% endcapture %}{{ y }}`;
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }];
    const slack = JSON.stringify(contentOf('CHAT', { inline: { text, blocks }, parameters }));
    expect(slack).not.toMatch(/<!|<https|<HTTPS/i);
    const discord = contentOf('CHAT', { inline: { text }, parameters, chatProvider: 'discord' }).text;
    expect(discord).not.toMatch(/(?<!\\)\[bank(?<!\\)\]|(?<![\\])<!/i);
  });

  it('CHAT shows mentions and links in values as text, unless they are raw; links and values of blocks stay as they are', () => {
    const c = "<!channel> <https://evil.test|your bank> Tom & Ann's";
    const shown = "&lt;!channel&gt; &lt;https://evil.test|your bank&gt; Tom &amp; Ann's";
    const section = (text: string) => ({
      type: 'section',
      text: { type: 'mrkdwn', text },
      fields: [{ text }],
    });
    const inline = {
      text: '<!here> {{ c }} {{ c | raw }} {% capture x %}{{ c }}{% endcapture %}{{ x }}{{ list | join: ", " }}',
      blocks: [
        section('*{{ c }}*'),
        {
          type: 'actions',
          elements: [{ url: 'https://a.test/?{{ q }}', value: '{{ q }}', action_id: '{{ q }}' }],
        },
        { type: 'image', image_url: 'https://a.test/?{{ q }}', alt_text: '{{ c }}' },
      ],
    };
    expect(contentOf('CHAT', { inline, parameters: { c, list: ['<@U1>'], q: 'a=1&b=2' } })).toEqual({
      text: `<!here> ${shown} ${c} ${shown}&lt;@U1&gt;`,
      blocks: [
        section(`*${shown}*`),
        {
          type: 'actions',
          elements: [{ url: 'https://a.test/?a=1&b=2', value: 'a=1&b=2', action_id: 'a=1&b=2' }],
        },
        { type: 'image', image_url: 'https://a.test/?a=1&b=2', alt_text: shown },
      ],
    });
  });

  it('CHAT uses every field, with flags unchanged', () => {
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

  it('stay empty without inline content and without a template', () => {
    expect(contentOf('EMAIL', {})).toEqual({ subject: '', html: '' });
    expect(contentOf('INAPP_WEB', {})).toEqual({ title: '' });
    expect(contentOf('SMS', {})).toEqual({ message: '', mediaUrls: [] });
    expect(contentOf('WEB_PUSH', {})).toEqual({ title: '', message: '' });
    expect(contentOf('CHAT', {})).toEqual({ text: '' });
  });
});

describe('precedence of content', () => {
  it('uses inline content field by field, even where it is empty', () => {
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

  it('uses the batch variant for several in-app items, the instant variant for one, and then the shared fields', () => {
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

describe('JSON content', () => {
  it('keeps keys, shape and everything except text', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }))), (blocks) => {
        const plain: unknown = JSON.parse(JSON.stringify(blocks).replaceAll('{{', '').replaceAll('{%', ''));
        const given = plain as Record<string, unknown>[];
        expect(contentOf('CHAT', { inline: { text: 't', blocks: given } }).blocks).toEqual(given);
      }),
    );
  });

  it('keeps __proto__ as a plain key', () => {
    const blocks = [JSON.parse('{"__proto__": {"polluted": "{{ x }}"}}')];
    const rendered = contentOf('CHAT', { inline: { text: 't', blocks }, parameters: { x: 1 } }).blocks;
    expect(JSON.stringify(rendered)).toBe('[{"__proto__":{"polluted":"1"}}]');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('fails when it is nested too deeply', () => {
    const nested: unknown = JSON.parse(`${'{"a":'.repeat(40)}"x"${'}'.repeat(40)}`);
    expect(render('CHAT', { inline: { text: 't', blocks: [{ nested }] } })).toEqual({
      ok: false,
      problem: 'the content is nested more than 32 levels',
    });
  });

  it('remains unchanged', () => {
    const blocks = [{ text: '{{ x }}', list: ['{{ x }}'] }];
    contentOf('CHAT', { inline: { text: 't', blocks }, parameters: { x: 1 } });
    expect(blocks).toEqual([{ text: '{{ x }}', list: ['{{ x }}'] }]);
  });
});

describe('content problems', () => {
  it('name the field and the position, and no values', () => {
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

  it('include limits that all fields share', () => {
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

  it('exclude a missing component, which is reported separately', () => {
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

describe('a content preview', () => {
  it('shows the HTML, the message or the fields as JSON', () => {
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
