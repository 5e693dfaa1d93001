import { describe, expect, it } from 'vitest';
import { handler as getAccount } from '../../../functions/account/get-account.ts';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as deleteComponent } from '../../../functions/components/delete-component.ts';
import { handler as updateComponent } from '../../../functions/components/update-component.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as getTemplate } from '../../../functions/templates/get-template.ts';
import { handler as previewTemplate } from '../../../functions/templates/preview-template.ts';
import { handler as updateTemplate } from '../../../functions/templates/update-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';

const pipeline = usePipeline();
const path = { notificationId: 'news', channel: 'EMAIL' };
const own = { ...path, templateId: 'main' };

async function open(components: Record<string, string> = {}) {
  const { secret } = await createTestAccount(pipeline);
  const { key } = secret;
  await call(createType, { key, body: { notificationId: 'news', title: 'News', channels: ['EMAIL'] } });
  for (const [componentId, html] of Object.entries(components)) {
    const body = { componentId, name: componentId, html };
    expect((await call(createComponent, { key, body })).status).toBe(200);
  }
  return {
    key,
    preview: async (template: object, more: object = {}) =>
      (await call(previewTemplate, { key, path, body: { template: { subject: 's', ...template }, ...more } }))
        .json,
    create: (template: object) =>
      call(createTemplate, {
        key,
        path,
        body: { templateId: 'main', subject: 's', html: '<p>x</p>', ...template },
      }),
    update: (body: object) => call(updateTemplate, { key, path: own, body }),
    account: (body: object) => call(updateAccount, { key, body }),
    async sent(more: object = {}) {
      const body = { type: 'news', to: { id: 'ada', email: 'ada@example.com' }, ...more };
      const { json } = await call(send, { key, body });
      await pipeline.settle();
      const found = pipeline.outbox.find(({ trackingId }) => trackingId === json.trackingId);
      return (found?.message as { html: string } | undefined)?.html;
    },
  };
}

describe('a component with arguments', () => {
  const button = '<a href="{{ url }}">{{ label }}</a>';

  it.each([
    [`{% component 'button', label: "Track", url: link %}`, '<a href="/t">Track</a>'],
    [`{% component 'button', label: '<b>', url: list[1] %}`, '<a href="/2">&lt;b&gt;</a>'],
    [`{% component 'button', label: name | upcase, url: '' %}`, null],
    [`{% component "button" , url:link,label:name %}`, '<a href="/t">Ada</a>'],
    [`{% component 'button' %}`, '<a href=""></a>'],
    [`{% component 'button', label: 'in' %}{{ label }}`, '<a href="">in</a>'],
    [`{% assign label = 'out' %}{% component 'button', url: 1 %}`, '<a href="1">out</a>'],
    [
      `{% for x in list %}{% component 'button', label: x, url: forloop.index %}{% endfor %}`,
      '<a href="1">/1</a><a href="2">/2</a>',
    ],
    [`{% component 'outer', label: 'deep', url: '/d' %}`, '[<a href="/d">deep!</a>]'],
    [`{% component 'button' label: 'x' %}`, null],
    [`{% component 'button', label %}`, null],
    [`{% component 'button', 'x' %}`, null],
    [`{% component button, label: 'x' %}`, null],
  ])('renders %s as %s', async (html, expected) => {
    const outer = `[{% assign more = label | append: '!' %}{% component 'button', label: more %}]`;
    const { preview } = await open({ button, outer });
    const parameters = { link: '/t', name: 'Ada', list: ['/1', '/2'] };
    const json = await preview({ html }, { parameters });
    if (expected === null) expect(json.error.code).toBe('INVALID_TEMPLATE');
    else expect(json.content.html).toBe(expected);
  });

  it('lists as missing what neither the request nor an argument supplies', async () => {
    const { preview } = await open({ button });
    const html = `{% component 'button', label: title %}{% component 'button', url: '/', label: 'x' %}`;
    expect((await preview({ html })).missing).toEqual(['title', 'url']);
    const supplied = `{% component 'button', url: '/', label: 'x' %}`;
    expect((await preview({ html: supplied })).missing).toEqual([]);
  });

  it.each([
    ["{% for url in (1..2) %}{% component 'outer' %}{% endfor %}{% component 'outer' %}", ['label', 'url']],
    ["{% for url in (1..2) %}{% component 'button', label: url %}{% endfor %}", []],
    ["{% component 'outer', label: 1, url: 1 %}{% component 'outer', label: 1 %}", ['url']],
    ["{% component 'button', url: 1 %}{% assign label = 1 %}{% component 'button', url: 1 %}", ['label']],
    ["{% assign label = 1 %}{% component 'button', url: 1 %}{% component 'outer', url: 1 %}", []],
  ])('lists what is missing wherever a component is embedded: %s', async (html, missing) => {
    const { preview } = await open({ button, outer: "[{% component 'button' %}]" });
    expect((await preview({ html })).missing).toEqual(missing);
  });
});

