import { describe, expect, it } from 'vitest';
import { createTemplates } from '../../../shared/database/entities/content/templates.ts';
import { templateKey } from '../../../shared/database/keys/environment.ts';
import type { TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';
import { accountWithType, addType, entryOf, removeType, templatesOf } from './setup.ts';

const app = useApp();
const account = useStarted(() => accountWithType(app), 'test');

/** Contents through a process's own memory, with a count of what it read from the table. */
function reader(account: TestAccount, cacheBytesMax?: number) {
  const reads = { count: 0 };
  const counting = {
    ...app.database,
    get: (...parameters: Parameters<typeof app.database.get>) => {
      reads.count += 1;
      return app.database.get(...parameters);
    },
  };
  const templates = createTemplates(counting, cacheBytesMax);
  const find = async (templateId: string, versionMin?: number) => {
    const wanted = {
      templateId,
      locale: undefined,
      versionMin: versionMin ?? (await entryOf(account, templateId))?.version ?? 0,
    };
    return templates.findContent(account.environment.environmentId, 'comment', 'EMAIL', wanted);
  };
  return { reads, find };
}

describe('the content of a template', () => {
  it('comes from memory after the first read', async () => {
    await templatesOf(account).create({ templateId: 'a', html: '☂' });
    const { reads, find } = reader(account);
    for (let time = 0; time < 3; time += 1) expect(await find('a')).toEqual({ html: '☂' });
    expect(reads.count).toBe(1);
  });

  it('never falls behind the requested version', async () => {
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: '0' });
    const { reads, find } = reader(account);
    for (let change = 1; change <= 5; change += 1) {
      await find('a');
      await templates.patch('a', { html: `${change}` });
      expect(await find('a')).toEqual({ html: `${change}` });
    }
    expect(reads.count).toBe(6);
  });

  it('can be newer than the requested version', async () => {
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: 'old' });
    const version = (await entryOf(account, 'a'))?.version;
    await templates.patch('a', { html: 'new' });
    expect(await reader(account).find('a', version)).toEqual({ html: 'new' });
  });

  it('never comes from an earlier template with the same ID or from an earlier type', async () => {
    const templates = templatesOf(account);
    const { find } = reader(account);
    await templates.create({ templateId: 'a', html: '1' });
    await templates.patch('a', { html: '2' });
    await find('a');
    await templates.remove('a');
    await templates.create({ templateId: 'a', html: '3' });
    expect(await find('a')).toEqual({ html: '3' });
    const highest = (await entryOf(account, 'a'))?.version ?? 0;
    await removeType(account);
    app.clock.nowMs += 1000;
    await addType(account);
    await templates.create({ templateId: 'a', html: '4' });
    expect((await entryOf(account, 'a'))?.version).toBeGreaterThan(highest);
    expect(await find('a')).toEqual({ html: '4' });
  });

  it('comes back undefined when the template does not exist or was deleted', async () => {
    const templates = templatesOf(account);
    await templates.create({ templateId: 'a', html: '1' });
    await templates.remove('a');
    expect(await reader(account).find('a')).toBeUndefined();
    expect(await reader(account).find('unknown')).toBeUndefined();
  });

  it('stays in memory up to a size limit, most recently used first', async () => {
    const templates = templatesOf(account);
    for (const templateId of ['a', 'b', 'c']) {
      await templates.create({ templateId, html: templateId.repeat(1000) });
    }
    await templates.create({ templateId: 'large', html: 'x'.repeat(5000) });
    const { reads, find } = reader(account, 2500);
    for (const templateId of ['a', 'b', 'a', 'c', 'a']) await find(templateId);
    expect(reads.count).toBe(3);
    await find('b');
    expect(reads.count).toBe(4);
    await find('large');
    await find('large');
    expect(reads.count).toBe(6);
    await find('b');
    expect(reads.count).toBe(6);
  });

  it('disappears with its type, even when there are more templates than one transaction can delete', async () => {
    const templates = templatesOf(account);
    const ids = Array.from({ length: 100 }, (_, index) => `t${index}`);
    for (const templateId of ids) await templates.create({ templateId });
    expect((await removeType(account)).status).toBe(200);
    const items = await app.database.batchGet(
      ids.map((id) => templateKey(account.environment.environmentId, 'comment', 'EMAIL', id)),
      { consistent: true },
    );
    expect(items.filter((item) => item !== undefined)).toEqual([]);
    expect((await templates.list()).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });
});
