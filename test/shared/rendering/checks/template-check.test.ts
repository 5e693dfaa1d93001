import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { templateProblems } from '../../../../shared/rendering/checks/template-check.ts';
import { CHANNELS, type Channel } from '../../../../shared/schemas/channel.ts';
import {
  fieldsOfOtherChannels,
  TEMPLATE_CONTENT,
  type TemplateContent,
} from '../../../../shared/schemas/content/template-content.ts';

const problemsOf = <C extends Channel>(channel: C, content: Partial<TemplateContent[C]>) =>
  templateProblems(channel, content, ['myapp']);

describe('templateProblems', () => {
  it('names links that are omitted when sent, by their scheme', () => {
    const unsafe = 'java\tscript:alert(1)';
    const variant = { title: 't', redirectURL: 'otherapp://x', imageURL: 'data:image/png,{{ x }}' };
    const fields = problemsOf('INAPP_WEB', { title: 'a:b', redirectURL: unsafe, batch: variant }).map(
      (problem) => problem.split(':')[0],
    );
    expect(fields).toEqual(['redirectURL', 'batch.redirectURL', 'batch.imageURL']);
    expect(problemsOf('WEB_PUSH', { url: unsafe, icon: 'vbscript:{{ x }}' })).toHaveLength(2);
    expect(problemsOf('WEB_PUSH', { url: '{{ link }}', icon: 'myapp:icon' })).toEqual([]);
    expect(problemsOf('CHAT', { icon: ':tada:' })).toEqual([]);
  });

  it('returns none for templates that render', () => {
    expect(problemsOf('EMAIL', { html: '{% component "a" %}{{ x | raw }}', subject: '{{ x }}' })).toEqual([]);
    expect(problemsOf('CHAT', { text: 't', blocks: [{ type: 'x', n: 1, text: '{{ x }}' }] })).toEqual([]);
  });

  it('names each field with its problem', () => {
    const variant = { title: '{{ ok }}', redirectURL: '{% if %}', imageURL: 'i' };
    expect(problemsOf('INAPP_WEB', { title: '{{ a', imageURL: '{{ b | c }}', batch: variant })).toEqual([
      'title: a merge tag is not closed (line 1, column 1)',
      'imageURL: there is no filter "c" (line 1, column 1)',
      'batch: the Liquid syntax is not valid (line 1, column 6)',
    ]);
    expect(problemsOf('CHAT', { blocks: [{ a: [{ b: '{% for %}' }] }] })).toHaveLength(1);
  });

  it('accepts components in the HTML of emails only', () => {
    expect(problemsOf('EMAIL', { html: '{% component "a" %}', subject: '{% component "a" %}' })).toEqual([
      'subject: component is available in the html of emails only (line 1, column 1)',
    ]);
  });

  it("ignores the editor's own representation", () => {
    expect(problemsOf('EMAIL', { internal: '{"text":"{{ half' })).toEqual([]);
  });

  it('rejects blocks that are nested too deeply', () => {
    const nested: Record<string, unknown> = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    expect(problemsOf('CHAT', { blocks: [nested] })).toEqual([
      'blocks: the content is nested more than 32 levels',
    ]);
  });
});

describe('TEMPLATE_CONTENT', () => {
  it.each(CHANNELS)('accepts any subset of the properties of %s and drops the rest', (channel) => {
    expect(v.parse(TEMPLATE_CONTENT[channel], { unknown: 1 })).toEqual({});
  });

  it('requires all three fields of a batch variant, and the image of an instant one', () => {
    const accepts = (body: unknown) => v.safeParse(TEMPLATE_CONTENT.INAPP_WEB, body).success;
    const all = { title: 't', redirectURL: 'r', imageURL: 'i' };
    expect(accepts({ batch: all, instant: all })).toBe(true);
    expect(accepts({ instant: { imageURL: 'i' } })).toBe(true);
    expect(accepts({ instant: { title: 't', redirectURL: 'r' } })).toBe(false);
    expect(accepts({ batch: { title: 't', imageURL: 'i' } })).toBe(false);
    expect(accepts({ batch: { ...all, title: 1 } })).toBe(false);
  });

  it('distinguishes fields of other channels from unknown fields', () => {
    expect(
      fieldsOfOtherChannels('SMS', { text: 't', html: 'h', blocks: [], constructor: 1, nonsense: 1 }),
    ).toEqual(['html', 'blocks']);
    expect(fieldsOfOtherChannels('EMAIL', { html: 'h', internal: 'i', subject: 's' })).toEqual([]);
  });
});
