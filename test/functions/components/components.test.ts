import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as updateComponent } from '../../../functions/components/update-component.ts';
import { Component } from '../../../shared/schemas/content/component.ts';
import { call, createTestAccount, START_MS } from '../../support/app.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useApp } from '../../support/use-app.ts';
import { componentsOf } from './setup.ts';

const app = useApp();

const path = { componentId: 'footer' };
const LONG = 'x'.repeat(2048);
const NOW = new Date(START_MS).toISOString();

describe('POST /components', () => {
  it('stores the smallest component under a generated ID', async () => {
    const account = await createTestAccount(app);
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
    const account = await createTestAccount(app);
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
    const account = await createTestAccount(app);
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
    const account = await createTestAccount(app);
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
