import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as deleteComponent } from '../../../functions/components/delete-component.ts';
import { handler as getComponent } from '../../../functions/components/get-component.ts';
import { handler as listComponents } from '../../../functions/components/list-components.ts';
import { handler as updateComponent } from '../../../functions/components/update-component.ts';
import { components } from '../../../shared/database/entities/content/components.ts';
import { environmentPk } from '../../../shared/database/keys/key.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { Component } from '../../../shared/schemas/content/component.ts';
import { call, createTestAccount, START_MS, type TestAccount } from '../../support/app.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { accountWithType, addType, removeType, templatesOf } from '../templates/setup.ts';

/** Calls of the components endpoints by the account's secret key. */
function componentsOf(account: TestAccount) {
  const key = account.secret.key;
  return {
    create: (body: object) => call(createComponent, { key, body }),
    list: (query: Record<string, string> = {}) => call(listComponents, { key, query }),
    get: (componentId: string) => call(getComponent, { key, path: { componentId } }),
    patch: (componentId: string, body: object) => call(updateComponent, { key, path: { componentId }, body }),
    remove: (componentId: string) => call(deleteComponent, { key, path: { componentId } }),
  };
}

/** Html that embeds the components. */
const embedding = (...componentIds: string[]) =>
  `<p>x</p>${componentIds.map((id) => `{% component '${id}' %}`).join('')}`;

const app = useApp();
const account = useAccount(app, 'test');

const path = { componentId: 'footer' };
const LONG = 'x'.repeat(2048);
const NOW = new Date(START_MS).toISOString();

