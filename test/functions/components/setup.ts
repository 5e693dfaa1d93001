import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as deleteComponent } from '../../../functions/components/delete-component.ts';
import { handler as getComponent } from '../../../functions/components/get-component.ts';
import { handler as listComponents } from '../../../functions/components/list-components.ts';
import { handler as updateComponent } from '../../../functions/components/update-component.ts';
import { call, type TestAccount } from '../../support/app.ts';

/** Calls of the components endpoints by the account's secret key. */
export function componentsOf(account: TestAccount) {
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
export const embedding = (...componentIds: string[]) =>
  `<p>x</p>${componentIds.map((id) => `{% component '${id}' %}`).join('')}`;
