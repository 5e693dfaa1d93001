import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { withStillClock } from '../../support/still-clock.ts';
import { contentOf, render } from './content-setup.ts';

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
