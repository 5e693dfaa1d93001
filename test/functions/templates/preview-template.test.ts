import { describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as preview } from '../../../functions/templates/preview-template.ts';
import { templateKey } from '../../../shared/database/keys/environment.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';
import { accountWithType, addType } from './setup.ts';

const app = useApp();
const account = useStarted(() => accountWithType(app));

const PATH = { notificationId: 'comment', channel: 'EMAIL' };
const previewOf = (body: object, path: object = {}) =>
  call(preview, { key: account.secret.key, path: { ...PATH, ...path }, body });

describe('POST …/templates/preview', () => {
  it('renders an unsaved template and lists the variables without a value', async () => {
    const template = {
      subject: 'Hi {{ name }}',
      html: '<p>{{ comment }} {{ post.title }} {{ user.email }}</p>',
    };
    const { status, json } = await previewOf({ template, parameters: { name: 'Ada', comment: '<b>' } });
    expect([status, json]).toEqual([
      200,
      { content: { subject: 'Hi Ada', html: '<p>&lt;b&gt;  </p>' }, missing: ['post.title'] },
    ]);
  });

  it('renders digest items and embedded components', async () => {
    const component = { componentId: 'footer', name: 'F', html: '<i>{{ imprint }}</i>' };
    expect((await call(createComponent, { key: account.secret.key, body: component })).status).toBe(200);
    const html = "{{ _items.size }}:{% for item in _items %}{{ item.n }}{% endfor %}{% component 'footer' %}";
    const { json } = await previewOf({
      template: { subject: 's', html },
      items: [{ n: 1 }, { n: 2 }],
      mode: 'weekly',
    });
    expect(json).toEqual({ content: { subject: 's', html: '2:12<i></i>' }, missing: ['imprint'] });
  });

  it('starts from the samples of the template, items included', async () => {
    const samples = { author: 'Ada', _items: [{ text: 'a' }, { text: 'b' }] };
    const html = '{{ author }}{% for item in _items %}{{ item.text }}{{ item.url }}{% endfor %}';
    const template = { subject: '{{ author }}', html, samples };
    const shown = async (body: object) => {
      const { json } = await previewOf({ template, ...body });
      return [json.content.html, json.missing];
    };
    expect(await shown({})).toEqual(['Adaab', ['_items[].url']]);
    expect(await shown({ mode: 'instant' })).toEqual(['Ada', ['_items']]);
    expect(await shown({ parameters: { author: 'Bob' } })).toEqual(['Bob', ['_items']]);
    expect(await shown({ items: [{ text: 'c', url: 'd' }] })).toEqual(['Adacd', []]);
  });

  it('names a link that is omitted', async () => {
    const { json } = await previewOf(
      { template: { title: 't', redirectURL: '{{ link }}' }, parameters: { link: 'javascript:alert(1)' } },
      { channel: 'INAPP_WEB' },
    );
    expect(json.content).toEqual({ title: 't' });
    expect(json.notes).toEqual([expect.stringContaining('url was omitted')]);
  });

  it('says what readers of the email would miss', async () => {
    const notesOf = async (html: string) =>
      (await previewOf({ template: { subject: 's', html } }, {})).json.notes;
    expect(await notesOf(`<p>${'x'.repeat(103 * 1024)}</p>`)).toEqual([
      'Gmail cuts it, because its html is over 102 KB.',
    ]);
    expect(await notesOf('<img src="https://x.org/a.png">')).toEqual([
      'it says nothing while images are off.',
    ]);
    expect(await notesOf('<p>Hi</p>')).toBeUndefined();
    const unfinished = await notesOf('<img '.repeat(60_000));
    expect(unfinished).toHaveLength(2);
  });

  it.each([
    ['a field of another channel', { template: { message: 't' } }, {}, 'INVALID_FIELD_FOR_CHANNEL'],
    ['Liquid that cannot be parsed', { template: { html: '{{ a' } }, {}, 'INVALID_TEMPLATE'],
    [
      'Liquid that cannot be rendered',
      { template: { html: '{% for a in (1..99999) %}{% for b in (1..99999) %}x{% endfor %}{% endfor %}' } },
      {},
      'INVALID_TEMPLATE',
    ],
    [
      'a component that does not exist',
      { template: { html: "{% component 'foter' %}" } },
      {},
      'INVALID_TEMPLATE',
    ],
    ['a mode of other channels', { template: {}, mode: 'batch' }, {}, 'INVALID_REQUEST'],
    ['no template', {}, {}, 'INVALID_REQUEST'],
    ['an unknown channel', { template: {} }, { channel: 'FAX' }, 'INVALID_CHANNEL'],
    ['an unknown type', { template: {} }, { notificationId: 'none' }, 'RESOURCE_NOT_FOUND'],
  ])('returns 400 for %s', async (_, body, path, code) => {
    const { status, json } = await previewOf(body, path);
    expect([status, json.error.code]).toEqual([400, code]);
  });

  it("returns 400 for another account's type and stores nothing", async () => {
    const other = await createTestAccount(app);
    await addType(other, 'theirs');
    const { json } = await previewOf({ template: { subject: 's' } }, { notificationId: 'theirs' });
    expect(json.error.code).toBe('RESOURCE_NOT_FOUND');
    await previewOf({ template: { subject: 's', html: 'h' } });
    const { environmentId } = account.environment;
    expect(await app.database.queryAll(templateKey(environmentId, 'comment', 'EMAIL', 'any').pk, '')).toEqual(
      [],
    );
  });
});