describe('a layout', () => {
  const frame = '<main>{{ content }}</main><i>{{ brand }}</i>{% component "foot", text: "bye" %}';
  const foot = '<footer>{{ text }}</footer>';
  const plain = '<div>{{ content }}</div>';

  it('surrounds the html of a template, in previews and in what is sent', async () => {
    const { preview, create, sent } = await open({ foot, frame });
    const template = { html: '<p>{{ name }}</p>', layout: 'frame' };
    const json = await preview(template, { parameters: { name: '<Ada>' } });
    expect(json).toMatchObject({
      content: { html: '<main><p>&lt;Ada&gt;</p></main><i></i><footer>bye</footer>' },
      missing: ['brand'],
    });
    expect((await create(template)).status).toBe(200);
    const parameters = { name: '1 & 1', brand: 'B', content: 'not this' };
    expect(await sent({ parameters, replace: { '1': '11' } })).toBe(
      '<main><p>11 &amp; 11</p></main><i>B</i><footer>bye</footer>',
    );
    expect(await sent({ email: { subject: 's', html: '<p>inline</p>' } })).toBe('<p>inline</p>');
  });

  it("is the account's where the template names none; null is none, and an empty one the account's again", async () => {
    const { key, create, update, account, sent } = await open({ foot, frame, plain });
    await create({});
    expect((await account({ defaultLayout: 'plain' })).json).toMatchObject({ defaultLayout: 'plain' });
    expect(await sent()).toBe('<div><p>x</p></div>');
    await update({ layout: null });
    expect(await sent()).toBe('<p>x</p>');
    expect((await call(getTemplate, { key, path: own })).json).toMatchObject({ layout: null });
    await update({ layout: 'frame' });
    expect(await sent()).toContain('<main><p>x</p></main>');
    await update({ layout: '' });
    expect((await call(getTemplate, { key, path: own })).json).not.toHaveProperty('layout');
    expect(await sent()).toBe('<div><p>x</p></div>');
    await account({ defaultLayout: null });
    expect(await sent()).toBe('<p>x</p>');
    expect((await call(getAccount, { key })).json).not.toHaveProperty('defaultLayout');
  });

  it.each([
    ['unknown', /does not exist/],
    ['foot', /has no \{\{ content \}\}/],
  ])('cannot be %s', async (layout, because) => {
    const { create, preview, account } = await open({ foot, plain });
    for (const { status, json } of [
      await create({ layout }),
      { status: 400, json: await preview({ html: 'x', layout }) },
      await account({ defaultLayout: layout }),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
      expect(json.error.message).toMatch(because);
    }
  });

  it('cannot be deleted while a template names it; without content, it is left out of what is sent', async () => {
    const { key, create, sent } = await open({ plain });
    await create({ layout: 'plain' });
    const component = { key, path: { componentId: 'plain' } };
    expect((await call(deleteComponent, component)).json.error.code).toBe('RESOURCE_IN_USE');
    await call(updateComponent, { ...component, body: { html: 'nothing' } });
    expect(await sent()).toBe('<p>x</p>');
  });
});
