import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as getComponent } from '../../../functions/components/get-component.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as deleteTemplate } from '../../../functions/templates/delete-template.ts';
import { handler as getTemplate } from '../../../functions/templates/get-template.ts';
import { handler as listTemplates } from '../../../functions/templates/list-templates.ts';
import { handler as selectDefault } from '../../../functions/templates/select-default-template.ts';
import { handler as updateTemplate } from '../../../functions/templates/update-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as deleteType } from '../../../functions/types/delete-type.ts';
import type { TemplateEntry } from '../../../shared/database/entities/content/notification-types.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount, type TestApp } from '../../support/app.ts';

/** Calls of one account's notification type, by its secret key. */
export function templatesOf(account: TestAccount, notificationId = 'comment', channel = 'EMAIL') {
  const key = account.secret.key;
  const path = { notificationId, channel };
  return {
    create: (body: object) => call(createTemplate, { key, path, body }),
    list: () => call(listTemplates, { key, path }),
    get: (templateId: string, query: Record<string, string> = {}) =>
      call(getTemplate, { key, path: { ...path, templateId }, query }),
    patch: (templateId: string, body: object, query: Record<string, string> = {}) =>
      call(updateTemplate, { key, path: { ...path, templateId }, query, body }),
    remove: (templateId: string, query: Record<string, string> = {}) =>
      call(deleteTemplate, { key, path: { ...path, templateId }, query }),
    select: (body: object) => call(selectDefault, { key, path, body }),
  };
}

export const addType = (account: TestAccount, notificationId = 'comment') =>
  call(createType, {
    key: account.secret.key,
    body: { notificationId, title: notificationId, channels: ['EMAIL'] },
  });
export const removeType = (account: TestAccount, notificationId = 'comment') =>
  call(deleteType, { key: account.secret.key, path: { notificationId } });

/** A fresh account with the notification type `comment`. */
export async function accountWithType(app: TestApp): Promise<TestAccount> {
  const account = await createTestAccount(app);
  await addType(account);
  return account;
}

export const addComponent = (account: TestAccount, componentId: string, html = '', name = componentId) =>
  call(createComponent, { key: account.secret.key, body: { componentId, name, html } });
export const referencedBy = async (account: TestAccount, componentId: string) =>
  (await call(getComponent, { key: account.secret.key, path: { componentId } })).json.referencedBy;

/** Returns the template's entry in the type's item. */
export async function entryOf(
  account: TestAccount,
  templateId: string,
  notificationId = 'comment',
): Promise<TemplateEntry | undefined> {
  const type = await resolve(notificationTypes).find(account.environment.environmentId, notificationId);
  return type?.templates.find((each) => each.templateId === templateId);
}