describe('POST /components', () => {
  it('stores the smallest component under a generated ID', async () => {
    const components = componentsOf(account);
    const { status, json } = await components.create({ name: 'Footer' });
    expect(status).toBe(200);
    expect(v.is(Component, json)).toBe(true);
    expect(json).toEqual({
      envId: account.environment.environmentId,
      componentId: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
      name: 'Footer',
      internal: '',
      internalPage: '',
      html: '',
      createdAt: NOW,
      modifiedAt: NOW,
      updatedAt: NOW,
      referencedBy: [],
      channel: 'EMAIL',
    });
    expect((await components.get(json.componentId)).json).toEqual(json);
  });

  it('stores every field unchanged', async () => {
    const components = componentsOf(await createTestAccount(app));
    const body = {
      componentId: 'Ünï #%/ ☂',
      name: '☂',
      html: '<p>{{ user.id | upcase }}</p>',
      internal: '{% editor',
      internalPage: '{"page": 1}',
    };
    expect((await components.create(body)).json).toMatchObject(body);
    expect((await components.get(body.componentId)).json).toMatchObject(body);
  });

  it('returns 400 for invalid values of every field and stores nothing', async () => {
    const cases: Record<string, readonly unknown[]> = {
      componentId: [null, 7, '', ' x', LONG, 'a\nb'],
      name: [...NOT_TEXT, '', '  ', LONG],
      html: [null, 7, {}],
      internal: [null, 7, []],
      internalPage: [null, true],
    };
    for (const [field, values] of Object.entries(cases)) {
      const request = { key: account.secret.key, body: { name: 'x' } };
      await expectRefusedValues(createComponent, request, field, values);
    }
    for (const rawBody of ['', '{', '[]', 'null']) {
      expect((await call(createComponent, { key: account.secret.key, rawBody })).status).toBe(400);
    }
    expect((await componentsOf(account).list()).json).toEqual({ components: [] });
  });

  it('returns 400 for html with invalid Liquid or larger than one item', async () => {
    const components = componentsOf(await createTestAccount(app));
    const wrong = await components.create({ name: 'x', html: '<p>{{ secretname' });
    expect([wrong.status, wrong.json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
    expect(wrong.json.error.message).toMatch(/^html: /);
    expect(wrong.json.error.message).not.toContain('secretname');
    const large = await components.create({ name: 'x', internal: 'x'.repeat(1_000_001) });
    expect([large.status, large.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('creates one component from concurrent requests with the same ID', async () => {
    const components = componentsOf(await createTestAccount(app));
    const responses = await Promise.all(
      ['a', 'b', 'c'].map((name) => components.create({ componentId: 'footer', name })),
    );
    expect(responses.map((response) => response.json.error?.code).sort()).toEqual([
      'DUPLICATE_RESOURCE',
      'DUPLICATE_RESOURCE',
      undefined,
    ]);
    const won = responses.find((response) => response.status === 200);
    expect((await components.get('footer')).json).toEqual(won?.json);
  });
});

describe('PATCH /components/{componentId}', () => {
  it('changes only the given fields and the time of the change', async () => {
    const components = componentsOf(account);
    const { json } = await components.create({ componentId: 'footer', name: 'a', html: 'h', internal: 'i' });
    app.clock.nowMs += 1000;
    const modifiedAt = new Date(app.clock.nowMs).toISOString();
    expect((await components.patch('footer', {})).json).toEqual(json);
    const dates = { modifiedAt, updatedAt: modifiedAt, updatedBy: account.admin.userId };
    const changed = { ...json, name: 'b', html: '', ...dates };
    expect((await components.patch('footer', { name: 'b', html: '' })).json).toEqual(changed);
    expect((await components.get('footer')).json).toEqual(changed);
  });

  it('returns 400 for invalid values and changes nothing', async () => {
    const components = componentsOf(account);
    const { json } = await components.create({ componentId: 'footer', name: 'a', html: 'h' });
    const cases: Record<string, readonly unknown[]> = {
      name: [null, 7, '', ' ', LONG],
      html: [null, 7],
      internal: [null, {}],
      internalPage: [null, []],
    };
    for (const [field, values] of Object.entries(cases)) {
      const request = { key: account.secret.key, path, body: {} };
      await expectRefusedValues(updateComponent, request, field, values);
    }
    expect((await components.patch('footer', { html: '{% if %}' })).json.error.code).toBe('INVALID_TEMPLATE');
    expect((await components.get('footer')).json).toEqual(json);
  });

  it('keeps all concurrent changes of different fields', async () => {
    const components = componentsOf(await createTestAccount(app));
    await components.create({ componentId: 'footer', name: 'a' });
    const changes = { name: 'b', html: 'h', internal: 'i', internalPage: 'p' };
    await Promise.all(
      Object.entries(changes).map(([field, value]) => components.patch('footer', { [field]: value })),
    );
    expect((await components.get('footer')).json).toMatchObject(changes);
  });
});

describe('GET /components', () => {
  it('pages through all components once, ordered by ID', async () => {
    const components = componentsOf(await createTestAccount(app));
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const componentId of ids) await components.create({ componentId, name: componentId });
    for (const limit of ['1', '2', '3', '4', '5', '100']) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { json } = await components.list({ limit, ...(cursor ? { cursor } : {}) });
        expect(json.components.length).toBeGreaterThan(0);
        expect(json.components.length).toBeLessThanOrEqual(Number(limit));
        seen.push(...json.components.map((component: Component) => component.componentId));
        cursor = json.nextCursor;
      } while (cursor);
      expect(seen).toEqual(ids);
    }
  });

  it('returns fewer large components per page and loses none', async () => {
    const components = componentsOf(await createTestAccount(app));
    for (const componentId of ['a', 'b', 'c', 'd', 'e']) {
      await components.create({ componentId, name: 'large', internal: 'x'.repeat(900_000) });
    }
    const first = await components.list();
    expect(Buffer.byteLength(first.response.body)).toBeLessThan(4_000_000);
    const second = await components.list({ cursor: first.json.nextCursor });
    const third = await components.list({ cursor: second.json.nextCursor });
    const ids = [first, second, third].flatMap(({ json }) =>
      json.components.map((each: { componentId: string }) => each.componentId),
    );
    expect(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(third.json).not.toHaveProperty('nextCursor');
  });

  it('returns 400 for a limit out of range and a cursor that is changed or from another account', async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    for (const each of [account, other]) {
      for (const name of ['a', 'b']) await componentsOf(each).create({ name });
    }
    for (const limit of ['0', '101', '-1', '1.5', 'x', '']) {
      expect((await componentsOf(account).list({ limit })).json.error.code).toBe('INVALID_REQUEST');
    }
    const { nextCursor } = (await componentsOf(account).list({ limit: '1' })).json;
    for (const [of, cursor] of [
      [other, nextCursor],
      [account, `${nextCursor.slice(0, -1)}!`],
      [account, 'x'],
      [account, LONG],
    ]) {
      expect((await componentsOf(of).list({ cursor })).json.error.code).toBe('INVALID_CURSOR');
    }
  });
});

describe('an unknown component or one of another account', () => {
  it('returns 400 on every endpoint and remains unchanged', async () => {
    const [owner, stranger] = [await createTestAccount(app), await createTestAccount(app)];
    const { json } = await componentsOf(owner).create({ componentId: 'footer', name: 'Mine' });
    for (const response of [
      await componentsOf(stranger).get('footer'),
      await componentsOf(stranger).patch('footer', { name: 'Theirs' }),
      await componentsOf(stranger).remove('footer'),
      await componentsOf(owner).get('unknown ☂'),
      await componentsOf(owner).patch('unknown ☂', {}),
      await componentsOf(owner).remove('unknown ☂'),
    ]) {
      expect([response.status, response.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    }
    expect((await componentsOf(stranger).list()).json).toEqual({ components: [] });
    expect((await componentsOf(owner).get('footer')).json).toEqual(json);
    for (const componentId of ['', ' x', LONG]) {
      expect((await componentsOf(owner).get(componentId)).json.error.code).toBe('INVALID_REQUEST');
    }
  });
});

describe('DELETE /components/{componentId}', () => {
  it('deletes the component once and no other', async () => {
    const components = componentsOf(await createTestAccount(app));
    await components.create({ componentId: 'footer', name: 'a' });
    await components.create({ componentId: 'footer2', name: 'b' });
    expect(await components.remove('footer')).toMatchObject({
      status: 200,
      json: { message: 'The component is deleted.' },
    });
    expect((await components.remove('footer')).json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect((await components.get('footer2')).status).toBe(200);
  });
});

/** An account with the type `comment` and these components, each with the ids it embeds. */
async function accountWith(embeddings: Record<string, string[]>): Promise<TestAccount> {
  const account = await accountWithType(app);
  for (const [componentId, ids] of Object.entries(embeddings)) {
    const made = await componentsOf(account).create({ componentId, name: 'x', html: embedding(...ids) });
    expect(made.status).toBe(200);
  }
  return account;
}

const referencedBy = async (account: TestAccount, componentId: string) =>
  (await componentsOf(account).get(componentId)).json.referencedBy;
const reference = (templateId: string, notificationId = 'comment') => ({
  notificationId,
  channel: 'EMAIL',
  templateId,
});

describe('referencedBy', () => {
  it('follows templates as they are created, changed and deleted', async () => {
    const account = await accountWith({ header: [], footer: [] });
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: embedding('footer', 'footer') });
    await templates.create({ templateId: 'b', html: embedding('footer', 'header') });
    expect(await referencedBy(account, 'footer')).toEqual([reference('a'), reference('b')]);
    expect(await referencedBy(account, 'header')).toEqual([reference('b')]);
    await templates.patch('a', { html: embedding('header') });
    await templates.patch('b', { subject: 'unrelated' });
    expect(await referencedBy(account, 'footer')).toEqual([reference('b')]);
    expect(await referencedBy(account, 'header')).toEqual([reference('a'), reference('b')]);
    await templates.patch('a', { html: null });
    await templates.remove('b');
    expect(await referencedBy(account, 'footer')).toEqual([]);
    expect(await referencedBy(account, 'header')).toEqual([]);
  });

  it('lists templates of every type by their IDs, and drops those of a deleted type', async () => {
    const account = await accountWith({ '#foot%er ☂': [] });
    await addType(account, 'other #☂');
    const html = embedding('#foot%er ☂');
    await templatesOf(account).create({ templateId: 'a', html });
    await templatesOf(account, 'other #☂').create({ templateId: 'a', html });
    expect(await referencedBy(account, '#foot%er ☂')).toEqual([reference('a'), reference('a', 'other #☂')]);
    await removeType(account);
    expect(await referencedBy(account, '#foot%er ☂')).toEqual([reference('a', 'other #☂')]);
  });

  it('lists templates that embed the component through other components', async () => {
    const account = await accountWith({ logo: [], footer: ['logo'], page: ['footer'] });
    await templatesOf(account).create({ templateId: 'a', html: embedding('page') });
    await templatesOf(account).create({ templateId: 'b', html: embedding('logo', 'footer') });
    expect(await referencedBy(account, 'page')).toEqual([reference('a')]);
    expect(await referencedBy(account, 'logo')).toEqual([reference('a'), reference('b')]);
    const { json } = await componentsOf(account).list();
    expect(json.components.map((each: { referencedBy: object[] }) => each.referencedBy.length)).toEqual([
      2, 2, 1,
    ]);
    await componentsOf(account).patch('page', { html: 'nothing' });
    expect(await referencedBy(account, 'logo')).toEqual([reference('b')]);
  });

  it('lists every template saved concurrently', async () => {
    const account = await accountWith({ footer: [] });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      ids.map(async (notificationId) => {
        await addType(account, notificationId);
        return templatesOf(account, notificationId).create({ templateId: 't', html: embedding('footer') });
      }),
    );
    expect(await referencedBy(account, 'footer')).toEqual(ids.map((id) => reference('t', id)));
    await Promise.all(ids.slice(0, 3).map((id) => templatesOf(account, id).patch('t', { html: 'x' })));
    expect(await referencedBy(account, 'footer')).toEqual(ids.slice(3).map((id) => reference('t', id)));
  });

  it('leaves no reference behind when a type with many references is deleted', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const account = await accountWith(Object.fromEntries(ids.map((id) => [id, []])));
    for (let index = 0; index < 15; index += 1) {
      const made = await templatesOf(account).create({ templateId: `t${index}`, html: embedding(...ids) });
      expect(made.status).toBe(200);
    }
    expect(await referencedBy(account, 'c9')).toHaveLength(15);
    await removeType(account);
    const left = await app.database.queryAll(environmentPk(account.environment.environmentId), 'REFERENCE#', {
      consistent: true,
    });
    expect(left).toEqual([]);
  });
});

describe('an embedded component', () => {
  it('must exist when the template or component is saved', async () => {
    const account = await accountWith({ footer: [] });
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: 'x' });
    for (const { status, json } of [
      await templates.create({ templateId: 'b', html: embedding('footer', 'unknown') }),
      await templates.patch('a', { html: embedding('unknown') }),
      await componentsOf(account).create({ componentId: 'page', name: 'x', html: embedding('unknown') }),
      await componentsOf(account).patch('footer', { html: embedding('unknown') }),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
      expect(json.error.message).toBe('html: the component "unknown" does not exist.');
    }
    expect(await referencedBy(account, 'footer')).toEqual([]);
    expect((await templates.get('b')).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('cannot belong to another account', async () => {
    const [owner, stranger] = [await accountWith({ footer: [] }), await accountWith({})];
    const { json } = await templatesOf(stranger).create({ templateId: 'a', html: embedding('footer') });
    expect(json.error.code).toBe('INVALID_TEMPLATE');
    expect(await referencedBy(owner, 'footer')).toEqual([]);
  });

  it('can be one of at most 20 in a template', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => `c${index}`);
    const account = await accountWith(Object.fromEntries(ids.map((id) => [id, []])));
    const templates = templatesOf(account);
    const { json } = await templates.create({ templateId: 'a', html: embedding(...ids) });
    expect([json.error.code, json.error.message]).toEqual([
      'INVALID_TEMPLATE',
      'html: more than 20 components are embedded.',
    ]);
    expect((await templates.create({ templateId: 'a', html: embedding(...ids.slice(1)) })).status).toBe(200);
    expect((await templates.patch('a', { html: 'x' })).status).toBe(200);
  });

  it('cannot be deleted; the response states how many templates embed it', async () => {
    const account = await accountWith({ footer: [], page: ['footer'] });
    await templatesOf(account).create({ templateId: 'a', html: embedding('footer') });
    await templatesOf(account).create({ templateId: 'b', html: embedding('footer') });
    const { status, json } = await componentsOf(account).remove('footer');
    expect([status, json.error.code]).toEqual([400, 'RESOURCE_IN_USE']);
    expect(json.error.message).toBe('The component is embedded by 2 templates and 1 other components.');
    await templatesOf(account).remove('a');
    await removeType(account);
    expect((await componentsOf(account).remove('footer')).json.error.code).toBe('RESOURCE_IN_USE');
    expect((await componentsOf(account).remove('page')).status).toBe(200);
    expect((await componentsOf(account).remove('footer')).status).toBe(200);
  });

  it('never goes missing from a template saved during its deletion', async () => {
    for (let round = 0; round < 8; round += 1) {
      const account = await accountWith({ footer: [] });
      const [saved, removed] = await Promise.all([
        templatesOf(account).create({ templateId: 'a', html: embedding('footer') }),
        componentsOf(account).remove('footer'),
      ]);
      const outcomes = [saved.json.error?.code, removed.json.error?.code];
      expect([
        [undefined, 'RESOURCE_IN_USE'],
        ['INVALID_TEMPLATE', undefined],
      ]).toContainEqual(outcomes);
    }
  });
});

describe('components that embed one another', () => {
  it('can be nested three deep and no deeper, from either end', async () => {
    const account = await accountWith({ c: [], b: ['c'], a: ['b'], d: [] });
    for (const [id, html] of [
      ['d', embedding('a')],
      ['c', embedding('d')],
    ] as const) {
      const { status, json } = await componentsOf(account).patch(id, { html });
      expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
      expect(json.error.message).toContain('more than 3 deep');
    }
    expect((await componentsOf(account).patch('d', { html: embedding('b') })).status).toBe(200);
  });

  it('never embed themselves, directly or indirectly', async () => {
    const account = await accountWith({ b: [], a: ['b'] });
    for (const { status, json } of [
      await componentsOf(account).patch('a', { html: embedding('a') }),
      await componentsOf(account).patch('b', { html: embedding('a') }),
      await componentsOf(account).create({ componentId: 'x', name: 'x', html: embedding('x') }),
    ]) {
      expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
      expect(json.error.message).toContain('embed itself');
    }
    await componentsOf(account).patch('a', { html: '' });
    expect((await componentsOf(account).patch('b', { html: embedding('a') })).status).toBe(200);
  });

  it('form no cycle when two concurrent changes embed each other', async () => {
    for (let round = 0; round < 8; round += 1) {
      const account = await accountWith({ a: [], b: [] });
      const responses = await Promise.all([
        componentsOf(account).patch('a', { html: embedding('b') }),
        componentsOf(account).patch('b', { html: embedding('a') }),
      ]);
      expect(responses.map((response) => response.json.error?.code).sort()).toEqual([
        'INVALID_TEMPLATE',
        undefined,
      ]);
    }
  });

  it('never go missing when one is embedded during its deletion', async () => {
    for (let round = 0; round < 8; round += 1) {
      const account = await accountWith({ a: [], b: [] });
      const [saved, removed] = await Promise.all([
        componentsOf(account).patch('a', { html: embedding('b') }),
        componentsOf(account).remove('b'),
      ]);
      expect([
        [undefined, 'RESOURCE_IN_USE'],
        ['INVALID_TEMPLATE', undefined],
      ]).toContainEqual([saved.json.error?.code, removed.json.error?.code]);
    }
  });

  it('load together for rendering, at their newest version', async () => {
    const account = await accountWith({ logo: [], footer: ['logo'], page: ['footer'], other: [] });
    await componentsOf(account).patch('logo', { html: 'new ☂' });
    const load = (ids: string[]) => resolve(components).loadHtml(account.environment.environmentId, ids);
    expect(await load(['page', 'page', 'unknown'])).toEqual({
      page: embedding('footer'),
      footer: embedding('logo'),
      logo: 'new ☂',
    });
    expect(await load([])).toEqual({});
  });
});
